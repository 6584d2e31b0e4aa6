/**
 * Staff actions on orders. Each act checks the actor's permission again, locks the order, decides by what it reads
 * then, and writes the audit entry, all in one transaction. Idempotent. If the order doesn't allow an action, it is
 * refused with `not-possible` and a message with the reason and the alternative.
 */
import {
  listOrderMails,
  promiseAgain,
  queueMessage,
  type OrderMail,
} from '#domain/messaging/messages/messages.server.ts'
import { cancelWithin } from './cancel.server.ts'
import { askedByStaff, confirmWithinHours } from './confirmation-rules.ts'
import { confirmWithin } from './confirm.server.ts'
import { updateFitCheck } from './fit-checks.sql.server.ts'
import { insertOrderNote, lockOrder, moveOrder, updateQuestioned } from './order-life.sql.server.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { canActOn, staffOrderActs, type StaffOrderAct } from './staff-acts.ts'
import { recordAct, requirePermission, type Actor, type ActWithout } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** `not-allowed` means that the actor's role ended. `why` is a message with the alternative. */
export type StaffActRefusal =
  | Refused<'not-allowed'>
  | Refused<'order-not-found'>
  | Refused<'not-possible', { why: string }>

export type StaffActOutcome = Outcome<{ isNew: boolean }, StaffActRefusal>

/** The actor's reason for an action, for the audit log. */
type Ask = { orderId: number; reason: string }

/** Confirms an order on behalf of its customer, who gets the regular email. */
export function confirmAsStaff(
  deps: Deps & { maxReleaseSeconds: number },
  by: Actor,
  ask: Ask,
): Promise<StaffActOutcome> {
  return actOn(deps, by, { act: 'confirm', orderId: ask.orderId }, async (tx, { order, at, actor }) => {
    if (order.state === 'confirmed') return ok({ isNew: false })
    const confirmed = await confirmWithin(tx, deps, { orderId: order.id, actor })
    if (!confirmed.ok) return refused('not-possible', { why: `This order is ${order.state}.` })
    await record(tx, by, { act: 'order.confirmed', order, at, reason: ask.reason, after: { state: 'confirmed' } })
    return confirmed
  })
}

/**
 * Requires the customer to confirm an order. Until they do, it is neither charged nor shipped; without a response it is
 * canceled.
 */
export function questionAsStaff(deps: Deps, by: Actor, ask: Ask): Promise<StaffActOutcome> {
  return actOn(deps, by, { act: 'question', orderId: ask.orderId }, async (tx, { order, at, actor }) => {
    if (order.state === 'needs-confirmation') return ok({ isNew: false })
    const until = at.add({ hours: confirmWithinHours })
    await updateQuestioned(tx, order.id, askedByStaff, until)
    await moveOrder(tx, order, 'question', { actor, at, note: ask.reason })
    const kind = 'order-unconfirmed'
    await queueMessage(tx, { kind, key: `${kind}:${order.id}`, to: order.email, orderId: order.id, at })
    await record(tx, by, {
      act: 'order.questioned',
      order,
      at,
      reason: ask.reason,
      after: { state: 'needs-confirmation', confirmBy: until.toString() },
    })
    return ok({ isNew: true })
  })
}

/** Records that a person checked how an order's tires fit, with the result. The customer isn't notified. */
export function checkFitAsStaff(deps: Deps, by: Actor, ask: Ask): Promise<StaffActOutcome> {
  return actOn(deps, by, { act: 'check-fit', orderId: ask.orderId }, async (tx, { order, at, actor }) => {
    if (order.fitCheck?.at) return ok({ isNew: false })
    await updateFitCheck(tx, { orderId: order.id, result: ask.reason, by: by.name, at })
    await insertOrderNote(tx, order, { actor, at, note: `Fit checked: ${ask.reason}` })
    await record(tx, by, { act: 'order.fit-checked', order, at, reason: ask.reason })
    return ok({ isNew: true })
  })
}

