/**
 * Mail that was promised with a change: the message row and its job are written in the transaction of the change, then
 * sent, once.
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

/** Promises a mail in the transaction of `db`. */
export async function queueMessage(db: Database, message: Promised): Promise<void> {
  await enqueueAll(db, await promiseMessage(db, message))
}

/**
 * The first half of that: writes the promise down, and answers the job that keeps it, which must be asked for in the
 * same transaction. Nothing is promised to whoever stopped mails of the kind.
 */
export async function promiseMessage(db: Database, message: Promised): Promise<Job[]> {
  if (isStoppable(message.kind) && (await stoppedAmong(db, message.kind, [message.to])).size > 0) return []
  const id = newId()
  return (await insertMessage(db, id, message))
    ? [{ name: 'send-message', payload: { messageId: id }, key: `message:${message.key}` }]
    : []
}

/**
 * Sends a promised mail and notes it. Throws when the mail server is away, so that the job tries again; an address the
 * server refuses is noted and not tried again. A crash between sending and noting sends it twice with the same message
 * id, which is the lesser evil.
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
