/** The statements of returns to suppliers. */
import { sql } from 'kysely'
import type { SupplierReturnState } from './supplier-returns.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A return in the list. Money is in cents. */
export type SupplierReturnRow = {
  id: number
  supplier: string
  warehouse: string
  state: SupplierReturnState
  rma: string | null
  units: number
  expectedCents: number
  creditCents: number | null
  createdAt: Temporal.Instant
  createdBy: string
  sentAt: Temporal.Instant | null
}

export type SupplierReturn = SupplierReturnRow & {
  version: number
  note: string | null
  sentBy: string | null
  creditedAt: Temporal.Instant | null
  creditedBy: string | null
  creditReference: string | null
  canceledAt: Temporal.Instant | null
  canceledBy: string | null
}

export type SupplierReturnLine = {
  itemId: number
  sku: string
  name: string
  quantity: number
  unitCreditCents: number
}

/** Selects returns, newest first, of a state and older than `before` if given; only the return `id` if given. */
export async function selectSupplierReturns(
  db: Database | Tx,
  {
    state = null,
    before = null,
    id = null,
  }: { state?: SupplierReturnState | null; before?: number | null; id?: number | null },
  limit: number,
): Promise<SupplierReturn[]> {
  const rows = await db
    .selectFrom('supplier_return as returned')
    .innerJoin('supplier', 'supplier.id', 'returned.supplier_id')
    .innerJoin('warehouse', 'warehouse.id', 'returned.warehouse_id')
    .select([
      'returned.id',
      'supplier.name as supplier',
      'warehouse.code as warehouse',
      'returned.state',
      'returned.rma',
      'returned.note',
      'returned.version',
      'returned.created_at as createdAt',
      'returned.created_by as createdBy',
      'returned.sent_at as sentAt',
      'returned.sent_by as sentBy',
      'returned.credited_at as creditedAt',
      'returned.credited_by as creditedBy',
      'returned.credit_cents as creditCents',
      'returned.credit_reference as creditReference',
      'returned.canceled_at as canceledAt',
      'returned.canceled_by as canceledBy',
      sql<number>`(select coalesce(sum(quantity), 0)::int from supplier_return_line as line where line.supplier_return_id = returned.id)`.as(
        'units',
      ),
      sql<string>`(select coalesce(sum(quantity::bigint * unit_credit_cents), 0)::text from supplier_return_line as line where line.supplier_return_id = returned.id)`.as(
        'expected',
      ),
    ])
    .$if(state !== null, (query) => query.where('returned.state', '=', state ?? ''))
    .$if(before !== null, (query) => query.where('returned.id', '<', before ?? 0))
    .$if(id !== null, (query) => query.where('returned.id', '=', id ?? 0))
    .orderBy('returned.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ expected, ...row }) => ({
    ...row,
    state: row.state as SupplierReturnState,
    expectedCents: Number(expected),
  }))
}

/** Selects a return's tires by ID, as stock is locked. */
export function selectSupplierReturnLines(db: Database | Tx, id: number): Promise<SupplierReturnLine[]> {
  return db
    .selectFrom('supplier_return_line as line')
    .innerJoin('item', 'item.id', 'line.item_id')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select([
      'line.item_id as itemId',
      'item.sku',
      sql<string>`concat_ws(' ', brand.name, product_line.name, size.designation)`.as('name'),
      'line.quantity',
      'line.unit_credit_cents as unitCreditCents',
    ])
    .where('line.supplier_return_id', '=', id)
    .orderBy('line.item_id')
    .execute()
}

/** Locks a return; undefined if not found. */
export async function lockSupplierReturn(
  tx: Tx,
  id: number,
): Promise<{ state: SupplierReturnState; version: number; warehouseId: number } | undefined> {
  const row = await tx
    .selectFrom('supplier_return')
    .select(['state', 'version', 'warehouse_id as warehouseId'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, state: row.state as SupplierReturnState }
}

/** Returns the return with this key, or undefined. */
export function selectSupplierReturnByKey(tx: Tx, key: string): Promise<{ id: number } | undefined> {
  return tx.selectFrom('supplier_return').select('id').where('submission_key', '=', key).executeTakeFirst()
}

/** Adds a draft with its lines and returns its ID; undefined if its key was used. */
export async function insertSupplierReturn(
  tx: Tx,
  draft: {
    key: string
    supplierId: number
    warehouseId: number
    note: string | null
    by: string
    at: Temporal.Instant
  },
  lines: readonly Pick<SupplierReturnLine, 'itemId' | 'quantity' | 'unitCreditCents'>[],
): Promise<number | undefined> {
  const row = await tx
    .insertInto('supplier_return')
    .values({
      submission_key: draft.key,
      supplier_id: draft.supplierId,
      warehouse_id: draft.warehouseId,
      note: draft.note,
      created_at: draft.at,
      created_by: draft.by,
    })
    .onConflict((conflict) => conflict.column('submission_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return undefined
  await tx
    .insertInto('supplier_return_line')
    .values(
      lines.map(({ itemId, quantity, unitCreditCents }) => ({
        supplier_return_id: row.id,
        item_id: itemId,
        quantity,
        unit_credit_cents: unitCreditCents,
      })),
    )
    .execute()
  return row.id
}

type Change =
  | { state: 'sent'; rma: string; sent_at: Temporal.Instant; sent_by: string }
  | {
      state: 'credited'
      credit_cents: number
      credit_reference: string | null
      credited_at: Temporal.Instant
      credited_by: string
    }
  | { state: 'canceled'; canceled_at: Temporal.Instant; canceled_by: string }

/** Changes a locked return. */
export async function updateSupplierReturn(tx: Tx, id: number, change: Change): Promise<void> {
  await tx
    .updateTable('supplier_return')
    .set({ ...change, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** Enters the difference between a return's credit and the cost of its tires in the ledger. */
export async function enterSupplierCredit(
  tx: Tx,
  { id, creditCents, at }: { id: number; creditCents: number; at: Temporal.Instant },
): Promise<void> {
  await sql`select enter_supplier_credit(${id}::bigint, ${creditCents}::int, ${at.toString()}::timestamptz)`.execute(tx)
}
