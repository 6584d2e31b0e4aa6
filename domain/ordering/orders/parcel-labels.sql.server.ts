/** Queries for parcel labels and their files. */
import { sql, type RawBuilder } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CarrierLabel, LabelFormat } from './carrier.port.ts'
import type { OrderView } from './order-view.sql.server.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'

/** Stores a parcel's label. Throws if the parcel has one. */
export async function insertLabel(
  tx: Tx,
  label: Pick<CarrierLabel, 'carrier' | 'trackingNumber' | 'costCents'> & {
    shipmentId: string
    shipTo: OrderView['shipTo']
    at: Temporal.Instant
    by: string
  },
): Promise<void> {
  await tx
    .insertInto('shipment_label')
    .values({
      shipment_id: label.shipmentId,
      carrier: label.carrier,
      tracking_number: label.trackingNumber,
      cost_cents: label.costCents,
      ship_to: JSON.stringify(label.shipTo),
      bought_at: label.at,
      bought_by: label.by,
    })
    .execute()
}

/** A label as the back office shows it; `costCents` is the carrier's charge. */
export type ParcelLabel = {
  shipmentId: string
  carrier: string
  trackingNumber: string
  costCents: number
  boughtAt: Temporal.Instant
  voidedAt: Temporal.Instant | null
}

/** Selects the labels for an order's parcels. */
export function selectLabels(db: Database, orderId: number): Promise<ParcelLabel[]> {
  return db
    .selectFrom('shipment_label as label')
    .innerJoin('shipment', 'shipment.id', 'label.shipment_id')
    .select([
      'label.shipment_id as shipmentId',
      'label.carrier',
      'label.tracking_number as trackingNumber',
      'label.cost_cents as costCents',
      'label.bought_at as boughtAt',
      'label.voided_at as voidedAt',
    ])
    .where('shipment.order_id', '=', orderId)
    .execute()
}

/** Selects a label that can store files, with the carrier's reference and the stored formats; undefined if it can't. */
export async function selectLabelToKeep(
  db: Database,
  shipmentId: string,
): Promise<{ parcelRef: string; formats: string[] } | undefined> {
  const row = await db
    .selectFrom('shipment_label as label')
    .innerJoin('shipment', 'shipment.id', 'label.shipment_id')
    .select((eb) => [
      'shipment.carrier_ref as parcelRef',
      jsonArrayFrom(
        eb.selectFrom('shipment_label_file').select('format').whereRef('shipment_id', '=', 'label.shipment_id'),
      ).as('files'),
    ])
    .where('label.shipment_id', '=', shipmentId)
    .where('label.voided_at', 'is', null)
    .where('label.ship_to', 'is not', null)
    .executeTakeFirst()
  if (!row || row.parcelRef === null) return undefined
  return { parcelRef: row.parcelRef, formats: row.files.map(({ format }) => format) }
}

/** Locks such a label until the transaction ends. */
export async function lockLabel(tx: Tx, shipmentId: string): Promise<{ formats: string[] } | undefined> {
  await sql`select from shipment_label where shipment_id = ${shipmentId}::uuid for update`.execute(tx)
  return selectLabelToKeep(tx, shipmentId)
}

export async function insertLabelFile(
  tx: Tx,
  { shipmentId, format, key }: { shipmentId: string; format: LabelFormat; key: string },
): Promise<void> {
  await tx.insertInto('shipment_label_file').values({ shipment_id: shipmentId, format, file_key: key }).execute()
}

/** The key of a label's file; undefined where it is not stored, or the label is voided. */
export async function selectLabelFile(
  db: Database,
  { shipmentId, format }: { shipmentId: string; format: LabelFormat },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('shipment_label_file as file')
    .innerJoin('shipment_label as label', 'label.shipment_id', 'file.shipment_id')
    .select('file.file_key as key')
    .where('file.shipment_id', '=', shipmentId)
    .where('file.format', '=', format)
    .where('label.voided_at', 'is', null)
    .executeTakeFirst()
  return row?.key
}

/** Whether a label with this number was bought for a parcel that then went with another. */
export async function isReplacedLabel(tx: Tx, trackingNumber: string): Promise<boolean> {
  const row = await tx
    .selectFrom('shipment_label')
    .select('shipment_id')
    .where('tracking_number', '=', trackingNumber)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Records a label's refund request before sending it, which excludes the label from manifests. Returns false if the
 * label is already on a manifest and can't be refunded.
 */
export async function requestVoid(db: Database, parcelRef: string, at: Temporal.Instant): Promise<boolean> {
  try {
    await sql`
      update shipment_label set void_requested_at = ${at.toString()}::timestamptz from shipment
      where shipment.id = shipment_label.shipment_id and shipment.carrier_ref = ${parcelRef} and void_requested_at is null`.execute(
      db,
    )
    return true
  } catch (error) {
    if (violatedConstraint(error) === 'shipment_label_on_manifest_is_not_voided') return false
    throw error
  }
}

/** Records the carrier's response to a label's refund request. The first acceptance wins. */
export async function updateVoided(
  db: Database,
  parcelRef: string,
  { isVoided, at }: { isVoided: boolean; at: Temporal.Instant },
): Promise<void> {
  const change = isVoided ? sql`voided_at = ${at.toString()}::timestamptz` : sql`void_requested_at = null`
  await sql`
    update shipment_label set ${change} from shipment
    where shipment.id = shipment_label.shipment_id and shipment.carrier_ref = ${parcelRef}
      and void_requested_at is not null and voided_at is null`.execute(db)
}

/** A labeled parcel in one of our warehouses, before its carrier's pickup. */
export type LabeledParcel = {
  id: string
  parcelRef: string
  carrier: string
  trackingNumber: string
  boughtAt: Temporal.Instant
  orderId: number
}

/**
 * Selects a warehouse's labeled parcels that wait for the carrier, oldest label first, except those that match `skip`.
 * `isLocked` prevents shipping, canceling, and voiding them until the transaction ends.
 */
export async function selectLabeledParcels(
  db: Database,
  {
    warehouseId,
    skip,
    limit,
    isLocked,
  }: {
    warehouseId: number
    skip: (shipmentId: RawBuilder<unknown>) => RawBuilder<unknown>
    limit: number
    isLocked: boolean
  },
): Promise<LabeledParcel[]> {
  const { rows } = await sql<LabeledParcel>`
    select h.id, h.carrier_ref as "parcelRef", t.carrier, t.tracking_number as "trackingNumber", t.bought_at as "boughtAt", h.order_id::int as "orderId"
    from shipment h join shipment_label t on t.shipment_id = h.id
    where h.warehouse_id = ${warehouseId}::smallint and h.state = 'pending-pickup' and t.void_requested_at is null
      and t.tracking_number = h.tracking_number and h.carrier_ref is not null and not (${skip(sql`h.id`)})
    order by t.bought_at, h.id limit ${limit} ${isLocked ? sql`for share of h, t` : sql``}`.execute(db)
  return rows
}

/** The carrier's reference of a canceled parcel for which no label is stored, though one may have been bought. */
export async function selectUnusedRef(db: Database, shipmentId: string): Promise<string | null> {
  const row = await db
    .selectFrom('shipment')
    .select('carrier_ref')
    .where('id', '=', shipmentId)
    .where('state', '=', 'canceled')
    .where('tracking_number', 'is', null)
    .executeTakeFirst()
  return row?.carrier_ref ?? null
}
