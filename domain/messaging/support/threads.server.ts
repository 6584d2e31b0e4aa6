/**
 * Threads, with staff replies to a message or lead, and incoming replies. Every staff action rechecks the permission in
 * its transaction, and is recorded in the audit log.
 */
import { createHash } from 'node:crypto'
import type { NamedFile } from '#domain/kernel/files/files.server.ts'
import { keyParts, type MessageKind, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { listStaffEmails, recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { assignLocked, requireAssignable } from './assign.server.ts'
import { readReplyToken, replyMailbox } from './reply-address.server.ts'
import { incomingPerHour, longestAnswer, requestLife, requestNumber } from './support.ts'
import type { Clock } from '#platform/clock.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import type { Config } from '#platform/config.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Attachment } from '#domain/kernel/files/files.server.ts'
import { selectRequest, updateToClosed, type SupportRequest } from './support.sql.server.ts'
import {
  countIncoming,
  insertReply,
  insertReplyFiles,
  isSentAgain,
  lockRequest,
  selectReplies,
  selectReply,
  selectReplyFile,
  selectRequestPage,
  updateAssigned,
  updateToOpen,
  updateWaiting,
  type Reply,
  type RequestCursor,
  type RequestList,
} from './threads.sql.server.ts'

export type { Reply, RequestCursor, RequestList } from './threads.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type ActRefusal = Refused<'not-allowed'> | Refused<'request-not-found'>

const perPage = 50

/** Lists a page of requests; `next` is the cursor of the following page, or null on the last one. */
export async function listRequests(
  { db }: Pick<Deps, 'db'>,
  list: RequestList,
  after: RequestCursor | null = null,
): Promise<{ requests: SupportRequest[]; next: RequestCursor | null }> {
  const found = await selectRequestPage(db, list, after, perPage + 1)
  const requests = found.slice(0, perPage)
  const last = requests.at(-1)
  return { requests, next: found.length > perPage && last ? { id: last.id, waitingSince: last.waitingSince } : null }
}

/** Returns a request with its replies, oldest first; undefined if it doesn't exist. */
export async function findThread(
  { db }: Pick<Deps, 'db'>,
  id: number,
): Promise<{ request: SupportRequest; replies: Reply[] } | undefined> {
  const request = await selectRequest(db, id)
  return request && { request, replies: await selectReplies(db, id) }
}

/** Returns a reply's text; undefined if it doesn't exist. */
export async function findReplyText(db: Database, replyId: number): Promise<string | undefined> {
  return (await selectReply(db, replyId))?.body
}

/** Finds a file that came with an email into this thread. */
export function findReplyFile(
  { db }: Pick<Deps, 'db'>,
  at: { requestId: number; replyId: number; place: number },
): Promise<NamedFile | undefined> {
  return selectReplyFile(db, at)
}

/**
 * Replies to a request by email, or adds an internal note. `onceKey` is the form's idempotency key. A reply assigns the
 * request to its author, unless it is assigned. Refuses with `closed`.
 */
export async function answerRequest(
  { db, clock }: Deps,
  by: Actor,
  { id, kind, body, onceKey }: { id: number; kind: 'out' | 'note'; body: string; onceKey: string },
): Promise<Outcome<null, ActRefusal | Refused<'closed'>>> {
  const at = clock.now()
  return actOn(db, by, { id, at }, async (tx, request) => {
    if (kind === 'out' && request.state !== 'open') return refused('closed')
    const replyId = await insertReply(tx, {
      requestId: id,
      kind,
      author: by.name,
      body,
      onceKey: `${by.name}:${id}:${onceKey}`,
      at,
    })
    if (replyId === undefined) return ok(null)
    if (kind === 'out') {
      await updateWaiting(tx, id, null)
      if (request.assignedTo === null && by.via === 'office') await updateAssigned(tx, id, by.name.toLowerCase())
      const to = request.email
      await queueMessage(tx, { kind: 'support-answer', key: `support-answer:${replyId}`, to, orderId: null, at })
    }
    await recordAct(tx, {
      by,
      act: kind === 'out' ? 'requests.answered' : 'requests.noted',
      subject: requestNumber(id),
      at,
    })
    return ok(null)
  })
}

/** Lists the emails of staff who may answer requests, and can be assigned one. */
export function listAssignees({ db, clock }: Deps): Promise<string[]> {
  return listStaffEmails(db, 'requests.answer', clock.now())
}

/** Assigns a request to a staff member, or to no one. Refuses `not-staff` for an email that cannot answer requests. */
export async function assignRequest(
  { db, clock }: Deps,
  by: Actor,
  { id, to }: { id: number; to: string | null },
): Promise<Outcome<null, ActRefusal | Refused<'not-staff'>>> {
  const assignment = { to, at: clock.now() }
  return db.transaction().execute(async (tx) => {
    const permitted = await requireAssignable(tx, by, assignment)
    if (!permitted.ok) return permitted
    const request = await lockRequest(tx, id)
    if (!request) return refused('request-not-found')
    await assignLocked(tx, by, [{ id, ...request }], assignment)
    return ok(null)
  })
}

/** Closes a request by name; deletes the key of the network it came from. */
export async function closeRequest(
  { db, clock }: Deps,
  by: Actor,
  id: number,
): Promise<Outcome<null, ActRefusal | Refused<'already-closed'>>> {
  const at = clock.now()
  return actOn(db, by, { id, at }, async (tx, { state }) => {
    if (!requestLife[state].includes('closed')) return refused('already-closed')
    await updateToClosed(tx, { id, by: by.name, at, from: ['open'] })
    await recordAct(tx, { by, act: 'requests.closed', subject: requestNumber(id), at })
    return ok(null)
  })
}

/** Opens a closed request again. Refuses `sent-again` when the same text has been sent again since, and is open. */
export async function reopenRequest(
  { db, clock }: Deps,
  by: Actor,
  id: number,
): Promise<Outcome<null, ActRefusal | Refused<'already-open'> | Refused<'sent-again'>>> {
  const at = clock.now()
  try {
    return await actOn(db, by, { id, at }, async (tx, { state }) => {
      if (!requestLife[state].includes('open')) return refused('already-open')
      await updateToOpen(tx, id, at)
      await recordAct(tx, { by, act: 'requests.reopened', subject: requestNumber(id), at })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'support_request_said_once') return refused('sent-again')
    throw error
  }
}

/** An email to a reply address, as received in the provider's webhook. */
export type IncomingReply = {
  /** The part of the recipient before the @. */
  mailbox: string
  from: string
  text: string
  /** The email's own Message-ID; delivered twice, it is kept once. */
  messageId: string
  files: readonly Attachment[]
}

/**
 * Adds an email to its reply address's thread, and reopens a closed one. Anyone with the address may write, because
 * only the sender's emails contain it. The author's address is stored. Refuses unknown addresses, and more than
 * `incomingPerHour` messages.
 */
export async function receiveReply(
  { db, clock, config }: Deps & { config: Pick<Config, 'session'> },
  { mailbox, from, text, messageId, files }: IncomingReply,
): Promise<Outcome<{ requestId: number }, Refused<'unknown-address'> | Refused<'too-many-replies'>>> {
  const requestId = readReplyToken(config.session.secret, mailbox)
  if (requestId === undefined) return refused('unknown-address')
  const at = clock.now()
  const body = text.trim().slice(0, longestAnswer) || 'No text.'
  return db.transaction().execute(async (tx) => {
    const request = await lockRequest(tx, requestId)
    if (!request) return refused('unknown-address')
    if ((await countIncoming(tx, requestId, at.subtract({ hours: 1 }))) >= incomingPerHour)
      return refused('too-many-replies')
    const onceKey = `in:${createHash('sha256').update(`${requestId}\n${messageId}`).digest('hex')}`
    const author = from.slice(0, 254) || 'unknown'
    const replyId = await insertReply(tx, { requestId, kind: 'in', author, body, onceKey, at })
    if (replyId === undefined) return ok({ requestId })
    await insertReplyFiles(tx, replyId, files, at)
    if (request.state === 'closed') await reopenForReply(tx, requestId, at)
    else await updateWaiting(tx, requestId, at)
    return ok({ requestId })
  })
}

/**
 * A thread with text that was resubmitted since stays closed if the later request is open. The reply is stored either
 * way, and staff work on the open request.
 */
async function reopenForReply(tx: Tx, requestId: number, at: Temporal.Instant): Promise<void> {
  if (await isSentAgain(tx, requestId)) return
  await updateToOpen(tx, requestId, at)
}

/** Returns the values of the email with an answer, read at the time of sending. */
export async function answerMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'store'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const reply = await selectReply(db, Number(id))
  const request = reply && (await selectRequest(db, reply.requestId))
  if (!reply || !request) throw new Error(`The answer of the promised mail ${key} is not there.`)
  return {
    requestNumber: requestNumber(request.id),
    orderNumber: request.orderNumber ?? '',
    subject: request.subject,
    answer: { lines: reply.body.split('\n') },
    store: config.store.name,
    phone: config.store.phone,
    supportHours: phoneHoursText(config.store.phoneHours),
  }
}

const threadKinds: ReadonlySet<MessageKind> = new Set([
  'support-answer',
  'support-received',
  'order-message',
  'customer-message',
])

/**
 * The address to which answers to the email with this key come back into its thread; the store's own email where no
 * domain for replies is set up, and null for an email without a thread.
 */
export async function replyAddressOf(
  { db, config }: { db: Database; config: Pick<Config, 'session' | 'mail' | 'store'> },
  { kind, key }: { kind: MessageKind; key: string },
): Promise<string | null> {
  if (!threadKinds.has(kind)) return null
  const [id = ''] = keyParts(key)
  const requestId = kind === 'support-received' ? Number(id) : (await selectReply(db, Number(id)))?.requestId
  if (requestId === undefined) return null
  const { replyDomain } = config.mail
  return replyDomain === null ? config.store.email : `${replyMailbox(config.session.secret, requestId)}@${replyDomain}`
}

/** Runs an act of staff on a locked request, if they may. */
function actOn<Answer extends Outcome<null, Refused<string, unknown>>>(
  db: Database,
  by: Actor,
  { id, at }: { id: number; at: Temporal.Instant },
  act: (tx: Tx, request: NonNullable<Awaited<ReturnType<typeof lockRequest>>>) => Promise<Answer>,
): Promise<Answer | ActRefusal> {
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'requests.answer', at)
    if (!permitted.ok) return permitted
    const request = await lockRequest(tx, id)
    return request ? act(tx, request) : refused('request-not-found')
  })
}
