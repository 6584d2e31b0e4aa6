/**
 * Syncs a financed order with its lender. Confirms the order, reduces the contract by canceled amounts, reports
 * fulfilled items, and receives the funds. A single job reads both sides first, so it can run at any time, repeatedly,
 * or after a crash at any step.
 */
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import type { ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'
import {
  findFinancedCharge,
  recordDelivered,
  type FinancedCharge,
  type FinancedUnits,
  type Financing,
  type FinancingView,
} from '#domain/payments/payments/payments.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

type Deps = { db: Database; clock: Clock; financing: Financing | null }
type Asking = { financing: Financing; clock: Clock; order: OrderView; charge: FinancedCharge }

/**
 * Syncs everything due between an order and its lender. Skips orders without a lender. Throws if the lender is
 * unavailable or refuses, so the job retries. Staff are alerted when it exhausts its retries.
 */
export async function settleFinancedOrder({ db, clock, financing }: Deps, orderId: number): Promise<void> {
  const [order, charge] = [await readOrder(db, orderId), await findFinancedCharge(db, orderId)]
  if (!order || !charge) return
  if (!financing) throw new Error(`Order ${orderId} is financed, and the store has no lender.`)
  const asking: Asking = { financing, clock, order, charge }
  const read = must(await financing.read(charge.ref))
  const confirmed = await confirm(asking, read)
  const lowered = await takeOff(asking, confirmed)
  const delivered = await reportDelivered(asking, lowered)
  await recordDelivered({ db, clock }, { orderId, ...charge }, delivered)
}

function must(answer: ProviderAnswer<FinancingView>): FinancingView {
  if (answer.ok) return answer.value
  throw new Error(`The lender does not do it: ${answer.message}`, { cause: answer.cause })
}

async function confirm({ financing, order, charge }: Asking, view: FinancingView): Promise<FinancingView> {
  if (view.state !== 'signed') return view
  return must(
    await financing.confirm({ ref: charge.ref, orderId: order.id, key: `confirm:${charge.paymentId}:${order.id}` }),
  )
}

/** Reduces the contract by refunds promised before fulfillment. */
async function takeOff({ financing, order, charge }: Asking, view: FinancingView): Promise<FinancingView> {
  const promisedCents = charge.promised.at(-1)?.untilCents ?? 0
  // After the goods it is given back like any charge.
  if (promisedCents <= view.canceledCents || view.state !== 'confirmed') return view
  return must(
    await financing.cancelLines({
      ref: charge.ref,
      lines: canceledUnits(order, view),
      cents: promisedCents - view.canceledCents,
      key: `take-off:${charge.paymentId}:${promisedCents}`,
    }),
  )
}

/** The units that were canceled here, and are not at the lender. */
function canceledUnits(order: OrderView, view: FinancingView): FinancedUnits[] {
  return view.lines.flatMap(({ sku, canceled, delivered, quantity }) => {
    const here = order.lines.find((line) => skuOf(order, line.lineNo) === sku)?.canceled ?? 0
    const more = Math.min(here - canceled, quantity - delivered - canceled)
    return more > 0 ? [{ sku, quantity: more }] : []
  })
}

async function reportDelivered({ financing, clock, order, charge }: Asking, view: FinancingView) {
  if (view.state !== 'confirmed') return view
  const lines = deliveredUnits(order, view)
  if (lines.length === 0) return view
  // The idempotency key is the cumulative delivered units, so concurrent runs send the same report.
  const units = view.lines.reduce((sum, { delivered }) => sum + delivered, 0)
  const total = lines.reduce((sum, { quantity }) => sum + quantity, units)
  const key = `deliver:${charge.paymentId}:${total}`
  return must(await financing.deliver({ ref: charge.ref, lines, at: clock.now(), key }))
}

/**
 * Returns units the buyer has received that aren't reported yet. Installed tires bring all that was ordered with them;
 * of tires shipped home each parcel counts, and services and fees come with the last.
 */
function deliveredUnits(order: OrderView, view: FinancingView): FinancedUnits[] {
  const left = view.lines.flatMap(({ sku, quantity, delivered, canceled }) =>
    quantity > delivered + canceled ? [{ sku, quantity: quantity - delivered - canceled }] : [],
  )
  if (isAllThere(order)) return left
  if (order.fulfillment !== 'home') return []
  const there = new Map<string, number>()
  for (const { state, items } of order.shipments)
    for (const { lineNo, quantity } of state === 'delivered' ? items : []) {
      const sku = skuOf(order, lineNo)
      if (sku !== undefined) there.set(sku, (there.get(sku) ?? 0) + quantity)
    }
  return left.flatMap(({ sku, quantity }) => {
    const reported = view.lines.find((line) => line.sku === sku)?.delivered ?? 0
    const more = Math.min((there.get(sku) ?? 0) - reported, quantity)
    return more > 0 ? [{ sku, quantity: more }] : []
  })
}

function isAllThere({ fulfillment, booking, shipments }: OrderView): boolean {
  if (fulfillment !== 'home') return booking?.state === 'done'
  const sent = shipments.filter(({ state }) => state !== 'canceled')
  return sent.length > 0 && sent.every(({ state }) => state === 'delivered')
}

/** Returns the lender's SKU for a line. The application was opened with the id of the price line. */
function skuOf({ breakdown }: OrderView, lineNo: number): string | undefined {
  return breakdown.lines[lineNo - 1]?.id
}
