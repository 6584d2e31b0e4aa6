/**
 * Changing the address of an order before its release. The price was agreed for the old address. If the new address
 * lowers taxes and fees, less is captured; if it raises them, the change is refused.
 */
import { homeDeliveryMessages } from '#content/messages/delivery.ts'
import { hasHouseNumber, isSameZone, refuseHomeDelivery } from '#domain/supply/delivery/delivery.ts'
import { warehousePromises } from '#domain/supply/delivery/delivery.server.ts'
import { vanServes } from '#domain/scheduling/installers/installers.server.ts'
import { enterTransfer, entriesOfSale } from '#domain/payments/ledger/ledger.server.ts'
import { updateAddress, updateTaxes, type OrderAddress } from './change-order.sql.server.ts'
import { insertOrderNote, updatePromise } from './order-life.sql.server.ts'
import type { OrderView } from './order-view.sql.server.ts'
import { actOn, record, type StaffActOutcome } from './staff-acts.server.ts'
import { lowerCharge } from '#domain/payments/payments/payments.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { shippingRatesOf } from '#domain/kernel/settings/settings.ts'
import { readTermsAt } from '#domain/kernel/settings/settings.server.ts'
import { retaxed, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { findTaxRule, replaceOrderTax } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; releaseAfterSeconds: number }
type NotPossible = Refused<'not-possible', { why: string }>

/**
 * Changes an order's address. For home delivery this is the parcels' destination and for a van its destination;
 * otherwise it is only the customer's address. Refuses, with a message, addresses that no carrier or van reaches and
 * those that raise the order's total.
 */
export function changeAddressAsStaff(
  deps: Deps,
  by: Actor,
  ask: { orderId: number; address: OrderAddress; reason: string },
): Promise<StaffActOutcome> {
  const { address } = ask
  return actOn(deps, by, { act: 'address', orderId: ask.orderId }, async (tx, { order, at, actor }) => {
    if (isSame(order, address)) return ok({ isNew: false })
    const isHome = order.fulfillment === 'home'
    const reached = await checkAddress(tx, order, address)
    if (!reached.ok) return reached
    const priced = isHome ? await priceAt(tx, order, address) : ok(order.breakdown)
    if (!priced.ok) return priced
    // Both may refuse, and so come before everything that is written.
    const settled = await settleLower(tx, order, { breakdown: priced.value, at, actor })
    if (!settled.ok) return settled
    if (isHome) await promiseAt(tx, order, address, deps)
    await updateAddress(tx, order.id, { address, shipTo: isHome })
    await insertOrderNote(tx, order, { actor, at, note: `Address changed: ${ask.reason}`.slice(0, 500) })
    await record(tx, by, {
      act: 'order.address-changed',
      order,
      at,
      reason: ask.reason,
      // The audit log is permanent, so it omits streets; they are on the order.
      before: {
        city: order.address.city,
        state: order.address.state,
        zip: order.address.zip,
        totalCents: order.totalCents,
      },
      after: { city: address.city, state: address.state, zip: address.zip, totalCents: priced.value.totals.totalCents },
    })
    return ok({ isNew: true })
  })
}

function isSame({ address }: OrderView, { address1, address2, city, state, zip }: OrderAddress): boolean {
  return (
    address.line1 === address1 &&
    address.line2 === address2 &&
    address.city === city &&
    address.state === state &&
    address.zip === zip
  )
}

/** Checks that an address has a known ZIP code in its state, a house number, and a carrier or van that serves it. */
async function checkAddress(
  tx: Tx,
  { fulfillment, shop }: OrderView,
  { address1, address2, state, zip }: OrderAddress,
): Promise<Outcome<null, NotPossible>> {
  const place = await findPlace(tx, zip)
  if (!place) return not(`We do not know ZIP ${zip}. Check it with the customer.`)
  if (place.state !== state)
    return not(`ZIP ${zip} is in ${place.state}, not in ${state}. Check both with the customer.`)
  if (fulfillment === 'home') {
    const refusal = refuseHomeDelivery(place)
    if (refusal) return not(homeDeliveryMessages[refusal])
    if (!hasHouseNumber([address1, address2]))
      return not('The street has no house number. Ask the customer for it. The carrier may not find the address.')
  }
  if (fulfillment === 'mobile' && shop && !(await vanServes({ db: tx }, { shopId: shop.id, zip })))
    return not(`${shop.name} does not come to ${zip}. Cancel the order, and the customer can choose another installer.`)
  return ok(null)
}

