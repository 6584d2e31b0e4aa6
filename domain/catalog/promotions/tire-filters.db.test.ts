/** Promotion, coupon, and rebate filters in lists, carts, and minimum prices, and changes of drafts. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createCatalog, findDeal, findRebate, selectDeepestCut } from '#domain/catalog/catalog/catalog.server.ts'
import { filterParts, type FilterPart, type Item } from '#domain/catalog/catalog/catalog.ts'
import {
  couponDrafts,
  draftCoupon,
  enterCoupon,
  findCoupon,
  listReducedByCoupon,
  scheduleCoupon,
  testCoupon,
} from '#domain/catalog/coupons/coupons.server.ts'
import { couponChangeForm, couponDraftForm } from '#domain/catalog/coupons/coupons.ts'
import { listConcessionRequests } from '#domain/kernel/concessions/concessions.server.ts'
import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { makeReadyCart, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { fixedTerms } from '#domain/kernel/settings/business-terms.testing.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { storeDay } from '#platform/store-zone.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  promotionDrafts,
  draftPromotion,
  draftRebate,
  findOfficeRebate,
  findPromotion,
  findPromotionRequest,
  listLeftOut,
  listPromoted,
  listRebated,
  schedulePromotion,
  scheduleRebate,
  setMinimumPrices,
  testPromotion,
} from './promotions.server.ts'
import { promotionChangeForm, promotionDraftForm, rebateDraftForm } from './promotions.ts'

let port = 0
beforeAll(async () => {
  ;[port = 0] = await freePorts(3)
})

const terms = { name: 'Narrow sale', headline: 'Ten percent off', kind: 'Percentage', amount: '10', fundedBy: 'store' }
const draftOf = (change: Record<string, string> = {}) =>
  promotionDraftForm.parse({ formKey: randomUUID(), ...terms, ...change })
const changeOf = (change: Record<string, string> = {}) =>
  promotionChangeForm.parse({ ...terms, version: '1', ...change })
const couponTerms = {
  code: 'NARROW',
  name: 'Narrow coupon',
  kind: 'Flat Amount',
  amount: '20',
  fundedBy: 'store',
  stacks: 'yes',
  usesMost: '100',
  personMost: '9',
}
const rebateTerms = {
  name: 'Narrow rebate',
  amount: '20',
  units: '4',
  paidAs: 'check',
  formUrl: 'https://rebates.example/claim',
}
const couponOf = (change: Record<string, string> = {}) =>
  couponDraftForm.parse({ formKey: randomUUID(), ...couponTerms, ...change })

const hours = (store: TestStore, [from, to]: [number, number]) => ({
  startsAt: store.clock.now().add({ hours: from }),
  endsAt: store.clock.now().add({ hours: to }),
})

async function running(store: TestStore, change: Record<string, string>): Promise<number> {
  const planId = must(await draftPromotion(store, desk, draftOf(change)))
  const done = must(await schedulePromotion(store, desk, { planId, version: 1, ...hours(store, [0, 9]) }))
  return done.state === 'scheduled' ? done.promotionId : expect.unreachable('It needs approval.')
}

/** The tires on sale with what filters ask about them, read without them. */
async function readTires(db: Database) {
  const { rows } = await sql<{ id: number; sku: string; brand: string; itemOf: Record<FilterPart, string[]> }>`
    select item.id, item.sku, brand.slug as brand, json_build_object('type', array[category.type_slug], 'category', array[category.slug], 'size', array[size.designation],
      'season', array(select tread where tread in ('all-season', 'all-weather', 'summer', 'winter')),
      'vehicleClass', array(select case size.kind when 'P' then 'passenger' when 'LT' then 'light-truck' when 'FLOTATION' then 'light-truck' when 'C' then 'light-truck' when 'ST' then 'trailer' when 'COMMERCIAL' then 'commercial' end where size.kind <> 'T'),
      'supplier', array(select distinct supplier.code from stock join warehouse on warehouse.id = stock.warehouse_id join supplier on supplier.id = warehouse.supplier_id where stock.item_id = item.id)) as "itemOf"
    from item join size on size.id = item.size_id join product_line line on line.id = item.product_line_id join brand on brand.id = line.brand_id
      join category on category.slug = line.category_slug where item.active order by item.id`.execute(db)
  return rows
}

