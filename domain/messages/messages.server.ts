/**
 * Mail that belongs to a change: the message row and its job are written in the change's transaction, then sent once.
 */
import type { Mail, Mailer } from '#domain/messages/mail.port.ts'
import { renderMessage } from '#domain/messages/render.server.ts'
import { mailStopUrl } from '#domain/messages/mail-stops.server.ts'
import { stoppedAmong } from '#domain/messages/mail-stops.sql.server.ts'
import {
  insertMessage,
  selectMessage,
  updateMessageState,
  type Promised,
} from '#domain/messages/messages.sql.server.ts'
import {
  isStoppable,
  stoppableKinds,
  type MessageKind,
  type MessageState,
  type MessageValues,
} from '#domain/messages/messages.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { enqueueAll, type Job } from '#platform/jobs.ts'

export { readMailStop, resumeMails, stopMails } from '#domain/messages/mail-stops.server.ts'
export { isStoppedFor, stoppedAmong } from '#domain/messages/mail-stops.sql.server.ts'
export { exportMails, forgetMailsTo, type Promised } from '#domain/messages/messages.sql.server.ts'

/** Queues a mail in the transaction of `db`. */
export async function queueMessage(db: Database, message: Promised): Promise<void> {
  await enqueueAll(db, await promiseMessage(db, message))
}

/**
 * Stores the message and returns the job that sends it, which must be enqueued in the same transaction. Nothing is
 * queued for recipients who stopped mails of the kind.
 */
export async function promiseMessage(db: Database, message: Promised): Promise<Job[]> {
  if (isStoppable(message.kind) && (await stoppedAmong(db, message.kind, [message.to])).size > 0) return []
  const id = newId()
  return (await insertMessage(db, id, message))
    ? [{ name: 'send-message', payload: { messageId: id }, key: `message:${message.key}` }]
    : []
}

/**
 * Sends a queued mail and records it. Throws when the mail server is down, so that the job is retried; an address the
 * server refuses is recorded and not retried. A crash between sending and recording sends it twice with the same
 * message id, the lesser evil.
 */
export async function sendMessage(
  deps: { db: Database; clock: Clock; mailer: Mailer; config: Pick<Config, 'web' | 'session' | 'store'> },
  messageId: string,
  valuesFor: (message: {
    kind: MessageKind
    orderId: number | null
    key: string
  }) => Promise<{ values: MessageValues; attachments: Mail['attachments'] }>,
): Promise<void> {
  const message = await selectMessage(deps.db, messageId)
  if (!message || message.state !== 'queued') return
  const { kind, orderId, key } = message
  const { values, attachments } = await valuesFor({ kind, orderId, key })
  const stopUrl = mailStopUrl(deps.config, { kind, email: message.to })
  const rendered = await renderMessage(kind, values, {
    footer:
      isStoppable(kind) && stopUrl !== null ? { stopUrl, stops: stoppableKinds[kind], store: deps.config.store } : null,
  })
  const sent = await deps.mailer.send({ key: message.id, to: message.to, ...rendered, attachments, stopUrl })
  if (!sent.ok && sent.reason === 'unavailable') throw new Error('The mail server is away.', { cause: sent.cause })
  const state: MessageState = sent.ok ? 'sent' : 'refused'
  await updateMessageState(deps.db, messageId, state, sent.ok ? deps.clock.now() : null)
}