/** Returns the order's price at an address, with agreed prices and the state's taxes and fees. */
async function priceAt(
  tx: Tx,
  order: OrderView,
  { state, zip }: OrderAddress,
): Promise<Outcome<PriceBreakdown, NotPossible>> {
  const { breakdown, shipTo, placedAt } = order
  if (state === shipTo.state && zip === shipTo.zip) return ok(breakdown)
  const rates = shippingRatesOf(await readTermsAt(tx, placedAt))
  const place = state === shipTo.state ? `ZIP ${zip}` : state
  const otherPrice = not(
    `Shipping to ${place} has another price. Cancel this order, and the customer can order again for ${place}.`,
  )
  if (!isSameZone(rates, { state, zip }, shipTo)) return otherPrice
  if (state === shipTo.state && breakdown.tax.isExempt) return ok(breakdown)
  const placedOn = placedAt.toZonedDateTimeISO(order.timeZone).toPlainDate()
  const rule = await findTaxRule(tx, { zip, state }, placedOn, placedAt)
  // Another ZIP code with the same rate leaves the agreed tax and its label unchanged.
  if (state === shipTo.state && rule?.ratePpm === breakdown.tax.ratePpm) return ok(breakdown)
  if (!rule) return otherPrice
  if (breakdown.tax.isExempt)
    return not(
      `This order is tax-exempt in ${shipTo.state} only. Cancel it, and the customer can order again for ${state}.`,
    )
  const priced = retaxed(breakdown, rule)
  const [was, becomes] = [breakdown.totals.totalCents, priced.totals.totalCents]
  if (becomes > was)
    return not(
      `Taxes and fees of ${state} make it ${formatCents(becomes)}, ${formatCents(becomes - was)} more than the customer agreed to. Cancel this order, and they can order again for ${state}.`,
    )
  return ok(priced)
}

/** Reduces the charge to a lower price, and records the difference in the ledger. Skips an equal price. */
async function settleLower(
  tx: Tx,
  order: OrderView,
  { breakdown, at, actor }: { breakdown: PriceBreakdown; at: Temporal.Instant; actor: string },
): Promise<Outcome<null, NotPossible>> {
  const { totals: was } = order.breakdown
  const { totals: becomes } = breakdown
  if (breakdown === order.breakdown) return ok(null)
  if (becomes.totalCents < was.totalCents) {
    if (order.invoice)
      return not('This order is on an invoice with a fixed amount. Cancel it, and the company can order again.')
    const toCents = becomes.totalCents - order.creditCents
    if (!(await lowerCharge(tx, { orderId: order.id, toCents, actor, at })))
      return not(
        'More of this order was refunded than the new price leaves. Cancel it, and the customer can order again.',
      )
  }
  await updateTaxes(tx, order.id, breakdown)
  await replaceOrderTax(tx, order.id, at)
  const difference = (key: 'netCents' | 'tireFeeCents' | 'fetCents' | 'taxCents' | 'totalCents') =>
    becomes[key] - was[key]
  await enterTransfer(tx, {
    orderId: order.id,
    reason: 'taxed for another state',
    at,
    entries: entriesOfSale({
      netCents: difference('netCents'),
      tireFeeCents: difference('tireFeeCents'),
      fetCents: difference('fetCents'),
      taxCents: difference('taxCents'),
      totalCents: difference('totalCents'),
    }),
  })
  return ok(null)
}

/** Updates the parcels' promised days for the new address, never to an earlier day. */
async function promiseAt(tx: Tx, order: OrderView, { zip }: OrderAddress, deps: Omit<Deps, 'db'>): Promise<void> {
  const promises = await warehousePromises(
    { db: tx, clock: deps.clock },
    { zip, releaseAfter: deps.releaseAfterSeconds },
  )
  if (!promises.ok) return
  for (const { id, warehouse } of order.shipments) {
    const promise = promises.value.get(warehouse.id)
    if (promise) await updatePromise(tx, id, promise)
  }
}

function not(why: string): NotPossible {
  return refused('not-possible', { why })
}