test.for(filterParts)(
  'a promotion narrowed by %s lowers exactly those prices, in lists and in the cart',
  async (part) => {
    await using store = await openTestStore(port)
    const { db } = store
    await db.deleteFrom('promotion').execute()
    const tires = await readTires(db)
    const value = tires.flatMap(({ itemOf }) => itemOf[part])[0] ?? expect.unreachable(part)
    const meant = new Set(tires.flatMap(({ id, itemOf }) => (itemOf[part].includes(value) ? [id] : [])))
    const [inside, outside] = [tires.find(({ id }) => meant.has(id)), tires.find(({ id }) => !meant.has(id))]
    if (!inside || !outside) return expect.unreachable(`All tires have the same ${part}.`)
    const id = await running(store, { [part]: value })

    const catalog = createCatalog(store)
    const items = await catalog.cache.itemsByNumber(tires.map((tire) => tire.id))
    const prices = await catalog.cache.prices()
    const promoted = (item: Item) => prices.priceOf(item).promotion?.id === id
    expect(new Set(items.filter(promoted).map((item) => item.id))).toEqual(meant)

    const found = (await findPromotion(store, `p${id}`)) ?? expect.unreachable()
    const shown = await listPromoted(store, found, [])
    expect(shown.count).toBe(meant.size)
    expect(shown.tires).toHaveLength(Math.min(10, meant.size))
    const tested = await testPromotion({ catalog, businessTerms: fixedTerms() }, found, {
      cart: [inside, outside].map(({ sku }) => ({ sku, quantity: 4 })),
      state: 'IL',
    })
    const lines = must(tested).with.lines.filter(({ kind }) => kind === 'tire')
    expect(lines.map((line) => line.itemPromotionCents > 0)).toEqual([true, false])

    const priced = async (itemId: number) => {
      const cart = await makeReadyCart(store, { fulfillment: 'home', itemId })
      const read = (await readCart(store, cart.id)) ?? expect.unreachable()
      return read.lines.map(({ article }) => article.promotions.map((promotion) => promotion.id))
    }
    expect(await priced(inside.id)).toEqual([[id]])
    expect(await priced(outside.id)).toEqual([[]])
    const deal = (await findDeal(catalog, found.slug ?? '')) ?? expect.unreachable()
    expect(deal.count).toBeGreaterThan(0)
    const label = deal.subject.filter?.toLowerCase().replaceAll(' ', '-') ?? ''
    expect(part === 'supplier' ? `selected ${value}` : value.toLowerCase()).toMatch(new RegExp(`^${label}\\b`))
    expect(await verify(db, store.clock.now())).toEqual([])
  },
)

test.for(filterParts)('a rebate narrowed by %s is shown on exactly those tires', async (part) => {
  await using store = await openTestStore(port)
  const { db } = store
  await db.deleteFrom('rebate').execute()
  const tires = await readTires(db)
  const byBrand = Map.groupBy(tires, ({ brand }) => brand)
  const choices = [...byBrand].flatMap(([brand, ours]) =>
    ours.flatMap(({ itemOf }) => itemOf[part].map((value) => ({ brand, ours, value }))),
  )
  const chosen = choices.find(({ ours, value }) => ours.some(({ itemOf }) => !itemOf[part].includes(value)))
  if (!chosen) return expect.unreachable(`All tires of each brand have the same ${part}.`)
  const { brand, ours, value } = chosen
  const meant = ours.flatMap(({ id, itemOf }) => (itemOf[part].includes(value) ? [id] : []))
  const today = storeDay(store.clock.now())
  const days = { startsOn: today, lastPurchaseOn: today, lastClaimOn: today.add({ days: 9 }) }
  const narrowed = { ...rebateTerms, ...days, subject: brand, [part]: value }
  const read = Object.fromEntries(Object.entries(narrowed).map(([name, field]) => [name, String(field)]))
  const id = must(await draftRebate(store, desk, rebateDraftForm.parse(read)))
  must(await scheduleRebate(store, desk, { id, version: 1 }))

  const catalog = createCatalog(store)
  const prices = await catalog.cache.prices()
  const items = await catalog.cache.itemsByNumber(tires.map((tire) => tire.id))
  const rebated = items.filter((item) => prices.rebateOf(item)?.id === id).map((item) => item.id)
  expect(new Set(rebated)).toEqual(new Set(meant))
  const shown = await listRebated(store, (await findOfficeRebate(store, id)) ?? expect.unreachable())
  expect(shown.count).toBe(meant.length)
  expect(shown.tires).toHaveLength(Math.min(10, meant.length))
  const page = (await findRebate(catalog, 'narrow-rebate')) ?? expect.unreachable()
  const onPage = new Set(page.models.flatMap(({ offer }) => offer.items.map((item) => item.id)))
  expect(onPage.size).toBeGreaterThan(0)
  expect([...onPage].filter((itemId) => !meant.includes(itemId))).toEqual([])
  expect(await verify(db, store.clock.now())).toEqual([])
})

