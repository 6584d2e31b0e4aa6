/**
 * Threads about orders and customers, with messages between staff and a customer about one order or in general. They
 * are support requests, so they appear in the inbox. `domain/aftercare/order-conversations` decides who may write.
 */
import { createHash } from 'node:crypto'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { assignLocked, type Assignment } from './assign.server.ts'
import {
  lockOpenRequestFrom,
  lockOpenRequestsOfOrder,
  lockRequestOfOrder,
  selectRepliesOfOrder,
  selectRequestsOfOrder,
  type OrderReply,
} from './order-threads.sql.server.ts'
import { incomingPerHour } from './support.ts'
import type { Database, Tx } from '#platform/db.ts'
import { insertRequest, queueUp, updateToClosed, type SupportRequest } from './support.sql.server.ts'
import {
  countIncoming,
  insertReply,
  updateAssigned,
  updateToOpen,
  updateWaiting,
  type ReplyChannel,
} from './threads.sql.server.ts'

export type { OrderReply } from './order-threads.sql.server.ts'

const mostRequests = 20
const mostReplies = 200

/** Returns an order's latest requests, and the latest replies to them, each oldest first. */
export async function listOrderThread(
  { db }: { db: Database },
  orderId: number,
): Promise<{ requests: SupportRequest[]; replies: OrderReply[] }> {
  const number = orderNumber(orderId)
  const [requests, replies] = await Promise.all([
    selectRequestsOfOrder(db, number, mostRequests),
    selectRepliesOfOrder(db, number, mostReplies),
  ])
  return { requests, replies }
}

/** Returns whether a customer has sent text messages about their order, so that staff may reply to them. */
export function hasTexted(replies: readonly OrderReply[]): boolean {
  return replies.some(({ kind, channel }) => kind === 'in' && channel === 'text')
}

/** A thread's customer. */
export type ThreadOrder = { id: number; firstName: string; lastName: string; email: string }

/** A message to add to a thread. `assignTo` is the thread's new assignee, unless it has one. */
type NewReply = {
  kind: 'out' | 'in'
  channel: ReplyChannel
  author: string
  body: string
  onceKey: string
  at: Temporal.Instant
  assignTo: string | null
}

/**
 * Adds a message to an order's thread, reopening a closed one, or creating one. A customer's message marks it as
 * needing a reply. Returns the id of the message; undefined if `onceKey` is there already, or if more than
 * `incomingPerHour` came from the customer.
 */
export async function addToOrderThread(tx: Tx, order: ThreadOrder, reply: NewReply): Promise<number | undefined> {
  const { at } = reply
  return addTo(tx, await openRequest(tx, order, at), reply)
}

/**
 * Assigns an order's open messages to a staff member, or to no one. Without open messages, it opens a thread, which is
 * closed once no one has it. The caller has called `requireAssignable`.
 */
export async function assignOrderThread(tx: Tx, by: Actor, order: ThreadOrder, { to, at }: Assignment): Promise<void> {
  await queueUp(tx)
  const open = await lockOpenRequestsOfOrder(tx, orderNumber(order.id))
  const requests = open.length === 0 && to !== null ? [{ ...(await openForStaff(tx, order, at)), isEmpty: true }] : open
  for (const { id, isEmpty } of await assignLocked(tx, by, requests, { to, at }))
    if (to === null && isEmpty) await updateToClosed(tx, { id, by: by.name, at, from: ['open'] })
}

/** Opens an order's thread without marking it as needing a reply. */
async function openForStaff(tx: Tx, order: ThreadOrder, at: Temporal.Instant) {
  const request = await openRequest(tx, order, at)
  await updateWaiting(tx, request.id, null)
  return request
}

/**
 * Adds a staff message to a customer's open general thread, creating one if necessary. Returns the message id, and
 * whether the customer started the thread; undefined if `onceKey` already exists.
 */
export async function addToCustomerThread(
  tx: Tx,
  { name, email }: { name: string; email: string },
  reply: Omit<NewReply, 'kind' | 'channel'>,
): Promise<{ replyId: number; isAnswer: boolean } | undefined> {
  await queueUp(tx)
  const { at } = reply
  const found = await lockOpenRequestFrom(tx, email)
  const request = found ?? {
    isAnswer: false,
    ...(await beginThread(tx, { name, email, orderNumber: null, subject: customerSubject, at })),
  }
  const replyId = await addTo(tx, request, { ...reply, kind: 'out', channel: 'email' })
  return replyId === undefined ? undefined : { replyId, isAnswer: request.isAnswer }
}

/** The subject of a thread that staff begin without an order. */
const customerSubject = 'Message from our team'

async function addTo(
  tx: Tx,
  request: { id: number; assignedTo: string | null },
  reply: NewReply,
): Promise<number | undefined> {
  const { kind, at, assignTo } = reply
  const isIncoming = kind === 'in'
  if (isIncoming && (await countIncoming(tx, request.id, at.subtract({ hours: 1 }))) >= incomingPerHour)
    return undefined
  const replyId = await insertReply(tx, { ...reply, requestId: request.id })
  if (replyId === undefined) return undefined
  await updateWaiting(tx, request.id, isIncoming ? at : null)
  if (request.assignedTo === null && assignTo !== null) await updateAssigned(tx, request.id, assignTo)
  return replyId
}

/** Returns the locked and open request to continue, creating one if there is no conversation yet. */
async function openRequest(
  tx: Tx,
  order: ThreadOrder,
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
  const { firstName, lastName, email } = order
  return beginThread(tx, {
    name: `${firstName} ${lastName}`,
    email,
    orderNumber: number,
    subject: `Order ${number}`,
    at,
  })
}

/**
 * Creates a thread that doesn't need a reply. There is at most one open thread per order and email, or per email
 * without an order.
 */
async function beginThread(
  tx: Tx,
  {
    name,
    email,
    orderNumber: number,
    subject,
    at,
  }: { name: string; email: string; orderNumber: string | null; subject: string; at: Temporal.Instant },
): Promise<{ id: number; assignedTo: null }> {
  const about = number === null ? 'customer thread' : `order thread\n${number}`
  const id = await insertRequest(tx, {
    kind: 'contact',
    name: name.slice(0, 60),
    email,
    phone: null,
    orderNumber: number,
    subject,
    message: '',
    quantity: null,
    vehicle: null,
    size: null,
    brand: null,
    said: createHash('sha256').update(`${about}\n${email.toLowerCase()}`).digest(),
    networkKey: null,
    at,
  })
  if (id === undefined) throw new Error(`The thread "${subject}" is open, and was not found.`)
  return { id, assignedTo: null }
}
