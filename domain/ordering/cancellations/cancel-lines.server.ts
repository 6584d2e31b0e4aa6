/**
 * Cancels an order's unshipped units by line, after the window for canceling the whole order. Stock, parcels,
 * appointment, money, state, email and audit entry are one transaction. Repeating a cancellation has no effect.
 */
import {
  cancelWithin,
  countAllocated,
  endCanceledOrder,
  hasLineRefunds,
  lockWithParcels,
  record,
  returnCanceledParts,
  returnOrder,
  selectUnshipped,
  takeOutOfParcels,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import { canStaffCancel, whyNoLines, type NoLines } from '#domain/ordering/orders/orders.ts'
import { cancelBooking } from '#domain/scheduling/booking/booking.server.ts'
import {
  giveBackLines,
  readGivable,
  wasGivenBack,
  type RefundRefusal,
} from '#domain/ordering/refunds/refunds.server.ts'
import { sumUnits, type AskedUnits } from '#domain/ordering/refunds/refunds.ts'
import { isWholeOrderRefunded } from '#domain/ordering/returns/returns.server.ts'
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  cancelableLines,
  countCancelable,
  partsToTake,
  tiresOf,
  unitsToCancel,
  type CancelableLine,
  type UnitsRefusal,
} from './cancel-lines.ts'
import type { AskedLines } from './cancellations.ts'

type Deps = { db: Database; clock: Clock }

/**
 * `no-lines` means that the order doesn't allow canceling lines. `moved` means that the cancelable units or the agreed
 * refund amount changed. `no-money` means that the paid amount can't be refunded by us.
 */
export type CancelLinesRefusal =
  | UnitsRefusal
  | Refused<'order-not-found'>
  | Refused<'not-allowed'>
  | Refused<'no-lines', { why: NoLines }>
  | Refused<'moved'>
  | Refused<'no-money', { why: RefundRefusal['reason'] }>

export type CancelLinesOutcome = Outcome<{ isNew: boolean }, CancelLinesRefusal>

/** Returns an order's lines with cancelable units. Empty if the order doesn't allow canceling lines. */
export async function readCancelable({ db, clock }: Deps, order: OrderView): Promise<CancelableLine[]> {
  if (whyNoLines(order, clock.now()) !== null) return []
  return cancelableLines((await readGivable(db, order, 'cancellation')).lines, await selectUnshipped(db, order.id))
}

/** Cancels lines in the name of staff, with their reason for the audit log. */
export function cancelLinesAsStaff(
  deps: Deps,
  by: Actor,
  ask: AskedLines & { orderId: number; reason: string },
): Promise<CancelLinesOutcome> {
  return inTransaction(deps, async (tx) => {
    const at = deps.clock.now()
    const permitted = await requirePermission(tx, by, 'orders.cancel-lines', at)
    if (!permitted.ok) return permitted
    const done = await cancelWith(tx, deps.clock, { ...ask, actor: `staff:${by.name}`, by: by.name, at })
    if (!done.ok || !done.value.isNew) return done
    const { order, units, refundedCents } = done.value
    await record(tx, by, {
      act: 'order.lines-canceled',
      order,
      at,
      reason: ask.reason,
      after: { units: units.map(({ lineNo, units: count }) => `${count} of line ${lineNo}`).join(', '), refundedCents },
    })
    return ok({ isNew: true })
  })
}

/** Cancels lines for the shopper; who may act for the order is decided before. */
export function cancelLinesAsShopper(deps: Deps, ask: AskedLines & { orderId: number }): Promise<CancelLinesOutcome> {
  return inTransaction(deps, (tx) =>
    cancelWith(tx, deps.clock, { ...ask, reason: null, actor: 'shopper', by: 'shopper', at: deps.clock.now() }),
  )
}

/**
 * What canceling the lines would give back, in cents; null if they were canceled by this form before. Found by canceling
 * them in a transaction that is rolled back, so that it is the act's own amount. Refuses as the act does.
 */
export async function previewCanceledLines(
  deps: Deps,
  ask: AskedLines & { orderId: number },
): Promise<Outcome<{ refundCents: number } | null, CancelLinesRefusal>> {
  const tx = await deps.db.startTransaction().execute()
  try {
    const at = deps.clock.now()
    const done = await cancelWith(tx, deps.clock, {
      ...ask,
      agreedCents: null,
      reason: null,
      actor: 'shopper',
      by: 'shopper',
      at,
    })
    if (!done.ok) return done
    return ok(done.value.isNew ? { refundCents: done.value.refundedCents } : null)
  } catch (error) {
    if (error instanceof Undo) return error.refusal
    throw error
  } finally {
    await tx.rollback().execute()
  }
}

