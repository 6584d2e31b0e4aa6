/**
 * Mail that was promised with a change: the message row and its job are written in the transaction of the change, then
 * sent, once.
 */
import type { Mail, Mailer } from '#domain/messages/mail.port.ts'
import { renderMessage } from '#domain/messages/render.server.ts'
import { mailStopUrl, stoppedAmong } from '#domain/messages/mail-stops.server.ts'
import {
  isStoppable,
  messageLife,
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
import { statesBefore } from '#platform/transitions.ts'

export { isStoppedFor, readMailStop, resumeMails, stopMails, stoppedAmong } from '#domain/messages/mail-stops.server.ts'

/** A mail about an order, or about what its key names. The key makes it go out once, however often it is promised. */
export type Promised = { kind: MessageKind; key: string; to: string; orderId: number | null; at: Temporal.Instant }

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
  const written = await db
    .insertInto('message')
    .values({
      id,
      key: message.key,
      kind: message.kind,
      to_address: message.to,
      order_id: message.orderId,
      created_at: message.at,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return written ? [{ name: 'send-message', payload: { messageId: id }, key: `message:${message.key}` }] : []
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
  const message = await deps.db.selectFrom('message').selectAll().where('id', '=', messageId).executeTakeFirst()
  if (!message || message.state !== 'queued') return
  const kind = message.kind as MessageKind
  const { values, attachments } = await valuesFor({ kind, orderId: message.order_id, key: message.key })
  const stopUrl = mailStopUrl(deps.config, { kind, email: message.to_address })
  const rendered = await renderMessage(kind, values, {
    footer:
      isStoppable(kind) && stopUrl !== null ? { stopUrl, stops: stoppableKinds[kind], store: deps.config.store } : null,
  })
  const sent = await deps.mailer.send({ key: message.id, to: message.to_address, ...rendered, attachments, stopUrl })
  if (!sent.ok && sent.reason === 'unavailable') throw new Error('The mail server is away.', { cause: sent.cause })
  const state: MessageState = sent.ok ? 'sent' : 'refused'
  await deps.db
    .updateTable('message')
    .set({ state, sent_at: sent.ok ? deps.clock.now() : null })
    .where('id', '=', messageId)
    .where('state', 'in', statesBefore(messageLife, state))
    .execute()
}
