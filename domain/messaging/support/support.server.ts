/** Messages to the store. Each is stored once, confirmed by email, forwarded to the store, and closed by staff. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { createHash } from 'node:crypto'
import type { NamedFile } from '#domain/kernel/files/files.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { answerWithinText, requestNumber } from './support.ts'
import type { Clock } from '#platform/clock.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { countOf } from '#platform/count-text.ts'
import { readAttachment, type FileRefusal } from '#domain/kernel/files/files.server.ts'
import type { ContactMessage, Lead } from './request-forms.ts'
import {
  countSince,
  insertAttachment,
  insertRequest,
  isOpenAlready,
  queueUp,
  selectAttachment,
  selectOpenRequests,
  selectRequest,
  type NewRequest,
  type SupportRequest,
} from './support.sql.server.ts'

export { contactMessageForm, leadForm } from './request-forms.ts'
export { answerForm, templateForm } from './answer-form.ts'
export { assigneeOfOrder, selectAssignee as findAssignee } from './assignee.sql.server.ts'
export {
  answerMessageValues,
  answerRequest,
  assignRequest,
  closeRequest,
  findReplyFile,
  findReplyText,
  findThread,
  listAssignees,
  listRequests,
  receiveReply,
  reopenRequest,
  replyAddressOf,
  type IncomingReply,
  type Reply,
  type RequestCursor,
  type RequestList,
} from './threads.server.ts'
export {
  addToCustomerThread,
  addToOrderThread,
  assignOrderThread,
  hasTexted,
  listOrderThread,
  type OrderReply,
} from './order-threads.server.ts'
export { requireAssignable } from './assign.server.ts'
export { listTemplates, retireTemplate, saveTemplate } from './templates.server.ts'
export type { Template } from './templates.sql.server.ts'
export {
  forgetRequestsFrom,
  selectRepliesTo,
  selectRequestsFrom,
  type RequestReply,
} from './customer-threads.sql.server.ts'
export { exportQuestions, type SupportRequest } from './support.sql.server.ts'

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'store'> }

/** Maximum requests per hour from one network or email address; more indicates a bot. */
export const requestsPerHour = 5

/**
 * Receives a contact page message with its optional file. While a request is open, identical text is the same request,
 * so a duplicate doesn't create another one or more emails. Refuses more than `requestsPerHour` from one sender and
 * more files than the rate limit from one network, both before examining the file, and then a file
 * `readAttachment` refuses. `signal`: the sender has disconnected.
 */
export async function receiveMessage(
  deps: Deps & { rateLimits: RateLimits },
  input: ContactMessage & {
    file: { name: string; bytes: Uint8Array } | null
    networkKey: string
    signal?: AbortSignal
  },
): Promise<Outcome<void, Refused<'too-many-requests'> | FileRefusal>> {
  const { firstName, lastName, file, networkKey, signal, ...said } = input
  const hash = hashOf(said, firstName, lastName, file?.bytes ?? '')
  const request = {
    ...nothingWanted,
    ...said,
    kind: 'contact' as const,
    name: `${firstName} ${lastName}`,
    said: hash,
    networkKey,
  }
  if (file === null) return receive(deps, request)
  // No file is examined for a message that would be refused; counted again when stored.
  if (await isOpenAlready(deps.db, hash)) return ok(undefined)
  if (await hasTooMany(deps.db, request, deps.clock.now())) return refused('too-many-requests')
  if (!(await deps.rateLimits.take('attachment', { sender: networkKey })).ok) return refused('too-many-requests')
  const attachment = await readAttachment(file, signal)
  return attachment.ok ? receive(deps, request, attachment.value) : attachment
}

/** Receives a lead from the tire-sales page; the same rules apply. */
export async function receiveLead(
  deps: Deps,
  { networkKey, ...lead }: Lead & { networkKey: string },
): Promise<Outcome<void, Refused<'too-many-requests'>>> {
  const what = [countOf(lead.quantity, 'tire'), lead.size].filter(Boolean).join(', ')
  return receive(deps, {
    ...lead,
    kind: 'lead',
    subject: what,
    message: '',
    phone: null,
    orderNumber: null,
    said: hashOf(lead),
    networkKey,
  })
}

/** Lists open requests, longest waiting first. */
export function listOpenRequests({ db }: Pick<Deps, 'db'>, limit = 100): Promise<SupportRequest[]> {
  return selectOpenRequests(db, limit)
}

export function findRequest({ db }: Pick<Deps, 'db'>, id: number): Promise<SupportRequest | undefined> {
  return selectRequest(db, id)
}

/** Returns a request's attachment. Only for staff. */
export function findAttachment({ db }: Pick<Deps, 'db'>, id: number): Promise<NamedFile | undefined> {
  return selectAttachment(db, id)
}

/**
 * Returns the values of the two mails about a request, read at the time of sending. The
 * confirmation repeats no submitted text, because senders can be impersonated.
 */
export async function supportMessageValues(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const request = await selectRequest(db, Number(id))
  if (!request) throw new Error(`Request ${id} of a promised mail is not there.`)
  const rows = [
    ['Name', request.name],
    ['Email', request.email],
    ['Phone', request.phone],
    ['Order', request.orderNumber],
    ['Tires', request.quantity === null ? null : String(request.quantity)],
    ['Size', request.size],
    ['Vehicle', request.vehicle],
    ['Brand', request.brand],
    ['File', request.attachment?.name],
  ] as const
  return {
    requestNumber: requestNumber(request.id),
    about: request.kind === 'lead' ? 'your question about tires' : `your message (${request.subject})`,
    subject: request.subject,
    kind: request.kind === 'lead' ? 'Lead' : 'Message',
    rows: rows.flatMap(([left, right]) => (right ? [{ left, right }] : [])),
    message: request.message || 'No text outside the form.',
    answerWithin: answerWithinText,
    supportHours: phoneHoursText(config.store.phoneHours),
    phone: config.store.phone,
  }
}

const nothingWanted = { quantity: null, vehicle: null, size: null, brand: null }

async function receive(
  { db, clock, config }: Deps,
  request: Omit<NewRequest, 'at'> & { networkKey: string },
  attachment?: Parameters<typeof insertAttachment>[2],
): Promise<Outcome<void, Refused<'too-many-requests'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    await queueUp(tx)
    // A duplicate is not counted twice, and gets the same answer.
    if (await isOpenAlready(tx, request.said)) return ok(undefined)
    if (await hasTooMany(tx, request, at)) return refused('too-many-requests')
    const id = await insertRequest(tx, { ...request, at })
    if (id === undefined) return ok(undefined)
    if (attachment) await insertAttachment(tx, id, attachment, at)
    await queueMessage(tx, {
      kind: 'support-received',
      key: `support-received:${id}`,
      to: request.email,
      orderId: null,
      at,
    })
    await queueMessage(tx, {
      kind: 'support-request',
      key: `support-request:${id}`,
      to: config.store.email,
      orderId: null,
      at,
    })
    return ok(undefined)
  })
}

async function hasTooMany(
  db: Database,
  from: { networkKey: string; email: string },
  at: Temporal.Instant,
): Promise<boolean> {
  return (await countSince(db, from, at.subtract({ hours: 1 }))) >= requestsPerHour
}

function hashOf(fields: Record<string, unknown>, ...more: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256').update(JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))))
  for (const part of more) hash.update('\n').update(part)
  return hash.digest()
}
