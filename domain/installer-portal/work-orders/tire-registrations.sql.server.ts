/** Queries for tire registrations. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { signaturePath, signatureSize } from './signature.ts'

/** A tire and who bought it, as its maker gets it. */
export type TireRegistration = {
  id: number
  orderId: number
  shop: string
  position: string
  tin: string
  brand: string
  line: string
  size: string
  buyerName: string
  street: string
  city: string
  state: string
  zip: string
  installedAt: Temporal.Instant
  exportNo: number | null
}

type NewRegistration = Omit<TireRegistration, 'id' | 'shop' | 'installedAt' | 'exportNo'> & {
  bookingId: string
  lineNo: number
  nth: number
  shopId: number
  at: Temporal.Instant
}

/** Inserts a finished job's registrations. */
export async function insertRegistrations(tx: Tx, rows: readonly NewRegistration[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('tire_registration')
    .values(
      rows.map((row) => ({
        booking_id: row.bookingId,
        line_no: row.lineNo,
        nth: row.nth,
        position: row.position,
        order_id: row.orderId,
        shop_id: row.shopId,
        tin: row.tin,
        brand: row.brand,
        line: row.line,
        size: row.size,
        buyer_name: row.buyerName,
        street: row.street,
        city: row.city,
        us_state: row.state,
        zip: row.zip,
        installed_at: row.at,
      })),
    )
    .execute()
}

function selectRegistrations(db: Database) {
  return db
    .selectFrom('tire_registration as tire')
    .innerJoin('shop', 'shop.id', 'tire.shop_id')
    .select([
      'tire.id',
      'tire.order_id as orderId',
      'shop.name as shop',
      'tire.position',
      'tire.tin',
      'tire.brand',
      'tire.line',
      'tire.size',
      'tire.buyer_name as buyerName',
      'tire.street',
      'tire.city',
      'tire.us_state as state',
      'tire.zip',
      'tire.installed_at as installedAt',
      'tire.export_no as exportNo',
    ])
}

/** Selects an order's tires, in line order. */
export function selectTiresOfOrder(db: Database, orderId: number): Promise<TireRegistration[]> {
  return selectRegistrations(db)
    .where('tire.order_id', '=', orderId)
    .orderBy('tire.line_no')
    .orderBy('tire.nth')
    .execute()
}

/** A tire on the car of an account. */
export type AccountTire = Pick<
  TireRegistration,
  'id' | 'orderId' | 'shop' | 'position' | 'tin' | 'brand' | 'line' | 'size' | 'installedAt'
> & { timeZone: string; odometerMiles: number }

/** The tires that were installed of these orders, newest order first. */
export async function selectInstalledTires(db: Database, orderIds: readonly number[]): Promise<AccountTire[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<AccountTire>`
    select tire.id, tire.order_id as "orderId", shop.name as shop, shop.time_zone as "timeZone", tire.position, tire.tin, tire.brand, tire.line, tire.size,
      tire.installed_at as "installedAt", job.odometer_miles as "odometerMiles"
    from tire_registration tire join work_order job on job.booking_id = tire.booking_id join shop on shop.id = tire.shop_id
    where tire.order_id = any(${orderIds}::bigint[]) order by tire.order_id desc, tire.line_no, tire.nth`.execute(db)
  return rows
}

/** Up to `count` registrations, newest first, with ids below `before`; of one maker, or not exported yet. */
export function selectRegistrationPage(
  db: Database,
  {
    brand,
    isWaiting,
    before,
    count,
  }: { brand: string | null; isWaiting: boolean; before: number | null; count: number },
): Promise<TireRegistration[]> {
  return selectRegistrations(db)
    .$if(brand !== null, (select) => select.where('tire.brand', '=', brand ?? ''))
    .$if(isWaiting, (select) => select.where('tire.export_no', 'is', null))
    .$if(before !== null, (select) => select.where('tire.id', '<', before ?? 0))
    .orderBy('tire.id', 'desc')
    .limit(count)
    .execute()
}

/** A manufacturer with pending registrations, with their number and earliest date. */
export type WaitingMaker = { brand: string; tires: number; since: Temporal.Instant }

/** Makers with registrations that were not exported, longest waiting first. */
export async function selectWaitingMakers(db: Database, limit: number): Promise<WaitingMaker[]> {
  const { rows } = await sql<WaitingMaker>`
    select brand, count(*)::int as tires, min(installed_at) as since from tire_registration
    where export_no is null group by brand order by min(installed_at), brand limit ${limit}`.execute(db)
  return rows
}

/** A completed export. */
export type RegistrationExport = {
  no: number
  brand: string
  exportedAt: Temporal.Instant
  exportedBy: string
  tires: number
}

/** The last exports, newest first. */
export function selectExports(db: Database, limit: number): Promise<RegistrationExport[]> {
  return db
    .selectFrom('tire_registration_export')
    .select(['no', 'brand', 'exported_at as exportedAt', 'exported_by as exportedBy', 'tires'])
    .orderBy('no', 'desc')
    .limit(limit)
    .execute()
}

/** The rows of an export, oldest first. */
export function selectExported(db: Database, no: number): Promise<TireRegistration[]> {
  return selectRegistrations(db).where('tire.export_no', '=', no).orderBy('tire.id').execute()
}

/**
 * Moves a manufacturer's pending registrations into a new export, and returns its number; undefined without pending
 * ones. With concurrent requests, one blocks on the other's locked rows.
 */
export async function exportWaiting(
  tx: Tx,
  { brand, by, at }: { brand: string; by: string; at: Temporal.Instant },
): Promise<{ no: number; tires: number } | undefined> {
  const waiting = await tx
    .selectFrom('tire_registration')
    .select('id')
    .where('brand', '=', brand)
    .where('export_no', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (waiting.length === 0) return undefined
  const { no } = await tx
    .insertInto('tire_registration_export')
    .values({ brand, exported_at: at, exported_by: by, tires: waiting.length })
    .returning('no')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('tire_registration')
    .set({ export_no: no })
    .where('brand', '=', brand)
    .where('export_no', 'is', null)
    .where(
      'id',
      'in',
      waiting.map(({ id }) => id),
    )
    .execute()
  return { no, tires: waiting.length }
}

/** Exports customers' signatures for these orders, with name, and the drawn strokes as a path. */
export async function exportSignatures(db: Database, orderIds: readonly number[]): Promise<object[]> {
  if (orderIds.length === 0) return []
  const rows = await db
    .selectFrom('work_order')
    .innerJoin('shop', 'shop.id', 'work_order.shop_id')
    .select(['order_id as orderId', 'shop.name as shop', 'signed_name as name', 'signed_strokes as strokes'])
    .select('signed_at as at')
    .where('order_id', 'in', orderIds)
    .where('signed_at', 'is not', null)
    .orderBy('signed_at')
    .execute()
  return rows.map(({ strokes, at, ...signed }) => ({
    ...signed,
    at: at?.toString() ?? null,
    drawing: strokes === null ? null : { ...signatureSize, path: signaturePath(strokes) },
  }))
}

/** Exports these orders' registered tires, as visible to their buyer. */
export async function exportRegistrations(db: Database, orderIds: readonly number[]): Promise<object[]> {
  if (orderIds.length === 0) return []
  const rows = await selectRegistrations(db).where('tire.order_id', 'in', orderIds).orderBy('tire.id').execute()
  return rows.map(({ orderId, shop, position, tin, brand, line, size, installedAt, exportNo, ...buyer }) => ({
    orderId,
    shop,
    position,
    tin,
    brand,
    line,
    size,
    buyer: { name: buyer.buyerName, street: buyer.street, city: buyer.city, state: buyer.state, zip: buyer.zip },
    installedAt: installedAt.toString(),
    isHandedToMaker: exportNo !== null,
  }))
}
