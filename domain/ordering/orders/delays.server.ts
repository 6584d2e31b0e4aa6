/**
 * Orders that miss their promised day. Notifies each shopper once per delay, reschedules the appointment, records the
 * answer, and applies the default if there is no answer. The rule is in `delays.ts`.
 */
import {
  appointmentRequirements,
  cancelBooking,
  moveBooking,
  offerTimes,
} from '#domain/scheduling/booking/booking.server.ts'
import type { Choice, OfferedDay } from '#domain/scheduling/booking/booking.ts'
import { selectItemSizes } from '#domain/catalog/catalog/catalog.server.ts'
import type { TireSpec } from '#domain/scheduling/installers/installers.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import {
  insertNotice,
  selectForStaff,
  selectLastNotice,
  selectSlipped,
  selectUnanswered,
  updateAnswer,
  type AppointmentOutcome,
  type DelayNotice,
} from './delays.sql.server.ts'
import { silenceRule, type Slip } from './delays.ts'
import { cancelLate, type GiveBackAll } from './late-refund.server.ts'
import { appointmentWork } from './change-appointment.server.ts'
import { dayAt, readSlip, waitingParcels } from './expected-day.server.ts'
import { insertOrderNote, lockOrder } from './order-life.sql.server.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type { DelayNotice } from './delays.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type RefundingDeps = Deps & { giveBackAll: GiveBackAll }

/** How many orders one round looks at. */
const batch = 200
/** How many times a page offers, and how many are tried when an appointment is moved for the shopper. */
const offered = 8

/**
 * Notifies the shopper of every order that missed its promise, once per delay. Reschedules affected appointments to the
 * first time after the new day, or releases them if the time isn't found. A failure doesn't block the other orders.
 * Returns the number of shoppers notified.
 */
export async function tellOfDelays(deps: Deps): Promise<number> {
  return eachOf(await selectSlipped(deps.db, deps.clock.now(), batch), (orderId) => tell(deps, orderId))
}

/** Notifies the customer of one order of the slip that was reported. Repeating it notifies once. */
export async function notifyOfDelay(
  deps: Deps,
  { orderId, promisedOn, revisedOn }: { orderId: number; promisedOn: string; revisedOn?: string | undefined },
): Promise<void> {
  await tell(deps, orderId, {
    promisedOn: Temporal.PlainDate.from(promisedOn),
    revisedOn: revisedOn === undefined ? null : Temporal.PlainDate.from(revisedOn),
  })
}

/** `reported` is a slip that was in force when it was reported, for an order with parcels that have arrived since. */
async function tell(deps: Deps, orderId: number, reported?: Slip): Promise<boolean> {
  const { db, clock } = deps
  const before = await readSlip(db, orderId, clock.now(), reported)
  if (!before) return false
  // The appointment is rescheduled first, because the email states its new time; duplicate notifications are prevented
  // below.
  const appointment = await keepAppointment(deps, before.order, before.slip)
  return db.transaction().execute(async (tx) => {
    if ((await lockOrder(tx, orderId)) !== 'confirmed') return false
    const at = clock.now()
    const found = await readSlip(tx, orderId, at, reported)
    if (!found) return false
    const { order, slip, last } = found
    const noticeNo = (last?.noticeNo ?? 0) + 1
    const rule = silenceRule(slip, { noticeNo, toldOn: dayAt(order, at) })
    await insertNotice(tx, { orderId, noticeNo, ...slip, ...rule, appointment, toldAt: at })
    const kind = 'order-delayed'
    await queueMessage(tx, { kind, key: `${kind}:${orderId}:${noticeNo}`, to: order.email, orderId, at })
    return true
  })
}

