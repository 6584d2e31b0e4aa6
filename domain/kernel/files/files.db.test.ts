/** Files: stored with their row, taken to their place, deleted with their row, and moved between places. */
import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createFolderStore } from '#adapters/files/folder.ts'
import { receiveMessage, findAttachment, listOpenRequests } from '#domain/messaging/support/support.server.ts'
import { eventually } from '#tests/support/eventually.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { migrate } from '#platform/migrate.ts'
import { readConfig } from '#platform/config.ts'
import type { FileStore } from './file-store.port.ts'
import { handOutFile, listFilePlaces, moveFiles, placeFile, readFile, storeFile, sweepFiles } from './files.server.ts'

const pdf = Buffer.from('%PDF-1.7\nwide\n%%EOF\n')

/** A message store. The second folder simulates a bucket, which differs only in its adapter. */
async function openStore() {
  const [database, folder] = [await createTestDatabase(), await createTemporaryFolder()]
  const config = readConfig({ DATABASE_URL: database.url })
  if (!config.ok) throw new Error('no configuration')
  const stores = { folder: createFolderStore(join(folder.path, 'a')), s3: createFolderStore(join(folder.path, 'b')) }
  let now = Temporal.Now.instant()
  const deps = {
    db: database.db,
    config: config.value,
    rateLimits: noRateLimits,
    clock: { now: () => now },
    files: { kind: 'folder' as const, stores },
  }
  return {
    ...deps,
    later: (minutes: number) => (now = now.add({ minutes })),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}
type Store = Awaited<ReturnType<typeof openStore>>

/** Sends a message with a file, and returns its id and the key of the file. */
async function send(store: Store, email: string): Promise<{ id: number; key: string }> {
  const sent = await receiveMessage(store, {
    firstName: 'Dana',
    lastName: 'Ruiz',
    email,
    phone: '3125550142',
    orderNumber: null,
    subject: 'Something else',
    message: email,
    file: { name: 'invoice.pdf', bytes: pdf },
    networkKey: email,
  })
  expect(sent).toMatchObject({ ok: true })
  const id = (await listOpenRequests(store)).find((request) => request.email === email)?.id ?? 0
  const { file_key: key } = await store.db
    .selectFrom('support_attachment')
    .select('file_key')
    .where('request_id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, key }
}

const attachedBytes = async (store: Store, id: number) =>
  (await readFile(store, (await findAttachment(store, id))?.key ?? ''))?.bytes

const places = async (store: Store) =>
  Object.fromEntries((await listFilePlaces(store)).map((at) => [at.place, at.files]))

test('a file is readable from the moment its message is stored, in rows and in its place', async () => {
  await using store = await openStore()
  const { id, key } = await send(store, 'dana@example.com')
  expect(await attachedBytes(store, id)).toEqual(pdf)
  expect(await places(store)).toEqual({ rows: 1 })
  await placeFile(store, key)
  await placeFile(store, key)
  expect(await places(store)).toEqual({ folder: 1 })
  expect(await store.db.selectFrom('stored_file_bytes').select('key').execute()).toEqual([])
  expect(await findAttachment(store, id)).toEqual({ name: 'invoice.pdf', key })
  expect(await attachedBytes(store, id)).toEqual(pdf)
  // After a configuration change, the file is still served from its original location.
  expect((await readFile({ ...store, files: { ...store.files, kind: 's3' } }, key))?.bytes).toEqual(pdf)
})

test('a file is there exactly if what names it is committed', async () => {
  await using store = await openStore()
  await store.db
    .transaction()
    .execute(async (tx) => {
      await storeFile(tx, { contentType: 'application/pdf', bytes: pdf }, store.clock.now())
      throw new Error('cut off')
    })
    .catch(() => {})
  expect(await places(store)).toEqual({})
  const { rows } = await sql`select from graphile_worker.jobs where task_identifier = 'place-file'`.execute(store.db)
  expect(rows).toEqual([])
})

test.each(['before the bytes are written', 'after the bytes are written'])(
  'cut off %s, a file is taken to its place by the next try',
  async (when) => {
    await using store = await openStore()
    const { id, key } = await send(store, 'dana@example.com')
    const { folder } = store.files.stores
    const cut: FileStore = {
      ...folder,
      async put(...file) {
        if (when.startsWith('after')) await folder.put(...file)
        throw new Error('cut off')
      },
    }
    await expect(placeFile({ ...store, files: { kind: 'folder', stores: { folder: cut } } }, key)).rejects.toThrow()
    expect(await attachedBytes(store, id)).toEqual(pdf)
    await placeFile(store, key)
    expect(await places(store)).toEqual({ folder: 1 })
    expect(await sweepFiles(store)).toBe(0)
    expect(await attachedBytes(store, id)).toEqual(pdf)
  },
)

test('the sweep deletes bytes of an upload that was interrupted before its row was written', async () => {
  await using store = await openStore()
  const { id, key } = await send(store, 'dana@example.com')
  const { folder } = store.files.stores
  const cut: FileStore = {
    ...folder,
    async put(...file) {
      await folder.put(...file)
      throw new Error('cut off')
    },
  }
  await expect(placeFile({ ...store, files: { kind: 'folder', stores: { folder: cut } } }, key)).rejects.toThrow()
  await store.db.deleteFrom('support_attachment').where('request_id', '=', id).execute()
  expect(await folder.read(key, pdf.length)).toBeDefined()
  expect(await sweepFiles(store)).toBe(0)
  store.later(11)
  expect(await sweepFiles(store)).toBe(1)
  expect(await folder.read(key, pdf.length)).toBeUndefined()
  await placeFile(store, key)
  expect(await places(store)).toEqual({})
})

test('a file deleted while it is moved leaves no data', async () => {
  await using store = await openStore()
  const { id, key } = await send(store, 'dana@example.com')
  const { folder } = store.files.stores
  const slow: FileStore = {
    ...folder,
    async put(...file) {
      await store.db.deleteFrom('support_attachment').where('request_id', '=', id).execute()
      await folder.put(...file)
    },
  }
  await placeFile({ ...store, files: { kind: 'folder', stores: { folder: slow } } }, key)
  store.later(11)
  await sweepFiles(store)
  expect(await folder.read(key, pdf.length)).toBeUndefined()
})

test('every table with files loses its file with its row', async () => {
  await using store = await openStore()
  const { rows } = await sql<{ table: string; isWatched: boolean }>`
    select conrelid::regclass::text as table, exists (
      select from pg_trigger where tgrelid = conrelid and tgname = 'remove_named_file' and tgenabled = 'O') as "isWatched"
    from pg_constraint where contype = 'f' and confrelid = 'stored_file'::regclass
      and conrelid <> 'stored_file_bytes'::regclass`.execute(store.db)
  expect(rows.length).toBeGreaterThan(8)
  expect(rows.filter(({ isWatched }) => !isWatched)).toEqual([])
})

test('all files move between places, cut off in between, and the report is exact', async () => {
  await using store = await openStore()
  const sent = []
  for (let no = 0; no < 12; no += 1) sent.push(await send(store, `dana${no}@example.com`))
  for (const { key } of sent) await placeFile(store, key)
  const { folder, s3 } = store.files.stores
  let puts = 0
  const cut: FileStore = {
    ...s3,
    async put(...file) {
      puts += 1
      if (puts > 5) throw new Error('cut off')
      await s3.put(...file)
    },
  }
  const way = { from: 'folder', to: 's3' } as const
  await expect(moveFiles({ ...store, files: { kind: 'folder', stores: { folder, s3: cut } } }, way)).rejects.toThrow()
  expect(await places(store)).toEqual({ folder: 7, s3: 5 })
  const [lost, changed] = (
    await store.db.selectFrom('stored_file').select('key').where('place', '=', 'folder').orderBy('key').execute()
  ).map(({ key }) => key)
  await folder.remove(lost ?? '')
  await folder.put(changed ?? '', randomBytes(pdf.length), 'application/pdf')
  const report = await moveFiles(store, way)
  expect(report).toMatchObject({ missing: [lost], changed: [changed], gone: [], bytes: 5 * pdf.length })
  expect(report.moved).toHaveLength(5)
  expect(await places(store)).toEqual({ folder: 2, s3: 10 })
  for (const { id, key } of sent)
    if (key === lost || key === changed) await expect(attachedBytes(store, id)).rejects.toThrow(key)
    else expect(await attachedBytes(store, id)).toEqual(pdf)
  // Moved files no longer exist in the old location.
  expect(await sweepFiles(store)).toBe(10)
  for (const { key } of sent) if (key !== changed) expect(await folder.read(key, pdf.length)).toBeUndefined()
})

test('a file moved in both directions ends in one location, and its copy is deleted', async () => {
  await using store = await openStore()
  const { id, key } = await send(store, 'dana@example.com')
  const { folder, s3 } = store.files.stores
  const late: FileStore = {
    ...s3,
    async put(...file) {
      await s3.put(...file)
      await placeFile(store, key)
    },
  }
  await placeFile({ ...store, files: { kind: 's3', stores: { folder, s3: late } } }, key)
  expect(await places(store)).toEqual({ folder: 1 })
  await sweepFiles(store)
  expect(await s3.read(key, pdf.length)).toBeUndefined()
  expect(await attachedBytes(store, id)).toEqual(pdf)
})

test('moved back to where a sweep is deleting it, a file is written after', async () => {
  await using store = await openStore()
  const { id, key } = await send(store, 'dana@example.com')
  await placeFile(store, key)
  await moveFiles(store, { from: 'folder', to: 's3' })
  const { folder, s3 } = store.files.stores
  let back: Promise<unknown> | undefined
  const slow: FileStore = {
    ...folder,
    async remove(name) {
      let isBack = false
      back = moveFiles(store, { from: 's3', to: 'folder' }).then(() => (isBack = true))
      await eventually('move that is over or waits', async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          store.db,
        )
        return isBack || rows.length > 0
      })
      await folder.remove(name)
    },
  }
  await sweepFiles({ ...store, files: { kind: 'folder', stores: { folder: slow, s3 } } })
  await back
  expect(await places(store)).toEqual({ folder: 1 })
  expect(await attachedBytes(store, id)).toEqual(pdf)
  await sweepFiles(store)
  expect(await attachedBytes(store, id)).toEqual(pdf)
})

