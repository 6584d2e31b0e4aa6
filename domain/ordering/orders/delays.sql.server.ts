/** Queries for delayed orders, their notices and their answers. */
import { sql } from 'kysely'
import type { DelayAnswer, Slip } from './delays.ts'
import { orderTimeZone } from './order-view.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'

export type AppointmentOutcome = 'none' | 'kept' | 'moved' | 'freed'

/** One delay notice and its outcome. */
export type DelayNotice = Slip & {
  orderId: number
  noticeNo: number
  answerBy: Temporal.PlainDate
  onSilence: 'wait' | 'cancel'
  appointment: AppointmentOutcome
  answer: DelayAnswer | null
  answeredBy: string | null
  staffSince: Temporal.Instant | null
}

const onItsWay = sql`('processed', 'pending-pickup', 'in-transit')`
const lastNotice = sql`
  left join lateral (select promised_on, revised_on from delay_notice where order_id = o.id order by notice_no desc limit 1) told on true`

/**
 * Selects charged orders with a parcel that misses its promised day, the oldest promise first. Must match `slipOf`,
 * which computes the change.
 */
export async function selectSlipped(db: Database, now: Temporal.Instant, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id::int as id from shipment h join sales_order o on o.id = h.order_id ${lastNotice},
      lateral (select (${now.toString()}::timestamptz at time zone ${orderTimeZone})::date as day) today
    where h.state in ${onItsWay} and o.state = 'confirmed' and o.released_at is not null
      -- What waits for its buyer at our counter is not late.
      and not exists (select from warehouse_pickup p where p.order_id = o.id and p.ready_at is not null)
      and case when told.promised_on is not null and told.revised_on is null then h.expected_on >= today.day and h.expected_on > told.promised_on
        else greatest(h.expected_on, today.day) > coalesce(told.revised_on, h.promised_on)
          and (today.day > coalesce(told.revised_on, h.promised_on) or h.expected_on >= today.day) end
    group by o.id order by min(h.promised_on), o.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function insertNotice(
  tx: Tx,
  notice: Omit<DelayNotice, 'answer' | 'answeredBy' | 'staffSince'> & { toldAt: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('delay_notice')
    .values({
      order_id: notice.orderId,
      notice_no: notice.noticeNo,
      promised_on: notice.promisedOn.toString(),
      revised_on: notice.revisedOn?.toString() ?? null,
      told_at: notice.toldAt,
      answer_due_on: notice.answerBy.toString(),
      on_silence: notice.onSilence,
      appointment: notice.appointment,
    })
    .execute()
}

const noticeColumns = [
  'order_id',
  'notice_no',
  'promised_on',
  'revised_on',
  'answer_due_on',
  'on_silence',
  'appointment',
  'answer',
  'answered_by',
  'staff_since',
] as const

/** Returns the latest delay notice of an order, or undefined. */
export async function selectLastNotice(db: Database, orderId: number): Promise<DelayNotice | undefined> {
  const row = await db
    .selectFrom('delay_notice')
    .select(noticeColumns)
    .where('order_id', '=', orderId)
    .orderBy('notice_no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (
    row && {
      orderId: row.order_id,
      noticeNo: row.notice_no,
      promisedOn: Temporal.PlainDate.from(row.promised_on),
      revisedOn: row.revised_on === null ? null : Temporal.PlainDate.from(row.revised_on),
      answerBy: Temporal.PlainDate.from(row.answer_due_on),
      onSilence: row.on_silence as DelayNotice['onSilence'],
      appointment: row.appointment as AppointmentOutcome,
      answer: row.answer as DelayAnswer | null,
      answeredBy: row.answered_by,
      staffSince: row.staff_since,
    }
  )
}

/** Stores the answer to a notice. With `staffSince`, staff must complete it. A canceled one stays so. */
export async function updateAnswer(
  tx: Tx,
  { orderId, noticeNo }: Pick<DelayNotice, 'orderId' | 'noticeNo'>,
  change: { answer: DelayAnswer; by: string; at: Temporal.Instant; staffSince?: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('delay_notice')
    .set({
      answer: change.answer,
      answered_by: change.by,
      answered_at: change.at,
      ...(change.staffSince && { staff_since: change.staffSince }),
    })
    .where('order_id', '=', orderId)
    .where('notice_no', '=', noticeNo)
    .where((eb) => eb.or([eb('answer', 'is', null), eb('answer', '<>', 'cancel')]))
    .execute()
}

/** Selects orders with a newest notice that wasn't answered by the end of its day at the destination. */
export async function selectUnanswered(db: Database, now: Temporal.Instant, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id::int as id from delay_notice n join sales_order o on o.id = n.order_id
    where n.answer is null and n.answer_due_on < (${now.toString()}::timestamptz at time zone ${orderTimeZone})::date
      and not exists (select from delay_notice later where later.order_id = n.order_id and later.notice_no > n.notice_no)
    order by n.answer_due_on, o.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Selects delayed orders that need staff, for a manual refund or a released appointment, oldest first. */
export async function selectForStaff(
  db: Database,
  limit: number,
): Promise<{ orderId: number; isRefund: boolean; since: Temporal.Instant }[]> {
  const rows = await db
    .selectFrom('delay_notice')
    .innerJoin('sales_order', 'sales_order.id', 'delay_notice.order_id')
    .select((eb) => ['order_id as orderId', 'staff_since', eb.fn.coalesce('staff_since', 'told_at').as('since')])
    .where('sales_order.state', '=', 'confirmed')
    .where((eb) =>
      eb.or([
        eb('staff_since', 'is not', null),
        eb.and([
          eb('appointment', '=', 'freed'),
          eb.not(
            eb.exists(
              eb
                .selectFrom('booking')
                .select('booking.id')
                .whereRef('booking.order_id', '=', 'delay_notice.order_id')
                .where('booking.state', 'in', ['confirmed', 'done']),
            ),
          ),
        ]),
      ]),
    )
    .orderBy('since')
    .limit(limit)
    .execute()
  return rows.map(({ orderId, staff_since: staffSince, since }) => ({ orderId, isRefund: staffSince !== null, since }))
}
