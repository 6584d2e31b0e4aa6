/** Orders held for staff. Staff accept or cancel them, and the deadline cancels the rest. */
import { cancelWithin, endHold, lockOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { lockScreeningOf, selectHeld, updateToDecided, type Screening } from './fraud.sql.server.ts'

type Deps = { db: Database; clock: Clock; maxReleaseSeconds: number }

/** `over`: a colleague decided, or the order is canceled, or it never waited. */
export type DecisionRefusal =
  | Refused<'not-allowed'>
  | Refused<'order-not-found'>
  | Refused<'over'>
  | Refused<'not-possible', { why: string }>

/**
 * Decides a held order, once. An accepted order continues as if placed now. A canceled one is fully refunded, and the
 * customer gets the usual cancellation email.
 */
export async function decideHeldOrder(
  { db, ...deps }: Deps,
  input: { orderId: number; decision: 'accepted' | 'canceled'; note: string | null; by: Actor },
): Promise<Outcome<{ isNew: boolean }, DecisionRefusal>> {
  const { orderId, decision, by, note } = input
  return db.transaction().execute(async (tx) => {
    const at = deps.clock.now()
    const permitted = await requirePermission(tx, by, 'held-orders.decide', at)
    if (!permitted.ok) return permitted
    const state = await lockOrder(tx, orderId)
    const screening = state && (await lockScreeningOf(tx, orderId))
    if (!screening) return refused('order-not-found')
    if (screening.decision === decision) return ok({ isNew: false })
    if (!isOpen(screening)) return refused('over')
    if (decision === 'canceled') {
      const canceled = await cancelWithin(tx, deps.clock, { orderId, actor: by.name, byStaff: true })
      if (!canceled.ok)
        return canceled.reason === 'order-not-found'
          ? canceled
          : refused('not-possible', { why: canceled.detail.reason })
    }
    await updateToDecided(tx, screening.id, { decision, by: by.name, note, at })
    if (decision === 'accepted') await endHold(tx, deps, { id: orderId })
    await recordAct(tx, {
      by,
      act: decision === 'accepted' ? 'held-order.accepted' : 'held-order.canceled',
      subject: orderNumber(orderId),
      after: { decision },
      ...(note === null ? {} : { reason: note }),
      at,
    })
    return ok({ isNew: true })
  })
}

/** Whether staff can still decide. */
export function isOpen({ outcome, decision, orderState }: Screening): boolean {
  return (
    outcome === 'review' && decision === null && (orderState === 'confirmed' || orderState === 'needs-confirmation')
  )
}

/** How many orders one round looks at. */
const batch = 200

/**
 * Cancels held orders at their deadline, each in a separate transaction, before their charge can expire. Returns how
 * many. A failure doesn't block the other orders.
 */
export async function cancelUndecidedOrders({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const failures: unknown[] = []
  let count = 0
  for (const { orderId } of await selectHeld(db, { by: clock.now(), limit: batch })) {
    try {
      if (await cancelUndecided({ db, clock }, orderId)) count += 1
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some orders could not be canceled.')
  return count
}

function cancelUndecided({ db, clock }: Pick<Deps, 'db' | 'clock'>, orderId: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockOrder(tx, orderId)
    const screening = await lockScreeningOf(tx, orderId)
    if (!screening || !isOpen(screening)) return false
    const canceled = await cancelWithin(tx, clock, { orderId, actor: 'store', byStaff: true })
    if (!canceled.ok) return false
    await updateToDecided(tx, screening.id, {
      decision: 'canceled',
      by: 'store',
      note: 'The review deadline passed.',
      at: clock.now(),
    })
    return true
  })
}

/** Orders that wait for staff, those due first. */
export function listHeldOrders({ db }: Pick<Deps, 'db'>, limit: number): Promise<(Screening & { orderId: number })[]> {
  return selectHeld(db, { limit })
}
