/**
 * Customer conversations. Staff write about an order by email or text message, or without an order by email, and text
 * message replies are received.
 */
import { findCustomer } from '#domain/customers/customers/customers.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import {
  addToCustomerThread,
  addToOrderThread,
  assignOrderThread,
  findReplyText,
  hasTexted,
  listOrderThread,
  requireAssignable,
} from '#domain/messaging/support/support.server.ts'
import { longestAnswer, whyNoTexts, type NoTexts } from '#domain/messaging/support/support.ts'
import { findTextOrder, orderOfPhone, promiseText, selectTextsOfOrder } from '#domain/messaging/texts/texts.server.ts'
import { longestText, textNumber, wishOf } from '#domain/messaging/texts/texts.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }
type Channel = 'email' | 'text'

type WriteRefusal =
  | Refused<'not-allowed'>
  | Refused<'order-not-found'>
  | Refused<'no-words'>
  | Refused<'no-texts', { why: NoTexts }>

/**
 * Sends an email or text message to an order's customer, regardless of the last sender. `once` is the form's
 * idempotency key. Refuses an empty message and one longer than the channel takes (`no-words`), and `no-texts` where
 * the customer did not agree to text messages.
 */
export async function writeToCustomer(
  { db, clock }: Deps,
  by: Actor,
  { orderId, channel, body: typed, once }: { orderId: number; channel: Channel; body: string; once: string },
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
    const why = channel === 'text' ? await findWhyNoTexts(tx, orderId) : null
    if (why !== null) return refused('no-texts', { why })
    const onceKey = `${by.name}:${orderId}:${once}`
    const assignTo = by.via === 'office' ? by.name.toLowerCase() : null
    const replyId = await addToOrderThread(tx, order, {
      kind: 'out',
      channel,
      author: by.name,
      body,
      onceKey,
      at,
      assignTo,
    })
    if (replyId === undefined) return ok(null)
    await queueReply(tx, { channel, replyId, order, at })
    const act = channel === 'text' ? 'order.texted' : 'order.emailed'
    await recordAct(tx, { by, act, subject: orderNumber(orderId), at })
    return ok(null)
  })
}

/**
 * Assigns an order to a staff member who answers its messages, or to no one. Refuses `not-staff` for an email that cannot
 * answer messages.
 */
export async function assignOrder(
  { db, clock }: Deps,
  by: Actor,
  { orderId, to }: { orderId: number; to: string | null },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'order-not-found'> | Refused<'not-staff'>>> {
  const assignment = { to, at: clock.now() }
  return db.transaction().execute(async (tx) => {
    const permitted = await requireAssignable(tx, by, assignment)
    if (!permitted.ok) return permitted
    const order = await readOrder(tx, orderId)
    if (!order) return refused('order-not-found')
    await assignOrderThread(tx, by, order, assignment)
    return ok(null)
  })
}

/**
 * Emails a customer outside of an order, regardless of the last sender. It continues their open message to the store,
 * if there is one. `once` is the form's idempotency key. Refuses an empty message and one that is too long
 * (`no-words`).
 */
export async function writeToPerson(
  { db, clock }: Deps,
  by: Actor,
  { customerId, body: typed, once }: { customerId: string; body: string; once: string },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'customer-not-found'> | Refused<'no-words'>>> {
  const body = typed.trim()
  if (body === '' || body.length > longestAnswer) return refused('no-words')
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'requests.answer', at)
    if (!permitted.ok) return permitted
    const customer = isId(customerId) ? await findCustomer({ db: tx }, customerId) : undefined
    if (!customer) return refused('customer-not-found')
    const { id, name, email: given } = customer
    const email = given.toLowerCase()
    const onceKey = `${by.name}:customer ${id}:${once}`
    const assignTo = by.via === 'office' ? by.name.toLowerCase() : null
    const added = await addToCustomerThread(
      tx,
      { name: name ?? given, email },
      { author: by.name, body, onceKey, at, assignTo },
    )
    if (!added) return ok(null)
    const kind = added.isAnswer ? 'support-answer' : 'customer-message'
    await queueMessage(tx, { kind, key: `${kind}:${added.replyId}`, to: email, orderId: null, at })
    await recordAct(tx, { by, act: 'customer.emailed', subject: `customer ${id}`, at })
    return ok(null)
  })
}

/** Why staff can't text the customer of an order now; null if they can. */
export async function findWhyNoTexts(db: Database, orderId: number): Promise<NoTexts | null> {
  const [consent, texts, { replies }] = await Promise.all([
    findTextOrder({ db }, orderId),
    selectTextsOfOrder(db, orderId),
    listOrderThread({ db }, orderId),
  ])
  return whyNoTexts(consent, { texts, hasTexted: hasTexted(replies) })
}

async function queueReply(
  tx: Tx,
  { channel, replyId, order, at }: { channel: Channel; replyId: number; order: OrderView; at: Temporal.Instant },
): Promise<void> {
  if (channel === 'text') await promiseText(tx, { kind: 'staff', key: `staff:${replyId}`, orderId: order.id, at })
  else {
    const kind = 'order-message'
    await queueMessage(tx, { kind, key: `${kind}:${replyId}`, to: order.email, orderId: order.id, at })
  }
}

/**
 * Adds a phone's text message to the thread of the order it last opted in for, and marks the thread as needing a reply.
 * A duplicate delivery is stored once. Provider keywords such as STOP, and messages from unknown phones, aren't
 * replies.
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
    const onceKey = `text:${ref}`
    await addToOrderThread(tx, order, { kind: 'in', channel: 'text', author: phone, body, onceKey, at, assignTo: null })
  })
}

/** Returns the content of a staff text message, and its order's time zone; null if they are gone. */
export async function staffTextContent(
  { db }: Pick<Deps, 'db'>,
  { key, orderId }: { key: string; orderId: number | null },
): Promise<{ body: string; zipZone: string | null } | null> {
  const [body, order] = await Promise.all([
    findReplyText(db, Number(key.slice('staff:'.length))),
    orderId === null ? undefined : readOrder(db, orderId),
  ])
  return body !== undefined && order ? { body, zipZone: order.timeZone } : null
}
