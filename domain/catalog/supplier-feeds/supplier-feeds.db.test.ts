/** Tests supplier feeds with real HTTPS and SFTP servers. Over 400 lines: all failures. */
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createSupplierFiles } from '#adapters/suppliers/supplier-files.ts'
import {
  askImport,
  findImport,
  reportOf,
  startImport,
  storeUpload,
  workOnImport,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { maxUploadBytes } from '#domain/catalog/catalog-import/catalog-import.ts'
import {
  openCatalog,
  setBelowMap,
  textFeed,
  value,
  type TestCatalog,
} from '#domain/catalog/catalog-import/catalog-import.testing.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { makeKeys, startHttpsServer, startSftpServer, type SftpFiles } from './file-servers.testing.ts'
import {
  addFeed,
  changeFeed,
  fetchFeed,
  findFeed,
  pauseFeed,
  planFetches,
  readFeedNotice,
  runFeed,
  settleFeedImport,
  subscribeToFeed,
} from './supplier-feeds.server.ts'
import { feedForm, maxAttempts } from './supplier-feeds.ts'
import type { SupplierFiles } from './supplier-files.port.ts'

const config = { session: { secret: 'a secret for tests only' } }
const manager = { issuer: 'https://id.example', subject: 'manager' }
// Tuesday, 5:00 AM in New York.
const start = Temporal.Instant.from('2026-11-24T10:00:00Z')
const six = start.add({ hours: 1 })

async function openFeeds({ trusts = true }: { trusts?: boolean } = {}) {
  const catalog = await openCatalog()
  catalog.clock.set(start)
  const outgoing = createOutgoing({ trustedOrigin: null, trustsThisMachine: trusts })
  const deps = { ...catalog.deps, config, supplierFiles: createSupplierFiles(outgoing) }
  return {
    ...catalog,
    deps,
    db: catalog.database.db,
    [Symbol.asyncDispose]: () => catalog[Symbol.asyncDispose](),
  }
}
type Feeds = Awaited<ReturnType<typeof openFeeds>>

const draft = (change: Record<string, string>) =>
  feedForm.parse({
    name: 'Broadmoor prices',
    kind: 'prices',
    mode: 'all-or-nothing',
    tuesday: '1',
    wednesday: '1',
    times: '06:00',
    maxPricePercent: '50',
    ...change,
  })

async function add({ deps }: Pick<Feeds, 'deps'>, change: Record<string, string>): Promise<number> {
  return value(await addFeed(deps, desk, draft(change))).id
}

async function fetchesOf({ deps }: Pick<Feeds, 'deps'>, id: number) {
  return (await findFeed(deps, id, manager))?.fetches ?? []
}

/** Runs due fetches and their imports like the worker. */
async function work(feeds: Feeds): Promise<void> {
  await planFetches(feeds.deps)
  const due = await feeds.db.selectFrom('supplier_feed_fetch').select('id').where('state', '=', 'due').execute()
  for (const { id } of due) await fetchFeed(feeds.deps, id)
  const runs = await feeds.db.selectFrom('import_run').select('id').orderBy('id').execute()
  for (const { id } of runs)
    // Read, then published.
    for (let step = 0; step < 2; step++) {
      await workOnImport(feeds.deps, id)
      await settleFeedImport(feeds.deps, id)
    }
}

async function runNow(feeds: Feeds, id: number) {
  // Two fetches of a feed aren’t due at the same instant.
  feeds.clock.set(feeds.clock.now().add({ seconds: 1 }))
  value(await runFeed(feeds.deps, desk, id))
  await work(feeds)
  const [last] = await fetchesOf(feeds, id)
  if (!last) throw new Error('no fetch')
  return { ...last, run: last.runId === null ? undefined : await findImport(feeds.deps, last.runId) }
}

const mails = ({ db }: Pick<Feeds, 'db'>) =>
  db.selectFrom('message').select(['key', 'to_address as to']).where('kind', '=', 'supplier-feed').execute()

/** The first tires with other prices, by `factor`. */
async function priceFile({ database }: Pick<TestCatalog, 'database'>, factor: number, count = 4): Promise<string> {
  const items = await database.db
    .selectFrom('item')
    .select(['sku', 'retail_cents'])
    .orderBy('id')
    .limit(count)
    .execute()
  const rows = items.map(({ sku, retail_cents }, index) => {
    // Half of the prices change.
    const price = index % 2 === 0 ? Math.round((retail_cents ?? 0) * factor) : retail_cents
    return `${sku},${price}`
  })
  return ['sku,price_cents', ...rows].join('\n')
}

function servingCsv(text: () => string, more: Record<string, string> = {}): RequestListener {
  return (_request, response) => response.writeHead(200, { 'content-type': 'text/csv', ...more }).end(text())
}

test('a feed is fetched once at each scheduled time, published by rule, and skipped while unchanged', async () => {
  await using feeds = await openFeeds()
  const asked: (string | undefined)[] = []
  let [text, etag] = [await priceFile(feeds, 1.1), '"one"']
  await using server = await startHttpsServer((request, response) => {
    asked.push(request.headers['if-none-match'])
    expect(request.headers.authorization).toBe(`Basic ${Buffer.from('store:top secret').toString('base64')}`)
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.writeHead(200, { etag }).end(text)
  })
  const id = await add(feeds, { url: `${server.origin}/daily/prices.csv`, username: 'store', password: 'top secret' })
  await work(feeds)
  expect(await fetchesOf(feeds, id)).toEqual([])

  feeds.clock.set(six)
  await Promise.all([planFetches(feeds.deps), planFetches(feeds.deps)])
  const [due] = await fetchesOf(feeds, id)
  expect(due).toMatchObject({ state: 'due', dueAt: six, requestedBy: null })
  await Promise.all([fetchFeed(feeds.deps, due?.id ?? 0), fetchFeed(feeds.deps, due?.id ?? 0)])
  await work(feeds)
  const [first, ...others] = await fetchesOf(feeds, id)
  expect(others).toEqual([])
  expect(await feeds.db.selectFrom('import_run').select(['state', 'file_name', 'started_by']).execute()).toEqual([
    { state: 'published', file_name: 'prices.csv', started_by: 'Supplier feed Broadmoor prices' },
  ])
  expect(first).toMatchObject({ state: 'imported', held: null })

  // The next day the server reports an unchanged file. Then it names another version with the same bytes.
  feeds.clock.set(six.add({ hours: 24 }))
  await work(feeds)
  expect((await fetchesOf(feeds, id))[0]).toMatchObject({ state: 'unchanged', runId: null })
  etag = '"two"'
  feeds.clock.set(six.add({ hours: 24 * 7 }))
  await work(feeds)
  expect((await fetchesOf(feeds, id))[0]).toMatchObject({ state: 'unchanged', runId: null })
  expect(asked.slice(-2)).toEqual(['"one"', '"one"'])

  // A person reads it all the same.
  expect(await runNow(feeds, id)).toMatchObject({ state: 'imported', requestedBy: 'desk' })
  expect(asked.at(-1)).toBeUndefined()
  text = await priceFile(feeds, 1.1)
  etag = '"three"'
  feeds.clock.set(six.add({ hours: 24 * 8 }))
  await work(feeds)
  expect((await fetchesOf(feeds, id))[0]).toMatchObject({ state: 'imported' })
  const uploads = await feeds.db.selectFrom('import_upload').select('id').where('run_id', 'is', null).execute()
  expect(uploads).toEqual([])
})

test('a fetch whose worker ended before it was recorded is repeated, with one import', async () => {
  await using feeds = await openFeeds()
  const text = await priceFile(feeds, 1.1)
  await using server = await startHttpsServer(servingCsv(() => text))
  const id = await add(feeds, { url: `${server.origin}/prices.csv` })
  feeds.clock.set(six)
  await planFetches(feeds.deps)
  const [due] = await fetchesOf(feeds, id)
  const dying: SupplierFiles = {
    ...feeds.deps.supplierFiles,
    async fetch(request, take) {
      await feeds.deps.supplierFiles.fetch(request, take)
      throw new Error('the worker ended')
    },
  }
  await expect(fetchFeed({ ...feeds.deps, supplierFiles: dying }, due?.id ?? 0)).rejects.toThrow('the worker ended')
  await work(feeds)
  expect(await fetchesOf(feeds, id)).toMatchObject([{ state: 'imported' }])
  expect(await feeds.db.selectFrom('import_run').select('state').execute()).toEqual([{ state: 'published' }])
})

test('an import that changes too many prices requires confirmation, and subscribers are emailed once', async () => {
  await using feeds = await openFeeds()
  await signInStaff(feeds.deps, 'manager')
  const text = await priceFile(feeds, 1.1)
  await using server = await startHttpsServer(servingCsv(() => text))
  const id = await add(feeds, { url: `${server.origin}/prices.csv`, maxPricePercent: '49' })
  value(await subscribeToFeed(feeds.deps, desk, { id, ...manager, isOn: true }))
  feeds.clock.set(six)
  await work(feeds)
  await work(feeds)
  const [last] = await fetchesOf(feeds, id)
  expect(last).toMatchObject({ state: 'imported', held: 'prices' })
  const runId = last?.runId ?? 0
  expect(await findImport(feeds.deps, runId)).toMatchObject({ state: 'waiting-for-yes', asked: null })
  const [mail, ...more] = await mails(feeds)
  expect(more).toEqual([])
  expect(mail?.to).toBe('manager@store.example')
  expect(await readFeedNotice(feeds.deps, mail?.key ?? '')).toMatchObject({ feed: { id }, fetch: { held: 'prices' } })

  const seen = (await findImport(feeds.deps, runId))?.summary.previewedAt ?? ''
  value(await askImport(feeds.deps, desk, { runId, act: 'publish', seen, reason: null }))
  await work(feeds)
  expect(await findImport(feeds.deps, runId)).toMatchObject({ state: 'published' })
  value(await subscribeToFeed(feeds.deps, desk, { id, ...manager, isOn: false }))
  expect(await readFeedNotice(feeds.deps, mail?.key ?? '')).toBeUndefined()
})

test('a bad row refuses the file or is left out, and warnings wait for a person', async () => {
  await using feeds = await openFeeds()
  const good = await priceFile(feeds, 1.1)
  let text = `${good}\nNOT-OURS,100`
  await using server = await startHttpsServer(servingCsv(() => text))
  const url = `${server.origin}/prices.csv`
  const id = await add(feeds, { url })
  expect(await runNow(feeds, id)).toMatchObject({ held: 'refused', run: { state: 'refused' } })
  const perRow = await add(feeds, { url, name: 'Row by row', mode: 'per-row' })
  expect(await runNow(feeds, perRow)).toMatchObject({ held: null, run: { state: 'published', refusedCount: 1 } })
  text = await priceFile(feeds, 2)
  expect(await runNow(feeds, id)).toMatchObject({ held: 'warnings', run: { state: 'waiting-for-yes' } })
})

test('a price below its minimum doesn’t hold a feed: by the setting it is left out, or shown in the cart', async () => {
  await using feeds = await openFeeds()
  const items = await feeds.db.selectFrom('item').select(['sku', 'retail_cents']).orderBy('id').limit(3).execute()
  const text = await priceFile(feeds, 0.9, 3)
  await using server = await startHttpsServer(servingCsv(() => text))
  const id = await add(feeds, { url: `${server.origin}/prices.csv` })
  await feeds.db
    .updateTable('item')
    .set({ map_cents: items[0]?.retail_cents ?? 0, map_set_at: start })
    .where('sku', '=', items[0]?.sku ?? '')
    .execute()
  const lowered = async () => {
    const now = await feeds.db.selectFrom('item').select('retail_cents').orderBy('id').limit(3).execute()
    return now.map(({ retail_cents }, index) => retail_cents < (items[index]?.retail_cents ?? 0))
  }
  expect(await runNow(feeds, id)).toMatchObject({
    held: null,
    run: { state: 'published', summary: { belowMap: { isRefused: true, count: 1 } } },
  })
  expect(await lowered()).toEqual([false, false, true])
  await setBelowMap(feeds, 'price-in-cart')
  expect(await runNow(feeds, id)).toMatchObject({
    held: null,
    run: { state: 'published', summary: { belowMap: { isRefused: false, count: 1 } } },
  })
  expect(await lowered()).toEqual([true, false, true])
})

test('a file with other columns uses the last matching, and fails without one', async () => {
  await using feeds = await openFeeds()
  const text = (await priceFile(feeds, 1.1)).replace('sku,price_cents', 'Part number,Amount')
  await using server = await startHttpsServer(servingCsv(() => text))
  const id = await add(feeds, { url: `${server.origin}/prices.csv` })
  expect(await runNow(feeds, id)).toMatchObject({ state: 'failed', fault: 'columns' })
  const uploadId = newId()
  value(await storeUpload(feeds.deps, desk, { id: uploadId, fileName: 'by-hand.csv', bytes: textFeed(text).open() }))
  const sources = { sku: { column: 'part number' }, price_cents: { column: 'amount' } }
  value(await startImport(feeds.deps, desk, { uploadId, kind: 'prices', mode: 'all-or-nothing', sources }))
  expect(await runNow(feeds, id)).toMatchObject({ state: 'imported', run: { state: 'published' } })
})

test('each failure of an HTTPS server is named, and a gzip bomb is refused while it is read', async () => {
  await using feeds = await openFeeds()
  const zeros = Buffer.alloc(64 * 1024)
  const answers: Record<string, RequestListener> = {
    '/login': (_request, response) => response.writeHead(401).end(),
    '/missing': (_request, response) => response.writeHead(404).end(),
    '/broken': (_request, response) => response.writeHead(503).end(),
    '/empty': (_request, response) => response.writeHead(200).end(),
    '/cut': (_request, response) => {
      response.writeHead(200, { 'content-length': '5000' }).write('sku,price\n')
      setTimeout(() => response.destroy(), 50)
    },
    '/slow': (_request, response) => response.writeHead(200).write('sku,price\n'),
    '/circle': (_request, response) => response.writeHead(302, { location: '/circle' }).end(),
    '/inside': (_request, response) => response.writeHead(302, { location: 'https://10.0.0.7/a.csv' }).end(),
    '/plain': (_request, response) => response.writeHead(302, { location: 'http://example.com/a.csv' }).end(),
    '/large': (_request, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write(zeros));
      }
      response.on('drain', more)
      more()
    },
    '/bomb': (_request, response) =>
      response
        .writeHead(200)
        .end(gzipSync(Buffer.concat([Buffer.from('sku,price\n'), Buffer.alloc(8_000_000, 'a,1\n')]))),
  }
  await using server = await startHttpsServer((request, response) => answers[request.url ?? '']?.(request, response))
  const outgoing = createOutgoing({ trustedOrigin: server.origin })
  const impatient = { ...feeds.deps, supplierFiles: createSupplierFiles(outgoing, { timeoutMs: 500 }) }
  const expected = {
    login: { fault: 'refused-login', detail: '401' },
    missing: { fault: 'not-found', detail: '404' },
    empty: { fault: 'empty' },
    circle: { fault: 'redirects' },
    inside: { fault: 'private-address' },
    plain: { fault: 'not-https' },
    large: { fault: 'too-large' },
    broken: { state: 'due', attempts: 1 },
    cut: { state: 'due', attempts: 1 },
    slow: { state: 'due', attempts: 1 },
  }
  for (const [path, outcome] of Object.entries(expected)) {
    const id = await add(feeds, { url: `${server.origin}/${path}`, name: path })
    value(await runFeed(feeds.deps, desk, id))
    const [fetch] = await fetchesOf(feeds, id)
    await fetchFeed(path === 'slow' ? impatient : feeds.deps, fetch?.id ?? 0)
    expect((await fetchesOf(feeds, id))[0], path).toMatchObject(
      'state' in outcome ? outcome : { state: 'failed', ...outcome },
    )
    if ('state' in outcome) continue
    value(await pauseFeed(feeds.deps, desk, { id, version: 1, pauses: true }))
  }
  expect(await feeds.db.selectFrom('import_upload').select('id').execute()).toEqual([])
  const bomb = await add(feeds, { url: `${server.origin}/bomb`, name: 'bomb' })
  value(await runFeed(feeds.deps, desk, bomb))
  const [fetch] = await fetchesOf(feeds, bomb)
  await fetchFeed(feeds.deps, fetch?.id ?? 0)
  const runId = (await fetchesOf(feeds, bomb))[0]?.runId ?? 0
  await workOnImport(feeds.deps, runId)
  await settleFeedImport(feeds.deps, runId)
  expect((await fetchesOf(feeds, bomb))[0]).toMatchObject({ held: 'refused' })
  expect((await Array.fromAsync(reportOf(feeds.deps, runId))).join('')).toContain('unpacks to more than 100 times')
})

