/** The statements of suppliers in the back office. */
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** A supplier as the back office shows it; its secret stays in the database. */
export type OfficeSupplier = {
  id: number
  code: string
  name: string
  accountNumber: string | null
  leadDays: number
  discountPpm: number
  /** Freight for each tire that it ships. */
  freightCents: number
  minimumOrderCents: number | null
  paymentDays: number
  networkId: string | null
  cxmlUrl: string | null
  cxmlIdentity: string | null
  ediUrl: string | null
  ediIdentity: string | null
  ediUsername: string | null
  ediHostKey: string | null
  /** Why the last exchange of files failed; null if it worked. */
  ediFault: string | null
  ediFailedAt: Temporal.Instant | null
  ediReadAt: Temporal.Instant | null
  availabilityUrl: string | null
  /** Why the availability service failed; null if it answered. */
  availabilityFault: string | null
  availabilityFailedAt: Temporal.Instant | null
  version: number
  retiredAt: Temporal.Instant | null
  warehouses: { id: number; code: string; name: string }[]
}

/** Every supplier by name, active ones first; only the one of `id` if it is given. */
export function selectSuppliers(db: Database, id: number | null): Promise<OfficeSupplier[]> {
  return db
    .selectFrom('supplier')
    .select((from) => [
      'supplier.id',
      'supplier.code',
      'supplier.name',
      'account_number as accountNumber',
      'lead_days as leadDays',
      'discount_ppm as discountPpm',
      'freight_cents as freightCents',
      'minimum_order_cents as minimumOrderCents',
      'payment_days as paymentDays',
      'network_id as networkId',
      'cxml_url as cxmlUrl',
      'cxml_identity as cxmlIdentity',
      'edi_url as ediUrl',
      'edi_identity as ediIdentity',
      'edi_username as ediUsername',
      'edi_host_key as ediHostKey',
      'edi_fault as ediFault',
      'edi_failed_at as ediFailedAt',
      'edi_read_at as ediReadAt',
      'availability_url as availabilityUrl',
      'availability_fault as availabilityFault',
      'availability_failed_at as availabilityFailedAt',
      'version',
      'retired_at as retiredAt',
      jsonArrayFrom(
        from
          .selectFrom('warehouse')
          .select(['warehouse.id', 'warehouse.code', 'warehouse.name'])
          .whereRef('warehouse.supplier_id', '=', 'supplier.id')
          .orderBy('warehouse.code'),
      ).as('warehouses'),
    ])
    .$if(id !== null, (query) => query.where('supplier.id', '=', id))
    .orderBy(sql`retired_at is not null`)
    .orderBy('supplier.name')
    .limit(1_000)
    .execute()
}

/** The stored fields of a supplier except its code. The secrets and the key are sealed. */
export type SupplierRow = SupplierTerms & {
  cxmlSecret: Buffer | null
  ediSecret: Buffer | null
  availabilityKey: Buffer | null
  by: string
  at: Temporal.Instant
}

/** The fields of a supplier that staff enter. */
export type SupplierTerms = Omit<
  OfficeSupplier,
  | 'id'
  | 'code'
  | 'availabilityFault'
  | 'availabilityFailedAt'
  | 'ediFault'
  | 'ediFailedAt'
  | 'ediReadAt'
  | 'version'
  | 'retiredAt'
  | 'warehouses'
>

function stored(row: SupplierRow) {
  return {
    name: row.name,
    account_number: row.accountNumber,
    lead_days: row.leadDays,
    discount_ppm: row.discountPpm,
    freight_cents: row.freightCents,
    minimum_order_cents: row.minimumOrderCents,
    payment_days: row.paymentDays,
    network_id: row.networkId,
    cxml_url: row.cxmlUrl,
    cxml_identity: row.cxmlIdentity,
    cxml_secret: row.cxmlSecret,
    edi_url: row.ediUrl,
    edi_identity: row.ediIdentity,
    edi_username: row.ediUsername,
    edi_secret: row.ediSecret,
    edi_host_key: row.ediHostKey,
    availability_url: row.availabilityUrl,
    availability_key: row.availabilityKey,
    // What failed may have been changed.
    availability_fault: null,
    availability_failed_at: null,
    edi_fault: null,
    edi_failed_at: null,
    changed_at: row.at,
    changed_by: row.by,
  }
}

