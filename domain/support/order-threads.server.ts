/**
 * The threads of orders: what staff and customers write to each other about one order. They are requests that name the
 * order, so that they are also among the messages to answer. `domain/order-conversations` decides who may write.
 */
import { createHash } from 'node:crypto'
import { orderNumber } from '#domain/orders/orders.ts'
import {
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
  const { kind, at, assignTo } = reply
  const request = await openRequest(tx, order, at)
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