test('a cut-off transfer is tried three times, five minutes apart, and emailed then', async () => {
  await using feeds = await openFeeds()
  await signInStaff(feeds.deps, 'manager')
  await using server = await startHttpsServer((_request, response) => {
    response.writeHead(200, { 'content-length': '5000' }).write('sku,price\n')
    setTimeout(() => response.destroy(), 20)
  })
  const id = await add(feeds, { url: `${server.origin}/prices.csv` })
  value(await subscribeToFeed(feeds.deps, desk, { id, ...manager, isOn: true }))
  feeds.clock.set(six)
  await planFetches(feeds.deps)
  const fetchId = (await fetchesOf(feeds, id))[0]?.id ?? 0
  for (let attempt = 1; attempt < maxAttempts; attempt++) {
    await fetchFeed(feeds.deps, fetchId)
    expect(await fetchesOf(feeds, id)).toMatchObject([{ state: 'due', attempts: attempt }])
  }
  const { rows } = await sql<{ at: Temporal.Instant }>`
    select run_at as at from graphile_worker.jobs where key = ${`supplier-feed-${fetchId}`}`.execute(feeds.db)
  expect(rows).toEqual([{ at: six.add({ minutes: 5 }) }])
  expect(await mails(feeds)).toEqual([])
  await fetchFeed(feeds.deps, fetchId)
  await fetchFeed(feeds.deps, fetchId)
  expect(await fetchesOf(feeds, id)).toMatchObject([{ state: 'failed', fault: 'cut-off', attempts: 3 }])
  const sent = await mails(feeds)
  expect(sent).toMatchObject([{ key: expect.stringMatching(`^supplier-feed:${fetchId}:`) }])

  // Without a subscriber, the owners get the email.
  await signInStaff(feeds.deps, 'owner')
  value(await subscribeToFeed(feeds.deps, desk, { id, ...manager, isOn: false }))
  feeds.clock.set(feeds.clock.now().add({ seconds: 1 }))
  value(await runFeed(feeds.deps, desk, id))
  const again = (await fetchesOf(feeds, id))[0]?.id ?? 0
  for (let attempt = 1; attempt <= maxAttempts; attempt++) await fetchFeed(feeds.deps, again)
  const toOwner = (await mails(feeds)).filter(({ key }) => !sent.some((mail) => mail.key === key))
  // The first owner comes with the test data.
  expect(toOwner.map(({ to }) => to)).toEqual(['owner@example.com', 'owner@store.example'])
  const key = toOwner[1]?.key ?? ''
  expect(await readFeedNotice(feeds.deps, key)).toMatchObject({ feed: { id }, reader: 'owner' })
  expect(await readFeedNotice(feeds.deps, key.replace('owner@', 'other@'))).toBeUndefined()
})

