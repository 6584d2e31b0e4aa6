/** Quotes, from draft to order. Over 400 lines: cases that share one quote's tire, coverage and buyer. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { acceptPrices, addToCart, readCart, setQuantity } from '#domain/payments/cart/cart.server.ts'
import {
  agreeTo,
  asAccount,
  enterDetails,
  makePlacedOrder,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  pickTire,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder, quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import { findSellerOf, listOfficeOrders, readOrder } from '#domain/ordering/orders/orders.server.ts'
import { askForTexts, receiveText } from '#domain/messaging/texts/texts.server.ts'
import { consentWords } from '#domain/messaging/texts/texts.ts'
import { createPriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { findPlacesNear } from '#domain/supply/pickup-places/pickup-places.server.ts'
import { changeWarehouse, findWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { violatedConstraint } from '#platform/db.ts'
import { quoteLife, quoteStates, type QuoteState } from './quotes.ts'
import {
  expireQuotes,
  extendQuote,
  findQuote,
  findTires,
  findVehicleByName,
  forgetOldQuotes,
  listEndingQuotes,
  listQuotes,
  openQuote,
  quoteLink,
  quoteTextContent,
  readPickupText,
  readQuote,
  saveQuote,
  sendQuote,
  startQuote,
  startVersion,
  withdrawQuote,
  type SavedDraft,
} from './quotes.server.ts'

const [port = 0] = await freePorts(3)
const by: Actor = { via: 'command line', name: 'nora@store.example' }
const config = { session: { secret: 'a secret for tests only' } }

type Store = TestStore & { config: typeof config; priceLists: ReturnType<typeof createPriceLists> }

async function openStore(): Promise<Store> {
  const store = await openTestStore(port)
  return {
    ...store,
    config,
    priceLists: createPriceLists(store.db),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

/** The query of the office's list without filters. */
const everyOrder = {
  tab: 'all',
  fulfillment: null,
  companyIds: null,
  shopIds: null,
  destination: null,
  ids: null,
  from: null,
  until: null,
} as const

const customer = { name: 'Sol Marsh', email: 'sol@marsh.example', phone: '3125550146' }

/** A saved draft of four tires to a home at a typed price. */
async function makeDraft(store: Store, change: Partial<SavedDraft> = {}): Promise<{ id: number; revision: number }> {
  const { id } = must(await startQuote(store, by, { key: newId(), accountId: change.accountId ?? null, ...customer }))
  const found = await findQuote(store, id)
  if (!found) throw new Error('The draft of a test is gone.')
  const { revision } = must(
    await saveQuote(store, by, id, {
      revision: found.quote.revision,
      ...customer,
      accountId: null,
      label: 'Special Order',
      vehicle: null,
      fulfillment: 'home',
      zip: '60614',
      address: null,
      shopId: null,
      pickupWarehouseId: null,
      carrierLocationId: null,
      roadside: false,
      goodThrough: found.quote.goodThrough,
      note: 'Both trucks in one visit.',
      lines: [{ itemId: await pickTire(store), axle: 'all', quantity: 4, unitCents: 17_100, coverage: false }],
      ...change,
    }),
  )
  return { id, revision }
}

async function makeSent(store: Store, change: Partial<SavedDraft> = {}): Promise<{ id: number; token: string }> {
  const draft = await makeDraft(store, change)
  must(await sendQuote(store, by, draft))
  return { id: draft.id, token: tokenOf(draft.id) }
}

function tokenOf(id: number): string {
  return decodeURIComponent(quoteLink(config.session.secret, id).slice('/quote/'.length))
}

async function openCart(store: Store, token: string): Promise<string> {
  return must(await openQuote(store, { token, accountId: await store.buyer.accountId() })).cartId
}

async function lineOf(store: TestStore, cartId: string) {
  const cart = await readCart(store, cartId)
  const line = cart?.lines[0]
  if (!cart || !line) throw new Error('The cart of a test is gone.')
  const { breakdown, moved } = await quoteCart(store, cart, (await readDetails(store, cartId)).contact)
  return { cart, line, breakdown, moved }
}

