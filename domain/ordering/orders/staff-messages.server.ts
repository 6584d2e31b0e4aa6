/**
 * The codes of an order and its text messages, as staff show and send them again. Each act checks the actor's permission
 * again, and is in the audit log.
 */
import { claimCodeOf } from '#domain/scheduling/booking/booking.server.ts'
import { claimCodeText } from '#domain/scheduling/booking/booking.ts'
import { listOrderMails, promiseAgain } from '#domain/messaging/messages/messages.server.ts'
import { kindsWithCalendar } from './order-messages.server.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import { lockOrder } from './order-life.sql.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { StaffActOutcome } from './staff-acts.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import { promiseTextAgain, selectTextsOfOrder } from '#domain/messaging/texts/texts.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** Grouped digits such as "482 913". `dropOff` is null for a customer who stays at the shop. */
export type OrderCodes = { completion: string; dropOff: string | null }

/** Returns whether an order has codes, which require a confirmed appointment. */
export function hasCodes({ shop, booking }: Pick<OrderView, 'shop' | 'booking'>): boolean {
  return shop !== null && booking?.state === 'confirmed'
}

const noCodes = 'This order has no appointment ahead, so it has no codes.'

/** Shows the codes that identify the customer's appointment at the shop. Each view is recorded in the audit log. */
export async function showCodes(
  deps: Deps & { config: Pick<Config, 'session'> },
  by: Actor,
  orderId: number,
): Promise<
  Outcome<OrderCodes, Refused<'not-allowed'> | Refused<'order-not-found'> | Refused<'not-possible', { why: string }>>
> {
  return permittedOn(deps, by, { orderId, permission: 'orders.codes' }, async (tx, order, at) => {
    const { booking } = order
    if (!hasCodes(order) || !booking) return refused('not-possible', { why: noCodes })
    await recordAct(tx, { by, act: 'order.codes-shown', subject: orderNumber(orderId), at })
    const completion = claimCodeText(claimCodeOf(deps.config.session.secret, booking.id))
    return ok({ completion, dropOff: booking.dropOffCode })
  })
}

/** Sends the last email with the codes again; once per `once`. */
export async function sendCodesAgain(
  deps: Deps,
  by: Actor,
  { orderId, once }: { orderId: number; once: string },
): Promise<StaffActOutcome> {
  return permittedOn(deps, by, { orderId, permission: 'orders.codes' }, async (tx, order, at) => {
    if (!hasCodes(order)) return refused('not-possible', { why: noCodes })
    const mail = (await listOrderMails(tx, orderId)).find(({ kind }) => kindsWithCalendar.has(kind))
    if (!mail) return refused('not-possible', { why: 'No email with the codes was sent for this order.' })
    const isNew = await promiseAgain(tx, { message: mail, once, to: order.email, orderId, at })
    if (isNew) await recordAct(tx, { by, act: 'order.codes-sent', subject: orderNumber(orderId), at })
    return ok({ isNew })
  })
}

/** Resends an undelivered text message with current data, once per `once` key. */
export async function resendTextAsStaff(
  deps: Deps,
  by: Actor,
  { orderId, textId, once }: { orderId: number; textId: string; once: string },
): Promise<StaffActOutcome> {
  return permittedOn(deps, by, { orderId, permission: 'orders.emails' }, async (tx, _order, at) => {
    const text = (await selectTextsOfOrder(tx, orderId)).find(({ id }) => id === textId)
    if (!text || (text.state !== 'failed' && text.state !== 'undelivered'))
      return refused('not-possible', { why: 'This text message arrived, or is on its way.' })
    const isNew = await promiseTextAgain(tx, { text, once, orderId, at })
    if (isNew) await recordAct(tx, { by, act: 'order.text-resent', subject: orderNumber(orderId), at })
    return ok({ isNew })
  })
}

/** Runs `work` on the locked order if the actor has the permission. */
function permittedOn<Answer extends Outcome<unknown, Refused<string, unknown>>>(
  { db, clock }: Deps,
  by: Actor,
  { orderId, permission }: { orderId: number; permission: Permission },
  work: (tx: Tx, order: OrderView, at: Temporal.Instant) => Promise<Answer>,
): Promise<Answer | Refused<'not-allowed'> | Refused<'order-not-found'>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, permission, at)
    if (!permitted.ok) return permitted
    const state = await lockOrder(tx, orderId)
    const order = state && (await readOrder(tx, orderId))
    return order ? work(tx, order, at) : refused('order-not-found')
  })
}