test('a file over SFTP is read with a password or a key, and skipped while its size and time are the same', async () => {
  await using feeds = await openFeeds()
  const files: SftpFiles = new Map([
    ['/out/prices.csv', { bytes: Buffer.from(await priceFile(feeds, 1.1)), mtime: 1_700_000_000 }],
  ])
  await using byPassword = await startSftpServer({ username: 'store', password: 'top secret', files })
  const id = await add(feeds, {
    url: `${byPassword.origin}/out/prices.csv`,
    username: 'store',
    password: 'top secret',
    hostKey: byPassword.fingerprint,
  })
  feeds.clock.set(six)
  await work(feeds)
  expect(await fetchesOf(feeds, id)).toMatchObject([{ state: 'imported', held: null }])
  feeds.clock.set(six.add({ hours: 24 }))
  await work(feeds)
  expect((await fetchesOf(feeds, id))[0]).toMatchObject({ state: 'unchanged' })

  const keys = makeKeys()
  await using byKey = await startSftpServer({ username: 'store', keys, files })
  const other = await add(feeds, {
    name: 'With a key',
    url: `${byKey.origin}/out/prices.csv`,
    username: 'store',
    privateKey: keys.private,
    hostKey: byKey.fingerprint,
  })
  expect(await runNow(feeds, other)).toMatchObject({ state: 'imported', run: { state: 'published' } })
})

