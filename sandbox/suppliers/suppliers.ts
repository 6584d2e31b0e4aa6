/** The suppliers on a purchasing network. Each receives an order, answers it some seconds later, and ships it. */
import { newId } from '../ids.ts'
import type { Collection, Store } from '../store.ts'
import { takeUnits, unitsOf, type Wholesale } from './wholesale.ts'
import {
  confirmationDocument,
  shipNoticeDocument,
  type LineAnswer,
  type OrderLine,
  type ReadOrder,
} from './documents.ts'

export type SupplierOrder = Omit<ReadOrder, 'secret' | 'withdraws' | 'type'> & {
  /** How it came, and is answered. */
  channel: ChannelName
  state: 'taken' | 'accepted' | 'rejected' | 'shipped' | 'withdrawn'
  receivedAt: string
  /** How often the same message came. */
  times: number
  /** The answer, once it is given. */
  answered?: LineAnswer[]
}

export type ChannelName = 'cxml' | 'edi'

/** How suppliers answer orders. */
export type SupplierChannel = {
  confirm(
    order: SupplierOrder,
    answer: {
      confirmId: string
      type: Parameters<typeof confirmationDocument>[1]['type']
      lines: LineAnswer[]
      deliveryOn: Temporal.PlainDate
      words: string | null
      substitute?: string
    },
  ): void
  ship(order: SupplierOrder, notice: { shipmentId: string; lines: OrderLine[]; deliveryOn: Temporal.PlainDate }): void
}

/** A document on its way to the store, until it answers 2xx or the attempts are used up. */
export type SupplierPost = { id: string; about: string; body: string; attempts: number; lastAnswer: string | null }

export type Suppliers = {
  readonly orders: Collection<SupplierOrder>
  readonly posts: Collection<SupplierPost>
  readonly secret: string
  readonly stallSeconds: number
  now(): Temporal.Instant
  /** Saves a new order, or counts a repeated one. Returns undefined if another message has its number. */
  take(order: ReadOrder & { channel?: ChannelName }): SupplierOrder | undefined
  /** Cancels an order. Returns false if it doesn't exist or has shipped. */
  withdraw(payloadId: string): boolean
  /** Runs an order's next step. The supplier answers it and then ships it. */
  advance(order: SupplierOrder): void
  postDue(): Promise<void>
}

/** Names of recipients for which a supplier misbehaves or refuses. */
export const supplierNames = {
  down: 'Supplier Down',
  slow: 'Supplier Slow',
  refuses: 'Supplier Refuses',
  rejects: 'Supplier Rejects',
  backorders: 'Supplier Backorders',
  partly: 'Supplier Partly',
  twice: 'Supplier Twice',
  changes: 'Supplier Changes',
  substitutes: 'Supplier Substitutes',
  silent: 'Supplier Silent',
} as const
/** Of one tire in an order that is filled completely or not at all, this many are backordered, and this many rejected. */
export const [backorderedFrom, rejectedFrom] = [9, 12]

const maxAttempts = 10
const answerAfterSeconds = 2

