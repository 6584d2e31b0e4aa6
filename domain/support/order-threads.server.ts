/**
 * Conversations about an order: what staff write to its customer by email or text message, and the answers. All of it is
 * kept in support requests that name the order, so that it is also among the messages to answer.
 */
import { createHash } from 'node:crypto'
import { queueMessage } from '#domain/messages/messages.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { readOrder, type OrderView } from '#domain/orders/orders.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/staff/staff.server.ts'
import { findTextOrder, orderOfPhone, promiseText, selectTextsOfOrder } from '#domain/texts/texts.server.ts'
import { longestText, textNumber, wishOf, type TextKind } from '#domain/texts/texts.ts'
import {
  lockRequestOfOrder,
  selectRepliesOfOrder,
  selectRequestsOfOrder,
  type OrderReply,
} from '#domain/support/order-threads.sql.server.ts'
import { incomingPerHour, longestAnswer, whyNoTexts, type NoTexts } from '#domain/support/support.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { insertRequest, queueUp, type SupportRequest } from './support.sql.server.ts'
import {
  countIncoming,
  insertReply,
  selectReply,
  updateAssigned,
  updateToOpen,
  updateWaiting,
  type ReplyChannel,
} from './threads.sql.server.ts'

export type { OrderReply } from '#domain/support/order-threads.sql.server.ts'

type Deps = { db: Database; clock: Clock }

const mostRequests = 20
const mostReplies = 200

/** What was written about an order: the last requests that name it, and the last replies to them, each oldest first. */
export async function listOrderThread(
  { db }: Pick<Deps, 'db'>,
  orderId: number,
): Promise<{ requests: SupportRequest[]; replies: OrderReply[] }> {
  const number = orderNumber(orderId)
  const [requests, replies] = await Promise.all([
    selectRequestsOfOrder(db, number, mostRequests),
    selectRepliesOfOrder(db, number, mostReplies),
  ])
  return { requests, replies }
}

export type WriteRefusal =
  | Refused<'not-allowed'>
  | Refused<'order-not-found'>
  | Refused<'no-words'>
  | Refused<'no-texts', { why: NoTexts }>

/**
 * Writes to the customer of an order by email or by text message, whoever wrote last. `once` names the form: submitted
 * again, it is the same message. The request it goes into is opened again if it was closed, and waits for no answer.
 */
export async function writeToCustomer(
  { db, clock }: Deps,
  by: Actor,
  { orderId, channel, body: typed, once }: { orderId: number; channel: ReplyChannel; body: string; once: string },
): Promise<Outcome<null, WriteRefusal>> {
  const body = typed.trim()
  const longest = channel === 'text' ? longestText : longestAnswer
  if (body === '' || body.length > longest) return refused('no-words')
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'requests.answer', at)
    if (!permitted.ok) return permitted
    const order = await readOrder(tx, orderId)
    if (!order) return refused('order-not-found')
    const why = channel === 'text' ? await readWhyNoTexts(tx, orderId) : null
    if (why !== null) return refused('no-texts', { why })
    const request = await openRequest(tx, order, at)
    const onceKey = `${by.name}:${orderId}:${once}`
    const reply = { requestId: request.id, kind: 'out' as const, channel, author: by.name, body, onceKey, at }
    const replyId = await insertReply(tx, reply)
    if (replyId === undefined) return ok(null)
    await updateWaiting(tx, request.id, null)
    if (request.assignedTo === null && by.via === 'office') await updateAssigned(tx, request.id, by.name.toLowerCase())
    await queueReply(tx, { channel, replyId, order, at })
    const act = channel === 'text' ? 'order.texted' : 'order.emailed'
    await recordAct(tx, { by, act, subject: orderNumber(orderId), at })
    return ok(null)
  })
}

