/** Tests webhooks at the running store with pages without JavaScript, permissions, floods, and invalid input. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addWebhookEndpoint } from '#domain/channels/webhooks/webhooks.server.ts'
import { systemClock } from '#platform/clock.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { giveCompany, registerVerified } from '#tests/support/company.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let owner: Visitor
let stranger: Visitor
let someone: Visitor
/** An endpoint of the owner's company. */
let own: string
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  const { db } = store.database
  const [olga, sam, ann] = [
    await registerVerified(store, 'Olga'),
    await registerVerified(store, 'Sam', 'sam@rival.example'),
    await registerVerified(store, 'Ann', 'ann@lone.example'),
  ]
  ;[owner, stranger, someone] = [olga.visitor, sam.visitor, ann.visitor]
  await giveCompany(db, olga.email, { name: 'Acme Plumbing' })
  await giveCompany(db, sam.email, { name: 'Rival Vans' })
  const outgoing = createOutgoing({ trustedOrigin: store.sandboxOrigin })
  const url = `${store.sandboxOrigin}/receiver/hooks?own`
  const added = await addWebhookEndpoint({ db, clock: systemClock, outgoing }, olga, {
    owner: 'company',
    url,
    types: ['order.placed'],
  })
  if (!added.ok) throw new Error(added.reason)
  own = added.value.id
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')

type Received = { received: { type: string; verdict: string }[] }
const received = async () =>
  ((await (await fetch(`${store.sandboxOrigin}/receiver/received.json`)).json()) as Received).received

