/** Queries for parcels as packers see them. The customer is read with the order instead. */
import { sql, type RawBuilder } from 'kysely'
import { partSku } from '#domain/supply/parts/parts.server.ts'
import type { ShipmentState } from './orders.ts'
import { isPaidOnDelivery, paymentMethodRules } from '#domain/payments/payments/payments.ts'
import type { Database } from '#platform/db.ts'

/** A parcel with the facts by which it is picked, packed and labeled. Costs are in cents. */
export type Parcel = {
  id: string
  orderId: number
  state: ShipmentState
  carrier: string | null
  trackingNumber: string | null
  trackingUrl: string | null
  releasedAt: Temporal.Instant | null
  /** When it leaves the warehouse as promised. Null before the order is released. */
  shipsBy: Temporal.Instant | null
  warehouse: {
    id: number
    code: string
    name: string
    timeZone: string
    /** "16:00", in its time zone. */
    cutoff: string
    /** Cutoffs by weekday from Monday, where null has `cutoff`; empty if all have it. */
    dayCutoffs: (string | null)[]
    isOwn: boolean
    shipsByHand: boolean
    /** The only carriers that it ships with; empty for any. */
    carriers: string[]
  }
  items: { itemId: number; sku: string; name: string; size: string; quantity: number }[]
  /** The parts that are packed with its tires. */
  parts: { sku: string; name: string; quantity: number }[]
  /** The parcel's label; null if not bought. */
  label: { costCents: number; voidedAt: Temporal.Instant | null } | null
}

const columns = sql`
  h.id, h.order_id::int as "orderId", h.state, h.carrier, h.tracking_number as "trackingNumber", h.tracking_url as "trackingUrl", o.released_at as "releasedAt", case when o.released_at is not null then h.ship_by end as "shipsBy",
  json_build_object('id', w.id, 'code', w.code, 'name', w.name, 'timeZone', w.time_zone, 'cutoff', to_char(w.cutoff, 'HH24:MI'), 'dayCutoffs', w.day_cutoffs,
    'isOwn', w.supplier_id is null, 'shipsByHand', w.ships_by_hand, 'carriers', w.carriers) as warehouse,
  (select coalesce(json_agg(json_build_object('itemId', i.id, 'sku', i.sku, 'name', b.name || ' ' || p.name, 'size', s.designation, 'quantity', a.quantity) order by l.line_no), '[]')
    from stock_allocation a join order_line l on l.order_id = a.order_id and l.line_no = a.line_no join item i on i.id = l.item_id
      join product_line p on p.id = i.product_line_id join brand b on b.id = p.brand_id join size s on s.id = i.size_id
    where a.order_id = h.order_id and a.warehouse_id = h.warehouse_id) as items,
  (select coalesce(json_agg(json_build_object('sku', ${partSku(sql`packed.part_id`)}, 'name', packed.description, 'quantity', packed.quantity) order by packed.line_no), '[]') from (
    select part_id, description, line_no, quantity - canceled_units(order_id, line_no) as quantity from order_line l
    where l.order_id = h.order_id and l.part_warehouse_id = h.warehouse_id) packed where packed.quantity > 0) as parts,
  (select json_build_object('costCents', t.cost_cents, 'voidedAt', t.voided_at) from shipment_label t where t.shipment_id = h.id) as label`

type Row = Omit<Parcel, 'label'> & { label: { costCents: number; voidedAt: string | null } | null }

function parcelOf({ label, ...row }: Row): Parcel {
  return {
    ...row,
    label: label && { ...label, voidedAt: label.voidedAt === null ? null : Temporal.Instant.from(label.voidedAt) },
  }
}

// A lender pays with the goods, however long they take.
const financed = paymentMethodRules.map(({ type }) => type).filter(isPaidOnDelivery)

/** Parcels in our warehouses that are ready to pack, meaning paid, released and not yet with a carrier. */
const toPack: RawBuilder<unknown> = sql`
  from shipment h join sales_order o on o.id = h.order_id join warehouse w on w.id = h.warehouse_id
  where h.state in ('processed', 'pending-pickup') and w.supplier_id is null and o.state = 'confirmed' and o.released_at is not null
    and o.fulfillment <> 'warehouse-pickup' and exists (select from stock_allocation a where a.order_id = h.order_id and a.warehouse_id = h.warehouse_id)
    and not exists (select from payment c where c.order_id = o.id and c.state = 'authorized' and not (c.method = any(${financed}::text[])))`

/** The start of a list page, after this parcel. */
export type ParcelPlace = { warehouseId: number; releasedAt: Temporal.Instant; id: string }

/** Up to `limit` parcels to pack, by warehouse and then oldest first, after `after`; of one warehouse with `code`. */
export async function selectParcelsToPack(
  db: Database,
  { code, after, limit }: { code: string | null; after: ParcelPlace | null; limit: number },
): Promise<Parcel[]> {
  const { rows } = await sql<Row>`
    select ${columns} ${toPack}
      and (${code}::text is null or w.code = ${code}::text)
      and (${after?.id ?? null}::uuid is null or (h.warehouse_id, o.released_at, h.id) > (${after?.warehouseId ?? null}::smallint, ${after?.releasedAt.toString() ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by h.warehouse_id, o.released_at, h.id limit ${limit}`.execute(db)
  return rows.map(parcelOf)
}

/**
 * Selects the parcel with this id in any state; undefined if it doesn't exist or its order isn't shipped by a carrier.
 */
export async function selectPackedParcel(db: Database, id: string): Promise<Parcel | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from shipment h join sales_order o on o.id = h.order_id join warehouse w on w.id = h.warehouse_id
    where h.id = ${id}::uuid and o.fulfillment <> 'warehouse-pickup'`.execute(db)
  return rows[0] && parcelOf(rows[0])
}

/** Selects the parcels with these ids in any state, at most 1,000. */
export async function selectParcels(db: Database, ids: readonly string[]): Promise<Parcel[]> {
  const { rows } = await sql<Row>`
    select ${columns} from shipment h join sales_order o on o.id = h.order_id join warehouse w on w.id = h.warehouse_id
    where h.id = any(${ids}::uuid[]) order by h.id limit 1000`.execute(db)
  return rows.map(parcelOf)
}

/** Selects an order's active parcels by creation time. */
export async function selectOrderParcels(db: Database, orderId: number): Promise<Parcel[]> {
  const { rows } = await sql<Row>`
    select ${columns} from shipment h join sales_order o on o.id = h.order_id join warehouse w on w.id = h.warehouse_id
    where h.order_id = ${orderId}::bigint and h.state <> 'canceled' and o.fulfillment <> 'warehouse-pickup' order by h.id`.execute(
    db,
  )
  return rows.map(parcelOf)
}

/** Returns a parcel's order; undefined if the parcel doesn't exist. */
export async function selectOrderOfParcel(db: Database, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('shipment').select('order_id').where('id', '=', id).executeTakeFirst()
  return row?.order_id
}
