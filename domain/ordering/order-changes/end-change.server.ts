/**
 * Offered edits that end without being applied, because they were withdrawn by staff, expired, or superseded by another
 * action on the order.
 */
import { releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import {
  findToActOn,
  recordOrderAct,
  type OrderView,
  type StaffActOutcome,
} from '#domain/ordering/orders/orders.server.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { releaseAfterOf } from '#domain/kernel/settings/settings.ts'
import type { Tx } from '#platform/db.ts'
import { ok } from '#platform/outcome.ts'
import { reopenWindow } from './apply-change.server.ts'
import { selectOpenChange, updateToEnded, type OrderChange } from './order-changes.sql.server.ts'
import type { PlanDeps } from './plan-change.server.ts'

/** Withdraws an edit pending payment; its link is invalidated, and its bay released. */
export async function withdrawChange(
  { db, clock, maxReleaseSeconds }: Omit<PlanDeps, 'businessTerms'>,
  by: Actor,
  { orderId, reason }: { orderId: number; reason: string },
): Promise<StaffActOutcome> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const found = await findToActOn(tx, by, { act: 'place', orderId }, at)
    if (!found.ok) return found
    const { order, actor } = found.value
    const open = await selectOpenChange(tx, orderId)
    if (!open) return ok({ isNew: false })
    await endChange(tx, { clock, maxReleaseSeconds }, { order, change: open, state: 'withdrawn', actor, at })
    await recordOrderAct(tx, by, { act: 'order.change-withdrawn', order, at, reason })
    return ok({ isNew: true })
  })
}

/** Ends a locked order's offered edit without applying it, leaving the order unchanged. */
export async function endChange(
  tx: Tx,
  { clock, maxReleaseSeconds }: Pick<PlanDeps, 'clock' | 'maxReleaseSeconds'>,
  ended: {
    order: Pick<OrderView, 'id' | 'cartId' | 'state' | 'releasedAt' | 'terms'>
    change: OrderChange
    state: 'expired' | 'withdrawn' | 'overtaken'
    actor: string
    at: Temporal.Instant
  },
): Promise<void> {
  const { order, change, state, actor, at } = ended
  if (!(await updateToEnded(tx, change.id, { state, at }))) return
  await releaseHold({ db: tx, clock }, { cartId: order.cartId, actor })
  if (order.releasedAt === null && order.state === 'confirmed')
    await reopenWindow(tx, order.id, at.add({ seconds: releaseAfterOf(order.terms.cancelMinutes, maxReleaseSeconds) }))
}