function settings(form: Record<string, string>) {
  return fetch(`${store.sandboxOrigin}/receiver/settings`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
}

test('an owner adds a webhook, sees its secret once, and a test event is verified by the receiver', async () => {
  const url = `${store.sandboxOrigin}/receiver/hooks`
  const refused = await owner.ask(at('/account/webhooks'), {
    form: { owner: 'company', url: 'http://10.0.0.1/', type: 'order.placed' },
  })
  expect(refused.status).toBe(422)
  const again = await refused.text()
  expect(again).toContain('Use an address that begins with https://.')
  expect(again).toContain('value="http://10.0.0.1/"')
  expect(await (await owner.ask(at('/account/webhooks'), { form: { owner: 'company', url } })).text()).toContain(
    'Choose at least one event.',
  )
  const added = await owner.ask(at('/account/webhooks'), { form: { owner: 'company', url, type: 'order.placed' } })
  const page = added.headers.get('location') ?? ''
  expect(added.status).toBe(303)
  expect(page).toMatch(/^\/account\/webhooks\/[0-9a-f-]{36}\?done=added$/)
  const path = page.replace(/\?.*$/, '')
  const shown = (await (await owner.ask(at(path), { form: { intent: 'show' } })).text()).replaceAll('<!-- -->', '')
  const [secret = ''] = /whsec_[A-Za-z0-9+/]{43}=/.exec(shown) ?? []
  expect(secret).not.toBe('')
  expect((await owner.ask(at(path), { form: { intent: 'show' } })).status).toBe(409)
  expect(await read(owner, path)).not.toContain('whsec_')

  await settings({ secret, status: '204' })
  expect((await owner.ask(at(path), { form: { intent: 'test' } })).status).toBe(303)
  await eventually('test event', async () => (await received()).find(({ type }) => type === 'webhook.test'))
  expect((await received())[0]).toMatchObject({ type: 'webhook.test', verdict: 'verified' })
  await eventually('delivery', async () => (await read(owner, path)).includes('Delivered: Answered 204') || undefined)
  // A receiver with another secret refuses, and the page shows it.
  await settings({ secret: 'whsec_c2lkZXdhbGwgc2lkZXdhbGwgc2lkZXdhbGw=', status: '204' })
  await owner.ask(at(path), { form: { intent: 'test' } })
  await eventually('refusal', async () => (await read(owner, path)).includes('Waiting: Answered 401') || undefined)
  expect((await owner.ask(at(path), { form: { intent: 'pause' } })).status).toBe(303)
  expect(await read(owner, path)).toContain('Dead letter: The endpoint was paused')
  expect((await owner.ask(at(path), { form: { intent: 'replay-all' } })).status).toBe(409)
  await settings({ secret, status: '204' })
  await owner.ask(at(path), { form: { intent: 'resume' } })
  expect((await owner.ask(at(path), { form: { intent: 'replay-all' } })).status).toBe(303)
  await eventually('replay', async () => !(await read(owner, path)).includes('Dead letter') || undefined)
  const removed = await owner.ask(at(path), { form: { intent: 'remove' } })
  expect(removed.headers.get('location')).toBe('/account/webhooks?done=removed')
  expect((await owner.ask(at(path))).status).toBe(404)
})

type Call = { method: string; path: string; body?: unknown }

async function call(visitor: Visitor | null, { method, path, body }: Call): Promise<{ status: number; text: string }> {
  const answer = await fetch(at(`/api${path}`), {
    method,
    headers: {
      ...(visitor && { cookie: visitor.cookieFor(store.origin), origin: store.origin }),
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

const added = { owner: 'company', url: 'https://hooks.example.com/rows', types: ['order.placed'] }

/** Each call with its status for a guest, an account with neither company nor widget, another company, and the owner. */
const rows: [call: () => Call, guest: number, nobody: number, another: number, owner: number][] = [
  [() => ({ method: 'GET', path: '/webhooks' }), 401, 403, 200, 200],
  [() => ({ method: 'POST', path: '/webhooks', body: added }), 401, 403, 201, 201],
  [() => ({ method: 'POST', path: '/webhooks', body: { ...added, owner: 'partner' } }), 401, 403, 403, 403],
  [() => ({ method: 'PATCH', path: `/webhooks/${own}`, body: { types: ['order.canceled'] } }), 401, 404, 404, 200],
  [() => ({ method: 'GET', path: `/webhooks/${own}/deliveries` }), 401, 404, 404, 200],
  [() => ({ method: 'POST', path: `/webhooks/${own}/secret` }), 401, 404, 404, 200],
  [() => ({ method: 'POST', path: `/webhooks/${own}/secret/rotation` }), 401, 404, 404, 200],
  [() => ({ method: 'POST', path: `/webhooks/${own}/test` }), 401, 404, 404, 202],
  [() => ({ method: 'POST', path: `/webhooks/${own}/replays`, body: { deliveryId: null } }), 401, 404, 404, 202],
  [() => ({ method: 'POST', path: `/webhooks/${own}/replays`, body: { deliveryId: 999_999 } }), 401, 404, 404, 404],
  [() => ({ method: 'DELETE', path: `/webhooks/00000000-0000-4000-8000-000000000001` }), 401, 404, 404, 404],
]

test.for(rows)('who may call what: row %#', async ([make, ...expected]) => {
  const statuses: number[] = []
  for (const visitor of [null, someone, stranger, owner]) statuses.push((await call(visitor, make())).status)
  expect(statuses, JSON.stringify(make())).toEqual(expected)
})

test('only owners see their webhook pages', async () => {
  const guest = createVisitor()
  for (const path of ['/account/webhooks', `/account/webhooks/${own}`])
    expect((await guest.ask(at(path))).headers.get('location')).toMatch(/^\/sign-in\?back=/)
  expect((await stranger.ask(at(`/account/webhooks/${own}`))).status).toBe(404)
  for (const intent of ['show', 'rotate', 'test', 'pause', 'remove', 'replay-all', 'nothing'])
    expect((await stranger.ask(at(`/account/webhooks/${own}`), { form: { intent } })).status).toBe(404)
  expect(await read(someone, '/account/webhooks')).toContain('Webhooks are available to owners of approved companies')
})

test('floods of tests and redeliveries are rejected and not sent to the receiver', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => call(owner, { method: 'POST', path: `/webhooks/${own}/test` })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([202, 429]))
  const tests = await store.database.db
    .selectFrom('webhook_event')
    .innerJoin('webhook_delivery', 'webhook_delivery.event_id', 'webhook_event.id')
    .select('webhook_event.id')
    .where('endpoint_id', '=', own)
    .execute()
  expect(tests).toHaveLength(30)
})

test('broken and hostile JSON in thousands is answered, never with a fault of the store', async () => {
  const hostile = fc.sample(
    fc.oneof(
      fc.json(),
      fc.json().map((text) => text.slice(0, -1)),
      fc.string({ maxLength: 200 }),
      fc.record({ owner: fc.anything(), url: fc.anything(), types: fc.anything() }).map((body) => JSON.stringify(body)),
      fc.webUrl().map((url) => JSON.stringify({ ...added, url: `${url}\u0000` })),
      fc.constantFrom('[', '{"a":', '"\\ud800"', '1e999999', '{"__proto__":{}}', '['.repeat(5_000)),
    ),
    2_000,
  )
  const seen = new Set<number>()
  const send = async (body: string, index: number) => {
    const posts = { method: 'POST', path: index % 4 === 0 ? `/webhooks/${own}/replays` : '/webhooks', body }
    const patches = { method: 'PATCH', path: `/webhooks/${own}`, body }
    const asked = index % 2 === 0 ? posts : patches
    // A kept connection may be closed at the moment it is used again: a fault of neither side.
    const answer = await call(owner, asked).catch(() => call(owner, asked))
    seen.add(answer.status)
  }
  for (let from = 0; from < hostile.length; from += 25)
    await Promise.all(hostile.slice(from, from + 25).map((body, index) => send(body, from + index)))
  expect([...seen].filter((status) => status >= 500)).toEqual([])
  expect(seen.has(400)).toBe(true)
}, 120_000)