test('a storage with signed URLs serves files directly, and others through the store', async () => {
  await using store = await openStore()
  const { key } = await send(store, 'dana@example.com')
  const { folder, s3 } = store.files.stores
  const signing: FileStore = {
    ...s3,
    sign: (name, { seconds, contentType, disposition }) =>
      Promise.resolve(new URL(`https://files.example/${name}?${seconds} ${contentType} ${disposition}`)),
  }
  const signed = { ...store, files: { kind: 's3' as const, stores: { folder, s3: signing } } }
  const whole = { contentType: 'application/pdf', bytes: pdf }
  expect(await handOutFile(signed, key, () => 'inline')).toEqual(whole)
  await placeFile(store, key)
  expect(await handOutFile(signed, key, () => 'inline')).toEqual(whole)
  await moveFiles(signed, { from: 'folder', to: 's3' })
  expect(await handOutFile(store, key, () => 'inline')).toEqual(whole)
  expect(await handOutFile(signed, key, () => 'inline')).toEqual({
    address: new URL(`https://files.example/${key}?60 application/pdf inline`),
  })
  expect(await handOutFile(signed, randomUUID(), () => 'inline')).toBeUndefined()
})

test('a storage that loses data accepts no files', async () => {
  await using store = await openStore()
  const { id, key } = await send(store, 'dana@example.com')
  const { folder } = store.files.stores
  const lying: FileStore = { ...folder, put: (name, bytes, type) => folder.put(name, bytes.subarray(1), type) }
  await expect(placeFile({ ...store, files: { kind: 'folder', stores: { folder: lying } } }, key)).rejects.toThrow(
    'wasn’t stored',
  )
  expect(await attachedBytes(store, id)).toEqual(pdf)
})

