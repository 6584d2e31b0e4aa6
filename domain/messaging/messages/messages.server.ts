/**
 * Transactional outbox for email. The message row and its job are written in the change's transaction, then sent once.
 */
import { portalPaths } from '#content/portal-paths.ts'
import { keptParts, withoutKeys, withoutSecrets } from './email-copy.ts'
import { insertEmailCopy, type EmailCopy } from './email-copies.sql.server.ts'
import { selectTemplate, type EmailTemplate } from './email-templates.sql.server.ts'
import { insertBlock, isBlocked } from './mail-blocks.sql.server.ts'
import type { Mail, Mailer } from './mail.port.ts'
import { renderMessage, type Footer, type MailBrand } from './render.server.ts'
import { storeValues } from './template-values.ts'
import { mailPreferencesUrl } from './mail-preferences.server.ts'
import { mailStopUrl } from './mail-stops.server.ts'
import { stoppedAmong } from './mail-stops.sql.server.ts'
import {
  insertMessage,
  selectMailsOfOrder,
  selectMessage,
  updateMessageState,
  type OrderMail,
  type Promised,
} from './messages.sql.server.ts'
import {
  isResendable,
  isShopEmail,
  stopKindOf,
  stoppableKinds,
  type MessageKind,
  type MessageValues,
} from './messages.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { newIdOf } from '#platform/ids.ts'
import { enqueueAll, type Job } from '#platform/jobs.ts'

export {
  readMailPreferences,
  readPreferencesLink,
  saveMailPreferences,
  setMailWanted,
} from './mail-preferences.server.ts'
export { forgetOldEmailCopies, selectEmailCopy, type EmailCopy } from './email-copies.sql.server.ts'
export {
  findEmailTemplate,
  listEmailTemplates,
  previewTemplate,
  queueTestEmail,
  resetEmailTemplate,
  saveEmailTemplate,
  sendTemplateTest,
  type OfficeTemplate,
} from './email-templates.server.ts'
export { selectOrdersOfKind } from './email-templates.sql.server.ts'
export { sampleText } from './preview.server.ts'
export type { ReadTemplate, RenderedMail } from './render.server.ts'
export { bouncesPerPage, clearBounce, listBounces, receiveMailEvent } from './mail-reports.server.ts'
export { readMailStop, resumeMails, stopMails } from './mail-stops.server.ts'
export { isStoppedFor, stoppedAmong } from './mail-stops.sql.server.ts'
export {
  exportMails,
  forgetMailsOf,
  forgetMailsTo,
  listRefusedMessages,
  readMailsInTime,
  selectMailsOfOrder,
  selectMailsOfOrders,
  type CustomerMail,
  selectMessageStates,
  type OrderMail,
  selectMessage as findMessage,
  type Promised,
} from './messages.sql.server.ts'

export type { MailBrand } from './render.server.ts'

/** What is in an email, read at the time of sending. */
export type MessageContent = {
  values: MessageValues
  attachments: Mail['attachments']
  replyTo?: string | null
  brand?: MailBrand | null
}

/** Queues a mail in the transaction of `db`. */
export async function queueMessage(db: Database, message: Promised): Promise<void> {
  await enqueueAll(db, await promiseMessage(db, message))
}

/**
 * Inserts the message and returns the job that sends it, which must be enqueued in the same transaction. Skips
 * recipients who unsubscribed from the kind.
 */
export async function promiseMessage(db: Database, message: Promised): Promise<Job[]> {
  const stops = stopKindOf(message.kind)
  if (stops !== null && (await stoppedAmong(db, stops, [message.to])).size > 0) return []
  if (stops !== null && (await isBlocked(db, message.to))) return []
  // Sent messages are partitioned by month under this key.
  const id = newIdOf(message.at)
  return (await insertMessage(db, id, message))
    ? [{ name: 'send-message', payload: { messageId: id }, key: `message:${message.key}` }]
    : []
}

/** Lists an order's resendable emails, newest first; for one sent several times, the first. */
export async function listOrderMails(db: Database, orderId: number): Promise<OrderMail[]> {
  return (await selectMailsOfOrder(db, orderId))
    .filter(({ kind, key }) => isResendable(kind) && !key.startsWith(againPrefix))
    .toReversed()
}

const againPrefix = 'again:'

/** Returns the key of the original email that this one resends, or its own; the content depends on it. */
function firstKey(key: string): string {
  return key.replace(/^again:[^:]+:/, '')
}

