/** The shopper's actions on an order's appointment, as on the page linked in our emails. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { answer, operation } from '#api/operation.ts'
import { orderTimeZone } from '#api/order-list.ts'
import { answerNow, noticeOver, openingsOf, orderAppointment, ownOrder, version, viewOf } from '#api/own-appointment.ts'
import { orderId, orderKeys as keys } from '#api/own-order.ts'
import { priceRow, rowViews } from '#api/prices.ts'
import { problem, type OwnCode } from '#api/problem.ts'
import { bodyOf, cents, day } from '#api/schemas.ts'
import { choiceOf, opening, openingView, pickedTime } from '#api/times.ts'
import { appointmentMessages } from '#content/messages/appointments.ts'
import { noTimeMessage } from '#content/messages/booking.ts'
import { lateMinutes, canActOn, type ReplyInput } from '#domain/ordering/orders/orders.ts'
import {
  offerAppointmentTimes,
  replyToAppointment,
  takeAppointmentTime,
  type ReplyRefusal,
  type TakeRefusal,
} from '#domain/installer-portal/appointments/appointments.server.ts'
import { bookingCan } from '#domain/scheduling/booking/booking.ts'
import { changeLink, changeOrderAsShopper, previewChange } from '#domain/ordering/order-changes/order-changes.server.ts'

const home = { fulfillment: 'home', shopId: null, carrierLocationId: null } as const

/** The error of each refusal of an act on an appointment. */
export const refusalCodes = {
  'not-found': 'OrderNotFound',
  stale: 'AppointmentChanged',
  'not-now': 'AppointmentOver',
  'no-day': 'TooSoon',
  'shop-not-found': 'ShopNotFound',
  'shop-not-capable': 'ShopNotCapable',
  'slot-taken': 'SlotTaken',
  'outside-hours': 'OutsideHours',
  'too-soon': 'TooSoon',
  'too-late': 'TooLate',
} as const satisfies Record<(ReplyRefusal | TakeRefusal)['reason'], OwnCode>

