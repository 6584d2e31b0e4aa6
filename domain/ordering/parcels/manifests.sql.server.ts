/** Queries for manifests and their parcels. */
import { sql, type RawBuilder } from 'kysely'
import type { LabeledParcel } from '#domain/ordering/orders/orders.server.ts'
import type { ManifestState } from './manifests.ts'
import type { Database, Tx } from '#platform/db.ts'

export type Manifest = {
  id: number
  warehouseId: number
  carrier: string
  state: ManifestState
  carrierRef: string | null
  failure: string | null
  requestedAt: Temporal.Instant
  requestedBy: string
  endedAt: Temporal.Instant | null
  fileKey: string | null
  /** How many parcels are on it. */
  parcels: number
}

export type ManifestParcel = { shipmentId: string; parcelRef: string; trackingNumber: string; refusal: string | null }

const columns = sql`
  m.id::int as id, m.warehouse_id as "warehouseId", m.carrier, m.state, m.carrier_ref as "carrierRef", m.failure,
  m.requested_at as "requestedAt", m.requested_by as "requestedBy", m.ended_at as "endedAt", m.file_key as "fileKey",
  (select count(*)::int from manifest_parcel p where p.manifest_id = m.id and p.refusal is null) as parcels`

/** The condition that a parcel is on a manifest. */
export function isOnManifest(shipmentId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (select from manifest_parcel p where p.shipment_id = ${shipmentId} and p.refusal is null)`
}

/** Blocks other requests for manifests of the warehouse until the transaction ends. */
export async function lockManifests(tx: Tx, warehouseId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('manifest'), ${warehouseId}::int)`.execute(tx)
}

/** Adds a manifest with its parcels; one with a `refusal` is not on it. Returns its ID. */
export async function insertManifest(
  tx: Tx,
  manifest: { warehouseId: number; carrier: string; key: string; at: Temporal.Instant; by: string },
  parcels: readonly (LabeledParcel & { refusal: string | null })[],
): Promise<number> {
  const { id } = await tx
    .insertInto('manifest')
    .values({
      warehouse_id: manifest.warehouseId,
      carrier: manifest.carrier,
      request_key: manifest.key,
      requested_at: manifest.at,
      requested_by: manifest.by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('manifest_parcel')
    .values(
      parcels.map((parcel) => ({
        manifest_id: id,
        shipment_id: parcel.id,
        carrier_ref: parcel.parcelRef,
        tracking_number: parcel.trackingNumber,
        refusal: parcel.refusal,
      })),
    )
    .execute()
  return id
}

/** The manifests that this form requested, or the warehouse's manifests that the carrier hasn't answered yet. */
export async function selectRequested(db: Database, warehouseId: number, key: string): Promise<number[]> {
  const { rows } = await sql<{ id: number; isOwn: boolean }>`
    select id::int as id, request_key = ${key}::uuid as "isOwn" from manifest
    where request_key = ${key}::uuid or (warehouse_id = ${warehouseId}::smallint and state = 'requested') order by id`.execute(
    db,
  )
  const own = rows.filter(({ isOwn }) => isOwn)
  return (own.length > 0 ? own : rows).map(({ id }) => id)
}

export async function selectManifest(db: Database, id: number): Promise<Manifest | undefined> {
  const { rows } = await sql<Manifest>`select ${columns} from manifest m where m.id = ${id}::bigint`.execute(db)
  return rows[0]
}

/** Locks a manifest that the carrier hasn't answered; false if it has. */
export async function lockRequested(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select from manifest where id = ${id}::bigint and state = 'requested' for update`.execute(
    tx,
  )
  return rows.length > 0
}

/** Up to `limit` manifests, newest first, before the one with the ID `before`. */
export async function selectManifests(
  db: Database,
  {
    state,
    warehouseId,
    before,
    limit,
  }: { state: ManifestState | null; warehouseId: number | null; before: number | null; limit: number },
): Promise<Manifest[]> {
  const { rows } = await sql<Manifest>`
    select ${columns} from manifest m
    where (${state}::text is null or m.state = ${state}) and (${warehouseId}::smallint is null or m.warehouse_id = ${warehouseId}::smallint)
      and (${before}::bigint is null or m.id < ${before}::bigint)
    order by m.id desc limit ${limit}`.execute(db)
  return rows
}

/** The parcels requested on a manifest, in the order of their IDs. */
export function selectManifestParcels(db: Database, id: number): Promise<ManifestParcel[]> {
  return db
    .selectFrom('manifest_parcel')
    .select(['shipment_id as shipmentId', 'carrier_ref as parcelRef', 'tracking_number as trackingNumber', 'refusal'])
    .where('manifest_id', '=', id)
    .orderBy('shipment_id')
    .execute()
}

/** Selects a parcel's manifest, or null. */
export async function selectManifestOf(db: Database, shipmentId: string): Promise<number | null> {
  const row = await db
    .selectFrom('manifest_parcel')
    .select('manifest_id')
    .where('shipment_id', '=', shipmentId)
    .where('refusal', 'is', null)
    .executeTakeFirst()
  return row?.manifest_id ?? null
}

/** Selects the manifest with the carrier's reference, or null. */
export async function selectByRef(db: Database, carrierRef: string): Promise<number | null> {
  const row = await db.selectFrom('manifest').select('id').where('carrier_ref', '=', carrierRef).executeTakeFirst()
  return row?.id ?? null
}

/** Takes parcels off a manifest, by the carrier's reference. */
export async function refuseParcels(
  tx: Tx,
  id: number,
  { parcelRefs, refusal }: { parcelRefs: readonly string[]; refusal: string },
): Promise<void> {
  if (parcelRefs.length === 0) return
  await tx
    .updateTable('manifest_parcel')
    .set({ refusal })
    .where('manifest_id', '=', id)
    .where('carrier_ref', 'in', [...parcelRefs])
    .where('refusal', 'is', null)
    .execute()
}

/** Stores the carrier's answer to a requested manifest. */
export async function updateManifest(
  tx: Tx,
  id: number,
  change:
    | { state: 'requested' | 'created'; carrierRef: string; at: Temporal.Instant }
    | { state: 'failed'; carrierRef: string | null; failure: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('manifest')
    .set({
      state: change.state,
      carrier_ref: change.carrierRef,
      failure: change.state === 'failed' ? change.failure : null,
      ended_at: change.state === 'requested' ? null : change.at,
    })
    .where('id', '=', id)
    .execute()
}

/** Stores the file of a created manifest, unless it has one. Returns whether it was stored. */
export async function updateFile(tx: Tx, id: number, key: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('manifest')
    .set({ file_key: key })
    .where('id', '=', id)
    .where('state', '=', 'created')
    .where('file_key', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Locks a created manifest without a file; false for others. */
export async function lockWithoutFile(tx: Tx, id: number): Promise<boolean> {
  const { rows } =
    await sql`select from manifest where id = ${id}::bigint and state = 'created' and file_key is null for update`.execute(
      tx,
    )
  return rows.length > 0
}
