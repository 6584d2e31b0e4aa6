/** Orders of a branded store as its shop may see them, without addresses, emails or prices. */
import { sql } from 'kysely'
import type { BookingState } from '#domain/scheduling/booking/booking.ts'
import type { OrderState } from './orders.ts'
import type { Database } from '#platform/db.ts'

export type DealerOrder = {
  orderId: number
  placedAt: Temporal.Instant
  state: OrderState
  firstName: string
  lastInitial: string
  tires: { quantity: number; description: string }[]
  /** Whether the road hazard plan was sold with it. */
  hasPlan: boolean
  /** The job at the shop, or null if another shop installs it or it has no installation. */
  job: { start: Temporal.Instant; state: BookingState } | null
}

/** Orders and tires since an instant, excluding canceled ones. */
export type DealerFigures = { orders: number; tires: number; plans: number; jobsDone: number }

/** Lists the newest orders of a branded store, and counts those since an instant. */
export async function selectDealerOrders(
  db: Database,
  { shopId, since, limit }: { shopId: number; since: Temporal.Instant; limit: number },
): Promise<{ orders: DealerOrder[]; figures: DealerFigures }> {
  const [list, counts] = await Promise.all([
    sql<Omit<DealerOrder, 'job'> & { jobStart: Temporal.Instant | null; jobState: BookingState | null }>`
      select o.id as "orderId", o.placed_at as "placedAt", o.state, o.first_name as "firstName", left(o.last_name, 1) as "lastInitial",
        (select coalesce(json_agg(json_build_object('quantity', l.quantity, 'description', l.description) order by l.line_no), '[]')
          from order_line l where l.order_id = o.id and l.kind = 'tire') as tires,
        exists (select from order_line l where l.order_id = o.id and l.coverage_plan = 'road-hazard') as "hasPlan",
        job.start as "jobStart", job.state as "jobState"
      from sales_order o
      left join lateral (
        select lower(b.during) as start, b.state from booking b where b.order_id = o.id and b.shop_id = o.dealer_shop_id
        order by b.state = 'confirmed' desc, b.created_at desc limit 1) job on true
      where o.dealer_shop_id = ${shopId}::int
      order by o.placed_at desc, o.id desc limit ${limit}`.execute(db),
    sql<DealerFigures>`
      select count(*)::int as orders, coalesce(sum(sold.tires), 0)::int as tires, count(*) filter (where sold.has_plan)::int as plans,
        count(*) filter (where exists (select from booking b where b.order_id = o.id and b.shop_id = o.dealer_shop_id and b.state = 'done'))::int as "jobsDone"
      from sales_order o
      cross join lateral (
        select coalesce(sum(l.quantity - canceled_units(l.order_id, l.line_no)) filter (where l.kind = 'tire'), 0) as tires,
          bool_or(l.coverage_plan = 'road-hazard') as has_plan
        from order_line l where l.order_id = o.id) sold
      where o.dealer_shop_id = ${shopId}::int and o.placed_at >= ${since.toString()}::timestamptz and o.state <> 'canceled'`.execute(
      db,
    ),
  ])
  return {
    orders: list.rows.map(({ jobStart, jobState, ...order }) => ({
      ...order,
      job: jobStart && jobState ? { start: jobStart, state: jobState } : null,
    })),
    figures: counts.rows[0] ?? { orders: 0, tires: 0, plans: 0, jobsDone: 0 },
  }
}