/** Runs its own transactions. */
async function keepAppointment(deps: Deps, order: OrderView, { revisedOn }: Slip): Promise<AppointmentOutcome> {
  const { lines, booking, shop, address } = order
  if (!shop || booking?.state !== 'confirmed') return 'none'
  if (waitingParcels(order).length === 0) return 'kept'
  if (revisedOn) {
    const work = { tires: await tiresOf(deps.db, lines), arrivesOn: revisedOn, shopId: shop.id, zip: address.zip }
    const required = (await appointmentRequirements(deps, work))(work.arrivesOn)
    if (required.ok && Temporal.Instant.compare(booking.start, required.value.readyAt) >= 0) return 'kept'
    const times = await offerTimes(deps, work)
    for (const choice of times.ok ? choicesOf(times.value.days, booking.kind) : []) {
      const moved = await moveBooking(deps, { ...work, bookingId: booking.id, choice, actor: 'system' })
      if (moved.ok) return 'moved'
      if (moved.reason !== 'slot-taken') break
    }
  }
  await cancelBooking(deps, { bookingId: booking.id, actor: 'system', note: 'The tires do not arrive in time.' })
  return 'freed'
}

async function tiresOf(db: Database, lines: OrderView['lines']): Promise<TireSpec[]> {
  const tires = lines.flatMap(({ kind, itemId, quantity, canceled }) =>
    kind === 'tire' && itemId !== null && quantity > canceled ? [{ itemId, quantity: quantity - canceled }] : [],
  )
  const sizes = await selectItemSizes(
    db,
    tires.map(({ itemId }) => itemId),
  )
  return tires.flatMap(({ itemId, quantity }) => {
    const size = sizes.get(itemId)
    return size ? [{ ...size, quantity }] : []
  })
}

function choicesOf(days: readonly OfferedDay[], kind: 'wait' | 'drop-off' | 'mobile'): Choice[] {
  const all = days.flatMap(({ date, times, dropOffs }): Choice[] =>
    kind === 'drop-off'
      ? dropOffs.filter(({ free }) => free).map(({ window }) => ({ date, window }))
      : times.filter(({ free }) => free).map(({ start }) => ({ start })),
  )
  return all.slice(0, offered)
}

/** A delay as its page shows it, with the latest notice and the times available for rescheduling. */
export type DelayView = { notice: DelayNotice; isOpen: boolean; times: Choice[] }

/** Returns the latest delay notice of an order, or undefined. */
export async function findDelay(deps: Deps, order: OrderView): Promise<DelayView | undefined> {
  const notice = await selectLastNotice(deps.db, order.id)
  if (!notice) return undefined
  const isOpen = order.state === 'confirmed' && notice.answer !== 'cancel' && waitingParcels(order).length > 0
  return { notice, isOpen, times: isOpen ? await timesFor(deps, order, notice) : [] }
}

async function timesFor(
  deps: Deps,
  { lines, booking, shop, address }: OrderView,
  { revisedOn }: Slip,
): Promise<Choice[]> {
  if (!shop || booking?.state !== 'confirmed' || !revisedOn) return []
  const tires = await tiresOf(deps.db, lines)
  const times = await offerTimes(deps, { tires, arrivesOn: revisedOn, shopId: shop.id, zip: address.zip })
  return times.ok ? choicesOf(times.value.days, booking.kind) : []
}

/**
 * Returns the next available times at the order's shop, of the same kind, after its tires arrive. Empty if the arrival
 * day is unknown.
 */
export async function offerNewTimes(deps: Deps, order: OrderView, limit: number): Promise<Choice[]> {
  const work = order.state === 'confirmed' ? await appointmentWork(deps, order) : undefined
  const times = work && (await offerTimes(deps, work))
  if (!times?.ok || !order.booking) return []
  const { kind, start, state } = order.booking
  const had = state === 'confirmed' && kind !== 'drop-off' ? start : null
  return choicesOf(times.value.days, kind)
    .filter((choice) => !('start' in choice && had?.equals(choice.start)))
    .slice(0, limit)
}

/** `time-taken` means that the time was taken or has passed; no answer was recorded. */
export type AnswerRefusal = Refused<'no-delay'> | Refused<'over'> | Refused<'time-taken'>

/**
 * Records a shopper's answer to wait, reschedule to an offered time, or cancel for a full refund. The answer can be
 * changed until the tires arrive. Canceling is final and idempotent. Staff handle refunds that can't be automated
 * (`staffSince`).
 */
