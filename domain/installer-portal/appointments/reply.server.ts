/** Records a shopper's reply about their appointment (coming, late, or not coming) and sends it to the shop. */
import { notifyShop } from '#domain/installer-portal/team-emails/team-emails.server.ts'
import {
  lockOrder,
  readOrder,
  countReplies,
  insertReply,
  selectReply,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { canReply, mostReplies, seenAppointment, stageOf, type AppointmentStage } from './appointments.ts'
import { type AppointmentReply, type ReplyInput } from '#domain/ordering/orders/orders.ts'

export type AppointmentDeps = { db: Database; clock: Clock }

/**
 * `stale` means that the page showed an outdated appointment. `not-now` means that no reply is possible at this time.
 */
export type ReplyRefusal = Refused<'not-found'> | Refused<'stale'> | Refused<'not-now'>

/** The last word about an order's appointment, and where the appointment is with it. */
export async function readStage(
  { db, clock }: AppointmentDeps,
  order: OrderView,
): Promise<{ stage: AppointmentStage; reply: AppointmentReply | null }> {
  const reply = order.booking ? ((await selectReply(db, order.booking)) ?? null) : null
  return { stage: stageOf(order, reply, clock.now()), reply }
}

/**
 * Records the shopper's reply about the appointment identified by `seen`. Idempotent. A shop with people in the portal
 * is mailed when they come late or not at all, and when they are on time after all.
 */
export function replyToAppointment(
  deps: AppointmentDeps,
  { orderId, seen, reply }: { orderId: number; seen: string; reply: ReplyInput },
): Promise<Outcome<{ isNew: boolean }, ReplyRefusal>> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await lockOrder(tx, orderId))) return refused('not-found')
    const order = await readOrder(tx, orderId)
    const booking = order?.booking
    if (!order || !booking) return refused('not-found')
    if (seenAppointment(booking) !== seen) return refused('stale')
    const last = await selectReply(tx, booking)
    if (last && isSame(last, reply)) return ok({ isNew: false })
    const now = deps.clock.now()
    const stage = stageOf(order, last ?? null, now)
    if (!canReply(stage, reply.kind, { start: booking.start, now })) return refused('not-now')
    const replyNo = (await countReplies(tx, booking.id)) + 1
    if (replyNo > mostReplies) return refused('not-now')
    await insertReply(tx, booking, { ...reply, replyNo, at: now })
    if (reply.kind !== 'coming' || last) await tellShop(tx, order, { bookingId: booking.id, replyNo, at: now })
    return ok({ isNew: true })
  })
}

async function tellShop(
  tx: Tx,
  { id: orderId, shop }: OrderView,
  { bookingId, replyNo, at }: { bookingId: string; replyNo: number; at: Temporal.Instant },
): Promise<void> {
  if (!shop) return
  const news = { event: 'late', kind: 'shop-appointment-news', key: `${bookingId}:${replyNo}` } as const
  await notifyShop(tx, { ...news, shopId: shop.id, orderId, at })
}

function isSame(last: AppointmentReply, reply: ReplyInput): boolean {
  return last.kind === reply.kind && last.minutesLate === (reply.kind === 'late' ? reply.minutesLate : null)
}
