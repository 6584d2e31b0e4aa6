/** Orders and memberships that business terms affect, and how each reads under its terms. */
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { readPacket } from '#domain/aftercare/disputes/disputes.server.ts'
import { claimForm, fileClaim, findClaim } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { fileGuaranteeRequest, guaranteeForm } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { listTires } from '#domain/catalog/catalog/catalog.server.ts'
import { plainQuery, unitsOf } from '#domain/catalog/catalog/catalog.ts'
import { findBrandedStore } from '#domain/installer-portal/branded-stores/branded-stores.server.ts'
import { openBrandedStore, typedStore } from '#domain/installer-portal/branded-stores/branded-stores.testing.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { cancelOrder, messageValues, readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { readRefundable } from '#domain/ordering/refunds/refunds.server.ts'
import { asked, makeDeliveredOrder, openReturnsStore, photo, sender } from '#domain/ordering/returns/returns.testing.ts'
import { openReturn } from '#domain/ordering/returns/returns.server.ts'
import type { ReturnReason } from '#domain/ordering/returns/returns.ts'
import { bookingText } from '#domain/ordering/orders/orders.ts'
import { holdSlot } from '#domain/scheduling/booking/booking.server.ts'
import { replaceLots } from '#domain/supply/stock/dot-lots.sql.server.ts'
import { whyNotTin } from '#domain/installer-portal/work-orders/tin.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { buyerBy } from '#domain/pricing/price-tiers/price-tiers.testing.ts'
import { releaseAfterOf } from '#domain/kernel/settings/settings.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { formatCents } from '#platform/money.ts'
import { newId } from '#platform/ids.ts'
import { storeDay } from '#platform/store-zone.ts'
import { chooseServices, installationFor, placeOrder, readShopMonth } from './checkout.server.ts'
import { agreeTo, cartOf, makeFinancedCart, makePaidCart, makeReadyCart, must, payByCard } from './checkout.testing.ts'

/** Opens a store for orders, returns, and claims. Its cancellation window follows the terms. */
export async function openTermsStore(port: number) {
  const store = await openReturnsStore(port)
  const { releaseAfterSeconds } = store
  return {
    ...store,
    files: filesInRows,
    get releaseAfterSeconds() {
      return releaseAfterOf(store.businessTerms.current['cancel-minutes'], releaseAfterSeconds)
    },
  }
}
export type TermsStore = Awaited<ReturnType<typeof openTermsStore>>
export type CartOptions = NonNullable<Parameters<typeof makeReadyCart>[1]>

/** The store as it is on a later day, with the terms as they are now. */
export const daysAfter = (store: TermsStore, from: Temporal.Instant, days: number): TermsStore => ({
  ...store,
  clock: fixedClock(from.add({ hours: 24 * days })),
})

export async function orderOf({ db }: Pick<TermsStore, 'db'>, orderId: number): Promise<OrderView> {
  const order = await readOrder(db, orderId)
  if (!order) throw new Error('The order of a test is gone.')
  return order
}

/** Places an order, with coverage and roadside assistance if they can be added. */
export async function place(store: TermsStore, options: CartOptions, hasServices = false): Promise<number> {
  const { id } = await makeReadyCart(store, options)
  if (hasServices) await chooseServices(store, await cartOf(store, id), { coverage: true, roadside: true })
  const { totalCents, ...input } = await agreeTo(store, await cartOf(store, id))
  await payByCard(store, id, totalCents)
  return must(await placeOrder(store, input)).orderId
}

/** Places an order that the lender's store card pays for. */
export async function placeWithStoreCard(store: TermsStore, options: CartOptions): Promise<number> {
  const { cartId } = await makeFinancedCart(store, { ...options, method: 'store-card' })
  const { totalCents: _, ...input } = await agreeTo(store, await cartOf(store, cartId))
  return must(await placeOrder(store, input)).orderId
}

/** The day of a time in the store's zone, so many days later. */
const usDay = (at: Temporal.Instant, days = 0) => {
  const { month, day, year } = storeDay(at).add({ days })
  return `${month}/${day}/${year}`
}

