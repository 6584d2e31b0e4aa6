/** Queries for shoppers' replies about their appointments. */
import type { Database, Tx } from '#platform/db.ts'
import type { AppointmentReply, LateMinutes, ReplyInput, ReplyKind } from './appointment-replies.ts'

type Booked = { id: string; start: Temporal.Instant }

/** Returns the latest reply about an appointment's current time, with its number; undefined if there is no reply. */
export async function selectReply(
  db: Database,
  { id, start }: Booked,
): Promise<(AppointmentReply & { replyNo: number }) | undefined> {
  const row = await db
    .selectFrom('appointment_reply')
    .select(['reply_no', 'kind', 'minutes_late', 'starts_at', 'replied_at'])
    .where('booking_id', '=', id)
    .orderBy('reply_no', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row?.starts_at.equals(start)) return undefined
  return {
    replyNo: row.reply_no,
    kind: row.kind as ReplyKind,
    minutesLate: row.minutes_late as LateMinutes | null,
    at: row.replied_at,
  }
}

/** Counts all words about an appointment, those about earlier times included. */
export async function countReplies(db: Database, bookingId: string): Promise<number> {
  const { count } = await db
    .selectFrom('appointment_reply')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('booking_id', '=', bookingId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Writes a word down as the last one. The caller has locked the order. */
export async function insertReply(
  tx: Tx,
  { id, start }: Booked,
  reply: ReplyInput & { replyNo: number; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('appointment_reply')
    .values({
      booking_id: id,
      reply_no: reply.replyNo,
      starts_at: start,
      kind: reply.kind,
      minutes_late: reply.kind === 'late' ? reply.minutesLate : null,
      replied_at: reply.at,
    })
    .execute()
}