async function readWhyNoTexts(tx: Tx, orderId: number): Promise<NoTexts | null> {
  const [consent, texts, replies] = await Promise.all([
    findTextOrder({ db: tx }, orderId),
    selectTextsOfOrder(tx, orderId),
    selectRepliesOfOrder(tx, orderNumber(orderId), mostReplies),
  ])
  return whyNoTexts(consent, { texts, hasTexted: hasTexted(replies) })
}

/** Whether a customer has texted about their order: then staff answer what they were asked. */
export function hasTexted(replies: readonly OrderReply[]): boolean {
  return replies.some(({ kind, channel }) => kind === 'in' && channel === 'text')
}

async function queueReply(
  tx: Tx,
  { channel, replyId, order, at }: { channel: ReplyChannel; replyId: number; order: OrderView; at: Temporal.Instant },
): Promise<void> {
  if (channel === 'text') await promiseText(tx, { kind: 'staff', key: `staff:${replyId}`, orderId: order.id, at })
  else {
    const kind = 'order-message'
    await queueMessage(tx, { kind, key: `${kind}:${replyId}`, to: order.email, orderId: order.id, at })
  }
}

/** The request to go on in, locked and open; a new one where the customer never wrote and nobody wrote to them. */
async function openRequest(
  tx: Tx,
  order: OrderView,
  at: Temporal.Instant,
): Promise<{ id: number; assignedTo: string | null }> {
  // Two who write at the same time write into one request.
  await queueUp(tx)
  const number = orderNumber(order.id)
  const found = await lockRequestOfOrder(tx, { orderNumber: number, email: order.email })
  if (found) {
    if (found.state === 'closed') await updateToOpen(tx, found.id, at)
    return found
  }
  const id = await insertRequest(tx, {
    kind: 'contact',
    name: `${order.firstName} ${order.lastName}`.slice(0, 60),
    email: order.email,
    phone: null,
    orderNumber: number,
    subject: `Order ${number}`,
    message: '',
    quantity: null,
    vehicle: null,
    size: null,
    brand: null,
    said: createHash('sha256').update(`order thread\n${number}\n${order.email.toLowerCase()}`).digest(),
    networkKey: null,
    at,
  })
  if (id === undefined) throw new Error(`The thread of order ${number} is open, and was not found.`)
  return { id, assignedTo: null }
}

/**
 * Adds a text message from a phone to the thread of the order that the phone last asked for texts about; the thread then
 * waits for an answer. Delivered twice, it is kept once. Words for the provider, such as STOP, and messages from unknown
 * phones are no replies, and more than `incomingPerHour` are not kept.
 */
export async function receiveTextReply(
  { db, clock }: Deps,
  { ref, from, body: typed }: { ref: string; from: string; body: string },
): Promise<void> {
  const phone = textNumber(from)
  if (phone === undefined || wishOf(typed) !== 'other') return
  const body = typed.replaceAll('\0', '').trim().slice(0, longestText)
  if (body === '') return
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const orderId = await orderOfPhone(tx, phone)
    const order = orderId === undefined ? undefined : await readOrder(tx, orderId)
    if (!order) return
    const { id } = await openRequest(tx, order, at)
    if ((await countIncoming(tx, id, at.subtract({ hours: 1 }))) >= incomingPerHour) return
    const onceKey = `text:${ref}`
    const reply = { requestId: id, kind: 'in' as const, channel: 'text' as const, author: phone, body, onceKey, at }
    if ((await insertReply(tx, reply)) !== undefined) await updateWaiting(tx, id, at)
  })
}

/** The words of a text message that staff wrote, and the zone of its order; undefined for any other text message. */
export async function staffTextContent(
  { db }: Pick<Deps, 'db'>,
  { kind, key, orderId }: { kind: TextKind; key: string; orderId: number | null },
): Promise<{ body: string; zipZone: string | null } | null | undefined> {
  if (kind !== 'staff') return undefined
  const [reply, order] = await Promise.all([
    selectReply(db, Number(key.slice('staff:'.length))),
    orderId === null ? undefined : readOrder(db, orderId),
  ])
  return reply && order ? { body: reply.body, zipZone: order.timeZone } : null
}
