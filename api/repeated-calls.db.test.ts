/** Tests that repeated API calls take effect once, with idempotency keys and optimistic locking. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openApi } from './api.testing.ts'
import { type CartBody, key, beginCart } from './buying.testing.ts'

test('the same call with the same key gets the same response, and a different call is refused', async () => {
  await using api = await openApi()
  const { cart, itemId } = await beginCart(api)
  const headers = { 'idempotency-key': 'x'.repeat(255) }
  const add = (quantity: number, sent: Record<string, string> = headers) =>
    api.call('POST', '/cart/lines', { cart, headers: sent, body: { lines: [{ itemId, quantity, axle: 'front' }] } })
  const first = await add(2)
  expect(first.status).toBe(201)
  const again = await add(2)
  expect(again.status).toBe(201)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await add(3)).toMatchObject({ status: 422, body: { code: 'IdempotencyKeyReused' } })
  expect(await add(2, { 'idempotency-key': 'x'.repeat(256) })).toMatchObject({ status: 400 })
  expect(await add(2, { 'idempotency-key': 'with space' })).toMatchObject({ status: 400 })

  // Another caller's key is a different key.
  const other = await beginCart(api)
  expect(
    await api.call('POST', '/cart/lines', {
      cart: other.cart,
      headers,
      body: { lines: [{ itemId, quantity: 3, axle: 'front' }] },
    }),
  ).toMatchObject({
    status: 201,
  })

  // A refusal is a response, too.
  const refused = { 'idempotency-key': 'refused' }
  const sell = () =>
    api.call('POST', '/cart/lines', { cart, headers: refused, body: { lines: [{ itemId: 1, quantity: 1 }] } })
  expect(await sell()).toMatchObject({ status: 404, body: { code: 'NotSold' } })
  const replayed = await sell()
  expect(replayed.status).toBe(404)
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')

  // After a day the key can be used again.
  api.clock.set(api.clock.now().add({ hours: 24 }))
  const fresh = await add(3)
  expect(fresh.status).toBe(201)
  expect(fresh.headers.get('idempotent-replayed')).toBeNull()
})

test('of many simultaneous calls with one key, only one takes effect', async () => {
  await using api = await openApi()
  const { cart, itemId } = await beginCart(api)
  const headers = key()
  const body = { lines: [{ itemId, quantity: 2, axle: 'rear' }] }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.call('POST', '/cart/lines', { cart, headers, body })),
  )
  const busy = answers.filter(({ status }) => status === 409)
  expect(
    busy.every(
      (answer) =>
        (answer.body as { code: string }).code === 'IdempotencyInProgress' &&
        Number(answer.headers.get('retry-after')) > 0,
    ),
  ).toBe(true)
  const done = answers.filter(({ status }) => status === 201)
  expect(done.length + busy.length).toBe(20)
  expect(done.filter(({ headers: sent }) => sent.get('idempotent-replayed') === null)).toHaveLength(1)
  const { lines } = (await api.call('GET', '/cart', { cart })).body as CartBody['cart']
  expect(lines.map(({ quantity }) => quantity)).toEqual([4, 2])

  const holds = await Promise.all(
    Array.from({ length: 6 }, async () =>
      api.call('POST', '/cart', { headers, body: { lines: [{ itemId, quantity: 1 }] } }),
    ),
  )
  const keys = new Set(holds.filter(({ status }) => status === 201).map(({ body: made }) => (made as CartBody).key))
  expect(keys.size).toBe(1)
})

test('rolls back a server error without storing it, so a retry can succeed', async () => {
  await using api = await openApi()
  const { cart, itemId } = await beginCart(api)
  const { db } = api.database
  const headers = key()
  const add = () =>
    api.call('POST', '/cart/lines', { cart, headers, body: { lines: [{ itemId, quantity: 2, axle: 'rear' }] } })
  // The response cannot be stored, so the change it reports is rolled back with it.
  await sql`alter table idempotency_key add constraint nothing_kept check (false) not valid`.execute(db)
  expect((await add()).status).toBe(500)
  expect(((await api.call('GET', '/cart', { cart })).body as CartBody['cart']).lines).toHaveLength(1)
  await sql`alter table idempotency_key drop constraint nothing_kept`.execute(db)
  expect((await add()).status).toBe(201)
})

test('an interrupted call can be repeated, but not with another body', async () => {
  await using api = await openApi()
  const { cart, itemId } = await beginCart(api)
  const shops = (await api.call('GET', '/cart/shops', { cart })).body as {
    shop: { id: number }
    openings: { start: string }[]
  }[]
  const [choice] = shops.filter(({ openings }) => openings.length > 1)
  const headers = key()
  const hold = (opening: number) =>
    api.call('POST', '/cart/hold', {
      cart,
      headers,
      body: { shopId: choice?.shop.id, start: choice?.openings[opening]?.start },
    })
  const held = await hold(0)
  expect(held.status).toBe(201)
  // The state after a crash between the hold and its response.
  await api.database.db
    .updateTable('idempotency_key')
    .set({ status: null, headers: null, body: null, claimed_until: api.clock.now().add({ seconds: 60 }) })
    .execute()
  expect(await hold(0)).toMatchObject({ status: 409, body: { code: 'IdempotencyInProgress' } })
  api.clock.set(api.clock.now().add({ seconds: 61 }))
  expect(await hold(1)).toMatchObject({ status: 422, body: { code: 'IdempotencyKeyReused' } })
  const redone = await hold(0)
  expect(redone.status).toBe(201)
  expect(redone.body).toEqual(held.body)
  expect(redone.headers.get('idempotent-replayed')).toBeNull()
  expect(itemId).toBeGreaterThan(0)
})

test('of many changes to one state, only one is made', async () => {
  await using api = await openApi()
  const { cart, itemId, etag } = await beginCart(api)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      api.call('PATCH', `/cart/lines/${itemId}/all`, {
        cart,
        body: { quantity: index + 5 },
        headers: { 'if-match': etag },
      }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 11 }, () => 412),
  ])
})
