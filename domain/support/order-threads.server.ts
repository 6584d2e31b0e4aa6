/**
 * The threads of orders and customers: what staff and a customer write to each other about one order or about none. They
 * are requests, so that they are also among the messages to answer. `domain/order-conversations` decides who may write.
 */
import { createHash } from 'node:crypto'
import { orderNumber } from '#domain/orders/orders.ts'
import {
  lockOpenRequestFrom,
  lockRequestOfOrder,
  selectRepliesOfOrder,
  selectRequestsOfOrder,
  type OrderReply,
} from '#domain/support/order-threads.sql.server.ts'
import { incomingPerHour } from '#domain/support/support.ts'
import type { Database, Tx } from '#platform/db.ts'
import { insertRequest, queueUp, type SupportRequest } from './support.sql.server.ts'
import {
  countIncoming,
  insertReply,
  updateAssigned,
  updateToOpen,
  updateWaiting,
  type ReplyChannel,
} from './threads.sql.server.ts'

export type { OrderReply } from '#domain/support/order-threads.sql.server.ts'

const mostRequests = 20
const mostReplies = 200

/** What was written about an order: the last requests that name it, and the last replies to them, each oldest first. */
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

/** Whether a customer has texted about their order: then staff answer what they were asked. */
export function hasTexted(replies: readonly OrderReply[]): boolean {
  return replies.some(({ kind, channel }) => kind === 'in' && channel === 'text')
}

/** The customer whose thread it is. */
export type ThreadOrder = { id: number; firstName: string; lastName: string; email: string }

/** A message to put into a thread. `assignTo`: who looks after the thread from now on, unless someone does. */
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
 * Adds a message to the thread of an order, which is opened again if it was closed, and begun if there is none. It waits
 * for an answer after a message of the customer. Returns the id of the message; undefined if `onceKey` is there already,
 * or if more than `incomingPerHour` came from the customer.
 */
export async function addToOrderThread(tx: Tx, order: ThreadOrder, reply: NewReply): Promise<number | undefined> {
  const { at } = reply
  return addTo(tx, await openRequest(tx, order, at), reply)
}

/**
 * Adds a message of staff to the open thread of a customer that is about no order, and begins one if there is none.
 * Returns the id of the message and whether the customer began the thread; undefined if `onceKey` is there already.
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

/** The request to go on in, locked and open; a new one where the customer never wrote and nobody wrote to them. */
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

/** Begins a thread, which waits for no answer. Of open threads there is one for each order and email, or email alone. */
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