/** Cancels a whole order before its first parcel ships. Captured money is refunded and the rest is voided. */
export function cancelAsStaff(deps: Deps, by: Actor, ask: Ask): Promise<StaffActOutcome> {
  return actOn(deps, by, { act: 'cancel', orderId: ask.orderId }, async (tx, { order, at, actor }) => {
    const canceled = await cancelWithin(tx, deps.clock, { orderId: order.id, actor, byStaff: true })
    if (!canceled.ok)
      return canceled.reason === 'order-not-found' ? canceled : refused('not-possible', { why: canceled.detail.reason })
    if (canceled.value.isNew)
      await record(tx, by, {
        act: 'order.canceled',
        order,
        at,
        reason: ask.reason,
        after: { state: 'canceled', refundedCents: order.payment?.capturedCents ?? 0 },
      })
    return canceled
  })
}

/** Lists an order's resendable emails, newest first. */
export function listResendable({ db }: Pick<Deps, 'db'>, orderId: number): Promise<OrderMail[]> {
  return listOrderMails(db, orderId)
}

/** Resends an email to the order's address with current data. `once` is the idempotency key of the request. */
export function resendAsStaff(
  deps: Deps,
  by: Actor,
  ask: { orderId: number; messageId: string; once: string },
): Promise<StaffActOutcome> {
  return actOn(deps, by, { act: 'resend', orderId: ask.orderId }, async (tx, { order, at }) => {
    const mail = (await listOrderMails(tx, order.id)).find(({ id }) => id === ask.messageId)
    if (!mail) return refused('not-possible', { why: 'Email not found for this order. Choose one from the list.' })
    const isNew = await promiseAgain(tx, { message: mail, once: ask.once, to: order.email, orderId: order.id, at })
    if (isNew) await record(tx, by, { act: 'order.email-resent', order, at, after: { kind: mail.kind } })
    return ok({ isNew })
  })
}

type Found = { order: OrderView; at: Temporal.Instant; actor: string }

/** Runs `work` on the locked order if the actor may do `act` and the order allows it, or the same was done before. */
export function actOn(
  { db, clock }: Deps,
  by: Actor,
  { act, orderId }: { act: StaffOrderAct; orderId: number },
  work: (tx: Tx, found: Found) => Promise<StaffActOutcome>,
): Promise<StaffActOutcome> {
  return db.transaction().execute(async (tx) => {
    const found = await findToActOn(tx, by, { act, orderId }, clock.now())
    return found.ok ? work(tx, found.value) : found
  })
}

/** States in which an action was already done, so that repeating it succeeds. */
const doneIn: Partial<Record<StaffOrderAct, OrderView['state']>> = {
  confirm: 'confirmed',
  question: 'needs-confirmation',
  cancel: 'canceled',
}

/** Checks the permission, locks the order and checks that it allows the action, within the action's transaction. */
export async function findToActOn(
  tx: Tx,
  by: Actor,
  { act, orderId }: { act: StaffOrderAct; orderId: number },
  at: Temporal.Instant,
): Promise<Outcome<Found, StaffActRefusal>> {
  const permitted = await requirePermission(tx, by, staffOrderActs[act].permission, at)
  if (!permitted.ok) return permitted
  const state = await lockOrder(tx, orderId)
  const order = state && (await readOrder(tx, orderId))
  if (!order) return refused('order-not-found')
  const allowed = canActOn(order, act, at)
  const isDone = doneIn[act] === order.state || (act === 'check-fit' && order.fitCheck?.at)
  if (!allowed.can && !isDone) return refused('not-possible', { why: allowed.reason })
  return ok({ order, at, actor: `staff:${by.name}` })
}

type Entry = ActWithout<'by' | 'subject'> & { order: OrderView }

/** Writes the audit entry of an act on an order; before, by default, is the order's state. */
export function record(tx: Tx, by: Actor, { order, ...entry }: Entry): Promise<void> {
  return recordAct(tx, { by, subject: orderNumber(order.id), before: { state: order.state }, ...entry })
}