test('files of a database from before are all there after its migration', async () => {
  await using database = await createTestDatabase()
  await using before = await createTemporaryFolder()
  const folder = new URL('../../../db/migrations/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => name < '20261126300000')
  await Promise.all(names.map((name) => cp(new URL(name, folder), join(before.path, name))))
  const { db, url } = database
  await sql`drop schema public cascade; drop schema graphile_worker cascade; create schema public`.execute(db)
  await migrate(url, { folder: pathToFileURL(`${before.path}/`) })
  await sql`
    insert into support_request (kind, name, email, subject, message, said, created_at)
    select 'contact', 'Kim', 'kim@example.com', 'Else', 'Hello', sha256(no::text::bytea), now() from generate_series(1, 3) no`.execute(
    db,
  )
  await sql`insert into support_attachment select id, 'a.pdf', 'application/pdf', sha256(id::text::bytea) from support_request`.execute(
    db,
  )

  await migrate(url)
  const found = await db.selectFrom('support_attachment').select(['request_id as id', 'file_key as key']).execute()
  expect(found).toHaveLength(3)
  for (const { id, key } of found)
    expect(await readFile({ db, files: { kind: 'folder', stores: {} } }, key)).toEqual({
      contentType: 'application/pdf',
      bytes: createHash('sha256').update(String(id)).digest(),
    })
  await db.deleteFrom('support_attachment').execute()
  expect(await listFilePlaces({ db })).toEqual([])
})
