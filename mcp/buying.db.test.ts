/** Tests a purchase from a vehicle to the user's link. Prices, fitment results, and holds match the API. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { exampleContact } from '#api/schemas.ts'
import { findHold } from '#domain/scheduling/booking/booking.server.ts'
import { findCart, makeCartLink, openCartLink, readCartLink } from '#domain/payments/cart/cart.server.ts'
import { cartLinkMinutes, mostOpenCartLinks } from '#domain/payments/cart/cart.ts'
import { must, pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { contentOf, openMcp } from '#mcp/mcp.testing.ts'

type Mcp = Awaited<ReturnType<typeof openMcp>>
type Shown = { cartKey: string; cart: { tireCount: number; lines: unknown[]; zip: string | null } }
type Shops = { shops: { shop: { id: number }; openings: { start: string }[]; totalCents: number }[] }
type Times = { times: { timeZone: string; days: { times: { start: string; local: string }[] }[] } }

/** A cart of four tires for a vehicle, with a time held. */
async function bookAsAgent(mcp: Mcp) {
  await using agent = await mcp.connect()
  const itemId = await pickTire(mcp.database)
  const { vehicle } = await contentOf<{ vehicle: { key: string } }>(
    agent.call('find_vehicle', { year: 2021, make: 'toyota', model: 'rav4' }),
  )
  const lines = [{ itemId, quantity: 4 }]
  const made = await contentOf<Shown>(agent.call('create_cart', { lines, zip: '60614', vehicle: vehicle.key }))
  const cartKey = made.cartKey
  const { shops } = await contentOf<Shops>(agent.call('list_appointment_times', { cartKey }))
  const shop = shops.find(({ openings }) => openings.length > 0)
  const shopId = shop?.shop.id
  const { times } = await contentOf<Times>(agent.call('list_appointment_times', { cartKey, shopId, days: 2 }))
  const start = times.days.flatMap((each) => each.times)[0]?.start
  const hold = await agent.call('hold_appointment', { cartKey, shopId, start })
  return { cartKey, itemId, vehicle: vehicle.key, shops, times, shopId, start, hold }
}

test('an agent’s cart, price, times, and hold match the API with the same key', async () => {
  await using mcp = await openMcp()
  const { cartKey: cart, shops, times, shopId, start, hold } = await bookAsAgent(mcp)
  const api = async (path: string) => (await mcp.call('GET', path, { cart })).body as unknown
  const { local, ...held } = await contentOf<{ local: string; start: string; timeZone: string }>(hold)
  expect(held).toEqual(await api('/cart/hold'))
  expect(held.start).toEqual(start)
  expect(local).toEqual(
    Temporal.Instant.from(held.start).toZonedDateTimeISO(held.timeZone).toPlainDateTime().toString().slice(0, 16),
  )
  expect(hold.content[0]?.text).toContain(local.replace('T', ' '))
  const listed = (await api('/cart/shops')) as Shops['shops']
  expect(shops.map(({ shop, totalCents }) => [shop, totalCents])).toEqual(
    listed.map(({ shop, totalCents }) => [shop, totalCents]),
  )
  const days = (await api(`/cart/shops/${shopId}/times`)) as { timeZone: string }
  expect(times).toMatchObject({ timeZone: days.timeZone, days: { length: 2 } })

  await using agent = await mcp.connect()
  const shown = await contentOf<Shown & { fitment: unknown }>(agent.call('get_cart', { cartKey: cart }))
  expect(shown.cart).toEqual(await api('/cart'))
  expect(shown.fitment).toEqual(await api('/cart/verdict'))
  const price = await contentOf<{ cart: { basis: string; totals: { totalCents: number }; shop: { id: number } } }>(
    agent.call('out_the_door_price', { cartKey: cart }),
  )
  expect(price).toEqual({ cart: await api('/cart/price'), installed: [] })
  expect(price.cart).toMatchObject({ basis: 'chosen', shop: { id: shopId } })
  expect(price.cart.totals.totalCents).toBe(shops.find(({ shop }) => shop.id === shopId)?.totalCents)
})