/** Adds a supplier and returns its id. Throws the violated `supplier_code_key` or `supplier_network_id_key`. */
export async function insertSupplier(tx: Tx, code: string, row: SupplierRow): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('supplier'))`.execute(tx)
  const { id } = await tx
    .insertInto('supplier')
    .values((from) => ({
      id: from.selectFrom('supplier').select(sql<number>`coalesce(max(id), 0) + 1`.as('next')),
      code,
      ...stored(row),
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A supplier's sealed secrets. */
export type SupplierSecrets = Pick<SupplierRow, 'cxmlSecret' | 'ediSecret' | 'availabilityKey'>

/** Locks a supplier and returns its version and sealed secrets; undefined if not found. */
export function lockSupplier(
  tx: Tx,
  id: number,
): Promise<({ version: number; retiredAt: Temporal.Instant | null } & SupplierSecrets) | undefined> {
  return tx
    .selectFrom('supplier')
    .select([
      'version',
      'retired_at as retiredAt',
      'cxml_secret as cxmlSecret',
      'edi_secret as ediSecret',
      'availability_key as availabilityKey',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Changes a locked supplier. */
export async function updateSupplier(tx: Tx, { id, version }: { id: number; version: number }, row: SupplierRow) {
  await tx
    .updateTable('supplier')
    .set({ ...stored(row), version: version + 1 })
    .where('id', '=', id)
    .execute()
}

/** Retires a locked supplier, or takes it back with null. */
export async function updateRetired(
  tx: Tx,
  { id, version }: { id: number; version: number },
  { retiredAt, by, at }: { retiredAt: Temporal.Instant | null; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('supplier')
    .set({ retired_at: retiredAt, version: version + 1, changed_at: at, changed_by: by })
    .where('id', '=', id)
    .execute()
}

/** How many purchase orders of a supplier still wait for something: up to 1,000 are counted. */
export async function countOpenOrders(tx: Tx, supplierId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from purchase_order where supplier_id = ${supplierId}::smallint and state in ('held', 'released', 'rejected')
      union all
      select from stock_order where supplier_id = ${supplierId}::smallint and state in ('draft', 'sending', 'sent', 'partly-received')
      limit 1000) as open`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The stored connection to a supplier's own system. Its secret is sealed. */
export type StoredConnection = {
  id: number
  networkId: string | null
  cxmlUrl: string | null
  cxmlIdentity: string | null
  cxmlSecret: Buffer | null
  ediUrl: string | null
  ediIdentity: string | null
  ediUsername: string | null
  ediSecret: Buffer | null
  ediHostKey: string | null
}

/** Selects the suppliers that have their own system, without retired ones for `active`. */
export function selectConnections(db: Database, which: 'all' | 'active' = 'all'): Promise<StoredConnection[]> {
  return db
    .selectFrom('supplier')
    .select([
      'id',
      'network_id as networkId',
      'cxml_url as cxmlUrl',
      'cxml_identity as cxmlIdentity',
      'cxml_secret as cxmlSecret',
      'edi_url as ediUrl',
      'edi_identity as ediIdentity',
      'edi_username as ediUsername',
      'edi_secret as ediSecret',
      'edi_host_key as ediHostKey',
    ])
    .where((supplier) => supplier.or([supplier('cxml_url', 'is not', null), supplier('edi_url', 'is not', null)]))
    .$if(which === 'active', (query) => query.where('retired_at', 'is', null))
    .orderBy('id')
    .limit(1_000)
    .execute()
}

/** Records the result of a file exchange. The time of a repeated fault stays. */
export async function updateExchange(
  db: Database,
  id: number,
  { fault, at }: { fault: string | null; at: Temporal.Instant },
): Promise<void> {
  await db
    .updateTable('supplier')
    .set({
      edi_fault: fault,
      edi_failed_at:
        fault === null
          ? null
          : sql<Temporal.Instant>`case when edi_fault = ${fault} then edi_failed_at else ${at.toString()}::timestamptz end`,
      ...(fault === null && { edi_read_at: at }),
    })
    .where('id', '=', id)
    .execute()
}
