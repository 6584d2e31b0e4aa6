/** Other shops for an order's installation, after its shop refused the job or if the shopper wants another one. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { answer, operation } from '#api/operation.ts'
import { orderTimeZone } from '#api/order-list.ts'
import { noticeOver, openingsOf, ownOrder } from '#api/own-appointment.ts'
import { orderId, orderKeys as keys } from '#api/own-order.ts'
import { problem } from '#api/problem.ts'
import { bodyOf, cents, distance, toTenths } from '#api/schemas.ts'
import { choiceOf, opening, openingView, pickedTime } from '#api/times.ts'
import { appointmentMessages } from '#content/messages/appointments.ts'
import { noTimeMessage } from '#content/messages/booking.ts'
import { nextShops, takeNextShop, type NextShop } from '#domain/installer-portal/appointments/appointments.server.ts'
import { bookingCan } from '#domain/scheduling/booking/booking.ts'
import {
  changeLink,
  selectOpenChange,
  type OrderChange,
  type ShopperRefusal,
} from '#domain/ordering/order-changes/order-changes.server.ts'
import { canActOn } from '#domain/ordering/orders/orders.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

/** The first times of each shop. */
const mostOpenings = 40

const nextShop = z
  .strictObject({
    shopId: z.int(),
    name: z.string(),
    city: z.string(),
    miles: distance,
    timeZone: orderTimeZone,
    agreedPrice: z.string().meta({ description: 'Names the price in `takeNextShop`' }),
    beforeCents: cents,
    afterCents: cents,
    isPaidFirst: z.boolean().meta({ description: 'Whether the difference has to be paid before the change is made' }),
    openings: z.array(opening).meta({ description: `The first ${countOf(mostOpenings, 'free time')}` }),
  })
  .meta({ id: 'NextShop' })

const path = '/orders/{orderId}/installation/shops'

export const nextShopOperations = [
  operation({
    id: 'listNextShops',
    method: 'get',
    path,
    area: 'Orders',
    summary: 'List other shops for the installation',
    description:
      'Nearest shops that install these tires and haven’t declined the job, with available times and the order total at each shop. Empty if the installation can no longer be changed. Times aren’t held.',
    audience: 'customer',
    params: z.strictObject({ orderId }),
    query: keys,
    result: z.strictObject({ shops: z.array(nextShop) }),
    refuses: ['OrderNotFound', 'NoticeOver'],
    async handle({ app, caller, params, query }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      if (!order) return problem('OrderNotFound')
      const now = app.clock.now()
      if (order.booking && !bookingCan.cancelAsShopper(order.booking, now).can) return noticeOver(order)
      const shops = canActOn(order, 'place', now).can ? await nextShops(app, order) : []
      return answer({ shops: shops.map(shopView) })
    },
  }),
  operation({
    id: 'takeNextShop',
    method: 'post',
    path: `${path}/{shopId}`,
    area: 'Orders',
    summary: 'Have the tires installed at another shop',
    description:
      'Send `start`, or `date` and `window` for a drop-off, and the price from `listNextShops`. Where the order costs more there, `payAt` is where the difference is paid; the time is held and the order stays as it is until then.',
    audience: 'customer',
    once: { isRequired: true, by: 'again' },
    params: z.strictObject({
      orderId,
      shopId: z.coerce
        .number()
        .int()
        .min(1)
        .max(2_147_483_647)
        .meta({ examples: [2] }),
    }),
    query: keys,
    body: bodyOf({
      ...pickedTime,
      agreedPrice: z
        .string()
        .max(200)
        .meta({ examples: ['x'] }),
    }),
    result: z.strictObject({ isDone: z.boolean(), totalCents: cents, payAt: z.string().nullable() }),
    refuses: ['OrderNotFound', 'NoticeOver', 'NotPossible', 'PriceChanged', 'SlotTaken'],
    async handle({ app, caller, params, query, body }) {
      const order = await ownOrder(app, caller, params.orderId, query)
      if (!order) return problem('OrderNotFound')
      const choice = choiceOf(body)
      if (!choice) return problem('BadRequest', noTimeMessage, { data: { start: 'Send start, or date and window.' } })
      const { shopId } = params
      if (order.shop?.id === shopId && order.booking?.state === 'confirmed')
        return answer({ isDone: true, totalCents: order.totalCents, payAt: null })
      const offered = await selectOpenChange(app.db, order.id)
      if (offered?.shopId === shopId) return changeAnswer(app, offered)
      const { agreedPrice } = body
      const taken = await takeNextShop(app, { orderId: order.id, shopId, choice, agreedPrice, key: randomUUID() })
      return taken.ok ? changeAnswer(app, taken.value.change) : whyNotTaken(taken, order)
    },
  }),
]

function whyNotTaken(refusal: ShopperRefusal, order: OrderView) {
  switch (refusal.reason) {
    case 'order-not-found':
      return problem('OrderNotFound')
    case 'notice-over':
      return noticeOver(order)
    case 'price-changed':
      return problem('PriceChanged', appointmentMessages['price-changed'])
    case 'time-not-free':
      return problem('SlotTaken', refusal.detail.why)
    case 'not-possible':
    case 'waiver-not-allowed':
      return problem('NotPossible', appointmentMessages.shipped)
  }
}

function changeAnswer(app: Application, { id, state, beforeCents, afterCents }: OrderChange) {
  const isDone = state === 'done'
  const payAt = isDone ? null : app.config.web.origin + changeLink(app.config.session.secret, id)
  return answer({ isDone, totalCents: isDone ? afterCents : beforeCents, payAt })
}

function shopView({ shopId, name, city, miles, preview }: NextShop): z.input<typeof nextShop> {
  const { timeZone, agreedPrice, beforeCents, afterCents, settledBy, days } = preview
  return {
    shopId,
    name,
    city,
    miles: toTenths(miles),
    timeZone,
    agreedPrice,
    beforeCents,
    afterCents,
    isPaidFirst: settledBy === 'payment',
    openings: days.flatMap(openingsOf).slice(0, mostOpenings).map(openingView),
  }
}
