/** Quotes with several vehicles, from draft to orders. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  agreeTo,
  enterDetails,
  must,
  openTestStore,
  payByCard,
  pickTire,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { createPriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { newId } from '#platform/ids.ts'
import { violatedConstraint } from '#platform/db.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  copyQuote,
  expireQuotes,
  extendQuote,
  findQuote,
  findVehicleByName,
  forgetOldQuotes,
  listEndingQuotes,
  listQuotes,
  openQuote,
  openQuoteAsStaff,
  quoteMessageValues,
  quoteToken,
  readQuote,
  rejectQuote,
  saveQuote,
  sendQuote,
  startQuote,
  startVersion,
  withdrawQuote,
  type SavedDraft,
} from './quotes.server.ts'
import { wholeState } from './quotes.ts'

const [port = 0] = await freePorts(3)
const by: Actor = { via: 'command line', name: 'nora@store.example' }
const config = { session: { secret: 'a secret for tests only' } }
const customer = { name: 'Rosa Whitfield', email: 'rosa@example.net', phone: null }

type Store = TestStore & { config: typeof config; priceLists: ReturnType<typeof createPriceLists>; itemId: number }

async function openStore(): Promise<Store> {
  const store = await openTestStore(port)
  return {
    ...store,
    config,
    priceLists: createPriceLists(store.db),
    itemId: await pickTire(store),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const line = (itemId: number, unitCents = 17_100, quantity = 4) =>
  ({ itemId, axle: 'all', quantity, unitCents, coverage: false }) as const

/** Saves a draft for the family's two cars, both with the same tire at different prices. */
async function makeDraft(store: Store, change: Partial<SavedDraft> = {}, actor: Actor = by) {
  const { id } = must(await startQuote(store, actor, { key: newId(), accountId: null, ...customer }))
  const revision = must(await save(store, id, change, actor)).revision
  return { id, revision }
}

async function save(store: Store, id: number, change: Partial<SavedDraft> = {}, actor: Actor = by) {
  const found = await findQuote(store, id)
  if (!found) throw new Error('The draft of a test is gone.')
  const vehicle = (await findVehicleByName(store, '2019 Honda CR-V EX')) ?? null
  return saveQuote(store, actor, id, {
    revision: found.quote.revision,
    ...customer,
    accountId: null,
    label: 'Special Order',
    vehicle,
    fulfillment: 'home',
    zip: '60614',
    address: null,
    shopId: null,
    pickupWarehouseId: null,
    carrierLocationId: null,
    roadside: false,
    goodThrough: found.quote.goodThrough,
    note: 'Both cars.',
    lines: [line(store.itemId)],
    others: [{ vehicle: null, lines: [line(store.itemId, 18_200)] }],
    ...change,
  })
}

async function makeSent(store: Store, change: Partial<SavedDraft> = {}) {
  const draft = await makeDraft(store, change)
  must(await sendQuote(store, by, draft))
  return { id: draft.id, token: quoteToken(config.session.secret, draft.id) }
}

const statesOf = async (store: Store, id: number) =>
  (await findQuote(store, id))?.vehicles.map(({ quote }) => quote.state)

async function order(store: Store, token: string, position: number) {
  const { cartId } = must(await openQuote(store, { token, accountId: null, position }))
  await enterDetails(store, cartId)
  const cart = await readCart(store, cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cartId, totalCents)
  return { cart, totalCents, place: () => placeOrder(store, input) }
}

