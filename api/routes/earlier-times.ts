/** The waitlist for an earlier time at the appointment's shop, and booking an offered time. */
import { z } from 'zod'
import { answer, operation } from '#api/operation.ts'
import { orderTimeZone } from '#api/order-list.ts'
import { answerNow, orderAppointment, ownOrder, version } from '#api/own-appointment.ts'
import { orderId, orderKeys as keys } from '#api/own-order.ts'
import { problem } from '#api/problem.ts'
import { bodyOf, day, instant } from '#api/schemas.ts'
import { dropOffWindow } from '#api/times.ts'
import { appointmentMessages } from '#content/messages/appointments.ts'
import { canWait, dayPartNames } from '#domain/installer-portal/appointments/appointments.ts'
import {
  readStage,
  readWaiting,
  stopWaiting,
  takeEarlierTime,
  waitForEarlierTime,
} from '#domain/installer-portal/appointments/appointments.server.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import type { Application } from '#application'
import { refusalCodes } from './appointments.ts'

const dayPart = z.enum(dayPartNames).meta({ description: 'Until noon, until 5 PM, and after it, at the shop' })

const wish = {
  from: day.meta({ description: 'The first day, at the shop', examples: ['2026-11-24'] }),
  until: day.meta({ description: 'The last day; at most that of the appointment', examples: ['2026-11-25'] }),
  parts: z
    .array(dayPart)
    .min(1)
    .max(dayPartNames.length)
    .meta({ examples: [['evening']] }),
}

const waiting = z
  .strictObject({
    timeZone: orderTimeZone,
    canWait: z.boolean().meta({ description: 'Whether the appointment can be put on the list, or is on it' }),
    wish: z.strictObject(wish).nullable().meta({ description: 'Null while it is not on the list' }),
    offer: z
      .strictObject({
        offerId: z.string(),
        start: instant,
        end: instant,
        window: dropOffWindow.nullable(),
        expiresAt: instant.meta({
          description: 'When the offer expires and we notify the next shopper on the waitlist',
        }),
      })
      .nullable()
      .meta({
        description:
          'An earlier time that opened up. It isn’t held, and the current appointment stays booked until this one is accepted',
      }),
  })
  .meta({ id: 'EarlierTime' })

const path = '/orders/{orderId}/appointment/earlier-time'
const refusals = ['OrderNotFound', 'AppointmentChanged', 'AppointmentOver', 'TooSoon'] as const