test('lines are replaced, the time is given back and the cart is emptied', async () => {
  await using mcp = await openMcp()
  const { cartKey, itemId, shopId, start } = await bookAsAgent(mcp)
  await using agent = await mcp.connect()
  const { listing } = await contentOf<{ listing: { offers: { key: string }[] } }>(
    agent.call('search_catalog', { size: '225/65R17' }),
  )
  const other = Number(listing.offers.find(({ key }) => key !== String(itemId))?.key)
  const set = (change: object) => agent.call('update_cart', { cartKey, ...change })
  const lines = [
    { itemId, quantity: 2, axle: 'front' },
    { itemId: other, quantity: 2, axle: 'rear' },
  ]
  const { notes, ...changed } = await contentOf<Shown & { notes: string[] }>(
    await set({ lines, zip: '60601', vehicle: null }),
  )
  expect(notes).toEqual([])
  expect(changed).toMatchObject({ fitment: null, cart: { tireCount: 4, zip: '60601', vehicle: null, lines } })
  const sold = await set({ lines: [{ itemId: 2_000_000_000, quantity: 4 }] })
  expect(sold.isError).toBe(true)
  expect(sold.content[1]?.text).toBe('{"code":"NotSold","statusCode":404}')
  expect(await contentOf<Shown>(agent.call('get_cart', { cartKey }))).toEqual(changed)
  expect((await set({ lines: [lines[0], lines[0]] })).content[0]?.text).toBe('Send each article once for an axle.')
  expect((await set({ zip: '00000' })).isError).toBe(true)

  expect(await contentOf(agent.call('release_appointment', { cartKey }))).toEqual({ released: true })
  expect(await mcp.call('GET', '/cart/hold', { cart: cartKey })).toMatchObject({ status: 404 })
  await contentOf(agent.call('hold_appointment', { cartKey, shopId, start }))
  expect(await contentOf(agent.call('cancel_cart', { cartKey }))).toEqual({ canceled: true })
  expect(await mcp.call('GET', '/cart/hold', { cart: cartKey })).toMatchObject({ status: 404 })
  expect((await contentOf<Shown>(agent.call('get_cart', { cartKey }))).cart).toMatchObject({ tireCount: 0, lines: [] })
  expect((await agent.call('get_checkout_link', { cartKey })).content[1]?.text).toContain('CartIncomplete')
  expect((await agent.call('get_cart', { cartKey: randomUUID() })).content[1]?.text).toContain('NoCart')
})

test('a change reports removed discounts and released times, even before a price is read', async () => {
  await using mcp = await openMcp()
  await using agent = await mcp.connect()
  const { cartKey, itemId } = await bookAsAgent(mcp)
  await contentOf(agent.call('out_the_door_price', { cartKey }))
  const fewer = await agent.call('update_cart', { cartKey, lines: [{ itemId, quantity: 2 }] })
  const lost = 'Installation discount (−$25.00) no longer applies: it needs 4 or more tires.'
  expect((await contentOf<{ notes: string[] }>(fewer)).notes).toEqual([lost])
  expect(fewer.content[0]?.text).toContain(lost)
  const price = await agent.call('out_the_door_price', { cartKey })
  expect(price.content[0]?.text).toContain(lost)

  const { cartKey: unpriced } = await bookAsAgent(mcp)
  const emptied = await contentOf<{ notes: string[] }>(agent.call('update_cart', { cartKey: unpriced, lines: [] }))
  expect(emptied.notes).toEqual([expect.stringMatching(/ is no longer reserved for you\. /)])
})

test('a call that is repeated with its idempotency key is done once', async () => {
  await using mcp = await openMcp()
  const { itemId, shopId, start } = await bookAsAgent(mcp)
  await using agent = await mcp.connect()
  const [one, two] = [randomUUID(), randomUUID()]
  const create = (idempotencyKey: string | undefined, quantity = 4) =>
    agent.call('create_cart', { lines: [{ itemId, quantity }], zip: '60614', idempotencyKey })
  const made = await contentOf<Shown>(create(one))
  expect(await contentOf<Shown>(create(one))).toEqual(made)
  expect((await contentOf<Shown>(create(two))).cartKey).not.toBe(made.cartKey)
  const { cartKey } = made
  expect((await create(one, 2)).content[1]?.text).toContain('IdempotencyKeyReused')
  expect((await create('short')).content[0]?.text).toMatch(/^Send an idempotencyKey of 16/)
  // Released in between, the repeated call does not hold it again.
  const hold = () => agent.call('hold_appointment', { cartKey, shopId, start, idempotencyKey: one })
  const held = await contentOf(hold())
  await contentOf(agent.call('release_appointment', { cartKey }))
  expect(await contentOf(hold())).toEqual(held)
  expect(await mcp.call('GET', '/cart/hold', { cart: cartKey })).toMatchObject({ status: 404 })
})

