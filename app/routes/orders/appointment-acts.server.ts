/** What the forms of an appointment's page do. */
import { data } from 'react-router'
import { checkForm, type FormReply } from '#app/forms/form.ts'
import { parseSlot } from '#app/forms/slot-value.ts'
import { placeOf } from '#app/views/appointment-changes.server.ts'
import { appointmentMessages, noticeOverMessage, type AppointmentNews } from '#content/messages/appointments.ts'
import { serviceGoneMessage } from '#content/messages/booking.ts'
import { serverPaths } from '#content/server-paths.ts'
import { joinList, leaveList, takeOffer, type EarlierTimeAct } from './earlier-time-acts.server.ts'
import { ratingForm } from '#domain/installer-portal/appointments/appointments.ts'
import { lateMinutes, type ReplyInput } from '#domain/ordering/orders/orders.ts'
import {
  changeAsShopper,
  rateShop,
  replyToAppointment,
  takeAppointmentTime,
} from '#domain/installer-portal/appointments/appointments.server.ts'
import { changeLink, type ShopperRefusal } from '#domain/ordering/order-changes/order-changes.server.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { isId } from '#platform/ids.ts'
import type { Application } from '#application'

/** Why an action was refused, or the errors of the rating or the waitlist form. */
export type ActReply = { fault: string | null; rating?: FormReply; waiting?: FormReply }

type Opened = { orderId: number; order: OrderView; token: string }

/** Runs the form's action and redirects back to the page. The page shows a refusal with the alternatives. */
export async function actOnAppointment(app: Application, opened: Opened, fields: URLSearchParams) {
  switch (fields.get('intent')) {
    case 'coming':
      return reply(app, opened, fields, { kind: 'coming' })
    case 'not-coming':
      return reply(app, opened, fields, { kind: 'not-coming' })
    case 'late': {
      const minutesLate = lateMinutes.find((minutes) => String(minutes) === fields.get('minutes'))
      if (minutesLate === undefined) throw new Response(null, { status: 400 })
      return reply(app, opened, fields, { kind: 'late', minutesLate })
    }
    case 'take':
      return takeTime(app, opened, fields)
    case 'change':
      return changePlace(app, opened, fields)
    case 'rate':
      return rate(app, opened, fields)
    case 'wait':
      return answer(opened, await joinList(app, opened.orderId, fields))
    case 'leave-list':
      return answer(opened, await leaveList(app, opened.orderId))
    case 'take-offer':
      return answer(opened, await takeOffer(app, opened.orderId, fields))
    default:
      throw new Response(null, { status: 400 })
  }
}

function answer(opened: Opened, act: EarlierTimeAct) {
  if ('done' in act) return done(opened, act.done)
  if ('fault' in act) return fault(act.fault)
  return data<ActReply>({ fault: null, waiting: act.reply }, { status: act.status })
}

async function rate(app: Application, opened: Opened, fields: URLSearchParams) {
  const checked = checkForm(ratingForm, fields)
  if (!checked.ok) return data<ActReply>({ fault: null, rating: checked.reply }, { status: 422 })
  const rated = await rateShop(app, { orderId: opened.orderId, rating: checked.value })
  return rated.ok ? done(opened, 'rated') : fault(appointmentMessages[rated.reason])
}

const newsOf = { coming: 'coming', late: 'late', 'not-coming': 'skipped' } as const

async function reply(app: Application, opened: Opened, fields: URLSearchParams, said: ReplyInput) {
  const seen = fields.get('seen') ?? ''
  const replied = await replyToAppointment(app, { orderId: opened.orderId, seen, reply: said })
  return replied.ok ? done(opened, newsOf[said.kind]) : fault(appointmentMessages[replied.reason])
}

async function takeTime(app: Application, opened: Opened, fields: URLSearchParams) {
  const choice = parseSlot(fields.get('time') ?? '')
  if (!choice) return fault(appointmentMessages['pick-time'], 422)
  const seen = fields.get('seen') ?? ''
  const taken = await takeAppointmentTime(app, { orderId: opened.orderId, seen, choice })
  if (taken.ok) return done(opened, 'moved')
  const isGone = opened.order.isService && taken.reason === 'shop-not-capable'
  return fault(isGone ? serviceGoneMessage : appointmentMessages[taken.reason])
}

/** Reads where the tires are to go; undefined for anything but home or a shop. */
function targetOf(to: string): { shopId: number } | 'home' | undefined {
  const shopId = /^shop:(\d{1,9})$/.exec(to)?.[1]
  return to === 'home' ? to : shopId === undefined ? undefined : { shopId: Number(shopId) }
}

async function changePlace(app: Application, opened: Opened, fields: URLSearchParams) {
  const target = targetOf(fields.get('to') ?? '')
  const key = fields.get('once') ?? ''
  if (!target || !isId(key)) throw new Response(null, { status: 400 })
  const choice = target === 'home' ? null : parseSlot(fields.get('time') ?? '')
  if (choice === undefined) return fault(appointmentMessages['pick-time'], 422)
  const changed = await changeAsShopper(app, {
    ...placeOf(target),
    orderId: opened.orderId,
    choice,
    key,
    agreedPrice: fields.get('agreed') ?? '',
    reason: target === 'home' ? 'The customer canceled the installation.' : 'The customer chose another shop.',
  })
  if (!changed.ok) return fault(whyNotChanged(changed, opened.order))
  const { change } = changed.value
  return change.state === 'awaiting-payment'
    ? seeOther(changeLink(app.config.session.secret, change.id))
    : done(opened, 'changed')
}

function whyNotChanged(refusal: ShopperRefusal, { shop, booking }: OrderView): string {
  switch (refusal.reason) {
    case 'notice-over':
      return noticeOverMessage({ shop, noticeMinutes: booking?.noticeMinutes ?? 0 })
    case 'order-not-found':
      return appointmentMessages['not-found']
    case 'price-changed':
      return appointmentMessages['price-changed']
    case 'time-not-free':
      return refusal.detail.why
    case 'not-possible':
    case 'waiver-not-allowed':
      return appointmentMessages.shipped
  }
}

function done({ token }: Opened, news: AppointmentNews): Response {
  return seeOther(serverPaths.appointment(token, { done: news }))
}

function fault(words: string, status = 409) {
  return data<ActReply>({ fault: words }, { status })
}