async function pay(store: TestStore, cartId: string) {
  await enterDetails(store, cartId)
  const { cart } = await lineOf(store, cartId)
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cartId, totalCents)
  return input
}

async function stateOf(store: Store, id: number): Promise<QuoteState | undefined> {
  return (await findQuote(store, id))?.quote.state
}

test('the link opens a cart at exactly the quoted price, without promotions and programs, and the order uses it up', async () => {
  await using store = await openStore()
  const { id, token } = await makeSent(store)
  const sent = await findQuote(store, id)
  const cartId = await openCart(store, token)
  expect(await stateOf(store, id)).toBe('opened')
  const { line, breakdown, moved } = await lineOf(store, cartId)
  expect(line.unitCents).toBe(17_100)
  expect(line.quantity).toBe(4)
  expect(moved).toEqual([])
  expect(breakdown?.lines[0]).toMatchObject({
    unitCents: 17_100,
    label: 'Quoted price',
    itemPromotionCents: 0,
    promotion: null,
  })
  expect(breakdown?.totals.totalCents).toBe(sent?.quote.totalCents)

  const { orderId } = must(await placeOrder(store, await pay(store, cartId)))
  const seller = by.name
  expect(await findSellerOf(store.db, orderId)).toBe(seller)
  const list = (soldBy: string) =>
    listOfficeOrders(store, { ...everyOrder, soldBy }, { after: null, before: null, isOldestFirst: false, limit: 10 })
  expect((await list(seller.slice(0, 5))).orders.map((order) => order.id)).toEqual([orderId])
  expect((await list('%')).orders).toEqual([])
  const used = await findQuote(store, id)
  expect(used?.quote).toMatchObject({ state: 'ordered', orderId })
  expect(used?.events.map(({ to, note }) => [to, note])).toEqual([
    ['draft', null],
    ['sent', null],
    ['opened', null],
    ['ordered', 'As quoted'],
  ])
  expect(await openQuote(store, { token, accountId: null })).toMatchObject({ reason: 'ordered' })
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

/** A warehouse near 60614, and a tire with at least eight units in it. */
async function pickAtWarehouse({ db }: Store): Promise<{ warehouseId: number; itemId: number }> {
  const { id: warehouseId, itemId } = await db
    .selectFrom('stock')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .select(['warehouse.id', 'item_id as itemId'])
    .where('warehouse.code', '=', 'JOL')
    .where('on_hand', '>=', 8)
    .where('on_hand', '<', 40)
    .orderBy('item_id')
    .executeTakeFirstOrThrow()
  return { warehouseId, itemId }
}

const fourOf = (itemId: number) => ({ itemId, axle: 'all', quantity: 4, unitCents: 17_100, coverage: false }) as const

test('a quote for warehouse pickup opens a cart with the warehouse, at the price of that cart', async () => {
  await using store = await openStore()
  const { warehouseId, itemId } = await pickAtWarehouse(store)
  const pickup = { fulfillment: 'warehouse-pickup', pickupWarehouseId: warehouseId } as const
  const { id, token } = await makeSent(store, { ...pickup, shopId: 1, zip: null, lines: [fourOf(itemId)] })
  const sent = (await findQuote(store, id))?.quote
  expect(sent).toMatchObject({ ...pickup, shopId: null, carrierLocationId: null })
  expect(sent?.breakdown?.explain.find(({ key }) => key === 'shipping')?.amount).toBe('Free')
  const { cart, breakdown } = await lineOf(store, await openCart(store, token))
  expect(cart).toMatchObject({ ...pickup, shopId: null, zip: null })
  expect(breakdown?.totals.totalCents).toBe(sent?.totalCents)
  const { orderId } = must(await placeOrder(store, await pay(store, cart.id)))
  expect((await readOrder(store.db, orderId))?.totalCents).toBe(sent?.totalCents)
  expect(await stateOf(store, id)).toBe('ordered')
  // A new version starts with the same warehouse.
  const other = await makeSent(store, { ...pickup, lines: [fourOf(itemId)] })
  const version = must(await startVersion(store, by, { id: other.id, key: newId() }))
  expect((await findQuote(store, version.id))?.quote).toMatchObject(pickup)
})

test('a quote for carrier pickup opens a cart with the place, at the price of that cart', async () => {
  await using store = await openStore()
  const [place] = must(await findPlacesNear(store, { zip: '60614' })).places
  const pickup = { fulfillment: 'carrier-pickup', carrierLocationId: place?.id ?? 0 } as const
  const { id, token } = await makeSent(store, pickup)
  const sent = (await findQuote(store, id))?.quote
  expect(sent).toMatchObject({ ...pickup, pickupWarehouseId: null })
  const { cart, breakdown } = await lineOf(store, await openCart(store, token))
  expect(cart).toMatchObject({ ...pickup, shopId: null })
  expect(breakdown?.totals.totalCents).toBe(sent?.totalCents)
  expect(await readPickupText(store, cart)).toContain(place?.name)
})

test('a quote for pickup can’t be sent without a place, or to a warehouse without all its tires or its pickup', async () => {
  await using store = await openStore()
  const { warehouseId, itemId } = await pickAtWarehouse(store)
  const problemsOf = async (change: Partial<SavedDraft>) => {
    const sent = await sendQuote(store, by, await makeDraft(store, change))
    return sent.ok || sent.reason !== 'incomplete' ? [] : sent.detail
  }
  const fulfillment = 'warehouse-pickup' as const
  expect(await problemsOf({ fulfillment })).toEqual(['no-warehouse'])
  expect(await problemsOf({ fulfillment: 'carrier-pickup' })).toEqual(['no-pickup-place'])
  const lines = [{ ...fourOf(itemId), quantity: 40 }]
  const chosen = { fulfillment, pickupWarehouseId: warehouseId }
  expect(await problemsOf({ ...chosen, lines })).toEqual(['warehouse-short'])
  const saved = await findWarehouse(store, warehouseId)
  if (!saved) throw new Error('The warehouse of a test is gone.')
  const manager = await signInStaff(store, 'manager')
  must(await changeWarehouse(store, manager, warehouseId, { ...saved, pool: 'local', offersPickup: false }))
  expect(await problemsOf({ ...chosen, lines: [fourOf(itemId)] })).toEqual(['warehouse-gone'])
})

test('each guest who opens a quote gets a separate cart, which browser and account can find again', async () => {
  await using store = await openStore()
  const { token } = await makeSent(store)
  const openAs = async (accountId: string | null, browserCartId?: string) =>
    must(await openQuote(store, { token, accountId, browserCartId })).cartId
  const guests = await Promise.all(Array.from({ length: 20 }, () => openAs(null)))
  expect(new Set(guests).size).toBe(20)
  const [first = ''] = guests
  expect(await openAs(null, first)).toBe(first)

  const [ann, ben] = [await makeAccount(store), await makeAccount(store)]
  const anns = await Promise.all(Array.from({ length: 20 }, () => openAs(ann)))
  expect(new Set(anns).size).toBe(1)
  expect(await openAs(ben, anns[0])).not.toBe(anns[0])
  // The key of a cart that belongs to an account, or that was made without this quote, opens neither.
  expect([...anns, first]).not.toContain(await openAs(null, anns[0]))
  const other = await makeReadyCart(store, { fulfillment: 'home' })
  expect(await openAs(null, other.id)).not.toBe(other.id)
})

test('of twenty carts ordering one quote, one gets the price, and the others see that it changed', async () => {
  await using store = await openStore()
  const { id, token } = await makeSent(store)
  const owners = await Promise.all(Array.from({ length: 20 }, () => makeAccount(store)))
  const submissions = []
  for (const accountId of owners) {
    const owner = { ...asAccount(store, accountId), config, priceLists: store.priceLists }
    submissions.push({ owner, input: await pay(owner, await openCart(owner, token)) })
  }
  const placed = await Promise.all(submissions.map(({ owner, input }) => placeOrder(owner, input)))
  expect(placed.filter(({ ok }) => ok)).toHaveLength(1)
  expect(new Set(placed.flatMap((one) => (one.ok ? [] : one.reason)))).toEqual(new Set(['price-changed']))
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sales_order where breakdown::text like '%Quoted price%'`.execute(store.db)
  expect(rows[0]?.count).toBe(1)
  expect(await stateOf(store, id)).toBe('ordered')
})

async function makeAccount({ db, clock }: TestStore): Promise<string> {
  const id = newId()
  const at = clock.now()
  await db
    .insertInto('account')
    .values({ id, name: 'Ray', email: `${id}@example.com`, email_verified_at: at, created_at: at })
    .execute()
  return id
}

test('the price holds to the last second of the last day in the store’s zone, also while an order is placed', async () => {
  await using store = await openStore()
  const { id, token } = await makeSent(store, { goodThrough: Temporal.PlainDate.from('2026-11-21') })
  const end = Temporal.Instant.from('2026-11-22T05:00:00Z')
  const cartId = await openCart(store, token)
  store.clock.set(end.subtract({ seconds: 1 }))
  expect((await lineOf(store, cartId)).line.unitCents).toBe(17_100)
  const input = await pay(store, cartId)

  store.clock.set(end)
  const { line, moved } = await lineOf(store, cartId)
  expect(line.unitCents).toEqual(line.retailUnitCents)
  expect(line.quote).toBeUndefined()
  expect(moved).toMatchObject([{ fromCents: 17_100, toCents: line.retailUnitCents }])
  expect(await placeOrder(store, input)).toMatchObject({ reason: 'price-changed' })
  expect(await readQuote(store, { token, accountId: null })).toMatchObject({ reason: 'expired' })
  expect(await expireQuotes(store)).toBe(1)
  expect(await stateOf(store, id)).toBe('expired')
  expect(await expireQuotes(store)).toBe(0)

  await acceptPrices(store, cartId)
  expect((await lineOf(store, cartId)).moved).toEqual([])
})

test('an extended quote holds its price until the later day; an ended one can’t be extended', async () => {
  await using store = await openStore()
  const day = (text: string) => Temporal.PlainDate.from(text)
  const { id, token } = await makeSent(store, { goodThrough: day('2026-11-21') })
  const extend = (text: string) => extendQuote(store, by, { id, goodThrough: day(text) })
  expect(await extend('2026-11-20')).toMatchObject({ reason: 'not-later', detail: { goodThrough: day('2026-11-21') } })
  expect(await extend('2027-06-01')).toMatchObject({ reason: 'expiry-far' })
  const cartId = await openCart(store, token)
  const extended = await Promise.all(Array.from({ length: 20 }, () => extend('2026-11-24')))
  expect(extended.every(({ ok }) => ok)).toBe(true)
  expect((await findQuote(store, id))?.events.filter(({ note }) => note?.startsWith('Extended'))).toHaveLength(1)
  store.clock.set(Temporal.Instant.from('2026-11-25T04:59:59Z'))
  expect((await lineOf(store, cartId)).line.unitCents).toBe(17_100)
  expect(await expireQuotes(store)).toBe(0)
  store.clock.set(Temporal.Instant.from('2026-11-25T05:00:00Z'))
  expect(await extend('2026-11-30')).toMatchObject({ reason: 'not-possible' })
  expect(await expireQuotes(store)).toBe(1)
  const earlier = sql`update sales_quote set good_through_on = '2026-12-01', expires_at = '2026-12-02' where id = ${id}`
  expect(await earlier.execute(store.db).catch(violatedConstraint)).toBe('quote_moves')
})

test('a quote withdrawn after review blocks the order until the new price is accepted', async () => {
  await using store = await openStore()
  const { id, token } = await makeSent(store)
  const input = await pay(store, await openCart(store, token))
  must(await withdrawQuote(store, by, { id, reason: 'Wrong tire.' }))
  expect(await placeOrder(store, input)).toMatchObject({ reason: 'price-changed' })
  expect(await readQuote(store, { token, accountId: null })).toMatchObject({ reason: 'withdrawn' })
})

test('the quoted price is for up to the quoted quantity; other tires in the cart keep their own', async () => {
  await using store = await openStore()
  const { id, token } = await makeSent(store)
  const cartId = await openCart(store, token)
  const { line } = await lineOf(store, cartId)
  must(await setQuantity(store, cartId, { itemId: line.itemId, axle: 'all', quantity: 5 }))
  expect((await lineOf(store, cartId)).line.unitCents).toBe(line.retailUnitCents)
  must(await setQuantity(store, cartId, { itemId: line.itemId, axle: 'all', quantity: 2 }))
  expect((await lineOf(store, cartId)).line.unitCents).toBe(17_100)
  must(
    await addToCart(store, {
      cartId,
      lines: [{ itemId: line.itemId + 1, quantity: 1, axle: 'all' }],
      zip: null,
      vehicle: null,
    }),
  )
  const cart = await readCart(store, cartId)
  expect(cart?.lines.map(({ quote }) => quote?.unitCents)).toEqual([17_100, undefined])
  must(await placeOrder(store, await pay(store, cartId)))
  expect((await findQuote(store, id))?.events.at(-1)).toMatchObject({ to: 'ordered', note: 'With changes' })
})

test('a price below the minimum goes to a manager for approval, and forged links don’t work', async () => {
  await using store = await openStore()
  const itemId = await pickTire(store)
  await store.db.updateTable('item').set({ cost_cents: 10_000 }).where('id', '=', itemId).execute()
  store.catalog.cache.clear()
  const lines = (unitCents: number) => [{ itemId, axle: 'all' as const, quantity: 4, unitCents, coverage: false }]
  const atFloor = await makeDraft(store, { lines: lines(11_112) })
  const below = await makeDraft(store, { lines: lines(11_111) })
  expect((await findQuote(store, atFloor.id))?.priced.lines[0]).toMatchObject({
    isBelowFloor: false,
    floorCents: 11_112,
  })
  expect((await findQuote(store, below.id))?.priced.lines[0]).toMatchObject({ isBelowFloor: true })
  // A command may approve; role permissions are tested in tests/http/quotes.test.ts.
  must(await sendQuote(store, by, below))
  expect((await findQuote(store, below.id))?.quote.approvedBy).toBe('nora@store.example')

  const token = tokenOf(below.id)
  for (const forged of [
    '',
    'x',
    String(below.id),
    `${atFloor.id}.${token.split('.')[1]}`,
    `${token}x`,
    tokenOf(atFloor.id),
  ])
    expect(await openQuote(store, { token: forged, accountId: null }), forged).toMatchObject({ reason: 'not-found' })
})

test('a minimum margin that changes at the same time decides whether a quote can be sent or extended', async () => {
  await using store = await openStore()
  const itemId = await pickTire(store)
  await store.db.updateTable('item').set({ cost_cents: 15_000 }).where('id', '=', itemId).execute()
  store.catalog.cache.clear()
  const seller = await signInStaff(store, 'sales')
  const lines = [{ itemId, axle: 'all' as const, quantity: 4, unitCents: 17_100, coverage: false }]
  const sent = await makeSent(store, { lines })
  const draft = await makeDraft(store, { lines })
  const change = (db: Store['db'], ppm: number) =>
    sql`insert into store_setting (name, value, changed_at, changed_by)
      values ('quote-margin-floor-ppm', ${String(ppm)}::jsonb, ${store.clock.now()}, 'owner@store.example')`.execute(db)
  /** Acts while an owner's change of the minimum margin from 10% to 30% is being committed. */
  const during = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    await change(store.db, 100_000)
    const { done } = await store.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('store_setting'))`.execute(tx)
      await change(tx, 300_000)
      const started = act()
      await new Promise((resolve) => setTimeout(resolve, 300))
      return { done: started }
    })
    return done
  }
  const goodThrough =
    (await findQuote(store, sent.id))?.quote.goodThrough.add({ days: 1 }) ?? expect.fail('The quote is gone.')
  expect(await during(() => extendQuote(store, seller, { id: sent.id, goodThrough }))).toMatchObject({
    reason: 'below-floor',
  })
  must(await during(() => sendQuote(store, by, draft)))
  expect((await findQuote(store, draft.id))?.quote.approvedBy).toBe(by.name)
})

