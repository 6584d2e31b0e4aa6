/**
 * Confirms orders that require the shopper's confirmation, sends reminders, and cancels orders without a response.
 * `confirmation-rules.ts` determines which orders need it and why.
 */
import { warehousePromises } from '#domain/supply/delivery/delivery.server.ts'
import { promiseMessage, queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { cancelOrder } from './cancel.server.ts'
import { confirmWithinHours, remindAfterHours } from './confirmation-rules.ts'
import { releaseJob } from './fulfill.server.ts'
import { lockOrder, moveOrder, selectUnconfirmed, updateCancelUntil, updatePromise } from './order-life.sql.server.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import { isUnanswered, nextOrderState, type OrderState } from './orders.ts'
import { releaseAfterOf } from '#domain/kernel/settings/settings.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueueAll } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; maxReleaseSeconds: number }

/** `over`: it was canceled or returned before. */
export type ConfirmRefusal = Refused<'order-not-found'> | Refused<'over', { state: OrderState }>

/** How many orders one round looks at. */
const batch = 500

/**
 * Confirms an order that requires confirmation. Restarts the cancellation window as if the order were placed now, then
 * the order is released with new promised days. Confirming a confirmed order succeeds without changes. An order can be
 * confirmed after its deadline if it hasn't been canceled yet.
 */
export async function confirmOrder(
  { db, ...deps }: Deps,
  input: { orderId: number; actor: string },
): Promise<Outcome<{ isNew: boolean }, ConfirmRefusal>> {
  return db.transaction().execute((tx) => confirmWithin(tx, deps, input))
}

/** Confirms within the caller's transaction, which must not have written before. */
export async function confirmWithin(
  tx: Tx,
  { clock, maxReleaseSeconds }: Omit<Deps, 'db'>,
  input: { orderId: number; actor: string },
): Promise<Outcome<{ isNew: boolean }, ConfirmRefusal>> {
  const state = await lockOrder(tx, input.orderId)
  const order = state && (await readOrder(tx, input.orderId))
  if (!order) return refused('order-not-found')
  if (order.state === 'confirmed') return ok({ isNew: false })
  if (nextOrderState(order.state, 'confirm') === undefined) return refused('over', { state: order.state })

  const now = clock.now()
  const releaseAfter = releaseAfterOf(order.terms.cancelMinutes, maxReleaseSeconds)
  const cancelUntil = now.add({ seconds: releaseAfter })
  await moveOrder(tx, order, 'confirm', { actor: input.actor, at: now, note: null })
  await updateCancelUntil(tx, order.id, cancelUntil)
  await promiseAnew(tx, order, { clock, releaseAfter })
  const mail = await promiseMessage(tx, {
    kind: 'order-confirmed',
    key: `order-confirmed:${order.id}`,
    to: order.email,
    orderId: order.id,
    at: now,
  })
  await enqueueAll(tx, [...mail, releaseJob(order.id, cancelUntil)])
  return ok({ isNew: true })
}

/**
 * Resumes an order held by staff. Restarts its cancellation window as if it were placed now, then the order is released
 * with new promised days. If the order still requires the shopper's confirmation, it resumes after that.
 */
export async function endHold(
  tx: Tx,
  { clock, maxReleaseSeconds }: Omit<Deps, 'db'>,
  { id }: { id: number },
): Promise<void> {
  const order = await readOrder(tx, id)
  if (order?.state !== 'confirmed') return
  const releaseAfter = releaseAfterOf(order.terms.cancelMinutes, maxReleaseSeconds)
  const cancelUntil = clock.now().add({ seconds: releaseAfter })
  await updateCancelUntil(tx, id, cancelUntil)
  await promiseAnew(tx, order, { clock, releaseAfter })
  await enqueueAll(tx, [releaseJob(id, cancelUntil)])
}

/** Delivery is counted from the confirmation. If a warehouse can't promise a day, the original promise remains. */
async function promiseAnew(
  tx: Tx,
  { shipTo, shipments }: OrderView,
  { clock, releaseAfter }: { clock: Clock; releaseAfter: number },
): Promise<void> {
  const promises = await warehousePromises({ db: tx, clock }, { zip: shipTo.zip, releaseAfter })
  if (!promises.ok) return
  for (const { id, warehouse } of shipments) {
    const promise = promises.value.get(warehouse.id)
    if (promise) await updatePromise(tx, id, promise)
  }
}

/**
 * Cancels orders that weren't confirmed in time, each in a separate transaction. Skips orders that were confirmed
 * since. Returns how many were canceled. A failure doesn't block the other orders.
 */
export async function cancelUnansweredOrders({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const failures: unknown[] = []
  let count = 0
  for (const { id } of await selectUnconfirmed(db, clock.now(), batch)) {
    try {
      const canceled = await cancelOrder({ db, clock }, { orderId: id, actor: 'store', ifUnanswered: true })
      if (canceled.ok && canceled.value.isNew) count += 1
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some orders could not be canceled.')
  return count
}

/** Reminds of orders that have waited for a day, each once. */
export async function remindOfUnconfirmedOrders({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const soon = now.add({ hours: confirmWithinHours - remindAfterHours })
  for (const order of await selectUnconfirmed(db, soon, batch)) {
    // Its cancellation is due instead.
    if (isUnanswered(order, now)) continue
    const { id, email } = order
    await db.transaction().execute(async (tx) => {
      if ((await lockOrder(tx, id)) !== 'needs-confirmation') return
      const kind = 'order-unconfirmed-reminder'
      await queueMessage(tx, { kind, key: `${kind}:${id}`, to: email, orderId: id, at: now })
    })
  }
}
