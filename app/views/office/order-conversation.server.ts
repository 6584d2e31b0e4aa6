/** An order's conversation, with sent emails, text messages, staff notes and customer replies. */
import type { FieldOptions } from '#app/ui/select-options.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { OrderMail } from '#domain/messaging/messages/messages.server.ts'
import { isResendable } from '#domain/messaging/messages/messages.ts'
import type { OrderNote, OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { hasTexted, type OrderReply, type SupportRequest } from '#domain/messaging/support/support.server.ts'
import { whyNoTexts, type NoTexts } from '#domain/messaging/support/support.ts'
import type { OrderText } from '#domain/messaging/texts/texts.server.ts'
import { textsPerOrder, type ConsentState } from '#domain/messaging/texts/texts.ts'
import { dayText } from '#platform/day-text.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { countOf } from '#platform/count-text.ts'
import { localClock, timeText, zoneName } from '#platform/time-text.ts'
import { capital } from './order-ledger.server.ts'

export type Channel = 'email' | 'text' | 'note'

export type BubbleView = {
  id: string
  /** The author's side; notes are internal. */
  side: 'ours' | 'theirs' | 'note'
  channel: Channel
  who: string
  time: string
  title: string | null
  body: string | null
  /** The whole email. */
  path: string | null
  files: readonly { name: string; path: string }[]
  /** A status such as "Waiting to be sent"; null if delivered or unknown. */
  state: string | null
  failed: FailedView | null
}

/** Why a message did not arrive; `again` is null for one that cannot be sent again. */
export type FailedView = { why: string; again: { path: string; fields: Record<string, string> } | null }

export type ConversationView = {
  bubbles: BubbleView[]
  /** The zone that all times are in; null where each time names its own. */
  zone: string | null
  /** Null for those who may not write. */
  reply: ReplyView | null
  /** The kinds of messages to choose from, the first being all; null where everything is shown. */
  chips: readonly { label: string; path: string; isOn: boolean }[] | null
}

export type ReplyView = {
  /** How this role may write, with why it cannot now. */
  channels: { channel: Channel; label: string; whyNot: string | null }[]
  templates: { name: string; body: string }[]
  /** The customer's first name. */
  to: string
  once: string
  /** The orders that the message can be about, by number, with an empty option; null on an order's page. */
  about: { options: FieldOptions; chosen: string } | null
}

/** A conversation's stored messages, notes, and templates. */
export type ConversationRecords = {
  mails: readonly OrderMail[]
  texts: readonly OrderText[]
  consent: { state: ConsentState } | undefined
  notes: readonly OrderNote[]
  thread: { requests: readonly SupportRequest[]; replies: readonly OrderReply[] }
  templates: readonly { name: string; body: string }[]
}

/** Shows the conversation of an order; null to roles that do not see customers. Oldest first. */
export function conversationOf(
  order: OrderView,
  records: ConversationRecords,
  { roles, now }: { roles: readonly StaffRole[]; now: Temporal.Instant },
): ConversationView | null {
  if (!staffCan(roles, 'customers.read')) return null
  const mayResend = staffCan(roles, 'orders.emails')
  const { mails, texts, notes, thread } = records
  // A staff message shows its text; the email or text message that carries it has the delivery status.
  const carriers = new Map([...mails, ...texts].map((carrier) => [carrier.key, carrier]))
  const entries: ConversationEntry[] = [
    ...mails.filter(({ kind }) => kind !== 'order-message').map((mail) => emailEntry(order, mail, mayResend)),
    ...texts.filter(({ kind }) => kind !== 'staff').map((text) => textEntry(order, text, mayResend)),
    ...notes.map(noteEntry),
    ...thread.requests.flatMap((request) => requestEntries(order, request)),
    ...thread.replies.map((reply) => replyEntry(order, reply, { carriers, mayResend })),
  ]
  const today = now.toZonedDateTimeISO(order.timeZone).toPlainDate()
  return {
    bubbles: entries
      .toSorted((one, other) => Temporal.Instant.compare(one.at, other.at))
      .map(({ at, ...bubble }) => ({ ...bubble, time: momentText(at, order.timeZone, today) })),
    zone: zoneName(now, order.timeZone),
    reply: replyOf(order, records, roles),
    chips: null,
  }
}

/** One message or note of a conversation, with when it was written. */
export type ConversationEntry = Omit<BubbleView, 'time'> & { at: Temporal.Instant }

/** The parts of an entry that most entries don't have. */
export const emptyEntry = { title: null, body: null, path: null, files: [], state: null, failed: null } as const

/** "1:46 PM" today, "Thu, Nov 19, 9:07 AM" on another day. */
function momentText(at: Temporal.Instant, timeZone: string, today: Temporal.PlainDate): string {
  const local = at.toZonedDateTimeISO(timeZone)
  const clock = localClock(at, timeZone)
  return local.toPlainDate().equals(today) ? clock : `${dayText(local)}, ${clock}`
}

const mailFaults: Readonly<Partial<Record<OrderMail['state'], string>>> = {
  refused: 'Not delivered. The mail server rejected the address.',
  bounced: 'Not delivered. The email bounced.',
}

const mailStates: Readonly<Partial<Record<OrderMail['state'], string>>> = {
  queued: 'Waiting to be sent',
  dropped: 'Not sent: it no longer applied',
  complained: 'Reported as spam',
}

function emailEntry(order: OrderView, mail: OrderMail, mayResend: boolean): ConversationEntry {
  return {
    ...emptyEntry,
    id: mail.id,
    side: 'ours',
    channel: 'email',
    who: 'Store',
    at: mail.sentAt ?? mail.queuedAt,
    title: mail.subject ?? capital(mail.kind),
    path: officePaths.officeOrderEmail(order.id, mail.id),
    state: mailStates[mail.state] ?? null,
    failed: mailFault(order, mail, mayResend),
  }
}

function mailFault(order: OrderView, mail: OrderMail, mayResend: boolean): FailedView | null {
  const why = mailFaults[mail.state]
  if (why === undefined) return null
  const again =
    mayResend && isResendable(mail.kind) && !mail.key.startsWith('again:')
      ? { path: officePaths.officeOrderAct(order.id, 'resend'), fields: { message: mail.id, once: newId() } }
      : null
  return { why, again }
}

const textStates: Readonly<Partial<Record<OrderText['state'], string>>> = {
  queued: 'Waiting to be sent',
  sending: 'Sending',
  dropped: 'Not sent: it no longer applied',
}

function textEntry(order: OrderView, text: OrderText, mayResend: boolean): ConversationEntry {
  return {
    ...emptyEntry,
    id: text.id,
    side: 'ours',
    channel: 'text',
    who: 'Store',
    at: text.sentAt ?? text.queuedAt,
    title: text.body === null ? capital(text.kind) : null,
    body: text.body,
    state: textStates[text.state] ?? null,
    failed: textFault(order, text, mayResend),
  }
}

function textFault(order: OrderView, text: OrderText, mayResend: boolean): FailedView | null {
  if (text.state !== 'failed' && text.state !== 'undelivered') return null
  const fields = { intent: 'text-again', text: text.id, once: newId() }
  return {
    why: 'Not delivered. The phone didn’t receive it.',
    again: mayResend ? { path: officePaths.officeOrder(order.id), fields } : null,
  }
}

function noteEntry({ id, at, author, body }: OrderNote): ConversationEntry {
  return { ...emptyEntry, id: `note-${id}`, side: 'note', channel: 'note', who: author, at, body }
}

/** Returns the customer's contact page message; empty for a thread started by staff. */
function requestEntries(order: OrderView, request: SupportRequest): ConversationEntry[] {
  if (request.message === '' && request.attachment === null) return []
  const { id, name, email, createdAt: at, subject, message, attachment } = request
  const who = email.toLowerCase() === order.email.toLowerCase() ? order.firstName : `${name}, ${email}`
  const files = attachment ? [{ name: attachment.name, path: officePaths.officeMessageFile(id) }] : []
  return [
    {
      ...emptyEntry,
      id: `request-${id}`,
      side: 'theirs',
      channel: 'email',
      who,
      at,
      title: subject,
      body: message,
      files,
    },
  ]
}

function replyEntry(
  order: OrderView,
  reply: OrderReply,
  { carriers, mayResend }: { carriers: ReadonlyMap<string, OrderMail | OrderText>; mayResend: boolean },
): ConversationEntry {
  const { id, kind, channel, author, body, at, requestId } = reply
  const entry = {
    ...emptyEntry,
    id: `reply-${id}`,
    at,
    body,
    files: reply.files.map(({ place, name }) => ({ name, path: officePaths.officeMessageFile(requestId, id, place) })),
  }
  if (kind === 'note') return { ...entry, side: 'note', channel: 'note', who: author }
  if (kind === 'in') return { ...entry, side: 'theirs', channel, who: whoWrote(order, author) }
  const carrier = carriers.get(channel === 'text' ? `staff:${id}` : `order-message:${id}`)
  const state = carrier && ('to' in carrier ? mailStates[carrier.state] : textStates[carrier.state])
  const failed =
    carrier && ('to' in carrier ? mailFault(order, carrier, mayResend) : textFault(order, carrier, mayResend))
  return { ...entry, side: 'ours', channel, who: author, state: state ?? null, failed: failed ?? null }
}

/** The customer by first name, where it was their address or phone; else the address or phone that it came from. */
function whoWrote(order: OrderView, author: string): string {
  const digits = author.replace(/^\+1/, '')
  if (author.toLowerCase() === order.email.toLowerCase() || digits === order.phone) return order.firstName
  return /^\d{10}$/.test(digits) ? phoneText(digits) : author
}

const whyNoText: Readonly<Record<NoTexts, string>> = {
  'not-asked': 'The customer did not ask for text messages about this order.',
  'not-confirmed': 'The customer has not answered YES to our first text message.',
  stopped: 'The customer replied STOP. Only they can turn text messages on again.',
  enough: `${countOf(textsPerOrder, 'text message')} were sent about this order, as many as the customer agreed to.`,
}

/** Why no text message can be sent, in a sentence. */
export function noTextsText(why: NoTexts): string {
  return whyNoText[why]
}

type TemplateOrder = Pick<OrderView, 'firstName' | 'id' | 'totalCents' | 'payment' | 'booking' | 'shop' | 'timeZone'>

/** Template placeholders for orders, with their values; null for an order without the value. */
const placeholders: Readonly<Record<string, (order: TemplateOrder) => string | null>> = {
  firstName: ({ firstName }) => firstName,
  orderNumber: ({ id }) => orderNumber(id),
  orderTotal: ({ totalCents }) => formatCents(totalCents),
  refundable: ({ payment }) => payment && formatCents(payment.capturedCents - payment.refundedCents),
  appointment: ({ booking, timeZone }) => (booking?.state === 'confirmed' ? timeText(booking.start, timeZone) : null),
  shop: ({ shop }) => shop && shop.name,
}

/** Every placeholder as text, such as "{{firstName}}, {{orderNumber}}". */
export const placeholderList = Object.keys(placeholders)
  .map((name) => `{{${name}}}`)
  .join(', ')

/** Fills a template for an order's customer. Placeholders without a value are unchanged. */
export function fillTemplate(body: string, order: TemplateOrder): string {
  const values = Object.entries(placeholders).flatMap(([name, valueOf]) => {
    const value = valueOf(order)
    return value === null ? [] : [[name, value] as const]
  })
  return fillPlaceholders(body, Object.fromEntries(values))
}

function replyOf(
  order: OrderView,
  { consent, texts, thread, templates }: ConversationRecords,
  roles: readonly StaffRole[],
): ReplyView | null {
  if (!staffCan(roles, 'requests.answer')) return null
  const noTexts = whyNoTexts(consent, { texts, hasTexted: hasTexted(thread.replies) })
  return {
    channels: [
      { channel: 'text', label: 'Text', whyNot: noTexts && noTextsText(noTexts) },
      { channel: 'email', label: 'Email', whyNot: null },
      { channel: 'note', label: 'Note', whyNot: null },
    ],
    templates: templates.map(({ name, body }) => ({
      name,
      body: fillTemplate(body, order),
    })),
    to: order.firstName,
    once: newId(),
    about: null,
  }
}

/** Returns templates with filled placeholders; those without a value are unchanged. */
export function filledTemplates(
  templates: readonly { name: string; body: string }[],
  values: Readonly<Record<string, string>>,
): { name: string; body: string }[] {
  return templates.map(({ name, body }) => ({ name, body: fillPlaceholders(body, values) }))
}

function fillPlaceholders(body: string, values: Readonly<Record<string, string>>): string {
  return body.replaceAll(/\{\{(\w{1,30})\}\}/g, (all, key: string) => values[key] ?? all)
}
