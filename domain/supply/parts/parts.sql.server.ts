/** Queries for parts and their stock. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { partKinds } from './part-kinds.ts'
import type { Part, PartDraft } from './parts.ts'

const columns = sql`
  part.id, part.kind, part.sku, part.brand, part.name, part.facts, part.price_cents as "priceCents", part.cost_cents as "costCents",
  part.on_sale as "isOnSale", part.version,
  (select coalesce(sum(on_hand), 0) from part_stock where part_stock.part_id = part.id)::int as units`

/** Selects parts by SKU after `after`, of a kind if given. */
export async function selectParts(
  db: Database,
  { kind, after, limit }: { kind: string | null; after: string; limit: number },
): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select ${columns} from part where part.sku > ${after} and (${kind}::text is null or part.kind = ${kind}::text)
    order by part.sku limit ${limit}`.execute(db)
  return rows
}

/** Selects the parts for sale with available units, by kind and price. */
export async function selectPartsForSale(db: Database): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select * from (select ${columns} from part where on_sale and ${isOfKinds()}) as part where units > 0
    order by kind, "priceCents", id limit ${maxForSale}`.execute(db)
  return rows
}

/** How many parts shoppers can choose from. */
const maxForSale = 50

export async function selectPart(db: Database, sku: string): Promise<Part | undefined> {
  const { rows } = await sql<Part>`select ${columns} from part where part.sku = ${sku}`.execute(db)
  return rows[0]
}

/** Locks a part until the transaction ends, and then reads it. */
export async function lockPart(tx: Tx, sku: string): Promise<Part | undefined> {
  await sql`select from part where sku = ${sku} for update`.execute(tx)
  return selectPart(tx, sku)
}

/** Adds a part. Throws the violated `part_sku_key`. */
export async function insertPart(tx: Tx, draft: PartDraft, at: Temporal.Instant): Promise<void> {
  await sql`
    insert into part (kind, sku, brand, name, facts, price_cents, cost_cents, on_sale, changed_at)
    values (${draft.kind}, ${draft.sku}, ${draft.brand}, ${draft.name}, ${JSON.stringify(draft.facts)}::jsonb, ${draft.priceCents}::int, ${draft.costCents}::int,
      ${draft.isOnSale}, ${at.toString()}::timestamptz)`.execute(tx)
}

/** Changes a locked part; its kind and SKU stay. */
export async function updatePart(tx: Tx, id: number, draft: PartDraft, at: Temporal.Instant): Promise<void> {
  await sql`
    update part set brand = ${draft.brand}, name = ${draft.name}, facts = ${JSON.stringify(draft.facts)}::jsonb, price_cents = ${draft.priceCents}::int,
      cost_cents = ${draft.costCents}::int, on_sale = ${draft.isOnSale}, version = version + 1, changed_at = ${at.toString()}::timestamptz
    where id = ${id}::int`.execute(tx)
}

/** Returns a part's available units by warehouse ID, and locks them with `isLocked`. */
export async function selectPartStock(
  db: Database,
  partId: number,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<Map<number, number>> {
  const { rows } = await sql<{ warehouseId: number; units: number }>`
    select warehouse_id as "warehouseId", on_hand as units from part_stock where part_id = ${partId}::int
    order by warehouse_id ${isLocked ? sql`for update` : sql``}`.execute(db)
  return new Map(rows.map(({ warehouseId, units }) => [warehouseId, units]))
}

/** Sets a part's units in a warehouse. The caller has locked the part and its stock. */
export async function setPartStock(
  tx: Tx,
  { partId, warehouseId, units }: { partId: number; warehouseId: number; units: number },
): Promise<void> {
  await sql`
    insert into part_stock (part_id, warehouse_id, on_hand) values (${partId}::int, ${warehouseId}::smallint, ${units}::int)
    on conflict (part_id, warehouse_id) do update set on_hand = excluded.on_hand`.execute(tx)
}

/** The SKU of the part with this ID in a query. */
export function partSku(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select part.sku from part where part.id = ${id})`
}

/** The rows of the parts with these IDs, for locking everything that a price depends on. */
export function partBasisOf(ids: RawBuilder<unknown>): { table: 'part'; which: RawBuilder<unknown> } {
  return { table: 'part', which: sql`part.id in (${ids})` }
}

/** A part's units in a warehouse. */
export type PartUnits = { partId: number; warehouseId: number; quantity: number }

/** The part with this ID in a query, as JSON for a cart. */
export function partInCart(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select json_build_object('partId', part.id, 'kind', part.kind, 'sku', part.sku, 'name', part.brand || ' ' || part.name, 'facts', part.facts,
      'unitCents', part.price_cents, 'isOnSale', part.on_sale and ${isOfKinds()})
    from part where part.id = ${id})`
}

