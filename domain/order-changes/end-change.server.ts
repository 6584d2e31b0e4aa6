/** Offered changes that end without being made: withdrawn by staff, expired, or overtaken by another act on the order. */
import { releaseHold } from '#domain/booking/booking.server.ts'
import { findToActOn, recordOrderAct, type OrderView, type StaffActOutcome } from '#domain/orders/orders.server.ts'
import type { Actor } from '#domain/staff/staff.server.ts'
import type { Tx } from '#platform/db.ts'
import { ok } from '#platform/outcome.ts'
import { reopenWindow } from './apply-change.server.ts'
import { selectOpenChange, updateToEnded, type OrderChange } from './order-changes.sql.server.ts'
import type { PlanDeps } from './plan-change.server.ts'

/** Takes back a change that waits to be paid: its link opens nothing any more, and its bay is free. */
export async function withdrawChange(
  { db, clock, releaseAfterSeconds }: Omit<PlanDeps, 'businessTerms'>,
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
    await endChange(tx, { clock, releaseAfterSeconds }, { order, change: open, state: 'withdrawn', actor, at })
    await recordOrderAct(tx, by, { act: 'order.change-withdrawn', order, at, reason })
    return ok({ isNew: true })
  })
}

/** Ends an offered change of a locked order without making it: the order stays as it was. */
export async function endChange(
  tx: Tx,
  { clock, releaseAfterSeconds }: Pick<PlanDeps, 'clock' | 'releaseAfterSeconds'>,
  ended: {
    order: Pick<OrderView, 'id' | 'cartId' | 'state' | 'releasedAt'>
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
    await reopenWindow(tx, order.id, at.add({ seconds: releaseAfterSeconds }))
}