/**
 * Reads one row of an order's price. Returns it with whether the confirmation email has it, and whether the order's full
 * price is refundable. Null for an order without the row.
 */
export async function amountOf(store: TermsStore, orderId: number, key: string) {
  const { breakdown } = await orderOf(store, orderId)
  const row = breakdown.explain.find((each) => each.key.startsWith(key))
  if (!row) return null
  const { detail, amount } = row
  const isInEmail = (await emailOf(store, orderId)).includes(amount)
  return { detail, amount, isInEmail, isRefundable: await isRefundable(store, orderId) }
}

/** The text of the email that confirms an order, as it is sent now. */
async function emailOf(store: TermsStore, orderId: number): Promise<string> {
  const { values } = await messageValues(store, { kind: 'order-received', orderId, key: '' })
  return (await renderMessage('order-received', values)).text
}

async function isRefundable(store: TermsStore, orderId: number): Promise<boolean> {
  const { breakdown } = await orderOf(store, orderId)
  const { lines = [] } = (await readRefundable(store.db, orderId)) ?? {}
  const nets = (all: readonly { netCents: number }[]) => all.map(({ netCents }) => netCents)
  return nets(lines).join(' ') === nets(breakdown.lines).join(' ')
}

/** Returns the program discount in percent of the tires' price. */
export async function shareOf(store: TermsStore, orderId: number) {
  const { totals, lines } = (await orderOf(store, orderId)).breakdown
  const tires = lines.filter(({ kind }) => kind === 'tire').reduce((sum, { grossCents }) => sum + grossCents, 0)
  const { isInEmail, isRefundable: isWhole } = (await amountOf(store, orderId, 'program')) ?? {}
  return { percent: Math.round((100 * totals.programCents) / tires), isInEmail, isRefundable: isWhole }
}

/** The share of a tire's price that coverage costs, in percent, before it is rounded up to the next 99 cents. */
export async function coverageShareOf(store: TermsStore, orderId: number) {
  const { lines } = (await orderOf(store, orderId)).breakdown
  const unitOf = (kind: string) => lines.find((line) => line.kind === kind)?.unitCents ?? 0
  const share = [10, 20, 30].find((percent) => {
    const added = unitOf('coverage') - (unitOf('tire') * percent) / 100
    return added >= 0 && added < 100
  })
  const { isInEmail, isRefundable: isWhole } = (await amountOf(store, orderId, 'coverage')) ?? {}
  return { share, isInEmail, isRefundable: isWhole }
}

/** The account type an order was priced at, and whether its offer came off. */
export async function memberPriceOf(store: TermsStore, orderId: number) {
  const { accountType, passedOver, totals } = (await orderOf(store, orderId)).breakdown
  const text = await emailOf(store, orderId)
  return {
    accountType,
    passedOver,
    isDiscounted: totals.itemPromotionCents + totals.programCents + totals.tenderCents > 0,
    isInEmail: text.includes(passedOver ? 'your loyalty member price' : 'Loyalty member price'),
    isRefundable: await isRefundable(store, orderId),
  }
}

/** A shopper with these prices, 3% below retail for members, and with verified military service or without. */
export function shopperAs(store: TermsStore, type: 'Retail Member' | 'Retail', isMilitary: boolean): TermsStore {
  const plain = buyerBy(
    type,
    type === 'Retail' ? [] : [[{ kind: 'every-tire' }, { kind: 'percent-off', ratePpm: 30_000 }]],
  )
  const buyer: Buyer = { ...plain, isMilitary: async () => isMilitary, afresh: () => buyer }
  return { ...store, buyer }
}

/** A tire in stock with a deal, or without one. */
export async function findTire({ catalog }: TermsStore, { isOnDeal }: { isOnDeal: boolean }): Promise<number> {
  const inSize = { sizes: [{ front: '225-65r17', rear: '225-65r17' }] }
  const found = await listTires(catalog, { scope: inSize, query: { ...plainQuery, pageSize: 96 } })
  const offer = (found.ok ? found.value.offers : []).findLast(
    ({ items: [item], prices: [{ unitCents, wasCents }] }) =>
      unitsOf(item) >= 40 && (isOnDeal ? (wasCents ?? 0) * 92 >= unitCents * 100 : wasCents === null),
  )
  if (!offer) throw new Error('No tire of a test is in stock.')
  return offer.items[0].id
}