test('a taken time is refused with the next free ones', async () => {
  await using mcp = await openMcp()
  const first = await bookAsAgent(mcp)
  await using agent = await mcp.connect()
  const refused = await (async () => {
    for (;;) {
      const { cartKey } = await contentOf<Shown>(
        await agent.call('create_cart', { lines: [{ itemId: first.itemId, quantity: 4 }], zip: '60614' }),
      )
      const held = await agent.call('hold_appointment', { cartKey, shopId: first.shopId, start: first.start })
      if (held.isError) return held
    }
  })()
  const { code, data } = JSON.parse(refused.content[1]?.text ?? '') as { code: string; data: { next: unknown[] } }
  expect(code).toBe('SlotTaken')
  expect(data.next.length).toBeGreaterThan(0)
})

test('the link opens a separate cart once, with the held time, hidden from the agent', async () => {
  await using mcp = await openMcp()
  const { cartKey } = await bookAsAgent(mcp)
  await using agent = await mcp.connect()
  const link = await contentOf<{ url: string; expiresAt: string }>(agent.call('get_checkout_link', { cartKey }))
  const token = link.url.split('/').at(-1) ?? ''
  const { app } = mcp
  expect(must(await readCartLink(app, token)).cartId).toBe(cartKey)

  const before = (await mcp.call('GET', '/cart/price', { cart: cartKey })).body as { totals: unknown }
  // Two concurrent clicks.
  const opened = await Promise.all([openCartLink(app, token), openCartLink(app, token)])
  const [own, again] = opened.toSorted((a, b) => Number(b.ok) - Number(a.ok))
  expect(own?.ok).toBe(true)
  expect(again).toEqual({ ok: false, reason: 'opened', detail: undefined })
  const cartId = own?.ok ? own.value.cartId : ''
  expect(cartId).not.toBe(cartKey)
  expect((await mcp.call('GET', '/cart/price', { cart: cartId })).body).toMatchObject({ totals: before.totals })
  expect(await findHold(app, cartKey)).toBeUndefined()
  expect((await findHold(app, cartId))?.state).toBe('held')
  await mcp.call('PUT', '/cart/contact', { cart: cartId, body: exampleContact })
  expect(await mcp.call('GET', '/cart/details', { cart: cartKey })).toMatchObject({ body: { contact: null } })
  expect((await findCart(app, cartKey))?.lines.length).toBe(1)
})

test('links run out, are few, and cannot be guessed', async () => {
  await using mcp = await openMcp()
  const { app, clock } = mcp
  const { cartKey: cartId } = await bookAsAgent(mcp)
  const tokens = await Promise.all(
    Array.from({ length: mostOpenCartLinks }, async () => must(await makeCartLink(app, { cartId })).token),
  )
  expect(new Set(tokens).size).toBe(mostOpenCartLinks)
  expect(await makeCartLink(app, { cartId })).toMatchObject({ ok: false, reason: 'too-many' })
  for (const token of ['', 'x', `${tokens[0]}x`, 'a'.repeat(43), cartId])
    expect(await openCartLink(app, token), token).toMatchObject({ ok: false, reason: 'not-found' })
  const stored = await mcp.database.db.selectFrom('cart_link').select('token_hash').execute()
  expect(stored.filter(({ token_hash: hash }) => tokens.includes(hash))).toEqual([])
  clock.set(clock.now().add({ minutes: cartLinkMinutes }))
  expect(await openCartLink(app, tokens[0] ?? '')).toMatchObject({ ok: false, reason: 'expired' })
  // Those that ran out make room.
  expect(await makeCartLink(app, { cartId })).toMatchObject({ ok: true })
})
