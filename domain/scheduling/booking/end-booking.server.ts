/** How an appointment ends at the shop, and the code with which its shopper claims it. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { Actor, Booking } from './booking.ts'
import { selectBooking, updateState } from './booking.sql.server.ts'
import { makingSecret, someSecret, type Secrets } from '#platform/secrets.ts'

/** Finds a booking by its id. */
export function findBooking(db: Database, bookingId: string): Promise<Booking | undefined> {
  return selectBooking(db, { bookingId })
}

/**
 * Ends a confirmed appointment in the caller's transaction as done, missed, or canceled by the shop. Returns false if
 * it is no longer confirmed.
 */
export function endBooking(
  { db, clock }: { db: Tx; clock: Clock },
  {
    bookingId,
    to,
    actor,
    memberId,
    note,
  }: { bookingId: string; to: 'done' | 'no-show' | 'canceled'; actor: Actor; memberId?: string | null; note?: string },
): Promise<boolean> {
  return updateState(db, { id: bookingId, from: 'confirmed', to }, { now: clock.now(), actor, memberId, note })
}

/**
 * The six digits with which a shopper shows the shop that the appointment is theirs: an HMAC cut short as RFC 4226 has it.
 * They are stored nowhere.
 */
export function claimCodeOf(secret: Secrets, bookingId: string): string {
  const mac = createHmac('sha256', makingSecret(secret)).update(`claim-code\n${bookingId}`).digest()
  // 48 bits: the remainder favors no code by more than one in a hundred million.
  return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

/** Whether six digits are the claim code of an appointment, in the same time whatever they are. */
export function isClaimCode(secret: Secrets, bookingId: string, code: string): boolean {
  return someSecret(secret, (each) => {
    const [given, right] = [Buffer.from(code), Buffer.from(claimCodeOf(each, bookingId))]
    return given.length === right.length && timingSafeEqual(given, right)
  })
}

/** The bookings that orders ever had. */
export async function bookingIdsOf(db: Database, orderIds: readonly number[]): Promise<string[]> {
  if (orderIds.length === 0) return []
  const rows = await db.selectFrom('booking').select('id').where('order_id', 'in', orderIds).execute()
  return rows.map(({ id }) => id)
}