/**
 * Requeues an order's email in the transaction of `db`, rendered with current values when sent; once per `once`, the
 * request's idempotency key. False if already done.
 */
export async function promiseAgain(
  db: Database,
  { message, once, ...to }: { message: OrderMail; once: string; to: string; orderId: number; at: Temporal.Instant },
): Promise<boolean> {
  const jobs = await promiseMessage(db, { ...to, kind: message.kind, key: `${againPrefix}${once}:${message.key}` })
  await enqueueAll(db, jobs)
  return jobs.length > 0
}

/**
 * Sends a queued email and records it. Throws when the mail server is down, so that the job is retried. Doesn't retry
 * an address that the server refuses or an outdated email (`valuesFor` returns null), but records both. The sent
 * content is stored with the record. A crash between sending and recording sends it twice with the same message id,
 * which is preferable to losing it.
 */
export async function sendMessage(
  deps: { db: Database; clock: Clock; mailer: Mailer; config: Pick<Config, 'web' | 'session' | 'store'> },
  messageId: string,
  valuesFor: (message: { kind: MessageKind; orderId: number | null; key: string }) => Promise<MessageContent | null>,
): Promise<void> {
  const message = await selectMessage(deps.db, messageId)
  if (!message || message.state !== 'queued') return
  const { kind, orderId, key } = message
  const content = await valuesFor({ kind, orderId, key: firstKey(key) })
  if (content === null) return updateMessageState(deps.db, messageId, 'dropped', null)
  const { values, attachments, replyTo = null, brand = null } = content
  const stopUrl = mailStopUrl(deps.config, { kind, email: message.to })
  const footer = footerFor(deps.config, { kind, stopUrl, email: message.to })
  const edited = (await selectTemplate(deps.db, kind))?.template ?? null
  const given = { ...storeValues(deps.config), ...values }
  const rendered = await renderMessage(kind, given, { footer, brand, edited })
  const fromName = brand && `${brand.name} via ${brand.poweredBy}`
  const mail = { ...rendered, attachments, fromName, replyTo, stopUrl }
  const sent = await deps.mailer.send({ key: message.id, to: message.to, ...mail })
  if (!sent.ok && sent.reason === 'unavailable') throw new Error('The mail server is away.', { cause: sent.cause })
  if (sent.ok) {
    const copy = await copyOf({ kind, values: given, footer, brand, edited, attachments }, deps.clock.now())
    await deps.db.transaction().execute(async (tx) => {
      await insertEmailCopy(tx, messageId, copy)
      await updateMessageState(tx, messageId, 'sent', copy.sentAt)
    })
    return
  }
  await updateMessageState(deps.db, messageId, 'refused', null)
  // The recipient's server said no for good, as a bounce does later.
  const block = { email: message.to.toLowerCase(), reason: 'bounced', detail: null, orderId } as const
  await insertBlock(deps.db, { ...block, blockedAt: deps.clock.now() })
}

/** The email once more, without what would let the reader of the copy act as the recipient. */
async function copyOf(
  {
    kind,
    values,
    footer,
    brand,
    edited,
    attachments,
  }: {
    kind: MessageKind
    values: MessageValues
    footer: Footer | null
    brand: MailBrand | null
    edited: EmailTemplate | null
    attachments: Mail['attachments']
  },
  sentAt: Temporal.Instant,
): Promise<EmailCopy> {
  const plain = footer && {
    ...footer,
    stopUrl: withoutKeys(footer.stopUrl),
    preferencesUrl: withoutKeys(footer.preferencesUrl),
  }
  const rendered = await renderMessage(kind, withoutSecrets(values), { footer: plain, brand, edited })
  return { subject: rendered.subject, ...keptParts(rendered), attachments: attachments.map(({ name }) => name), sentAt }
}

/** The end of an email that its recipient can stop; null for one they cannot. */
function footerFor(
  config: Pick<Config, 'web' | 'session' | 'store'>,
  { kind, stopUrl, email }: { kind: MessageKind; stopUrl: string | null; email: string },
): Footer | null {
  const stops = stopKindOf(kind)
  if (stops === null || stopUrl === null) return null
  return {
    stopUrl,
    stops: stoppableKinds[stops],
    preferencesUrl: isShopEmail(kind) ? config.web.origin + portalPaths.portal() : mailPreferencesUrl(config, email),
    store: config.store,
  }
}
