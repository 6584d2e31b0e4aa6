/** The work of an appointment, and whom it is for as a shop may know them: what the shop's pay is made of. */
import { sql } from 'kysely'
import type { TireSpec } from '#domain/scheduling/installers/installers.ts'
import type { Database } from '#platform/db.ts'

export type BookedWork = {
  bookingId: string
  shopId: number
  orderId: number
  /** The tires that were not canceled. */
  tires: (TireSpec & { description: string })[]
  /** Uncanceled services the customer also paid for, which the payout per tire covers. */
  services: BookedService[]
  /** A service without tires, with the price per unit that its shop set, in cents. */
  service: { service: string; description: string; quantity: number; priceCents: number } | null
}

/** Sensor service kits and old tires to dispose of. */
export type BookedService = { kind: 'service-kit' | 'disposal'; quantity: number }

/** Lists the work for these appointments, skipping those without an order. */
export async function selectBookedWork(db: Database, bookingIds: readonly string[]): Promise<BookedWork[]> {
  if (bookingIds.length === 0) return []
  const result = await sql<BookedWork>`
    select b.id as "bookingId", b.shop_id as "shopId", o.id as "orderId", coalesce((
      select json_agg(json_build_object('quantity', line.left_over, 'description', line.description, 'rimIn', size.rim_in,
        'aspect', size.aspect, 'runFlat', item.run_flat, 'sizeKind', size.kind) order by line.line_no)
      from (select l.line_no, l.item_id, l.description, l.quantity - canceled_units(l.order_id, l.line_no) as left_over
        from order_line l where l.order_id = o.id and l.kind = 'tire') line
      join item on item.id = line.item_id join size on size.id = item.size_id
      where line.left_over > 0), '[]') as tires,
      coalesce((
        select json_agg(json_build_object('kind', service.kind, 'quantity', service.quantity) order by service.kind desc)
        from (select l.kind, sum(l.quantity - canceled_units(l.order_id, l.line_no))::int as quantity from order_line l
          where l.order_id = o.id and l.kind in ('service-kit', 'disposal') group by l.kind) service
        where service.quantity > 0), '[]') as services,
      (select json_build_object('service', l.service, 'description', l.description, 'quantity', l.quantity, 'priceCents', l.unit_cents)
        from order_line l where l.order_id = o.id and l.kind = 'service') as service
    from booking b join sales_order o on o.id = b.order_id
    where b.id = any(${[...bookingIds]}::uuid[])`.execute(db)
  return result.rows
}

/** Whom these orders are for, as a shop may know them: "Dana R., 2021 RAV4". */
export async function selectGreetings(db: Database, orderIds: readonly number[]): Promise<Map<number, string>> {
  if (orderIds.length === 0) return new Map()
  const result = await sql<{ id: number; who: string; vehicle: string | null }>`
    select id, first_name || ' ' || left(last_name, 1) || '.' as who, coalesce(fitment_verdict->>'vehicleName', vehicle_note) as vehicle
    from sales_order where id = any(${[...orderIds]}::bigint[])`.execute(db)
  return new Map(result.rows.map(({ id, who, vehicle }) => [id, vehicle === null ? who : `${who}, ${vehicle}`]))
}
