/** What the forms about an earlier time do. */
import { checkForm, formRefusal, type FormReply } from '#app/forms/form.ts'
import { appointmentMessages } from '#content/messages/appointments.ts'
import { earlierTimeForm } from '#domain/installer-portal/appointments/appointments.ts'
import {
  stopWaiting,
  takeEarlierTime,
  waitForEarlierTime,
} from '#domain/installer-portal/appointments/appointments.server.ts'
import type { Application } from '#application'

/** The completed action, or the refusal for the form or for the whole page. */
export type EarlierTimeAct =
  | { done: 'waiting' | 'left' | 'moved' }
  | { reply: FormReply; status: 409 | 422 }
  | { fault: string }

/** Puts an appointment on the list of its shop. */
export async function joinList(app: Application, orderId: number, fields: URLSearchParams): Promise<EarlierTimeAct> {
  const checked = checkForm(earlierTimeForm, fields)
  if (!checked.ok) return { reply: checked.reply, status: 422 }
  const joined = await waitForEarlierTime(app, { orderId, seen: fields.get('seen') ?? '', wish: checked.value })
  if (joined.ok) return { done: 'waiting' }
  const words = appointmentMessages[joined.reason]
  if (joined.reason === 'no-days') return { reply: formRefusal(fields, words, { until: words }), status: 422 }
  if (joined.reason === 'no-parts') return { reply: formRefusal(fields, words), status: 422 }
  return joined.reason === 'list-full' ? { reply: formRefusal(fields, words), status: 409 } : { fault: words }
}

/** Takes an appointment off the list. */
export async function leaveList(app: Application, orderId: number): Promise<EarlierTimeAct> {
  const left = await stopWaiting(app, { orderId })
  return left.ok ? { done: 'left' } : { fault: appointmentMessages[left.reason] }
}

/** Books the offered time. */
export async function takeOffer(app: Application, orderId: number, fields: URLSearchParams): Promise<EarlierTimeAct> {
  const offerId = fields.get('offer') ?? ''
  const taken = await takeEarlierTime(app, { orderId, seen: fields.get('seen') ?? '', offerId })
  return taken.ok ? { done: 'moved' } : { fault: appointmentMessages[taken.reason] }
}