test('a sent quote is changed by a new version, made once, that closes it when sent', async () => {
  await using store = await openStore()
  const { id, token } = await makeSent(store)
  const drafts = await Promise.all(Array.from({ length: 20 }, () => startVersion(store, by, { id, key: newId() })))
  const [next, ...others] = new Set(drafts.map((draft) => must(draft).id))
  expect(next).toBeDefined()
  expect(others).toEqual([])
  expect(await stateOf(store, id)).toBe('sent')
  must(await sendQuote(store, by, { id: next ?? 0, revision: 1 }))
  expect(await stateOf(store, id)).toBe('replaced')
  expect(await openQuote(store, { token, accountId: null })).toMatchObject({ reason: 'replaced' })
  expect((await findQuote(store, next ?? 0))?.quote).toMatchObject({ version: 2, replacesId: id, state: 'sent' })
})

test('a form sent twenty times starts, saves, and sends once, and an outdated page can’t save', async () => {
  await using store = await openStore()
  const key = newId()
  const started = await Promise.all(
    Array.from({ length: 20 }, () => startQuote(store, by, { key, accountId: null, ...customer })),
  )
  expect(new Set(started.map((one) => must(one).id)).size).toBe(1)
  const draft = await makeDraft(store)
  const old = { ...draft, revision: draft.revision - 1 }
  expect(await sendQuote(store, by, old)).toMatchObject({ reason: 'changed-meanwhile' })
  await Promise.all(Array.from({ length: 20 }, () => sendQuote(store, by, draft)))
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from message where kind = 'quote'`.execute(store.db)
  expect(rows[0]?.count).toBe(1)
  expect((await findQuote(store, draft.id))?.events.filter(({ to }) => to === 'sent')).toHaveLength(1)
})

test('account prices are quoted only to that account', async () => {
  await using store = await openStore()
  const { id: accountId } = await store.db
    .selectFrom('account')
    .select('id')
    .where('email', '=', 'felix@example.com')
    .executeTakeFirstOrThrow()
  const { id, token } = await makeSent(store, { label: 'Fleet', accountId })
  const priced = (await findQuote(store, id))?.priced
  expect(priced?.labels).toEqual(['Retail', 'Fleet', 'Special Order'])
  expect(priced?.lines[0]?.unitCents).toBe(priced?.lines[0]?.ownCents)
  const other = await makeAccount(store)
  for (const anyone of [null, other])
    expect(await openQuote(store, { token, accountId: anyone })).toMatchObject({ reason: 'account' })
  const felix = { ...asAccount(store, accountId), config, priceLists: store.priceLists }
  expect((await lineOf(felix, await openCart(felix, token))).line.quote).toMatchObject({ label: 'Fleet' })
  const guest = await makeDraft(store, { label: 'Fleet' })
  expect(await sendQuote(store, by, guest)).toMatchObject({ reason: 'incomplete', detail: ['label-not-theirs'] })
})

test('the database allows exactly the transitions in quoteLife', async () => {
  await using store = await openStore()
  const { id } = await makeSent(store)
  const order = sql`(select id from sales_order order by id limit 1)`
  for (const from of quoteStates)
    for (const to of quoteStates.filter((state) => state !== from)) {
      const moved = await store.db
        .transaction()
        .execute(async (tx) => {
          await sql`set constraints quote_vehicles_together immediate`.execute(tx)
          await sql`alter table sales_quote disable trigger quote_moves`.execute(tx)
          const put = (state: QuoteState) =>
            sql`update sales_quote set state = ${state}, order_id = case when ${state} = 'ordered' then ${order} end where id = ${id}`.execute(
              tx,
            )
          await put(from)
          await sql`alter table sales_quote enable trigger quote_moves`.execute(tx)
          await put(to)
          throw new Error('undone')
        })
        .catch((error: unknown) => violatedConstraint(error) ?? 'allowed')
      expect(moved, `${from} ${to}`).toBe(quoteLife[from].includes(to) ? 'allowed' : 'quote_moves')
    }
  const line = sql`update sales_quote_line set unit_cents = 1 where quote_id = ${id}`.execute(store.db)
  expect(await line.catch(violatedConstraint)).toBe('quote_lines_fixed')
})

test('tires are found by vehicle, size and number, those that fit first', async () => {
  await using store = await openStore()
  const vehicle = await findVehicleByName(store, '2019 Honda CR-V EX')
  expect(vehicle).toMatchObject({ year: 2019, makeSlug: 'honda', modelSlug: 'cr-v' })
  expect(await findVehicleByName(store, 'zzzz')).toBeUndefined()
  const [first] = await findTires(store, '', vehicle ?? null)
  expect(first?.fitment?.verdict).toMatch(/^fits/)
  expect((await findTires(store, '225/65R17', null)).map(({ items: [item] }) => item.size.designation)).toContain(
    '225/65R17',
  )
  expect(await findTires(store, 'zzzz', null)).toEqual([])
})

test('lists use keyset paging, expiring quotes appear on Today, and unused quotes are deleted after their period', async () => {
  await using store = await openStore()
  const first = await makeDraft(store)
  const { id } = await makeSent(store, { goodThrough: Temporal.PlainDate.from('2026-11-20') })
  const all = { state: null, email: null, before: null }
  expect((await listQuotes(store, { ...all, email: customer.email })).quotes.map((quote) => quote.id)).toEqual([
    id,
    first.id,
  ])
  expect(
    (await listQuotes(store, { ...all, before: id, email: customer.email })).quotes.map((quote) => quote.id),
  ).toEqual([first.id])
  expect((await listQuotes(store, { ...all, state: 'sent', email: customer.email })).quotes).toMatchObject([
    { id, tires: 4 },
  ])
  expect((await listEndingQuotes(store, 20)).map((quote) => quote.id)).toEqual([id])
  store.clock.set(store.clock.now().add({ hours: 48 }))
  await expireQuotes(store)
  expect(await forgetOldQuotes(store.db, store.clock.now().add({ hours: 1 }))).toBeGreaterThanOrEqual(2)
  expect(await stateOf(store, id)).toBeUndefined()
})

test('a quote is texted to a phone that confirmed texts, once, with its total and link; not when it is withdrawn', async () => {
  await using store = await openStore()
  const texts = () => store.db.selectFrom('text_message').select(['kind', 'key']).where('kind', '=', 'quote').execute()
  await makeSent(store)
  expect(await texts()).toEqual([])
  const { orderId } = await makePlacedOrder(store)
  const phone = (await readOrder(store.db, orderId))?.phone ?? ''
  must(await askForTexts(store, { orderId, phone, networkKey: 'n', words: consentWords('Sidewall') }))
  await receiveText(store, { ref: 'in-1', from: phone, body: 'YES' })
  const draft = await makeDraft(store, { phone })
  await Promise.all([sendQuote(store, by, draft), sendQuote(store, by, draft)])
  expect(await texts()).toEqual([{ kind: 'quote', key: `quote:${draft.id}` }])
  const shop = {
    ...store,
    config: { ...config, store: { name: 'Sidewall', phone: '' }, web: { origin: 'https://tires.example' } },
  } as unknown as Parameters<typeof quoteTextContent>[0]
  const content = () => quoteTextContent(shop, { key: `quote:${draft.id}` })
  expect((await content())?.body).toMatch(
    /^Sidewall: your quote Q-\d+, \$[\d,.]+, is good through .+\. https:\/\/tires\.example\/quote\//,
  )
  expect((await content())?.zipZone).toBe('America/Chicago')
  must(await withdrawQuote(store, by, { id: draft.id, reason: 'Out of stock' }))
  expect(await content()).toBeNull()
})