export function openSuppliers({
  store,
  now,
  secret,
  callbackSecret,
  url,
  paceSeconds,
  stallSeconds,
  edi,
  wholesale,
}: {
  store: Store
  now: () => Temporal.Instant
  secret: string
  callbackSecret: string
  url: string | null
  paceSeconds: number
  stallSeconds: number
  edi: SupplierChannel
  /** The stock of suppliers that list their parts, which limits what they accept. */
  wholesale: Wholesale
}): Suppliers {
  const { orders, numbers, posts } = collectionsOf(store)
  const advance = answering({ orders, posts, now, callbackSecret, url, paceSeconds, edi, wholesale })

  return {
    orders,
    posts,
    secret,
    stallSeconds,
    now,
    advance,
    take({ payloadId, orderId, orderDate, buyer, supplier, name, isWhole, lines, channel = 'cxml' }) {
      const before = orders.get(payloadId)
      if (before) {
        orders.put(payloadId, { ...before, times: before.times + 1 })
        return before
      }
      const number = `${supplier} ${orderId}`
      if (numbers.get(number) !== undefined) return undefined
      numbers.put(number, payloadId)
      const order = { payloadId, orderId, orderDate, buyer, supplier, name, isWhole, lines, channel }
      const taken: SupplierOrder = { ...order, state: 'taken', receivedAt: now().toString(), times: 1 }
      const isSilent = name === supplierNames.silent
      orders.put(payloadId, taken, isSilent ? null : now().add({ seconds: answerAfterSeconds }))
      return taken
    },
    withdraw(payloadId) {
      const order = orders.get(payloadId)
      if (!order || order.state === 'shipped') return false
      if (order.state === 'accepted') moveStock(wholesale, order, -1)
      orders.put(payloadId, { ...order, state: 'withdrawn' }, null)
      return true
    },
    async postDue() {
      if (url === null) return
      for (let due = posts.nextDue(now()); due; due = posts.nextDue(now())) {
        const attempts = due.body.attempts + 1
        const lastAnswer = await send(url, due.body.body)
        const isOver = lastAnswer === '200' || attempts >= maxAttempts
        posts.put(
          due.id,
          { ...due.body, attempts, lastAnswer },
          isOver ? null : now().add({ seconds: Math.min(2 ** attempts, 900) }),
        )
      }
    },
  }
}

type Answering = {
  orders: ReturnType<typeof collectionsOf>['orders']
  posts: ReturnType<typeof collectionsOf>['posts']
  now: () => Temporal.Instant
  callbackSecret: string
  url: string | null
  paceSeconds: number
  edi: SupplierChannel
  wholesale: Wholesale
}

function collectionsOf(store: Store) {
  return {
    orders: store.collection<SupplierOrder>('supplier-order'),
    numbers: store.collection<string>('supplier-order-number'),
    posts: store.collection<SupplierPost>('supplier-post'),
  }
}

/** Returns the functions that advance an order with its confirmation, its ship notice, and repeated messages. */
function answering({ orders, posts, now, callbackSecret, url, paceSeconds, edi, wholesale }: Answering) {
  function post(about: string, body: string): void {
    const id = newId('sp_')
    if (url !== null) posts.put(id, { id, about, body, attempts: 0, lastAnswer: null }, now())
  }

  const envelope = ({ buyer, supplier }: SupplierOrder) => ({
    id: `${newId('msg_')}@sandbox`,
    at: now(),
    buyer,
    supplier,
    secret: callbackSecret,
  })
  const cxml: SupplierChannel = {
    confirm: (order, answer) => post(order.orderId, confirmationDocument(envelope(order), { order, ...answer })),
    ship: (order, notice) => post(order.orderId, shipNoticeDocument(envelope(order), { order, ...notice })),
  }
  const channelOf = ({ channel }: SupplierOrder) => (channel === 'edi' ? edi : cxml)
  const deliveryOn = () => now().toZonedDateTimeISO('America/Chicago').toPlainDate().add({ days: 2 })

  function confirm(order: SupplierOrder, lines: LineAnswer[]): SupplierOrder['state'] {
    const canShip = lines.some(({ filled }) => filled > 0)
    const isFilled = lines.every(({ filled, quantity }) => filled === quantity)
    const isBackordered = lines.some(({ backordered }) => backordered > 0)
    const isRejected = lines.every(({ rejected, quantity }) => rejected === quantity)
    const answer: Parameters<SupplierChannel['confirm']>[1] = {
      confirmId: `C-${order.orderId}`,
      // An order that comes in parts is answered by line, with the day of each.
      type: !order.isWhole
        ? 'detail'
        : isFilled
          ? 'accept'
          : isRejected
            ? 'reject'
            : isBackordered
              ? 'backordered'
              : 'except',
      lines: order.channel === 'cxml' && order.isWhole && (isFilled || isRejected) ? [] : lines,
      deliveryOn: deliveryOn(),
      words: isFilled ? null : 'Stock is short in this warehouse.',
      ...(order.name === supplierNames.substitutes && { substitute: 'OTHER-TIRE' }),
    }
    channelOf(order).confirm(order, answer)
    if (order.name === supplierNames.twice) {
      channelOf(order).confirm(order, answer)
      confirmAgain(order)
    }
    return isFilled || (canShip && !order.isWhole) ? 'accepted' : 'rejected'
  }

  function confirmAgain(order: SupplierOrder, type: 'accept' | 'reject' = 'accept'): void {
    const lines = order.channel === 'edi' ? order.lines.map(answerOf(type === 'accept' ? 'filled' : 'rejected')) : []
    const again = { confirmId: `C-${order.orderId}`, lines, deliveryOn: deliveryOn(), words: null }
    channelOf(order).confirm(order, { ...again, type })
  }

  function advance(order: SupplierOrder): void {
    if (order.state === 'taken') {
      const answered = answersTo(order, wholesale)
      const state = confirm(order, answered)
      if (order.name === supplierNames.changes) confirmAgain(order, 'reject')
      const willShip = state === 'accepted' && paceSeconds > 0
      const after = { ...order, state, answered }
      if (state === 'accepted') moveStock(wholesale, after, 1)
      orders.put(order.payloadId, after, willShip ? now().add({ seconds: paceSeconds }) : null)
    } else if (order.state === 'accepted') {
      const lines = (order.answered ?? order.lines.map(answerTo(order))).flatMap(({ filled, ...line }) =>
        filled > 0 ? [{ ...line, quantity: filled }] : [],
      )
      channelOf(order).ship(order, { shipmentId: newId('SHIP-', 12), lines, deliveryOn: deliveryOn() })
      orders.put(order.payloadId, { ...order, state: 'shipped' }, null)
    }
  }

  return advance
}