test('each failure of an SFTP server is named, and another host key gets no password', async () => {
  await using feeds = await openFeeds()
  const files: SftpFiles = new Map([['/large.csv', { bytes: Buffer.alloc(200_000, 'a'), mtime: 1_700_000_000 }]])
  files.set('/huge.csv', { bytes: Buffer.alloc(maxUploadBytes + 1, 'a'), mtime: 1_700_000_000 })
  const login = { username: 'store', password: 'top secret' }
  await using server = await startSftpServer({ ...login, files, cutsAt: 100_000 })
  const fetchWith = async (change: Record<string, string>) => {
    const name = `Feed ${JSON.stringify(change).length} ${newId()}`
    const url = `${server.origin}/large.csv`
    const id = await add(feeds, { name, url, ...login, hostKey: server.fingerprint, ...change })
    value(await runFeed(feeds.deps, desk, id))
    const [fetch] = await fetchesOf(feeds, id)
    await fetchFeed(feeds.deps, fetch?.id ?? 0)
    return (await fetchesOf(feeds, id))[0]
  }
  const hostKey = `SHA256:${'A'.repeat(43)}`
  expect(await fetchWith({ hostKey })).toMatchObject({ state: 'failed', fault: 'host-key', detail: server.fingerprint })
  expect(server.logins).toEqual([])
  expect(await fetchWith({ password: 'wrong' })).toMatchObject({ state: 'failed', fault: 'refused-login' })
  expect(await fetchWith({ url: `${server.origin}/none.csv` })).toMatchObject({ fault: 'not-found' })
  expect(await fetchWith({})).toMatchObject({ state: 'due', attempts: 1 })
  const privateKey = '-----BEGIN OPENSSH PRIVATE KEY-----\nnothing'
  expect(await fetchWith({ password: '', privateKey })).toMatchObject({ state: 'failed', fault: 'bad-key' })
  expect(await fetchWith({ url: 'sftp://localhost:1/a.csv' })).toMatchObject({ state: 'due' })
  await using whole = await startSftpServer({ ...login, files })
  expect(await fetchWith({ url: `${whole.origin}/huge.csv`, hostKey: whole.fingerprint })).toMatchObject({
    fault: 'too-large',
  })
})

