/** The statements that write a job's pay and read it with what corrects it. */
import { sql, type RawBuilder } from 'kysely'
import type { Job } from '#domain/scheduling/installers/installers.ts'
import type { PayLine, WeekTotal } from './statement.ts'
import type { Database, Tx } from '#platform/db.ts'

/** Tires at the rate of their job and rim, or a service without tires at its price. */
export type NewPayLine = { quantity: number; description: string; rateCents: number } & (
  | { job: Job; rimIn: number; service: null }
  | { job: null; rimIn: null; service: string }
)

/** Writes a job's pay with its lines; returns false if its appointment has one already. */
export async function insertJobPay(
  tx: Tx,
  pay: {
    id: string
    bookingId: string
    kind: string
    shopId: number
    orderId: number
    at: Temporal.Instant
    day: Temporal.PlainDate
    dueAt: Temporal.Instant
    disputeUntil: Temporal.Instant
    amountCents: number
    lines: readonly NewPayLine[]
  },
): Promise<boolean> {
  const added = await sql<{ id: string }>`
    insert into job_pay (id, booking_id, kind, shop_id, order_id, at, on_day, due_at, dispute_until, amount_cents)
    values (${pay.id}, ${pay.bookingId}, ${pay.kind}, ${pay.shopId}, ${pay.orderId}, ${pay.at}, ${pay.day}::date, ${pay.dueAt},
      ${pay.disputeUntil}, ${pay.amountCents})
    on conflict (booking_id) do nothing returning id`.execute(tx)
  if (added.rows.length === 0) return false
  for (const [index, line] of pay.lines.entries())
    await sql`
      insert into job_pay_line (job_pay_id, line_no, quantity, description, job, rim_in, service, rate_cents)
      values (${pay.id}, ${index + 1}, ${line.quantity}, ${line.description}, ${line.job}, ${line.rimIn}, ${line.service}, ${line.rateCents})`.execute(
      tx,
    )
  return true
}

export async function selectJobPayOfBooking(
  db: Database,
  bookingId: string,
): Promise<{ jobPayId: string; kind: string; amountCents: number } | undefined> {
  const result = await sql<{ jobPayId: string; kind: string; amountCents: number }>`
    select id as "jobPayId", kind, amount_cents as "amountCents" from job_pay where booking_id = ${bookingId}::uuid`.execute(
    db,
  )
  return result.rows[0]
}

/** An appointment's payout with its lines. */
type StoredJobPay = {
  bookingId: string
  kind: 'finished' | 'no-show'
  dueAt: Temporal.Instant
  amountCents: number
  lines: { quantity: number; description: string; rateCents: number }[]
}

/** Selects payouts of these appointments by id; appointments without a payout are omitted. */
export async function selectJobPays(db: Database, bookingIds: readonly string[]): Promise<Map<string, StoredJobPay>> {
  const result = await sql<StoredJobPay>`
    select booking_id as "bookingId", kind, due_at as "dueAt", amount_cents as "amountCents",
      coalesce((select json_agg(json_build_object('quantity', quantity, 'description', description, 'rateCents', rate_cents) order by line_no)
        from job_pay_line line where line.job_pay_id = job_pay.id), '[]') as lines
    from job_pay where booking_id = any(${[...bookingIds]}::uuid[])`.execute(db)
  return new Map(result.rows.map((row) => [row.bookingId, row]))
}

/** Selects statement lines (jobs, fees and approved adjustments) from a day until another (exclusive), in order. */
export async function selectPayLines(
  db: Database,
  { shopId, from, until }: { shopId: number; from: Temporal.PlainDate; until: Temporal.PlainDate },
): Promise<PayLine[]> {
  const result = await sql<PayLine>`
    select pay.id, pay.kind, pay.on_day::text as day, pay.at, pay.order_id as "orderId", pay.booking_id as "bookingId", '' as words,
      coalesce((select json_agg(json_strip_nulls(json_build_object('quantity', quantity, 'description', description, 'rateCents', rate_cents, 'isService', nullif(service is not null, false))) order by line_no)
        from job_pay_line line where line.job_pay_id = pay.id), '[]') as tires,
      pay.due_at as "dueAt", pay.dispute_until as "disputeUntil", dispute.state as dispute, transfer.state as transfer, pay.amount_cents as "amountCents"
    from job_pay pay
    left join pay_dispute dispute on dispute.job_pay_id = pay.id
    left join pay_transfer_item item on item.job_pay_id = pay.id
    left join pay_transfer transfer on transfer.id = item.transfer_id
    where pay.shop_id = ${shopId}::int and pay.on_day >= ${from}::date and pay.on_day < ${until}::date
    union all
    select adjustment.id, adjustment.kind, adjustment.on_day::text, adjustment.decided_at, pay.order_id, pay.booking_id, adjustment.reason, '[]'::json,
      null, adjustment.dispute_until, dispute.state, transfer.state, adjustment.amount_cents
    from pay_adjustment adjustment left join job_pay pay on pay.id = adjustment.job_pay_id
    left join pay_dispute dispute on dispute.adjustment_id = adjustment.id
    left join pay_transfer_item item on item.adjustment_id = adjustment.id
    left join pay_transfer transfer on transfer.id = item.transfer_id
    where adjustment.shop_id = ${shopId}::int and adjustment.on_day >= ${from}::date and adjustment.on_day < ${until}::date
    order by at, id`.execute(db)
  return result.rows
}

