/** An order's email as staff see it, from the stored copy of the sent email. */
import {
  selectEmailCopy,
  selectMailsOfOrder,
  type EmailCopy,
  type OrderMail,
} from '#domain/messaging/messages/messages.server.ts'
import { listResendable } from '#domain/ordering/orders/orders.server.ts'
import { newId } from '#platform/ids.ts'
import type { Application } from '#application'

/** `copy` is null before the email is sent, and once its copy was deleted. `again` is null for one not sent again. */
export type MailView = { mail: OrderMail; copy: EmailCopy | null; again: { message: string; once: string } | null }

/** Reads an email about an order; undefined if it is not about this order. `once` names the form that sends it again. */
export async function readMail({ db }: Application, orderId: number, messageId: string): Promise<MailView | undefined> {
  const mail = (await selectMailsOfOrder(db, orderId)).find(({ id }) => id === messageId)
  if (!mail) return undefined
  const isResendable = (await listResendable({ db }, orderId)).some(({ id }) => id === messageId)
  return {
    mail,
    copy: (await selectEmailCopy(db, messageId)) ?? null,
    again: isResendable ? { message: messageId, once: newId() } : null,
  }
}