test('a brand and filters narrow together, and equal filters are one row', async () => {
  await using store = await openTestStore(port)
  const { db } = store
  await db.deleteFrom('promotion').execute()
  const tires = await readTires(db)
  const one = tires[0] ?? expect.unreachable()
  const [size = ''] = one.itemOf.size
  const first = await running(store, { subject: one.brand, size })
  const second = await running(store, { subject: one.brand, size: size.toLowerCase() })
  const both = await Promise.all([first, second].map((id) => findPromotion(store, `p${id}`)))
  expect(new Set(both.map((promotion) => promotion?.filterId)).size).toBe(1)
  expect(both[0]?.subject).toMatch(new RegExp(`^\\S.*, ${size}$`))
  const shown = await listPromoted(store, both[0] ?? expect.unreachable(), [])
  expect(shown.count).toBe(tires.filter(({ brand, itemOf }) => brand === one.brand && itemOf.size[0] === size).length)
  const filters = await sql<{
    count: number
  }>`select count(*)::int as count from tire_filter where size_id is not null`.execute(db)
  expect(filters.rows[0]?.count).toBe(1)
  const edited = sql`update tire_filter set season = 'winter'`.execute(db).then(
    () => undefined,
    (error: unknown) => violatedConstraint(error),
  )
  expect(await edited).toBe('tire_filter_never_edited')
})

test('unknown parts are refused by name, and a single tire can’t be narrowed', async () => {
  await using store = await openTestStore(port)
  const sku = (await readTires(store.db))[0]?.sku ?? ''
  const draft = (change: Record<string, string>) => draftPromotion(store, desk, draftOf(change))
  for (const part of ['type', 'category', 'size', 'supplier'] as const)
    expect(await draft({ [part]: 'none' }), part).toMatchObject({ reason: 'no-filter', detail: part })
  expect(await draft({ subject: sku, season: 'winter' })).toMatchObject({ reason: 'filter-of-one', detail: 'season' })
  expect(await draft({ subject: 'none', season: 'winter' })).toMatchObject({ reason: 'no-subject' })
  const free = couponOf({ kind: 'Free', amount: '1', subject: 'installation', size: '225/65R17' })
  expect(await draftCoupon(store, desk, free)).toMatchObject({ reason: 'filter-of-one', detail: 'size' })
})

test('minimum prices and the limits of one person count only the tires of the filter', async () => {
  await using store = await openTestStore(port)
  const { db } = store
  await db.deleteFrom('promotion').execute()
  await db.updateTable('item').set({ retail_cents: 10_000, cost_cents: 5_000 }).execute()
  const tires = await readTires(db)
  const inside = tires[0] ?? expect.unreachable()
  const [size = ''] = inside.itemOf.size
  const outside = tires.find(({ itemOf }) => itemOf.size[0] !== size) ?? expect.unreachable()
  await db.updateTable('item').set({ cost_cents: 9_990 }).where('id', '=', outside.id).execute()
  const prices = [inside, outside].map(({ sku }) => ({ sku, mapCents: 9_500 }))
  must(await setMinimumPrices(store, desk, { prices, acceptsBelow: true }))
  const found = (await findPromotion(store, `p${await running(store, { size })}`)) ?? expect.unreachable()
  expect((await listLeftOut(store, found)).map(({ sku }) => sku)).toEqual([inside.sku])
  const cut = await selectDeepestCut(db, { ...found, per: 'tire', minimumCents: null })
  expect(cut).toEqual({ discountPpm: 100_000, marginPpm: 444_444 })
  const again = await setMinimumPrices(store, desk, {
    prices: prices.map((price) => ({ ...price, mapCents: 9_600 })),
    acceptsBelow: false,
  })
  expect(again, 'Only the other tire could be below, and no promotion is for it.').toMatchObject({ ok: true })
})

test('a coupon narrowed by size takes its amount off such tires only', async () => {
  await using store = await openTestStore(port)
  const { db } = store
  await db.deleteFrom('promotion').execute()
  const tires = await readTires(db)
  const inside = tires[0] ?? expect.unreachable()
  const outside = tires.find(({ itemOf }) => itemOf.size[0] !== inside.itemOf.size[0]) ?? expect.unreachable()
  const id = must(await draftCoupon(store, desk, couponOf({ size: inside.itemOf.size[0] ?? '' })))
  must(await scheduleCoupon(store, desk, { id, version: 1, ...hours(store, [0, 9]) }))
  const takes = async (itemId: number) => {
    const { id: cartId } = await makeReadyCart(store, { fulfillment: 'home', itemId })
    const deps = { ...store, rateLimits: noRateLimits }
    must(await enterCoupon(deps, { cartId, code: 'NARROW', from: 'here' }))
    const cart = (await readCart(store, cartId)) ?? expect.unreachable()
    const quote = await quoteCart(store, cart, (await readDetails(store, cartId)).contact)
    return quote.breakdown?.totals.programCents
  }
  expect(await takes(inside.id)).toBe(2_000)
  expect(await takes(outside.id)).toBe(0)
  const coupon = (await findCoupon(store, String(id))) ?? expect.unreachable()
  expect((await listReducedByCoupon(store, coupon)).count).toBe(
    tires.filter(({ itemOf }) => itemOf.size[0] === inside.itemOf.size[0]).length,
  )
  const cart = [inside, outside].map(({ sku }) => ({ sku, quantity: 2 }))
  const tested = must(await testCoupon(store, coupon, { cart, state: 'IL' }))
  expect(tested.with.lines.flatMap(({ kind, programCents }) => (kind === 'tire' ? [programCents] : []))).toEqual([
    2_000, 0,
  ])
})