type Asked = AskedLines & { orderId: number; reason: string | null; actor: string; by: string; at: Temporal.Instant }
type Done = { isNew: false } | { isNew: true; order: OrderView; units: AskedUnits[]; refundedCents: number }

async function cancelWith(tx: Tx, clock: Clock, ask: Asked): Promise<Outcome<Done, CancelLinesRefusal>> {
  const done = await cancelUnits(tx, clock, ask)
  if (!done.ok || !done.value.isNew || ask.agreedCents === null) return done
  // The canceled units are rolled back with the transaction.
  if (done.value.refundedCents !== ask.agreedCents) throw new Undo(refused('moved'))
  return done
}

async function cancelUnits(tx: Tx, clock: Clock, ask: Asked): Promise<Outcome<Done, CancelLinesRefusal>> {
  const order = await lockWithParcels(tx, ask.orderId)
  if (!order) return refused('order-not-found')
  if (order.state === 'canceled' || (await wasGivenBack(tx, ask))) return ok({ isNew: false })
  const why = whyNoLines(order, ask.at)
  if (why !== null) return refused('no-lines', { why })
  const unshipped = await selectUnshipped(tx, order.id)
  const { lines } = await readGivable(tx, order, 'cancellation')
  const cancelable = cancelableLines(lines, unshipped)
  if (countCancelable(cancelable) !== ask.seen) return refused('moved')
  const tires = tiresOf(lines, ask.lines)
  const isLast = sumUnits(tires) === (await countAllocated(tx, order.id))
  const units = unitsToCancel(lines, cancelable, { asked: ask.lines, isLast, unshipped })
  if (!units.ok) return units
  if (isLast && canStaffCancel(order).can && !(await hasLineRefunds(tx, order.id)))
    return cancelWhole(tx, clock, { order, units: units.value, actor: ask.actor })
  const parts = partsToTake(unshipped, tires)
  await takeOutOfParcels(tx, clock, order, { ...ask, parts })
  await returnCanceledParts(tx, order.id, units.value)
  const given = await giveBackLines(tx, {
    ...ask,
    kind: 'cancellation',
    lines: units.value,
    reason: 'changed-mind',
    bearer: 'store',
    note: ask.reason,
  })
  // The returned stock is rolled back with the transaction.
  if (!given.ok) throw new Undo(refused('no-money', { why: given.reason }))
  if (isLast) await endCanceledOrder(tx, order, ask)
  else if (parts.length > 0 && (await isWholeOrderRefunded(tx, order.id))) await endReturnedOrder(tx, clock, order, ask)
  return ok({ isNew: true, order, units: units.value, refundedCents: given.value.amountCents })
}

/** If no unit was refunded or shipped, cancels the whole order as within its window and reverses its sale. */
async function cancelWhole(
  tx: Tx,
  clock: Clock,
  { order, units, actor }: { order: OrderView; units: AskedUnits[]; actor: string },
): Promise<Outcome<Done, Refused<'no-lines', { why: NoLines }>>> {
  const canceled = await cancelWithin(tx, clock, { orderId: order.id, actor, byStaff: true })
  if (!canceled.ok) return refused('no-lines', { why: 'shipped' })
  return ok({ isNew: true, order, units, refundedCents: order.payment?.capturedCents ?? 0 })
}

/** The tires that had shipped came back before, and the rest is canceled. */
async function endReturnedOrder(
  tx: Tx,
  clock: Clock,
  order: OrderView,
  { actor, at }: { actor: string; at: Temporal.Instant },
): Promise<void> {
  await returnOrder(tx, order, { actor, at, note: null })
  if (order.booking?.state === 'confirmed') await cancelBooking({ db: tx, clock }, { orderId: order.id, actor })
}

async function inTransaction({ db }: Deps, work: (tx: Tx) => Promise<CancelLinesOutcome>): Promise<CancelLinesOutcome> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (error instanceof Undo) return error.refusal
    throw error
  }
}

/** Carries a refusal out of a transaction that must be rolled back. */
class Undo extends Error {
  readonly refusal: CancelLinesRefusal
  constructor(refusal: CancelLinesRefusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}
