/**
 * Reschedules an appointment for a shop. A bay change takes effect immediately. A new time requires a reason and emails
 * the customer.
 */
import { bookingMessages } from '#content/messages/booking.ts'
import { changeBay, findAppointment, moveBooking } from '#domain/scheduling/booking/booking.server.ts'
import type { Booking, Choice, Opening } from '#domain/scheduling/booking/booking.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { isAtThatTime, appointmentWork } from './change-appointment.server.ts'
import { insertOrderNote } from './order-life.sql.server.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** `not-possible` includes a message for the shop, and if the time is taken, the next free ones on any bay. */
export type ShopMoveRefusal =
  | Refused<'not-found'>
  | Refused<'not-allowed'>
  | Refused<'reason-missing'>
  | Refused<'not-possible', { why: string; next: readonly Opening[] }>

/** The appointment of an order at a shop, with the order it belongs to; undefined if it is not at this shop. */
export async function readShopAppointment(
  db: Database,
  { shopId, bookingId }: { shopId: number; bookingId: string },
): Promise<{ booking: Booking; order: OrderView } | undefined> {
  const booking = await findAppointment({ db }, { bookingId })
  if (booking?.shopId !== shopId || booking.orderId === null) return undefined
  const order = await readOrder(db, booking.orderId)
  return order && { booking, order }
}

/**
 * Moves an appointment to a time or bay of its shop that is free. A bay change at the same time needs no reason. For a
 * new time, the reason is stored with the order and the customer is emailed. `allow` checks, in the transaction that
 * moves it, that the member may do it now. Idempotent for its current time and bay.
 */
export async function moveAppointmentAsShop(
  deps: Deps,
  {
    shopId,
    bookingId,
    bayId,
    choice,
    reason,
    actor,
    memberId,
    allow,
  }: {
    shopId: number
    bookingId: string
    /** Null for any free bay. */
    bayId: number | null
    choice: Choice
    reason: string | null
    actor: string
    memberId: string
    allow: (tx: Tx) => Promise<boolean>
  },
): Promise<Outcome<{ isNew: boolean; isMailed: boolean }, ShopMoveRefusal>> {
  const found = await readShopAppointment(deps.db, { shopId, bookingId })
  if (!found) return refused('not-found')
  const { booking, order } = found
  if (order.state !== 'confirmed')
    return refused('not-possible', { why: 'This order is no longer confirmed.', next: [] })
  const demand = async (tx: Tx) => {
    if (!(await allow(tx))) throw new NotAllowed()
  }
  try {
    if (isAtThatTime({ ...booking, dropOffWindow: booking.dropOff?.window ?? null }, booking.timeZone, choice)) {
      const to = bayId ?? booking.bayId
      const moved = await changeBay(deps, { bookingId, bayId: to, actor, memberId, alongside: demand })
      if (moved.ok) return ok({ isNew: booking.bayId !== to, isMailed: false })
      return refused('not-possible', { why: bayMessages[moved.reason], next: [] })
    }
    if (reason === null) return refused('reason-missing')
    const work = await appointmentWork(deps, order)
    if (!work) return refused('not-found')
    const moved = await moveBooking(deps, {
      ...work,
      bookingId,
      ...(bayId === null ? {} : { bayId }),
      choice,
      actor,
      memberId,
      note: reason,
      async alongside(tx, { start }) {
        await demand(tx)
        const at = deps.clock.now()
        await insertOrderNote(tx, order, { actor, at, note: `Appointment moved by the shop: ${reason}`.slice(0, 500) })
        const mail = { kind: 'order-rescheduled', to: order.email, orderId: order.id, at } as const
        await queueMessage(tx, { ...mail, key: `${mail.kind}:${order.id}:${start.toString()}:${at.toString()}` })
      },
    })
    return moved.ok ? ok({ isNew: true, isMailed: true }) : notPossible(moved)
  } catch (error) {
    if (error instanceof NotAllowed) return refused('not-allowed')
    throw error
  }
}

/** Explains a refused time to the shop, with the next free times if it is taken. */
function notPossible(refusal: Exclude<Awaited<ReturnType<typeof moveBooking>>, { ok: true }>) {
  return refused('not-possible', {
    why: timeMessages[refusal.reason] ?? bookingMessages[refusal.reason],
    next: refusal.reason === 'slot-taken' ? refusal.detail.next : [],
  })
}

const bayMessages = {
  'not-found': bookingMessages['not-found'],
  'not-confirmed': 'This appointment is over or canceled.',
  'bay-not-found': 'This bay does not take this kind of appointment.',
  'bay-taken': 'The bay is taken at that time. Choose another bay or time.',
}

/** Refusals worded for shops instead of shoppers. */
const timeMessages: Partial<Record<string, string>> = {
  'slot-taken': 'This time is taken on that bay. Choose another time or bay.',
  'too-soon': 'The tires are not here by then, or it is sooner than your shop’s lead time. Choose a later time.',
  'outside-hours': 'The shop is closed then, or the job would not be done by closing. Choose another time.',
  'not-confirmed': 'This appointment is over or canceled.',
  'too-late-to-change': 'It starts too soon to be moved, so its time stays. You can still change its bay.',
}

class NotAllowed extends Error {}