test('drafts change with the version that was read, and lose a requested approval', async () => {
  await using store = await openTestStore(port)
  const sales = await signInStaff(store, 'sales', 'sales')
  const manager = await signInStaff(store, 'manager', 'manager')
  const planId = must(await draftPromotion(store, sales, draftOf({ amount: '90' })))
  const times = { planId, ...hours(store, [1, 9]) }
  expect(must(await schedulePromotion(store, sales, { ...times, version: 1 }))).toEqual({ state: 'requested' })
  const changes = await Promise.all(
    Array.from({ length: 4 }, () =>
      promotionDrafts.change(store, sales, planId, changeOf({ amount: '95', season: 'winter' })),
    ),
  )
  expect(changes.filter(({ ok }) => ok)).toHaveLength(1)
  for (const done of changes) if (!done.ok) expect(done.reason).toBe('changed-meanwhile')
  expect(await findPromotionRequest(store, planId)).toBeUndefined()
  expect(await verify(store.db, store.clock.now())).toEqual([])
  // The manager approves only what the page showed.
  expect(await schedulePromotion(store, manager, { ...times, version: 1 })).toMatchObject({
    reason: 'changed-meanwhile',
  })
  expect(await findPromotion(store, `d${planId}`)).toMatchObject({
    amount: 95,
    version: 2,
    filter: { season: 'winter' },
  })
  must(await schedulePromotion(store, desk, { ...times, version: 2 }))
  expect(await promotionDrafts.change(store, sales, planId, changeOf({ version: '2' }))).toMatchObject({
    reason: 'other-state',
  })

  const id = must(await draftCoupon(store, sales, couponOf()))
  const change = couponChangeForm.parse({ ...couponTerms, code: 'OTHER', version: '1' })
  must(await couponDrafts.change(store, sales, id, change))
  expect(await couponDrafts.change(store, sales, id, change)).toMatchObject({ reason: 'changed-meanwhile' })
  expect(await findCoupon(store, String(id))).toMatchObject({ code: 'OTHER', version: 2 })
  must(await scheduleCoupon(store, desk, { id, version: 2, ...hours(store, [1, 9]) }))
  expect(await couponDrafts.change(store, sales, id, { ...change, version: 2 })).toMatchObject({
    reason: 'other-state',
  })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a discarded draft leaves no request for approval', async () => {
  await using store = await openTestStore(port)
  const sales = await signInStaff(store, 'sales', 'sales')
  const planId = must(await draftPromotion(store, sales, draftOf({ amount: '90' })))
  const times = { version: 1, ...hours(store, [1, 9]) }
  expect(must(await schedulePromotion(store, sales, { planId, ...times }))).toEqual({ state: 'requested' })
  const id = must(await draftCoupon(store, sales, couponOf({ kind: 'Percentage', amount: '90' })))
  expect(must(await scheduleCoupon(store, sales, { id, ...times }))).toEqual({ state: 'requested' })
  expect(await listConcessionRequests(store.db, 10)).toHaveLength(2)
  must(await promotionDrafts.discard(store, sales, planId))
  must(await couponDrafts.discard(store, sales, id))
  expect(await listConcessionRequests(store.db, 10)).toEqual([])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a daily deal takes up to 20 percent off and ends within a day', async () => {
  await using store = await openTestStore(port)
  const planId = must(await draftPromotion(store, desk, draftOf({ daily: 'yes', amount: '20' })))
  const schedule = (to: number) => schedulePromotion(store, desk, { planId, version: 1, ...hours(store, [1, to]) })
  expect(await schedule(27)).toMatchObject({ reason: 'longer-than-a-day' })
  const done = must(await schedule(25))
  const key = done.state === 'scheduled' ? `p${done.promotionId}` : ''
  expect(await findPromotion(store, key)).toMatchObject({ daily: true, linkToCoverage: false })
  for (const wrong of [{ amount: '21' }, { kind: 'Flat Amount' }])
    expect(promotionDraftForm.safeParse({ formKey: randomUUID(), ...terms, daily: 'yes', ...wrong }).success).toBe(
      false,
    )
})
