/**
 * Books another time at the shop for a shopper's order, either to reschedule the appointment or to replace a lost one.
 */
import {
  cancelBooking,
  confirmHold,
  holdWithin,
  moveBooking,
  offerTimes,
  type ChoiceRefusal,
} from '#domain/scheduling/booking/booking.server.ts'
import type { Choice, OfferedDay } from '#domain/scheduling/booking/booking.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import {
  appointmentWork,
  insertOrderNote,
  isAtThatTime,
  lockOrder,
  readOrder,
  type AppointmentWork,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import type { Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { canTakeTime, seenAppointment } from './appointments.ts'
import { endWish } from './earlier-times.sql.server.ts'
import { readStage, type AppointmentDeps } from './reply.server.ts'

/**
 * `not-now` means that there is no appointment to reschedule, or it starts within the hour. `no-day` means that the
 * tires' arrival day is unknown.
 */
export type TakeRefusal =
  | Refused<'not-found'>
  | Refused<'stale'>
  | Refused<'not-now'>
  | Refused<'no-day'>
  | Refused<ChoiceRefusal['reason']>

/** Returns days at the order's shop with times after its tires arrive. Empty if no time can be booked. */
export async function offerAppointmentTimes(deps: AppointmentDeps, order: OrderView): Promise<OfferedDay[]> {
  const { stage } = await readStage(deps, order)
  const work = canTakeTime(stage) ? await appointmentWork(deps, order) : undefined
  const offered = work && (await offerTimes(deps, work))
  return offered?.ok ? offered.value.days : []
}

/**
 * Books a time for the order with the appointment identified by `seen`, at an unchanged price. The time it has is kept
 * until the new one is secured. Booking the current time again, such as by a duplicate form, has no effect.
 */
export async function takeAppointmentTime(
  deps: AppointmentDeps,
  asked: { orderId: number; seen: string; choice: Choice },
): Promise<Outcome<{ isNew: boolean }, TakeRefusal>> {
  const order = await readOrder(deps.db, asked.orderId)
  if (!order?.booking) return refused('not-found')
  if (isAgreed(order, asked.choice)) return ok({ isNew: false })
  if (seenAppointment(order.booking) !== asked.seen) return refused('stale')
  const { stage } = await readStage(deps, order)
  if (!canTakeTime(stage)) return refused('not-now')
  const work = await appointmentWork(deps, order)
  if (!work) return refused('no-day')
  try {
    return stage === 'settled' ? await move(deps, order, asked, work) : await bookAgain(deps, asked, work)
  } catch (error) {
    if (error instanceof Undo) return error.outcome
    throw error
  }
}

function isAgreed({ booking, timeZone }: OrderView, choice: Choice): boolean {
  return booking?.state === 'confirmed' && isAtThatTime(booking, timeZone, choice)
}

type Asked = { orderId: number; seen: string; choice: Choice }

async function move(
  deps: AppointmentDeps,
  { booking }: OrderView,
  asked: Asked,
  work: AppointmentWork,
): Promise<Outcome<{ isNew: boolean }, TakeRefusal>> {
  const moved = await moveBooking(deps, {
    ...work,
    bookingId: booking?.id ?? '',
    choice: asked.choice,
    actor: 'customer',
    async alongside(tx, { start }) {
      const order = await lockAsSeen(tx, asked)
      await tell(tx, deps, { order, start, note: 'The customer moved the appointment.' })
    },
  })
  if (moved.ok) return ok({ isNew: true })
  return refused(moved.reason === 'not-confirmed' || moved.reason === 'too-late-to-change' ? 'not-now' : moved.reason)
}

/** A lost time stays on record; a time the shopper won't come to is canceled first. */
function bookAgain(
  deps: AppointmentDeps,
  asked: Asked,
  work: AppointmentWork,
): Promise<Outcome<{ isNew: boolean }, TakeRefusal>> {
  return deps.db.transaction().execute(async (tx) => {
    const within = { ...deps, db: tx }
    const order = await lockAsSeen(tx, asked)
    const { stage } = await readStage(within, order)
    if (!canTakeTime(stage)) throw new Undo(refused('not-now'))
    const actor = 'customer'
    if (order.booking?.state === 'confirmed') await cancelBooking(within, { bookingId: order.booking.id, actor })
    const until = deps.clock.now().add({ minutes: 1 })
    const { cartId } = order
    const held = await holdWithin(tx, deps.clock, { ...work, cartId, choice: asked.choice, until, actor })
    if (!held.ok) throw new Undo(refused(held.reason))
    const kept = await confirmHold(within, { cartId, orderId: order.id, actor })
    if (!kept.ok) throw new Undo(refused('slot-taken'))
    await tell(tx, deps, { order, start: kept.value.start, note: 'The customer took a new time.' })
    return ok({ isNew: true })
  })
}

/** Locks the order and reads it again; undoes everything if it has another appointment than the page showed. */
async function lockAsSeen(tx: Tx, { orderId, seen, choice }: Asked): Promise<OrderView> {
  const state = await lockOrder(tx, orderId)
  const order = await readOrder(tx, orderId)
  if (!order?.booking || state !== 'confirmed') throw new Undo(refused('not-now'))
  if (isAgreed(order, choice)) throw new Undo(ok({ isNew: false }))
  if (seenAppointment(order.booking) !== seen) throw new Undo(refused('stale'))
  return order
}

async function tell(
  tx: Tx,
  { clock }: AppointmentDeps,
  { order, start, note }: { order: OrderView; start: Temporal.Instant; note: string },
): Promise<void> {
  const at = clock.now()
  await insertOrderNote(tx, order, { actor: 'shopper', at, note })
  // A shopper who takes an earlier time leaves the waitlist.
  if (order.booking && Temporal.Instant.compare(start, order.booking.start) < 0)
    await endWish(tx, order.booking.id, { ended: 'taken', taken: start, now: at })
  const mail = { kind: 'order-rescheduled', to: order.email, orderId: order.id, at } as const
  await queueMessage(tx, { ...mail, key: `${mail.kind}:${order.id}:${start.toString()}:${at.toString()}` })
}

/** Carries the outcome out of a transaction that must be rolled back. */
class Undo extends Error {
  readonly outcome: Outcome<{ isNew: boolean }, TakeRefusal>
  constructor(outcome: Outcome<{ isNew: boolean }, TakeRefusal>) {
    super(outcome.ok ? 'moved before' : outcome.reason)
    this.outcome = outcome
  }
}