const answerOf = (all: 'filled' | 'rejected') => (line: OrderLine) => ({
  ...line,
  filled: 0,
  rejected: 0,
  backordered: 0,
  [all]: line.quantity,
})

/** Returns a supplier's answer by its stock, if it lists the part, and otherwise by `answerTo`. */
function answersTo(order: SupplierOrder, wholesale: Wholesale): LineAnswer[] {
  return order.lines.map((line) => {
    const answer = answerTo(order)(line)
    const units = line.part === undefined ? undefined : unitsOf(wholesale, order.supplier, line.part)
    if (units === undefined || units >= answer.filled) return answer
    return order.isWhole
      ? { ...line, filled: 0, backordered: 0, rejected: line.quantity }
      : { ...answer, filled: units, backordered: answer.backordered + answer.filled - units }
  })
}

/** Subtracts an order's filled units from the supplier's stock, or adds them (-1). */
function moveStock(wholesale: Wholesale, { supplier, answered = [] }: SupplierOrder, sign: 1 | -1): void {
  for (const { part, filled } of answered)
    if (part !== undefined) takeUnits(wholesale, supplier, { part, units: sign * filled })
}

/** Returns a supplier's answer for a line, determined by the recipient's name and the quantity. */
function answerTo({ name, isWhole }: Pick<SupplierOrder, 'name' | 'isWhole'>): (line: OrderLine) => LineAnswer {
  return (line) => {
    const all = { ...line, filled: 0, rejected: 0, backordered: 0 }
    const { quantity } = line
    if (name === supplierNames.partly) {
      const rejected = Math.ceil(quantity / 2)
      return { ...all, rejected, filled: quantity - rejected }
    }
    if (name === supplierNames.rejects || (isWhole && quantity >= rejectedFrom)) return { ...all, rejected: quantity }
    if (name === supplierNames.backorders || (isWhole && quantity >= backorderedFrom))
      return { ...all, backordered: quantity }
    return { ...all, filled: quantity }
  }
}

async function send(url: string, body: string): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'text/xml; charset=utf-8' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    return error instanceof Error ? error.message : 'failed'
  }
}