export const earlierTimeOperations = [
  operation({
    id: 'readEarlierTime',
    method: 'get',
    path,
    area: 'Orders',
    summary: 'Retrieve a waitlist entry',
    audience: 'customer',
    params: z.strictObject({ orderId }),
    query: keys,
    result: waiting,
    refuses: ['OrderNotFound'],
    async handle({ app, caller, params, query }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      return order ? answer(await waitingOf(app, order)) : problem('OrderNotFound')
    },
  }),
  operation({
    id: 'waitForEarlierTime',
    method: 'put',
    path,
    area: 'Orders',
    summary: 'Wait for an earlier time',
    description:
      'Puts the appointment on the list of its shop; another wish replaces the first. Who asked first is told first, by email and, where asked for, by text. A time that is free already is refused with `TimeFree`: take it with `takeAppointmentTime`.',
    audience: 'customer',
    params: z.strictObject({ orderId }),
    query: keys,
    body: bodyOf({ version, ...wish }),
    result: waiting,
    refuses: [...refusals, 'TimeFree', 'TooMany'],
    async handle({ app, caller, params, query, body }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      if (!order) return problem('OrderNotFound')
      const { from, until, parts } = body
      const days = { from: dayOf(from), until: dayOf(until) }
      if (!days.from || !days.until)
        return problem('BadRequest', 'Send days such as 2026-11-24.', {
          data: { [days.from ? 'until' : 'from']: 'Send a day such as 2026-11-24.' },
        })
      const asked = { from: days.from, until: days.until, parts: dayPartNames.filter((part) => parts.includes(part)) }
      const joined = await waitForEarlierTime(app, { orderId: order.id, seen: body.version, wish: asked })
      if (joined.ok) return waitingNow(app, order.id)
      const words = appointmentMessages[joined.reason]
      switch (joined.reason) {
        case 'no-days':
        case 'no-parts':
          return problem('BadRequest', words, { data: { [joined.reason === 'no-days' ? 'until' : 'parts']: words } })
        case 'free-now':
          return problem('TimeFree', words)
        case 'list-full':
          return problem('TooMany', words)
        case 'not-found':
        case 'stale':
        case 'not-now':
        case 'no-day':
          return problem(refusalCodes[joined.reason], words)
      }
    },
  }),
  operation({
    id: 'stopWaiting',
    method: 'delete',
    path,
    area: 'Orders',
    summary: 'Leave the list for an earlier time',
    description: 'The appointment doesn’t change. Leaving again has no effect.',
    audience: 'customer',
    params: z.strictObject({ orderId }),
    query: keys,
    result: waiting,
    refuses: ['OrderNotFound'],
    async handle({ app, caller, params, query }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      const left = order && (await stopWaiting(app, { orderId: order.id }))
      return order && left?.ok ? waitingNow(app, order.id) : problem('OrderNotFound')
    },
  }),
  operation({
    id: 'takeEarlierTime',
    method: 'post',
    path: `${path}/{offerId}`,
    area: 'Orders',
    summary: 'Take the earlier time that was offered',
    description:
      'Moves the appointment to it; the price stays. Refused with `SlotTaken` where somebody else took it first: the appointment then stays as it is, and on the list. Taking it again has no effect.',
    audience: 'customer',
    once: { isRequired: true, by: 'again' },
    params: z.strictObject({
      orderId,
      offerId: z
        .uuid()
        .max(36)
        .meta({ examples: ['01890000-0000-7000-8000-000000000000'] }),
    }),
    query: keys,
    body: bodyOf({ version }),
    result: orderAppointment,
    refuses: [...refusals, 'ShopNotFound', 'ShopNotCapable', 'SlotTaken', 'OutsideHours', 'TooLate', 'Gone'],
    async handle({ app, caller, params, query, body }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      if (!order) return problem('OrderNotFound')
      const { offerId } = params
      const taken = await takeEarlierTime(app, { orderId: order.id, seen: body.version, offerId })
      if (taken.ok) return answerNow(app, order.id)
      const words = appointmentMessages[taken.reason]
      if (taken.reason === 'offer-over' || taken.reason === 'not-found')
        return problem('Gone', appointmentMessages['offer-over'])
      return problem(taken.reason === 'offer-lost' ? 'SlotTaken' : refusalCodes[taken.reason], words)
    },
  }),
]

function dayOf(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return undefined
  }
}

async function waitingNow(app: Application, id: number) {
  const order = await readOrder(app.db, id)
  return order ? answer(await waitingOf(app, order)) : problem('OrderNotFound')
}

async function waitingOf(app: Application, order: OrderView): Promise<z.input<typeof waiting>> {
  const [{ stage }, found] = await Promise.all([readStage(app, order), readWaiting(app, order)])
  const { booking, timeZone } = order
  const offer = found?.offer
  return {
    timeZone,
    canWait: found !== null || (stage === 'settled' && booking !== null && canWait(booking.start, app.clock.now())),
    wish: found && {
      from: found.wish.from.toString(),
      until: found.wish.until.toString(),
      parts: [...found.wish.parts],
    },
    offer: offer
      ? {
          offerId: offer.id,
          start: offer.start.toString(),
          end: offer.end.toString(),
          window: 'window' in offer.choice ? offer.choice.window : null,
          expiresAt: offer.expiresAt.toString(),
        }
      : null,
  }
}