test('each vehicle is ordered separately at its price, and the quote is ordered when all are', async () => {
  await using store = await openStore()
  const { id, token } = await makeSent(store)
  const sent = await findQuote(store, id)
  const totals = sent?.vehicles.map(({ quote }) => quote.totalCents) ?? []
  expect(totals[1]).toBeGreaterThan(totals[0] ?? 0)
  const [row] = (await listQuotes(store, { state: null, email: customer.email, before: null })).quotes
  expect(row).toMatchObject({ id, vehicles: 2, ordered: 0, tires: 8, totalCents: (totals[0] ?? 0) + (totals[1] ?? 0) })
  const shop = {
    ...store,
    config: { ...config, store: { name: 'Sidewall', phone: '' }, web: { origin: 'https://tires.example' } },
  } as unknown as Parameters<typeof quoteMessageValues>[0]
  const mail = await quoteMessageValues(shop, { key: `quote:${id}` })
  expect(JSON.stringify(mail)).toContain('Total for 2 vehicles')

  const second = await order(store, token, 2)
  expect(second.cart.lines.map(({ unitCents, quantity }) => [unitCents, quantity])).toEqual([[18_200, 4]])
  expect(second.totalCents).toBe(totals[1])
  must(await second.place())
  expect(await statesOf(store, id)).toEqual(['sent', 'ordered'])
  expect(await openQuote(store, { token, accountId: null, position: 2 })).toMatchObject({ reason: 'ordered' })
  expect(must(await readQuote(store, { token, accountId: null })).vehicles.map(({ isOpen }) => isOpen)).toEqual([
    true,
    false,
  ])

  const first = await order(store, token, 1)
  expect(first.totalCents).toBe(totals[0])
  expect(first.cart.vehicle).toMatchObject({ year: 2019 })
  must(await first.place())
  expect(await statesOf(store, id)).toEqual(['ordered', 'ordered'])
  expect(await readQuote(store, { token, accountId: null })).toMatchObject({ reason: 'ordered' })
  expect(await openQuote(store, { token, accountId: null, position: 3 })).toMatchObject({ reason: 'not-found' })
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('a vehicle that two visitors order at the same time is sold once at its price', async () => {
  await using store = await openStore()
  const { id, token } = await makeSent(store)
  const orders = [await order(store, token, 2), await order(store, token, 2), await order(store, token, 1)]
  const placed = await Promise.all(orders.map(({ place }) => place()))
  expect(placed.filter(({ ok }) => ok)).toHaveLength(2)
  expect(placed.flatMap((one) => (one.ok ? [] : one.reason))).toEqual(['price-changed'])
  expect(await statesOf(store, id)).toEqual(['ordered', 'ordered'])
})

test('withdrawing, extending, and expiration apply to all vehicles that are not ordered', async () => {
  await using store = await openStore()
  const goodThrough = Temporal.PlainDate.from('2026-11-20')
  const { id, token } = await makeSent(store, { goodThrough })
  must(await (await order(store, token, 1)).place())
  expect(await listEndingQuotes(store, 10)).toMatchObject([{ id }])
  const later = goodThrough.add({ days: 3 })
  must(await extendQuote(store, by, { id, goodThrough: later }))
  const dates = (await findQuote(store, id))?.vehicles.map(({ quote }) => quote.goodThrough.toString())
  expect(dates).toEqual([goodThrough.toString(), later.toString()])
  const waiting = await order(store, token, 2)
  must(await withdrawQuote(store, by, { id, reason: 'Wrong tire.' }))
  expect(await statesOf(store, id)).toEqual(['ordered', 'withdrawn'])
  expect(await waiting.place()).toMatchObject({ reason: 'price-changed' })
  expect(await extendQuote(store, by, { id, goodThrough: later.add({ days: 1 }) })).toMatchObject({
    reason: 'not-possible',
  })
  expect(await readQuote(store, { token, accountId: null })).toMatchObject({ reason: 'withdrawn' })

  const other = await makeSent(store, { goodThrough })
  store.clock.set(Temporal.Instant.from('2026-11-21T05:00:00Z'))
  expect(await expireQuotes(store)).toBe(2)
  expect(await statesOf(store, other.id)).toEqual(['expired', 'expired'])
  // A quote with an order stays. The other one is deleted with its vehicles.
  expect(await forgetOldQuotes(store.db, store.clock.now().add({ hours: 1 }))).toBeGreaterThan(0)
  expect(await statesOf(store, other.id)).toBeUndefined()
  expect(await statesOf(store, id)).toEqual(['ordered', 'withdrawn'])
})

test('a price below the minimum for one vehicle sends the whole quote to approval, and back', async () => {
  await using store = await openStore()
  await store.db.updateTable('item').set({ cost_cents: 17_000 }).where('id', '=', store.itemId).execute()
  store.catalog.cache.clear()
  const seller = await signInStaff(store, 'sales')
  const manager = await signInStaff(store, 'manager')
  const high = [line(store.itemId, 25_000)]
  const draft = await makeDraft(store, {
    lines: high,
    others: [{ vehicle: null, lines: [line(store.itemId, 17_100)] }],
  })
  expect(must(await sendQuote(store, seller, draft)).state).toBe('needs-approval')
  expect(await statesOf(store, draft.id)).toEqual(['needs-approval', 'needs-approval'])
  must(await rejectQuote(store, manager, { id: draft.id, reason: 'Too low.' }))
  expect(await statesOf(store, draft.id)).toEqual(['draft', 'draft'])
  expect(must(await sendQuote(store, manager, draft)).state).toBe('sent')
  expect((await findQuote(store, draft.id))?.vehicles.map(({ quote }) => quote.approvedBy)).toEqual([
    manager.name,
    manager.name,
  ])
})

test('a version has the vehicles that are not ordered, and is not sent if one was ordered since', async () => {
  await using store = await openStore()
  const { id, token } = await makeSent(store, {
    others: [
      { vehicle: null, lines: [line(store.itemId, 18_200)] },
      { vehicle: null, lines: [line(store.itemId, 19_300)] },
    ],
  })
  must(await (await order(store, token, 1)).place())
  const version = must(await startVersion(store, by, { id, key: newId() }))
  const copied = await findQuote(store, version.id)
  expect(copied?.vehicles.map(({ quote }) => quote.lines[0]?.unitCents)).toEqual([18_200, 19_300])
  expect(must(await startVersion(store, by, { id, key: newId() }))).toEqual(version)
  must(await (await order(store, token, 3)).place())
  const late = { id: version.id, revision: copied?.quote.revision ?? 0 }
  expect(await sendQuote(store, by, late)).toMatchObject({ reason: 'ordered-meanwhile' })

  const other = await makeSent(store)
  must(await (await order(store, other.token, 1)).place())
  const next = must(await startVersion(store, by, { id: other.id, key: newId() }))
  const { revision } = must(await save(store, next.id, { others: [] }))
  must(await sendQuote(store, by, { id: next.id, revision }))
  expect(await statesOf(store, other.id)).toEqual(['ordered', 'replaced'])
  const copy = must(await copyQuote(store, by, { id: other.id, key: newId() }))
  expect(await statesOf(store, copy.id)).toEqual(['draft', 'draft'])
})

test('vehicles are added to and removed from a draft, which one page saves at a time', async () => {
  await using store = await openStore()
  const draft = await makeDraft(store)
  const rows = async () => (await findQuote(store, draft.id))?.vehicles.map(({ quote }) => quote) ?? []
  const [main, second] = await rows()
  must(await save(store, draft.id, { others: [] }))
  expect(await rows()).toHaveLength(1)
  expect(await findQuote(store, second?.id ?? 0)).toBeUndefined()
  const nine = Array.from({ length: 9 }, () => ({ vehicle: null, lines: [line(store.itemId)] }))
  must(await save(store, draft.id, { others: nine }))
  expect((await rows()).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(await save(store, draft.id, { others: [...nine, ...nine] })).toMatchObject({ reason: 'too-many-vehicles' })
  expect(await save(store, draft.id, { revision: main?.revision ?? 0 })).toMatchObject({ reason: 'changed-meanwhile' })
  // The rows of other vehicles are no quotes.
  const other = (await rows())[1]?.id ?? 0
  expect(await sendQuote(store, by, { id: other, revision: 1 })).toMatchObject({ reason: 'not-found' })
  expect(await withdrawQuote(store, by, { id: other, reason: 'No.' })).toMatchObject({ reason: 'not-found' })
  expect(await save(store, other)).toMatchObject({ reason: 'not-found' })
})

test('a vehicle without tires, or too few in the warehouse for all together, blocks sending', async () => {
  await using store = await openStore()
  const problems = async (change: Partial<SavedDraft>) => {
    const sent = await sendQuote(store, by, await makeDraft(store, change))
    return sent.ok || sent.reason !== 'incomplete' ? [] : sent.detail
  }
  expect(await problems({ others: [{ vehicle: null, lines: [] }] })).toEqual(['no-tires'])
  const { warehouseId, itemId, units } = await store.db
    .selectFrom('stock')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .select(['warehouse.id as warehouseId', 'item_id as itemId', 'on_hand as units'])
    .where('warehouse.code', '=', 'JOL')
    .where('on_hand', '>=', 8)
    .where('on_hand', '<', 40)
    .orderBy('item_id')
    .executeTakeFirstOrThrow()
  const pickup = { fulfillment: 'warehouse-pickup', pickupWarehouseId: warehouseId } as const
  const all = [line(itemId, 17_100, units)]
  expect(await problems({ ...pickup, lines: all, others: [] })).toEqual([])
  expect(await problems({ ...pickup, lines: all, others: [{ vehicle: null, lines: all }] })).toEqual([
    'warehouse-short',
  ])
})

test('the database refuses a quote with different customers or states for its vehicles', async () => {
  await using store = await openStore()
  const { id } = await makeSent(store)
  const other = (await findQuote(store, id))?.vehicles[1]?.quote.id ?? 0
  const broken = (statement: ReturnType<typeof sql>) => statement.execute(store.db).catch(violatedConstraint)
  expect(await broken(sql`update sales_quote set state = 'withdrawn' where id = ${other}`)).toBe(
    'quote_vehicles_together',
  )
  expect(await broken(sql`update sales_quote set zip = '60607' where id = ${other}`)).toBe('quote_vehicles_together')
  const draft = await makeDraft(store)
  const below = (await findQuote(store, draft.id))?.vehicles[1]?.quote.id ?? 0
  expect(await broken(sql`update sales_quote set main_id = ${below}, position = 3 where id = ${draft.id}`)).toBe(
    'quote_vehicles_together',
  )
  expect(await broken(sql`update sales_quote set mails = 1 where id = ${other}`)).toBe('quote_vehicle_of_staff')
})

test('staff open the cart of each vehicle for a caller', async () => {
  await using store = await openStore()
  const { id, token } = await makeSent(store)
  const vehicles = (await findQuote(store, id))?.vehicles.map(({ quote }) => quote.id) ?? []
  const at = store.clock.now()
  const open = (row = 0) => store.db.transaction().execute((tx) => openQuoteAsStaff(tx, row, at))
  const carts = [must(await open(vehicles[0])).cartId, must(await open(vehicles[1])).cartId]
  expect(new Set(carts).size).toBe(2)
  const taken = must(await openQuote(store, { token, accountId: null, position: 2 }))
  expect(taken).toMatchObject({ cartId: carts[1], isTakenOver: true, isFirst: true })
  expect(must(await openQuote(store, { token, accountId: null }))).toMatchObject({ cartId: carts[0], isFirst: false })
  expect(await open(vehicles[1])).toMatchObject({ reason: 'opened' })
})

test('the state of a quote follows from its vehicles', () => {
  const of = (...states: Parameters<typeof wholeState>[0][number]['state'][]) =>
    wholeState(states.map((state) => ({ state })))
  expect(of('draft', 'draft')).toBe('draft')
  expect(of('ordered', 'sent')).toBe('sent')
  expect(of('ordered', 'expired')).toBe('ordered')
  expect(of('withdrawn', 'ordered')).toBe('ordered')
  expect(of('expired', 'expired')).toBe('expired')
})