test('private addresses are refused when a feed is saved and when it is fetched', async () => {
  await using feeds = await openFeeds({ trusts: false })
  const login = { username: 'store', password: 'top secret', hostKey: `SHA256:${'A'.repeat(43)}` }
  for (const url of ['https://localhost/a.csv', 'https://10.1.2.3/a.csv'])
    expect(await addFeed(feeds.deps, desk, draft({ url }))).toMatchObject({ reason: 'private-address' })
  for (const url of ['sftp://localhost/a.csv', 'sftp://192.168.0.1:2222/a.csv'])
    expect(await addFeed(feeds.deps, desk, draft({ url, ...login }))).toMatchObject({ reason: 'private-address' })
  expect(await addFeed(feeds.deps, desk, draft({ url: 'http://example.com/a.csv' }))).toMatchObject({
    reason: 'not-https',
  })
  const request = { username: 'store', secret: 'x', hostKey: null, known: null }
  for (const url of ['https://127.0.0.1/a.csv', 'sftp://127.0.0.1/a.csv', 'sftp://127.0.0.1:2222/a.csv'])
    expect(await feeds.deps.supplierFiles.fetch({ url, ...request }, async () => null)).toMatchObject({
      fault: 'private-address',
    })
})

test('a feed’s secret is sealed and stays with its server, and two tabs don’t overwrite each other', async () => {
  await using feeds = await openFeeds()
  const { deps, db } = feeds
  const url = 'https://feeds.example.com/prices.csv'
  const login = { username: 'store', password: 'top secret' }
  const clerk = await signInStaff(deps, 'catalog')
  expect(await addFeed(deps, clerk, draft({ url }))).toMatchObject({ reason: 'not-allowed' })
  const id = await add(feeds, { url, ...login })
  expect(await addFeed(deps, desk, draft({ url }))).toMatchObject({ reason: 'name-taken' })
  const kept = { url, username: 'store' }
  value(await changeFeed(deps, desk, id, draft({ ...kept, times: '07:00', version: '1' })))
  expect(await changeFeed(deps, desk, id, draft({ ...kept, version: '1' }))).toMatchObject({
    reason: 'changed-meanwhile',
  })
  const elsewhere = { ...kept, url: 'https://elsewhere.example.com/prices.csv', version: '2' }
  expect(await changeFeed(deps, desk, id, draft(elsewhere))).toMatchObject({ reason: 'secret-missing' })
  expect(await changeFeed(deps, desk, 999, draft(kept))).toMatchObject({ reason: 'gone' })
  const { rows } = await sql<{ text: string }>`
    select concat(supplier_feed::text, (select string_agg(audit_entry::text, ' ') from audit_entry)) as text
    from supplier_feed`.execute(db)
  expect(rows[0]?.text).toContain('supplier-feed.changed')
  expect(rows[0]?.text).not.toContain('top secret')
  const sealedElsewhere = { ...deps, config: { session: { secret: 'another secret' } } }
  value(await runFeed(deps, desk, id))
  const [fetch] = await fetchesOf(feeds, id)
  expect(await runFeed(deps, desk, id)).toMatchObject({ reason: 'running' })
  await fetchFeed(sealedElsewhere, fetch?.id ?? 0)
  expect((await fetchesOf(feeds, id))[0]).toMatchObject({ fault: 'sealed' })
})

test('a paused feed has no scheduled fetches, and one that resumes starts at its next time', async () => {
  await using feeds = await openFeeds()
  const id = await add(feeds, { url: 'https://feeds.example.com/prices.csv' })
  value(await pauseFeed(feeds.deps, desk, { id, version: 1, pauses: true }))
  feeds.clock.set(six)
  expect(await planFetches(feeds.deps)).toBe(0)
  feeds.clock.set(six.add({ minutes: 1 }))
  value(await pauseFeed(feeds.deps, desk, { id, version: 2, pauses: false }))
  expect(await planFetches(feeds.deps)).toBe(0)
  feeds.clock.set(six.add({ hours: 24 }))
  expect(await planFetches(feeds.deps)).toBe(1)
  expect(await planFetches(feeds.deps)).toBe(0)
})