/**
 * Selects the ID of the part with a SKU in a query. For a quantity above zero, only if it is for sale and its kind allows
 * so many.
 */
export function partWithSku(sku: string, quantity: number): RawBuilder<unknown> {
  const isSold = sql`part.on_sale and ${isOfKinds(quantity)}`
  return sql`select part.id from part where part.sku = ${sku} and (${quantity}::int = 0 or ${isSold})`
}

/** The condition that the kind of a part exists and allows this quantity. */
function isOfKinds(quantity = 1): RawBuilder<unknown> {
  const keys = partKinds.filter(({ mostUnits }) => quantity <= mostUnits).map(({ key }) => key)
  return sql`part.kind in (select json_array_elements_text(${JSON.stringify(keys)}::json))`
}

/** The unit cost of the part with this ID in a query, in cents; null if unknown. */
export function partUnitCost(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select part.cost_cents from part where part.id = ${id})`
}

/** Selects parts' available units in these warehouses. */
export async function selectPartUnits(
  db: Database,
  { partIds, warehouseIds }: { partIds: readonly number[]; warehouseIds: readonly number[] },
): Promise<PartUnits[]> {
  const { rows } = await sql<PartUnits>`
    select part_id as "partId", warehouse_id as "warehouseId", on_hand as quantity from part_stock
    where part_id in (${numbers(partIds)}) and warehouse_id in (${numbers(warehouseIds)})`.execute(db)
  return rows
}

/** Passed as one string, because PostgreSQL replans queries with array parameters each time (docs/performance.md). */
function numbers(ids: readonly number[]): RawBuilder<unknown> {
  return sql`select value::int from json_array_elements_text(${JSON.stringify(ids)}::json)`
}

/** Takes units for an order, locking rows in key order. False if a row has too few, so the caller must roll back. */
export async function takePartUnits(tx: Tx, taken: readonly PartUnits[]): Promise<boolean> {
  if (taken.length === 0) return true
  const { numAffectedRows } = await sql`
    with wanted as (${rowsOf(taken)}),
    locked as materialized (
      select stock.part_id, stock.warehouse_id, wanted.quantity
      from part_stock stock join wanted using (part_id, warehouse_id) order by stock.part_id, stock.warehouse_id for update of stock)
    update part_stock stock set on_hand = stock.on_hand - locked.quantity
    from locked where stock.part_id = locked.part_id and stock.warehouse_id = locked.warehouse_id and stock.on_hand >= locked.quantity`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0n) === taken.length
}

/** Returns units to stock, locking rows in key order. */
export async function returnPartUnits(tx: Tx, given: readonly PartUnits[]): Promise<void> {
  if (given.length === 0) return
  await sql`
    with given as (${rowsOf(given)}),
    locked as materialized (
      select stock.part_id, stock.warehouse_id, given.quantity
      from part_stock stock join given using (part_id, warehouse_id) order by stock.part_id, stock.warehouse_id for update of stock)
    update part_stock stock set on_hand = stock.on_hand + locked.quantity
    from locked where stock.part_id = locked.part_id and stock.warehouse_id = locked.warehouse_id`.execute(tx)
}

function rowsOf(units: readonly PartUnits[]): RawBuilder<unknown> {
  return sql`
    select "partId" as part_id, "warehouseId" as warehouse_id, quantity
    from json_to_recordset(${JSON.stringify(units)}::json) as rows ("partId" int, "warehouseId" smallint, quantity int)`
}