/** What each week of a shop came to, by its Monday, newest first. */
export async function selectWeekTotals(db: Database, shopId: number): Promise<WeekTotal[]> {
  const result = await sql<WeekTotal>`
    select (on_day - (extract(isodow from on_day)::int - 1))::text as week, sum(amount_cents)::int as cents
    from (
      select on_day, amount_cents from job_pay where shop_id = ${shopId}::int
      union all select on_day, amount_cents from pay_adjustment where shop_id = ${shopId}::int and state = 'approved') entry
    group by 1 order by 1 desc`.execute(db)
  return result.rows
}

/** A shop's totals since a day. Sent amounts are less reversals, as on Form 1099. */
export type ShopYear = { jobs: number; jobsCents: number; adjustmentsCents: number; sentCents: number }

export async function selectShopYear(
  db: Database,
  { shopId, from, since }: { shopId: number; from: Temporal.PlainDate; since: Temporal.Instant },
): Promise<ShopYear> {
  const result = await sql<ShopYear>`
    select count(*)::int as jobs, coalesce(sum(amount_cents), 0)::int as "jobsCents",
      (select coalesce(sum(a.amount_cents), 0)::int from pay_adjustment a
        where a.shop_id = ${shopId}::int and a.state = 'approved' and a.on_day >= ${from}::date) as "adjustmentsCents",
      (coalesce((select sum(t.amount_cents) from pay_transfer t where t.shop_id = ${shopId}::int and t.state = 'sent' and t.sent_at >= ${since}), 0)
        - coalesce((select sum(r.amount_cents) from pay_reversal r where r.shop_id = ${shopId}::int and r.at >= ${since}), 0))::int as "sentCents"
    from job_pay where shop_id = ${shopId}::int and on_day >= ${from}::date`.execute(db)
  const [row] = result.rows
  if (!row) throw new Error(`Shop ${shopId} has no totals.`)
  return row
}

export type Balance = { shopId: number; owedCents: number; sentCents: number; openDisputes: number; proposals: number }

/** Returns each shop's balance (negative if it owes the store), and the amount sent. */
export async function selectBalances(db: Database, shopIds: readonly number[]): Promise<Map<number, Balance>> {
  if (shopIds.length === 0) return new Map()
  const result = await sql<Balance>`
    select shop_id as "shopId", (
        coalesce((select sum(amount_cents) from job_pay where job_pay.shop_id = asked.shop_id), 0)
        + coalesce((select sum(amount_cents) from pay_adjustment a where a.shop_id = asked.shop_id and a.state = 'approved'), 0)
        + coalesce((select sum(amount_cents) from pay_reversal r where r.shop_id = asked.shop_id), 0)
        - coalesce((select sum(amount_cents) from pay_transfer t where t.shop_id = asked.shop_id and t.state <> 'refused'), 0))::int as "owedCents",
      (coalesce((select sum(amount_cents) from pay_transfer t where t.shop_id = asked.shop_id and t.state = 'sent'), 0)
        - coalesce((select sum(amount_cents) from pay_reversal r where r.shop_id = asked.shop_id), 0))::int as "sentCents",
      (select count(*) from pay_dispute d where d.shop_id = asked.shop_id and d.state = 'open')::int as "openDisputes",
      (select count(*) from pay_adjustment a where a.shop_id = asked.shop_id and a.state = 'proposed')::int as proposals
    from unnest(${[...shopIds]}::int[]) as asked (shop_id)`.execute(db)
  return new Map(result.rows.map((row) => [row.shopId, row]))
}

/** Sums each shop's transfers in a year in the store's time zone, less reversals in it. */
export async function selectYearTotals(
  db: Database,
  { from, until, after, limit }: { from: Temporal.Instant; until: Temporal.Instant; after: number; limit: number },
): Promise<{ shopId: number; sentCents: number }[]> {
  const result = await sql<{ shopId: number; sentCents: number }>`
    select shop_id as "shopId", sum(cents)::int as "sentCents" from (
      select shop_id, amount_cents as cents from pay_transfer where state = 'sent' and sent_at >= ${from} and sent_at < ${until}
      union all select shop_id, -amount_cents from pay_reversal where at >= ${from} and at < ${until}) entry
    where shop_id > ${after}::int group by 1 order by 1 limit ${limit}`.execute(db)
  return result.rows
}

/** SQL for an order's installer payout as `cents`; null without payouts. */
export function payOfOrder(orderId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select sum(job_pay.amount_cents) as cents from job_pay where job_pay.order_id = ${orderId}`
}
