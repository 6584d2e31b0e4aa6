/**
 * The lender of a financed order, asked and told whatever is due: the order is confirmed, what was canceled comes off
 * the contract, what was delivered or installed is reported, and what the lender then owes is received. One job does it
 * all: it reads both sides first, so that it can run at any time, twice, or after a crash at any step.
 */
import { readOrder, type OrderView } from '#domain/orders/order-view.sql.server.ts'
import type { ProviderAnswer } from '#domain/payments/payment-provider.port.ts'
import {
  findFinancedCharge,
  recordDelivered,
  type FinancedCharge,
  type FinancedUnits,
  type Financing,
  type FinancingView,
} from '#domain/payments/payments.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

type Deps = { db: Database; clock: Clock; financing: Financing | null }
type Asking = { financing: Financing; clock: Clock; order: OrderView; charge: FinancedCharge }

/**
 * Settles an order with its lender, as far as it is due; nothing for an order that has none. Throws when the lender is
 * away or refuses: the job tries again, and people hear of a job that has given up.
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

/** Takes off the contract what was promised back before the goods were there. */
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
  // The same report whoever makes it: by what will have been delivered after it.
  const units = view.lines.reduce((sum, { delivered }) => sum + delivered, 0)
  const total = lines.reduce((sum, { quantity }) => sum + quantity, units)
  const key = `deliver:${charge.paymentId}:${total}`
  return must(await financing.deliver({ ref: charge.ref, lines, at: clock.now(), key }))
}

/**
 * What has reached the buyer and is not reported yet. Installed tires bring all that was ordered with them; of tires
 * shipped home each parcel counts, and services and fees come with the last.
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

/** The name of a line at the lender: that of the price's line, which the application was opened with. */
function skuOf({ breakdown }: OrderView, lineNo: number): string | undefined {
  return breakdown.lines[lineNo - 1]?.id
}
