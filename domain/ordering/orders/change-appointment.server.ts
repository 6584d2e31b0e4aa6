/** Reschedules an order's appointment to another time at its shop, on the customer's behalf. */
import { bookingMessages } from '#content/messages/booking.ts'
import { moveBooking, offerTimes } from '#domain/scheduling/booking/booking.server.ts'
import { nothingToArrive, type Arrival, type Choice, type OfferedDay } from '#domain/scheduling/booking/booking.ts'
import type { BookedService, TireSpec } from '#domain/scheduling/installers/installers.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { selectOrderTires } from './change-order.sql.server.ts'
import { tiresDeliveredAt, tiresThereOn } from './installation.ts'
import { insertOrderNote } from './order-life.sql.server.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import { findToActOn, record, type StaffActOutcome } from './staff-acts.server.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** Returns days at the order's shop with the times its tires and work allow. Empty if it has no appointment. */
export async function offerOtherTimes(deps: Deps, order: OrderView): Promise<OfferedDay[]> {
  const work = await appointmentWork(deps, order)
  if (!work) return []
  const offered = await offerTimes(deps, work)
  return offered.ok ? offered.value.days : []
}

/**
 * Moves the appointment of an order to `choice`; the customer is mailed the new time. The old time stays theirs until
 * the new one is secured. Idempotent for the current time.
 */
export async function moveAppointmentAsStaff(
  deps: Deps,
  by: Actor,
  { orderId, choice, reason }: { orderId: number; choice: Choice; reason: string },
): Promise<StaffActOutcome> {
  const asked = await readOrder(deps.db, orderId)
  if (!asked) return refused('order-not-found')
  const work = await appointmentWork(deps, asked)
  // An order without an appointment and a staff member without the role each get their own refusal message.
  const allowed = await deps.db
    .transaction()
    .execute((tx) => findToActOn(tx, by, { act: 'appointment', orderId }, deps.clock.now()))
  if (!allowed.ok) return allowed
  if (!asked.booking || !work) return refused('not-possible', { why: bookingMessages['not-found'] })
  if (isAtThatTime(asked.booking, asked.timeZone, choice)) return ok({ isNew: false })
  try {
    const moved = await moveBooking(deps, {
      ...work,
      bookingId: asked.booking.id,
      choice,
      actor: `staff:${by.name}`,
      async alongside(tx, { start }) {
        const at = deps.clock.now()
        const found = await findToActOn(tx, by, { act: 'appointment', orderId }, at)
        if (!found.ok) throw new Undo(found)
        const { order, actor } = found.value
        // The same form arrived twice, and the first one moved it.
        if (order.booking && isAtThatTime(order.booking, order.timeZone, choice)) throw new Undo(ok({ isNew: false }))
        await insertOrderNote(tx, order, { actor, at, note: `Appointment moved: ${reason}`.slice(0, 500) })
        const mail = { kind: 'order-rescheduled', to: order.email, orderId, at } as const
        await queueMessage(tx, { ...mail, key: `${mail.kind}:${orderId}:${start.toString()}:${at.toString()}` })
        await record(tx, by, {
          act: 'order.appointment-moved',
          order,
          at,
          reason,
          before: { start: order.booking?.start.toString() ?? null },
          after: { start: start.toString() },
        })
      },
    })
    return moved.ok ? ok({ isNew: true }) : refused('not-possible', { why: bookingMessages[moved.reason] })
  } catch (error) {
    if (error instanceof Undo) return error.outcome
    throw error
  }
}

/** The work for an order's shop, with the tires, their arrival, and a van's destination, or a service without tires. */
export type AppointmentWork = Arrival & { shopId: number; tires: TireSpec[]; services: BookedService[]; zip: string }

/** The same for the order's shop; undefined without an appointment, and while the carrier names no day for late tires. */
export async function appointmentWork({ db, clock }: Deps, order: OrderView): Promise<AppointmentWork | undefined> {
  const { id, shop, booking, shipments, timeZone, address } = order
  if (!shop || !booking) return undefined
  const at = { shopId: shop.id, zip: address.zip }
  const today = clock.now().toZonedDateTimeISO(timeZone).toPlainDate()
  if (order.isService) return { ...at, tires: [], services: servicesOf(order), ...nothingToArrive(today) }
  const arrivesOn = tiresThereOn(shipments, today)
  const deliveredAt = tiresDeliveredAt(shipments)
  return arrivesOn && { ...at, tires: await selectOrderTires(db, id), services: [], arrivesOn, deliveredAt }
}

/** Returns the service that an order without tires books. */
function servicesOf({ lines }: Pick<OrderView, 'lines'>): BookedService[] {
  return lines.flatMap(({ service, quantity }) => (service === null ? [] : [{ service, units: quantity }]))
}

/** Whether an appointment is at the chosen time. */
export function isAtThatTime(
  { start, dropOffWindow }: Pick<NonNullable<OrderView['booking']>, 'start' | 'dropOffWindow'>,
  timeZone: string,
  choice: Choice,
): boolean {
  return 'start' in choice
    ? dropOffWindow === null && start.equals(choice.start)
    : dropOffWindow === choice.window && start.toZonedDateTimeISO(timeZone).toPlainDate().equals(choice.date)
}

/** Carries the outcome out of the transaction that would have moved the appointment. */
class Undo extends Error {
  readonly outcome: StaffActOutcome
  constructor(outcome: StaffActOutcome) {
    super(outcome.ok ? 'moved before' : outcome.reason)
    this.outcome = outcome
  }
}
