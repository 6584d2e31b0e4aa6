/** Queries for partner rates and commission. */
import { sql } from 'kysely'
import { termAt } from '#domain/kernel/settings/settings.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { WidgetRate } from './commission.ts'

/** Adds a rate to a widget. */
export async function insertRate(
  tx: Tx,
  rate: {
    widgetId: string
    fromDay: Temporal.PlainDate
    commissionBp: number
    at: Temporal.Instant
    by: string
    isFirst: boolean
  },
): Promise<void> {
  await sql`
    insert into widget_rate (widget_id, from_day, commission_bp, set_at, set_by, is_first)
    values (${rate.widgetId}, ${rate.fromDay.toString()}::date, ${rate.commissionBp}::int, ${rate.at.toString()}::timestamptz, ${rate.by}, ${rate.isFirst})`.execute(
    tx,
  )
}

/** Selects widgets' rates in the order they were set, by widget. */
export async function selectRates(db: Database, widgetIds: readonly string[]): Promise<Map<string, WidgetRate[]>> {
  const { rows } = await sql<WidgetRate & { widgetId: string }>`
    select widget_id as "widgetId", from_day::text as "fromDay", commission_bp as "commissionBp", set_at as "setAt", set_by as "setBy"
    from widget_rate where widget_id = any(${widgetIds}::text[]) order by id`.execute(db)
  return Map.groupBy(rows, ({ widgetId }) => widgetId)
}

/** Locks an open widget until the transaction ends; false if it doesn't exist. */
export async function lockWidget(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('partner_widget')
    .select('id')
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export type AttributedOrder = {
  orderId: number
  placedAt: Temporal.Instant
  source: string | null
  isCanceled: boolean
  /** What is left of the tires' prices after cancellations, refunds and returns. */
  tireCents: number
  commissionBp: number
  /** When the last tire was delivered; null before. */
  deliveredAt: Temporal.Instant | null
  /** Commission booked less reversals; null before booking. */
  bookedCents: number | null
}

const attributed = sql`
  select o.id as "orderId", o.placed_at as "placedAt", a.source, o.state = 'canceled' as "isCanceled", a.commission_bp as "commissionBp",
    (select coalesce(sum(l.net_cents - (
        select coalesce(sum(part.net_cents), 0) from order_refund_line part join order_refund refund on refund.id = part.refund_id
        where part.order_id = l.order_id and part.line_no = l.line_no and refund.state <> 'declined')), 0)
      from order_line l where l.order_id = o.id and l.kind = 'tire')::int as "tireCents",
    (select case when bool_and(s.delivered_at is not null) then max(s.delivered_at) end
      from shipment s where s.order_id = o.id and s.state <> 'canceled') as "deliveredAt",
    (select sum(c.cents)::int from partner_commission c where c.order_id = o.id) as "bookedCents"
  from order_attribution a join sales_order o on o.id = a.order_id`

/** The orders of a widget placed since an instant, newest first; or one of them. */
export async function selectAttributed(
  db: Database,
  { widgetId, ...asked }: { widgetId: string } & ({ since: Temporal.Instant } | { orderId: number }),
): Promise<AttributedOrder[]> {
  const those =
    'orderId' in asked
      ? sql`o.id = ${asked.orderId}::bigint`
      : sql`o.placed_at >= ${asked.since.toString()}::timestamptz`
  const { rows } = await sql<AttributedOrder>`
    ${attributed} where a.widget_id = ${widgetId} and ${those} order by o.placed_at desc, o.id desc limit 10000`.execute(
    db,
  )
  return rows
}

/**
 * Selects orders with unsettled commission, either not booked and past their return window, or booked with later
 * cancellations or refunds. Oldest first.
 */
export async function selectUnsettled(
  db: Database,
  { now, after, limit }: { now: Temporal.Instant; after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ orderId: number }>`
    select "orderId" from (${attributed}
      where o.id > ${after}::bigint and (
        not exists (select from partner_commission booked where booked.order_id = o.id) and o.state <> 'canceled'
        or o.state = 'canceled' and exists (select from partner_commission booked where booked.order_id = o.id)
        or exists (select from order_refund_line part where part.order_id = o.id))) found
    where case when "bookedCents" is null then not "isCanceled" and "deliveredAt" < ${now.toString()}::timestamptz - ${termAt('return-days', sql`"placedAt"`)} * 24 * interval '1 hour'
      else "bookedCents" > case when "isCanceled" then 0 else greatest("tireCents", 0)::bigint * "commissionBp" / 10000 end end
    order by "orderId" limit ${limit}::int`.execute(db)
  return rows.map(({ orderId }) => orderId)
}

/** The same order, with its commission locked until the transaction ends. */
export async function lockAttributed(tx: Tx, orderId: number): Promise<AttributedOrder | undefined> {
  await sql`select from order_attribution where order_id = ${orderId}::bigint for update`.execute(tx)
  const { rows } = await sql<AttributedOrder>`${attributed} where o.id = ${orderId}::bigint`.execute(tx)
  return rows[0]
}

/** Books commission for an order, or takes some of it back. */
export async function insertCommission(
  tx: Tx,
  { orderId, kind, cents, at }: { orderId: number; kind: 'booked' | 'reversed'; cents: number; at: Temporal.Instant },
): Promise<void> {
  await tx.insertInto('partner_commission').values({ order_id: orderId, kind, cents, booked_at: at }).execute()
}

/** Selects booked and reversed commission by month in the store's time zone and by the partner's page name. */
export async function selectBooked(
  db: Database,
  widgetId: string,
  since: Temporal.Instant,
): Promise<{ month: string; source: string | null; bookedCents: number; reversedCents: number }[]> {
  const { rows } = await sql<{ month: string; source: string | null; bookedCents: number; reversedCents: number }>`
    select to_char(c.booked_at at time zone ${storeZone}, 'YYYY-MM') as month, a.source,
      coalesce(sum(c.cents) filter (where c.kind = 'booked'), 0)::int as "bookedCents",
      coalesce(-sum(c.cents) filter (where c.kind = 'reversed'), 0)::int as "reversedCents"
    from partner_commission c join order_attribution a on a.order_id = c.order_id
    where a.widget_id = ${widgetId} and c.booked_at >= ${since.toString()}::timestamptz group by 1, 2`.execute(db)
  return rows
}