/** Orders a five-year-old tire. Returns the refusal, or whether the shop may mount it and its price is refundable. */
export async function placeOld(store: TermsStore): Promise<() => Promise<unknown>> {
  const itemId = await findTire(store, { isOnDeal: false })
  const made = storeDay(store.clock.now()).subtract({ years: 5 })
  const { warehouse_id: warehouseId } = await store.db
    .selectFrom('stock')
    .select('warehouse_id')
    .where('item_id', '=', itemId)
    .orderBy('on_hand', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const week = made.subtract({ days: made.dayOfWeek - 1 }).toString()
  const lots = [{ itemId, warehouseId, lots: [{ week, units: 1 }] }]
  await store.db.transaction().execute((tx) => replaceLots(tx, lots))
  store.catalog.clear()
  const { totalCents: _, ...input } = await makePaidCart(store, { itemId, fulfillment: 'home' })
  const placed = await placeOrder(store, input)
  if (!placed.ok) return async () => ({ refused: JSON.stringify(placed.detail) })
  const { orderId } = placed.value
  return async () => {
    const { placedAt, breakdown } = await orderOf(store, orderId)
    const tin = `7B3KXYZ92${String(made.weekOfYear).padStart(2, '0')}${made.year % 100}`
    const maxAgeYears = store.businessTerms.at(placedAt)['tire-age-years']
    const whyNot = whyNotTin(tin, storeDay(store.clock.now()), maxAgeYears)
    const isInEmail = (await emailOf(store, orderId)).includes(formatCents(breakdown.totals.totalCents))
    return { mayMount: whyNot === undefined, isInEmail, isRefundable: await isRefundable(store, orderId) }
  }
}

/** Books the last free time of a shop. */
export async function placeLate(store: TermsStore, itemId: number): Promise<number> {
  const { id } = await makeReadyCart(store, { itemId })
  const cart = await cartOf(store, id)
  const { days, shopId } = must(await readShopMonth(store, cart, cart.shopId ?? 0))
  const start = days.flatMap(({ times }) => times.filter(({ free }) => free)).at(-1)?.start
  if (!start) throw new Error('The shop of a test has no free time.')
  const target = must(await installationFor(store, cart, shopId))
  must(await holdSlot(store, { cartId: id, shopId, choice: { start }, ...target }))
  const { totalCents, ...input } = await agreeTo(store, await cartOf(store, id))
  await payByCard(store, id, totalCents)
  return must(await placeOrder(store, input)).orderId
}

/** An order's appointment, in days after it was placed. */
export async function appointmentOf(store: TermsStore, orderId: number) {
  const { booking, placedAt, timeZone } = await orderOf(store, orderId)
  if (!booking) throw new Error('The order of a test has no appointment.')
  const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(timeZone).toPlainDate()
  return {
    isBooked: booking.state === 'confirmed',
    isWithin10: dayOf(placedAt).until(dayOf(booking.start), { largestUnit: 'day' }).days <= 10,
    isInEmail: (await emailOf(store, orderId)).includes(bookingText(booking, timeZone)),
    isRefundable: await isRefundable(store, orderId),
  }
}

/** The agreed terms in the packet of an order for its bank. */
async function agreedTerms(store: TermsStore, orderId: number): Promise<string> {
  const packet = await readPacket(store, orderId)
  const rows = packet?.find(({ title }) => title === 'Agreed terms')?.rows ?? []
  return rows.map(([, value]) => value).join(' ')
}

/** Cancels an order 20 minutes after it was placed. Returns the answer, and the time stated in the copy. */
export async function cancelLater(store: TermsStore, orderId: number) {
  const { placedAt, cancelUntil } = await orderOf(store, orderId)
  const at = { ...store, clock: fixedClock(placedAt.add({ minutes: 20 })) }
  const canceled = await cancelOrder(at, { orderId, actor: 'shopper' })
  return {
    canceled: canceled.ok ? 'canceled' : canceled.reason,
    minutes: cancelUntil.since(placedAt).total('minutes'),
    copy: /canceled online for (\d+ minutes)/.exec(await agreedTerms(store, orderId))?.[1],
  }
}

export type Delivered = { orderId: number; delivered: Temporal.Instant }

/** A delivered order. */
export async function deliver(store: TermsStore, itemId: number): Promise<Delivered> {
  const { orderId } = await makeDeliveredOrder(store, 'home', { itemId })
  return { orderId, delivered: store.clock.now() }
}

/** Returns a delivered order's tires so many days after delivery. */
export async function returnLater(
  store: TermsStore,
  { orderId, delivered }: Delivered,
  { days, reason = 'changed-mind' }: { days: number; reason?: ReturnReason },
) {
  const opened = await openReturn(
    daysAfter(store, delivered, days),
    { ...asked, orderId, reason },
    { ...sender, networkKey: newId(), photos: reason === 'damaged' ? [await photo()] : [] },
  )
  return {
    opened: opened.ok ? 'opened' : opened.reason,
    why: opened.ok ? '' : JSON.stringify(opened.detail),
    copy: /returned within (\d+ days)/.exec(await agreedTerms(store, orderId))?.[1],
    feeCents: (await readRefundable(store.db, orderId))?.feeCents,
  }
}

/** Files a price match request so many days after delivery. Returns the answer. */
export async function matchLater(store: TermsStore, { orderId, delivered }: Delivered, days: number) {
  const typed = { competitor: 'Other Tires', link: 'https://othertires.com/alltide', price: '20.00', shipping: '1' }
  const form = guaranteeForm.parse({ ...typed, orderNumber: `S-${orderId}`, seenOn: usDay(delivered, days) })
  const filed = await fileGuaranteeRequest(daysAfter(store, delivered, days), form, {
    isOwn: true,
    networkKey: newId(),
    file: null,
  })
  if (filed.ok) return 'filed'
  return filed.reason === 'not-matched' ? filed.detail.map(({ reason }) => reason).join(' ') : filed.reason
}

/**
 * Files a coverage claim about damage so many days after delivery. Returns the maximum payment, in percent of the
 * tire's price for the road hazard plan and otherwise in cents, or the reason why it isn't covered.
 */
export async function claimLater(
  store: TermsStore,
  { orderId, delivered }: Delivered,
  { days, change = {} }: { days: number; change?: Record<string, string> },
) {
  const typed = { orderNumber: `S-${orderId}`, tires: '1', kind: 'replacement', cause: 'puncture', ...change }
  const filed = await fileClaim(
    daysAfter(store, delivered, days + 1),
    claimForm.parse({ ...typed, happenedOn: usDay(delivered, days) }),
    { isOwn: true, networkKey: newId(), file: await photo('damage.png') },
  )
  if (filed.ok) {
    const { lines } = (await orderOf(store, orderId)).breakdown
    const tire = lines.find(({ kind }) => kind === 'tire')
    const { mostCents, plan } = (await findClaim(store, filed.value.id)) ?? {}
    const priceCents = (tire?.netCents ?? 0) / (tire?.quantity ?? 1)
    return plan === 'road-hazard' ? Math.round((100 * (mostCents ?? 0)) / priceCents) : mostCents
  }
  return filed.reason === 'not-covered' ? filed.detail.map(({ reason }) => reason).join(' ') : filed.reason
}

async function brandedShopId(store: TermsStore): Promise<number> {
  const known = await findBrandedStore(store.db, { dealerCode: typedStore.dealerCode })
  return (known ?? (await openBrandedStore(store))).shopId
}

/** A delivered order with coverage, from our store or the demo shop's own. */
export async function deliverCovered(store: TermsStore, itemId: number, plan: 'replacement' | 'road-hazard') {
  const options = plan === 'road-hazard' ? { dealerShopId: await brandedShopId(store) } : {}
  const { orderId } = await makeDeliveredOrder(store, plan === 'road-hazard' ? 'shop' : 'home', {
    itemId,
    hasCoverage: true,
    ...options,
  })
  return { orderId, delivered: store.clock.now() }
}
