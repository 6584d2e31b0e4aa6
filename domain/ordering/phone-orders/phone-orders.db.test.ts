/** Orders that staff place from a quote on net terms, as the account, at the agreed total, and once. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  asOwner,
  makeReadyCart,
  must,
  openTestStore,
  pickTire,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { installationFor } from '#domain/ordering/checkout/checkout.server.ts'
import { bringGuest } from '#domain/customers/accounts/accounts.server.ts'
import { findVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { addToCart, forgetAbandonedCarts, readCart, updateCart } from '#domain/payments/cart/cart.server.ts'
import { findChosenTime, findHold, holdSlot, releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import { contactForm } from '#domain/supply/contact-forms/contact-forms.ts'
import { setTerms } from '#domain/customers/companies/companies.server.ts'
import { findSellerOf, readOrder } from '#domain/ordering/orders/orders.server.ts'
import { createPriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import {
  findQuote,
  openQuote,
  quoteToken,
  saveQuote,
  sendQuote,
  startQuote,
} from '#domain/ordering/quotes/quotes.server.ts'
import { listGrants, revokeGrant, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { bookInstallation, openPhoneCart, readPhoneCart } from './book-installation.server.ts'
import { placeOnTerms, readTermsOf } from './phone-orders.server.ts'

const [port = 0] = await freePorts(3)
const email = 'olga@acme.example'
const contact = contactForm.parse({
  firstName: 'Olga',
  lastName: 'Grant',
  company: '',
  address1: '2450 N Halsted St',
  address2: '',
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
  instructions: '',
  email,
  phone: '3125550146',
  phoneType: 'mobile',
  vehicleNote: '2019 Honda CR-V EX',
})

/** A company with net terms, and a quote that staff sent its owner. */
async function openStore({
  limitCents = 1_000_000,
  fulfillment = 'home',
}: { limitCents?: number; fulfillment?: 'home' | 'shop' | 'warehouse-pickup' } = {}) {
  const opened = await openTestStore(port)
  const store = {
    ...opened,
    priceLists: createPriceLists(opened.db),
    config: { session: { secret: 'for tests only' } },
  }
  const { accountId, companyId } = await asOwner(store, email)
  must(await setTerms(store, { by: desk, id: companyId, terms: { netDays: 30, creditLimitCents: limitCents } }))
  const by = await signInStaff(store, 'sales')
  const customer = { name: 'Olga Grant', email, phone: '3125550146', accountId }
  const another = (change: { accountId?: null } = {}) => sendQuoteTo(store, by, { ...customer, ...change }, fulfillment)
  const id = await another()
  const sent = await findQuote(store, id)
  const totalCents = sent?.quote.totalCents ?? 0
  const place = (change: { totalCents?: number } = {}) =>
    placeOnTerms(store, by, { quoteId: id, contact, poNumber: 'PO-77', totalCents, ...change })
  return {
    store,
    by,
    id,
    another,
    accountId,
    companyId,
    totalCents,
    place,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

/** A warehouse near 60614, and a tire that it has, with a margin that needs no approval. */
async function pickAtWarehouse({ db }: Pick<TestStore, 'db'>) {
  return db
    .selectFrom('stock')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .innerJoin('item', 'item.id', 'stock.item_id')
    .select(['warehouse.id as warehouseId', 'item_id as itemId'])
    .where('warehouse.code', '=', 'JOL')
    .where('on_hand', '>=', 8)
    .where('item.active', '=', true)
    .orderBy(sql`item.cost_cents::float / item.retail_cents`)
    .executeTakeFirstOrThrow()
}

/** Sends a quote for four tires to this customer, and returns its ID. */
async function sendQuoteTo(
  store: Parameters<typeof sendQuote>[0] & TestStore,
  by: Actor,
  customer: { name: string; email: string; phone: string; accountId: string | null },
  fulfillment: 'home' | 'shop' | 'warehouse-pickup',
): Promise<number> {
  const { id } = must(await startQuote(store, by, { key: newId(), ...customer }))
  const draft = await findQuote(store, id)
  if (!draft) throw new Error('The draft of a test is gone.')
  const { quote } = draft
  const isPickedUp = fulfillment === 'warehouse-pickup'
  const here = isPickedUp ? await pickAtWarehouse(store) : { warehouseId: null, itemId: await pickTire(store) }
  const shop = await store.db.selectFrom('shop').select('id').where('zip', '=', '60614').limit(1).executeTakeFirst()
  const { revision } = must(
    await saveQuote(store, by, id, {
      ...customer,
      revision: quote.revision,
      label: 'Retail',
      vehicle: null,
      fulfillment,
      zip: '60614',
      address: null,
      shopId: fulfillment === 'shop' ? (shop?.id ?? null) : null,
      pickupWarehouseId: here.warehouseId,
      carrierLocationId: null,
      roadside: false,
      goodThrough: quote.goodThrough,
      note: null,
      lines: [{ itemId: here.itemId, axle: 'all', quantity: 4, unitCents: 10_000, coverage: false }],
    }),
  )
  must(await sendQuote(store, by, { id, revision }))
  return id
}

test('pressed five times, one order is placed for the account on its terms, and names who sold it', async () => {
  await using opened = await openStore()
  const { store, by, id, accountId, companyId, totalCents, place } = opened
  expect(await readTermsOf(store, { accountId })).toEqual({ leftCents: 1_000_000 })
  const placed = await Promise.all(Array.from({ length: 5 }, () => place()))
  const orders = new Set(placed.flatMap((one) => (one.ok ? [one.value.orderId] : [])))
  expect(orders.size).toBe(1)
  const [orderId = 0] = orders
  expect(await place()).toMatchObject({ ok: false, reason: 'ordered' })
  const order = await readOrder(store.db, orderId)
  expect(order).toMatchObject({ totalCents, address: { line1: '2450 N Halsted St' } })
  const { rows } = await sql<{ buyer: string; company: string; invoiced: number; po: string; acts: number }>`
    select o.buyer_id as buyer, o.company_id as company, o.billing ->> 'poNumber' as po,
      (select sum(amount_cents)::int from invoice where order_id = o.id) as invoiced,
      (select count(*)::int from audit_entry where act = 'order.placed') as acts
    from sales_order o where o.id = ${orderId}`.execute(store.db)
  expect(rows).toEqual([{ buyer: accountId, company: companyId, invoiced: totalCents, po: 'PO-77', acts: 1 }])
  expect(await findSellerOf(store.db, orderId)).toBe(by.name)
  expect((await findQuote(store, id))?.quote).toMatchObject({ state: 'ordered', orderId })
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('a warehouse pickup is ordered on net terms, from the warehouse and at its price', async () => {
  await using opened = await openStore({ fulfillment: 'warehouse-pickup' })
  const { store, id, totalCents, place } = opened
  const quote = (await findQuote(store, id))?.quote
  const { orderId } = must(await place())
  expect(await readOrder(store.db, orderId)).toMatchObject({ totalCents, fulfillment: 'warehouse-pickup' })
  const shipped = await store.db.selectFrom('shipment').select('warehouse_id').where('order_id', '=', orderId).execute()
  expect(shipped).toEqual([{ warehouse_id: quote?.pickupWarehouseId }])
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('the order names the colleague who placed it, not the author of the quote', async () => {
  await using opened = await openStore()
  const { store, id, totalCents } = opened
  const colleague = await signInStaff(store, 'manager')
  const { orderId } = must(
    await placeOnTerms(store, colleague, { quoteId: id, contact, poNumber: 'PO-77', totalCents }),
  )
  expect(await findSellerOf(store.db, orderId)).toBe(colleague.name)
})

test('another total, too little credit or a lost role prevents the order', async () => {
  await using little = await openStore({ limitCents: 10_000 })
  expect(await little.place({ totalCents: little.totalCents - 1 })).toMatchObject({
    reason: 'total-changed',
    detail: { totalCents: little.totalCents },
  })
  expect(await little.place()).toMatchObject({ reason: 'net-terms-refused', detail: { why: 'over-limit' } })
  const grant = (await listGrants(little.store)).find(({ email: to }) => to === little.by.name)
  must(await revokeGrant(little.store, desk, { grantId: grant?.id ?? '', reason: 'Left.' }))
  expect(await little.place()).toMatchObject({ reason: 'not-allowed' })
})

/** The shop's time that the customer's cart offers first, for each of these quotes. */
async function firstTime({ store, by, id }: Pick<Awaited<ReturnType<typeof openStore>>, 'store' | 'by' | 'id'>) {
  must(await openPhoneCart(store, by, id))
  const found = await findQuote(store, id)
  const phone = found && (await readPhoneCart(store, found.quote, contact))
  const choice = phone?.choices.find(({ openings }) => openings[0]?.kind === 'wait')
  const [opening] = choice?.openings ?? []
  if (!choice || !opening) throw new Error('No shop has a time for a test.')
  return { quoteId: id, shopId: choice.shop.id, choice: { start: opening.start } }
}

/** Other carts hold every bay at this time. Returns their IDs, last first. */
async function takeEveryBay(
  store: TestStore,
  { shopId, choice }: Awaited<ReturnType<typeof firstTime>>,
): Promise<string[]> {
  const rivals: string[] = []
  for (;;) {
    const rival = await makeReadyCart(store)
    const work = must(await installationFor(store, rival, shopId))
    const held = await holdSlot(store, { cartId: rival.id, shopId, choice, ...work })
    if (!held.ok) return rivals
    rivals.unshift(rival.id)
  }
}

test('an installation is ordered on net terms at its held time and at the price of its shop', async () => {
  await using atShop = await openStore({ fulfillment: 'shop' })
  const { store, by, id } = atShop
  expect(await atShop.place()).toMatchObject({ reason: 'no-time' })
  const time = await firstTime(atShop)
  must(await bookInstallation(store, by, time))
  const found = await findQuote(store, id)
  const phone = found && (await readPhoneCart(store, found.quote, contact))
  expect(phone).toMatchObject({ isInstalled: true, chosen: { status: 'held' } })
  const totalCents = phone?.totalCents ?? 0
  const { orderId } = must(await atShop.place({ totalCents }))
  expect(await readOrder(store.db, orderId)).toMatchObject({ totalCents })
  expect(
    await store.db.selectFrom('booking').select(['shop_id', 'state']).where('order_id', '=', orderId).execute(),
  ).toEqual([{ shop_id: time.shopId, state: 'confirmed' }])
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('a lapsed hold places no order, and can be held again unless another cart took the time', async () => {
  await using atShop = await openStore({ fulfillment: 'shop' })
  const { store, by, id } = atShop
  const time = await firstTime(atShop)
  must(await bookInstallation(store, by, time))
  store.clock.set(store.clock.now().add({ minutes: 11 }))
  expect(await atShop.place()).toMatchObject({ reason: 'no-time' })
  const found = await findQuote(store, id)
  expect(found && (await readPhoneCart(store, found.quote, contact))?.chosen?.status).toBe('ended')
  expect(await bookInstallation(store, by, time)).toMatchObject({ ok: true, value: { state: 'held' } })

  store.clock.set(store.clock.now().add({ minutes: 11 }))
  await takeEveryBay(store, time)
  expect(await bookInstallation(store, by, time)).toMatchObject({ reason: 'slot-taken' })
  expect(await atShop.place()).toMatchObject({ reason: 'no-time' })
})

test('of two customers whose staff hold the last bay at once, one gets it', async () => {
  await using atShop = await openStore({ fulfillment: 'shop' })
  const { store, by } = atShop
  const time = await firstTime(atShop)
  const [lastRival] = await takeEveryBay(store, time)
  await releaseHold(store, { cartId: lastRival ?? '', actor: 'customer' })
  const colleague = await signInStaff(store, 'manager')
  const quoteId = await atShop.another()
  const held = await Promise.all([
    bookInstallation(store, by, time),
    bookInstallation(store, colleague, { ...time, quoteId }),
  ])
  expect(held.map((one) => (one.ok ? 'held' : one.reason)).toSorted()).toEqual(['held', 'slot-taken'])
})

test('tires that don’t fit, a lost role, and an unknown shop hold no time', async () => {
  await using atShop = await openStore({ fulfillment: 'shop' })
  const { store, by } = atShop
  const time = await firstTime(atShop)
  expect(await bookInstallation(store, by, { ...time, shopId: 2_000_000_000 })).toMatchObject({
    reason: 'shop-not-found',
  })
  const { cartId } = must(await openPhoneCart(store, by, time.quoteId))
  const found = must(await findVehicle(store, { year: 2021, makeSlug: 'toyota', modelSlug: 'rav4', trimSlug: 'le' }))
  if (found.kind !== 'sized') throw new Error('The vehicle of a test has no sizes.')
  const { id, year, makeSlug, modelSlug } = found.trims[0].vehicle
  const named = { vehicleId: id, fitmentId: null, year, makeSlug, modelSlug, name: found.name }
  const label = { front: '275/25R24 96Y', rear: '275/25R24 96Y' }
  await updateCart(store, cartId, { vehicle: { ...named, confirmed: true, label } })
  expect(await bookInstallation(store, by, time)).toMatchObject({ reason: 'does-not-fit' })
  const grant = (await listGrants(store)).find(({ email: to }) => to === by.name)
  must(await revokeGrant(store, desk, { grantId: grant?.id ?? '', reason: 'Left.' }))
  expect(await bookInstallation(store, by, time)).toMatchObject({ reason: 'not-allowed' })
  expect(await findHold(store, cartId)).toBeUndefined()
})

/** A quote for a caller without an account, and visitors who open its link. */
async function openCallerStore() {
  const opened = await openStore({ fulfillment: 'shop' })
  const { store, by } = opened
  const id = await opened.another({ accountId: null })
  const visit = async (change: { accountId?: string; quoteId?: number } = {}) => {
    const token = quoteToken(store.config.session.secret, change.quoteId ?? id)
    return must(await openQuote(store, { token, accountId: change.accountId ?? null })).cartId
  }
  return { ...opened, id, visit, time: await firstTime({ store, by, id }) }
}

test('of visitors who open a link at once, one takes over the time held for a caller without an account', async () => {
  await using call = await openCallerStore()
  const { store, by, id, visit, time } = call
  const found = await findQuote(store, id)
  const phone = found && (await readPhoneCart(store, found.quote, contact))
  const others = phone?.choices.find(({ shop }) => shop.id === time.shopId)?.openings ?? []
  const later = others.find(({ kind, start }) => kind === 'wait' && !start.equals(time.choice.start))
  must(await bookInstallation(store, by, time))
  must(await bookInstallation(store, by, { ...time, choice: { start: later?.start ?? time.choice.start } }))
  const carts = await Promise.all(Array.from({ length: 5 }, () => visit()))
  expect(new Set(carts).size).toBe(5)
  const holds = await Promise.all([...carts, await visit()].map((cartId) => findHold(store, cartId)))
  expect(holds.flatMap((hold) => (hold ? [hold.start.toString()] : []))).toEqual([later?.start.toString()])
  expect(await bookInstallation(store, by, time)).toEqual({ ok: false, reason: 'opened' })
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('a caller without an account gets no order on net terms', async () => {
  await using call = await openCallerStore()
  const { store, by, id, totalCents } = call
  expect(await placeOnTerms(store, by, { quoteId: id, contact, poNumber: null, totalCents })).toEqual({
    ok: false,
    reason: 'no-account',
  })
})

test('a visitor who opens the link after the hold ended sees that, and can hold the time again', async () => {
  await using call = await openCallerStore()
  const { store, by, visit, time } = call
  must(await bookInstallation(store, by, time))
  store.clock.set(store.clock.now().add({ minutes: 11 }))
  const cartId = await visit()
  expect(await findChosenTime(store, cartId)).toMatchObject({ status: 'ended' })
  await takeEveryBay(store, time)
  expect(await findChosenTime(store, cartId)).toMatchObject({ status: 'lost' })
})

test('the time stays held for a visitor who is signed in, and for one who signs in with another cart', async () => {
  await using call = await openCallerStore()
  const { store, by, accountId, visit, time } = call
  const line = { itemId: await pickTire(store), quantity: 1, axle: 'front' } as const
  const { cartId: own } = must(await addToCart(store, { cartId: undefined, lines: [line], zip: null, vehicle: null }))
  const guest = { zip: null, compared: [], searches: [], vehicle: null }
  await bringGuest(store, accountId, { ...guest, cartId: own })
  must(await bookInstallation(store, by, time))
  const joined = await bringGuest(store, accountId, { ...guest, cartId: await visit() })
  expect(await findHold(store, joined.cartId ?? '')).toMatchObject({ shopId: time.shopId })

  const quoteId = await call.another({ accountId: null })
  const next = await firstTime({ store, by, id: quoteId })
  must(await bookInstallation(store, by, next))
  const cartId = await visit({ quoteId, accountId })
  const buyer = { ...store.buyer, accountId: async () => accountId }
  expect(await readCart({ ...store, buyer }, cartId)).toMatchObject({ accountId })
  expect(await findHold(store, cartId)).toMatchObject({ shopId: next.shopId })
})

test('staff hold five times for callers who didn’t open their links yet, and five for an account', async () => {
  await using call = await openCallerStore()
  const { store, by } = call
  for (const accountId of [null, undefined]) {
    const quotes: number[] = []
    for (let count = 0; count < 6; count += 1) quotes.push(await call.another(accountId === null ? { accountId } : {}))
    const holdFor = async (id: number) => bookInstallation(store, by, await firstTime({ store, by, id }))
    const [first = 0, ...others] = quotes
    const sixth = others.pop() ?? 0
    for (const id of [first, ...others]) must(await holdFor(id))
    expect(await holdFor(sixth)).toEqual({ ok: false, reason: 'too-many-holds' })
    expect(await holdFor(first)).toMatchObject({ ok: true })
    if (accountId === null) {
      await call.visit({ quoteId: first })
      expect(await holdFor(sixth)).toMatchObject({ ok: true })
    }
  }
})

test('staff can hold another time for a caller after the cart with the first one is cleaned up', async () => {
  await using call = await openCallerStore()
  const { store, by, id, visit, time } = call
  const { id: first } = must(await bookInstallation(store, by, time))
  await releaseHold(store, { cartId: must(await openPhoneCart(store, by, id)).cartId })
  expect(await forgetAbandonedCarts(store.db, store.clock.now().add({ hours: 1 }))).toBeGreaterThan(0)
  const second = must(await bookInstallation(store, by, time))
  expect(second.id).not.toBe(first)
  expect(await findHold(store, await visit())).toMatchObject({ id: second.id })
})