export const appointmentOperations = [
  operation({
    id: 'readAppointment',
    method: 'get',
    path: '/orders/{orderId}/appointment',
    area: 'Orders',
    summary: 'Get the appointment of an order',
    audience: 'customer',
    params: z.strictObject({ orderId }),
    query: keys,
    result: orderAppointment,
    refuses: ['OrderNotFound'],
    async handle({ app, caller, params, query }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      return order ? answer(await viewOf(app, order)) : problem('OrderNotFound')
    },
  }),
  operation({
    id: 'listAppointmentTimes',
    method: 'get',
    path: '/orders/{orderId}/appointment/times',
    area: 'Orders',
    summary: 'List free times for an appointment',
    description:
      'Available times at the order’s shop after the tires arrive. Empty if the appointment can’t be rescheduled.',
    audience: 'customer',
    params: z.strictObject({ orderId }),
    query: keys,
    result: z.strictObject({ timeZone: orderTimeZone, openings: z.array(opening) }),
    refuses: ['OrderNotFound'],
    async handle({ app, caller, params, query }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      if (!order) return problem('OrderNotFound')
      const days = await offerAppointmentTimes(app, order)
      return answer({ timeZone: order.timeZone, openings: days.flatMap(openingsOf).map(openingView) })
    },
  }),
  operation({
    id: 'replyToAppointment',
    method: 'post',
    path: '/orders/{orderId}/appointment/reply',
    area: 'Orders',
    summary: 'Say that the shopper comes, comes late or does not come',
    description: `We notify the shop. Running late requires \`minutesLate\`: ${lateMinutes.join(', ')}. Saying it again has no effect.`,
    audience: 'customer',
    once: { isRequired: true, by: 'again' },
    params: z.strictObject({ orderId }),
    query: keys,
    body: bodyOf({
      version,
      kind: z.enum(['coming', 'late', 'not-coming']).meta({ examples: ['coming'] }),
      minutesLate: z.literal([...lateMinutes]).optional(),
    }),
    result: orderAppointment,
    refuses: ['OrderNotFound', 'AppointmentChanged', 'AppointmentOver'],
    async handle({ app, caller, params, query, body }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      if (!order) return problem('OrderNotFound')
      const reply = replyOf(body)
      if (!reply)
        return problem('BadRequest', 'Send minutesLate only with late.', {
          data: { minutesLate: 'Send it only with late.' },
        })
      const said = await replyToAppointment(app, { orderId: order.id, seen: body.version, reply })
      return said.ok ? answerNow(app, order.id) : problem(refusalCodes[said.reason], appointmentMessages[said.reason])
    },
  }),
  operation({
    id: 'takeAppointmentTime',
    method: 'post',
    path: '/orders/{orderId}/appointment/time',
    area: 'Orders',
    summary: 'Move an appointment, or take a new time',
    description:
      'Send `start`, or `date` and `window` for a drop-off, from `listAppointmentTimes`. The price stays the same, and the time it has is kept until the new one is secured.',
    audience: 'customer',
    once: { isRequired: true, by: 'again' },
    params: z.strictObject({ orderId }),
    query: keys,
    body: bodyOf({ version, ...pickedTime }),
    result: orderAppointment,
    refuses: [
      'OrderNotFound',
      'AppointmentChanged',
      'AppointmentOver',
      'ShopNotFound',
      'ShopNotCapable',
      'SlotTaken',
      'OutsideHours',
      'TooSoon',
      'TooLate',
    ],
    async handle({ app, caller, params, query, body }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      if (!order) return problem('OrderNotFound')
      const choice = choiceOf(body)
      if (!choice) return problem('BadRequest', noTimeMessage, { data: { start: 'Send start, or date and window.' } })
      const taken = await takeAppointmentTime(app, { orderId: order.id, seen: body.version, choice })
      return taken.ok
        ? answerNow(app, order.id)
        : problem(refusalCodes[taken.reason], appointmentMessages[taken.reason])
    },
  }),
  operation({
    id: 'previewInstallationCancellation',
    method: 'get',
    path: '/orders/{orderId}/installation/cancellation',
    area: 'Orders',
    summary: 'See what canceling the installation comes to',
    description:
      'The tires then go to the shopper’s address, without installation. This is a preview only. Rejected once the shop’s minimum notice period has started.',
    audience: 'customer',
    params: z.strictObject({ orderId }),
    query: keys,
    result: z.strictObject({
      agreedPrice: z.string(),
      beforeCents: cents,
      afterCents: cents,
      arrivesOn: day,
      rows: z.array(priceRow).meta({ description: 'What the order cost so far' }),
    }),
    refuses: ['OrderNotFound', 'NoticeOver', 'NotPossible'],
    async handle({ app, caller, params, query }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      if (!order) return problem('OrderNotFound')
      const now = app.clock.now()
      if (order.booking && !bookingCan.cancelAsShopper(order.booking, now).can) return noticeOver(order)
      const found = canActOn(order, 'place', now).can ? await previewChange(app, order, home) : undefined
      if (!found?.ok) return problem('NotPossible', appointmentMessages.shipped)
      const { agreedPrice, beforeCents, afterCents, arrivesOn } = found.value
      return answer({
        agreedPrice,
        beforeCents,
        afterCents,
        arrivesOn: arrivesOn.toString(),
        rows: rowViews(order.breakdown),
      })
    },
  }),
  operation({
    id: 'cancelInstallation',
    method: 'post',
    path: '/orders/{orderId}/installation/cancellation',
    area: 'Orders',
    summary: 'Cancel the installation and keep the tires',
    description:
      'At the price of `previewInstallationCancellation`. Canceling again has no effect. Where shipping to the shopper costs more, `payAt` is where the difference is paid; the order stays as it is until then.',
    audience: 'customer',
    once: { isRequired: true, by: 'again' },
    params: z.strictObject({ orderId }),
    query: keys,
    body: bodyOf({
      agreedPrice: z
        .string()
        .max(200)
        .meta({ examples: ['x'] }),
    }),
    result: z.strictObject({ isDone: z.boolean(), totalCents: cents, payAt: z.string().nullable() }),
    refuses: ['OrderNotFound', 'NoticeOver', 'NotPossible', 'PriceChanged'],
    async handle({ app, caller, params, query, body }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      if (!order) return problem('OrderNotFound')
      if (order.fulfillment === 'home') return answer({ isDone: true, totalCents: order.totalCents, payAt: null })
      const changed = await changeOrderAsShopper(app, {
        ...home,
        orderId: order.id,
        choice: null,
        key: randomUUID(),
        agreedPrice: body.agreedPrice,
        reason: 'The customer canceled the installation.',
      })
      if (!changed.ok && changed.reason === 'notice-over') return noticeOver(order)
      if (!changed.ok)
        return changed.reason === 'price-changed'
          ? problem('PriceChanged', appointmentMessages['price-changed'])
          : problem('NotPossible', appointmentMessages.shipped)
      const { change } = changed.value
      const isDone = change.state === 'done'
      return answer({
        isDone,
        totalCents: isDone ? change.afterCents : change.beforeCents,
        payAt: isDone ? null : app.config.web.origin + changeLink(app.config.session.secret, change.id),
      })
    },
  }),
]

function replyOf({ kind, minutesLate }: { kind: ReplyInput['kind']; minutesLate?: 10 | 20 | 30 | undefined }) {
  if (kind === 'late') return minutesLate === undefined ? undefined : ({ kind, minutesLate } as const)
  return minutesLate === undefined ? ({ kind } as const) : undefined
}
