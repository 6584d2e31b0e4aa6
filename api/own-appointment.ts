/** The API representation of an order's appointment, for callers who can act on the order. */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import { answer } from '#api/operation.ts'
import { appointment, appointmentView, orderTimeZone } from '#api/order-list.ts'
import { findOwn, type orderKeys } from '#api/own-order.ts'
import { problem } from '#api/problem.ts'
import { day, instant } from '#api/schemas.ts'
import { noticeOverMessage } from '#content/messages/appointments.ts'
import { canTakeTime, seenAppointment } from '#domain/installer-portal/appointments/appointments.ts'
import { readStage } from '#domain/installer-portal/appointments/appointments.server.ts'
import type { OfferedDay, Opening } from '#domain/scheduling/booking/booking.ts'
import { timesOpening } from '#domain/ordering/orders/orders.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import type { Application } from '#application'

/** Names the appointment that a caller read. */
export const version = z
  .string()
  .max(60)
  .meta({ description: 'From `readAppointment`; an act on an earlier version is refused', examples: ['x.0'] })

export const orderAppointment = z
  .strictObject({
    stage: z.enum(['settled', 'close', 'skipped', 'missed', 'lost', 'done', 'none']).meta({
      description:
        '`settled`: agreed and ahead. `close`: nearer than the notice of its shop, or begun. `skipped`, `missed`, `lost`: a new time can be taken. `done`. `none`: nothing is installed',
    }),
    version: z.string(),
    timeZone: orderTimeZone,
    appointment: appointment.nullable(),
    reply: z
      .strictObject({
        kind: z.enum(['coming', 'late', 'not-coming']),
        minutesLate: z.int().nullable(),
        at: instant,
      })
      .nullable()
      .meta({ description: 'What the shopper said last of this time' }),
    canTakeTime: z.boolean(),
    timesOpenOn: day.nullable().meta({
      description:
        'First bookable day, if the tires arrive after the last bookable day. Null where times are open, and while the new delivery date for delayed tires is unknown',
    }),
  })
  .meta({ id: 'OrderAppointment' })

/** The order, if the caller may act for it. */
export async function ownOrder(
  app: Application,
  caller: Caller,
  asked: number,
  query: z.output<typeof orderKeys>,
): Promise<OrderView | undefined> {
  const found = await findOwn(app, caller, asked, query)
  return found?.mayCancel ? found.order : undefined
}

/** Refuses what the notice of the shop forbids. */
export function noticeOver({ shop, booking }: OrderView) {
  return problem('NoticeOver', noticeOverMessage({ shop, noticeMinutes: booking?.noticeMinutes ?? 0 }))
}

/** The appointment as it is now. */
export async function answerNow(app: Application, id: number) {
  const order = await readOrder(app.db, id)
  return order ? answer(await viewOf(app, order)) : problem('OrderNotFound')
}

/** Returns an appointment with its available actions. */
export async function viewOf(app: Application, order: OrderView): Promise<z.input<typeof orderAppointment>> {
  const { stage, reply } = await readStage(app, order)
  const opening = timesOpening(order, { now: app.clock.now(), terms: app.businessTerms.current })
  return {
    stage,
    version: order.booking ? seenAppointment(order.booking) : '',
    timeZone: order.timeZone,
    appointment: order.booking && appointmentView(order.booking),
    reply: reply && { kind: reply.kind, minutesLate: reply.minutesLate, at: reply.at.toString() },
    canTakeTime: canTakeTime(stage),
    timesOpenOn: opening.kind === 'later' ? opening.opensOn.toString() : null,
  }
}

/** The free times of some days. */
export function openingsOf({ date, times, dropOffs }: OfferedDay): Opening[] {
  return [
    ...times.filter(({ free }) => free).map(({ start, end }) => ({ kind: 'wait' as const, date, start, end })),
    ...dropOffs
      .filter(({ free }) => free)
      .map(({ free: _free, ...dropOff }) => ({ kind: 'drop-off' as const, date, ...dropOff })),
  ]
}