export async function answerDelay(
  deps: RefundingDeps,
  input: { orderId: number; actor: string } & ({ answer: 'wait' | 'cancel' } | { answer: 'move'; choice: Choice }),
): Promise<Outcome<{ notice: DelayNotice }, AnswerRefusal>> {
  if (input.answer === 'move') {
    const moved = await moveTo(deps, input)
    if (!moved.ok) return moved
  }
  return deps.db.transaction().execute(async (tx) => {
    if (!(await lockOrder(tx, input.orderId))) return refused('no-delay')
    const order = await readOrder(tx, input.orderId)
    const notice = await selectLastNotice(tx, input.orderId)
    if (!order || !notice) return refused('no-delay')
    if (notice.answer === 'cancel') return input.answer === 'cancel' ? ok({ notice }) : refused('over')
    if (order.state !== 'confirmed' || waitingParcels(order).length === 0) return refused('over')
    await settle(tx, deps, { ...input, order, notice })
    return ok({ notice: (await selectLastNotice(tx, input.orderId)) ?? notice })
  })
}

async function moveTo(
  deps: Deps,
  { orderId, choice, actor }: { orderId: number; choice: Choice; actor: string },
): Promise<Outcome<void, AnswerRefusal>> {
  const order = await readOrder(deps.db, orderId)
  const delay = order && (await findDelay(deps, order))
  if (!order || !delay) return refused('no-delay')
  const { revisedOn } = delay.notice
  if (!delay.isOpen || order.booking?.state !== 'confirmed' || !revisedOn) return refused('over')
  const tires = await tiresOf(deps.db, order.lines)
  const moved = await moveBooking(deps, { tires, arrivesOn: revisedOn, bookingId: order.booking.id, choice, actor })
  return moved.ok ? ok(undefined) : refused('time-taken')
}

/**
 * Writes down an answer and, where it cancels, does so or leaves it to staff, who find out why in the order's notes.
 */
async function settle(
  tx: Tx,
  { clock, giveBackAll }: RefundingDeps,
  {
    order,
    notice,
    answer,
    actor,
  }: { order: OrderView; notice: DelayNotice; answer: 'wait' | 'move' | 'cancel'; actor: string },
): Promise<void> {
  const at = clock.now()
  const canceled = answer === 'cancel' ? await cancelLate(tx, order, { clock, actor, giveBackAll }) : undefined
  const isLeft = canceled !== undefined && !canceled.ok
  if (isLeft) {
    const note = `Cancel and refund the items that haven’t arrived. ${canceled.detail.why}`
    await insertOrderNote(tx, order, { actor, at, note })
  }
  await updateAnswer(tx, notice, { answer, by: actor, at, ...(isLeft && { staffSince: at }) })
}

/** Applies the default outcome to delays without an answer by their deadline. Returns how many. */
export async function settleSilentDelays(deps: RefundingDeps): Promise<number> {
  return eachOf(await selectUnanswered(deps.db, deps.clock.now(), batch), (orderId) =>
    deps.db.transaction().execute(async (tx) => {
      if (!(await lockOrder(tx, orderId))) return false
      const order = await readOrder(tx, orderId)
      const notice = await selectLastNotice(tx, orderId)
      if (!order || !notice || notice.answer !== null) return false
      if (Temporal.PlainDate.compare(dayAt(order, deps.clock.now()), notice.answerBy) <= 0) return false
      const isOver = order.state !== 'confirmed' || waitingParcels(order).length === 0
      const answer = isOver ? 'wait' : notice.onSilence
      await settle(tx, deps, { order, notice, answer, actor: 'store' })
      return true
    }),
  )
}

/** Delayed orders that need a person, the longest waiting first. */
export function listDelaysForStaff(
  { db }: Pick<Deps, 'db'>,
  limit: number,
): Promise<{ orderId: number; isRefund: boolean; since: Temporal.Instant }[]> {
  return selectForStaff(db, limit)
}

/** Does it for each, counting those it did something for; failures are thrown together at the end. */
async function eachOf(orderIds: readonly number[], act: (orderId: number) => Promise<boolean>): Promise<number> {
  const failures: unknown[] = []
  let count = 0
  for (const orderId of orderIds) {
    try {
      if (await act(orderId)) count += 1
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some delayed orders could not be settled.')
  return count
}
