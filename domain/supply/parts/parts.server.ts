/** Parts in the back office, for shoppers, and in orders. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { warehouseStateOf } from '#domain/supply/delivery/delivery.ts'
import type { Clock } from '#platform/clock.ts'
import { headOf, uploadedCell } from '#platform/csv-text.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { readUploadedTable, type TableRow } from '#platform/uploaded-table.server.ts'
import { withoutFaults } from '#platform/without-faults.server.ts'
import {
  insertPart,
  lockPart,
  selectPart,
  selectParts,
  selectPartsForSale,
  selectPartStock,
  selectPartUnits,
  setPartStock,
  updatePart,
  type PartUnits,
} from './parts.sql.server.ts'
import {
  factTexts,
  maxPartFileBytes,
  maxPartFileRows,
  partColumns,
  partFileColumns,
  partForm,
  partKindOf,
  type Part,
  type PartDraft,
  type PartStock,
} from './parts.ts'

export {
  partBasisOf,
  partInCart,
  partSku,
  partUnitCost,
  partWithSku,
  returnPartUnits,
  takePartUnits,
  type PartUnits,
} from './parts.sql.server.ts'

type Deps = { db: Database; clock: Clock }

const partsPerPage = 100

/** Lists a page of parts by SKU, after the SKU `after`; `next` is null on the last page. */
export async function listParts(
  { db }: Pick<Deps, 'db'>,
  { kind, after }: { kind: string | null; after: string | null },
): Promise<{ parts: Part[]; next: string | null }> {
  const found = await selectParts(db, { kind, after: after ?? '', limit: partsPerPage + 1 })
  const parts = found.slice(0, partsPerPage)
  return { parts, next: found.length > partsPerPage ? (parts.at(-1)?.sku ?? null) : null }
}

/** Lists the parts for sale with available units, by kind and price. */
export function listPartsForSale({ db }: Pick<Deps, 'db'>): Promise<Part[]> {
  return selectPartsForSale(db)
}

/** Returns the part with this SKU and its units by warehouse; undefined for an unknown SKU. */
export async function findPart(
  { db }: Pick<Deps, 'db'>,
  sku: string,
): Promise<{ part: Part; stock: PartStock[] } | undefined> {
  const part = await selectPart(db, sku)
  return part && { part, stock: await stockOf(db, await selectPartStock(db, part.id)) }
}

/** Lists the store's warehouses by code, except closed ones without units. */
async function stockOf(db: Database, units: ReadonlyMap<number, number>): Promise<PartStock[]> {
  const warehouses = await listWarehouses({ db })
  return warehouses.flatMap((warehouse) => {
    const { id, code, name, supplierId } = warehouse
    const isOpen = warehouseStateOf(warehouse) === 'open' || (units.get(id) ?? 0) > 0
    return supplierId === null && isOpen ? [{ warehouseId: id, code, name, units: units.get(id) ?? null }] : []
  })
}

type SaveRefusal = Refused<'not-allowed'> | Refused<'gone'> | Refused<'changed-meanwhile'>

/** Adds a part. Refuses `sku-taken`. */
export async function addPart(
  { db, clock }: Deps,
  by: Actor,
  draft: PartDraft,
): Promise<Outcome<{ sku: string }, Refused<'not-allowed'> | Refused<'sku-taken'>>> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'catalog.edit', at)
      if (!permitted.ok) return permitted
      await insertPart(tx, draft, at)
      await recordAct(tx, { by, act: 'part.added', subject: draft.sku, after: recorded(draft), at })
      return ok({ sku: draft.sku })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'part_sku_key') return refused('sku-taken')
    throw error
  }
}

/**
 * Changes a part; its kind and SKU stay. Orders have the price at which they were placed. Refuses `gone` for an unknown
 * SKU, and `changed-meanwhile` if its version is no longer the one that the form was filled from.
 */
export function changePart(
  { db, clock }: Deps,
  by: Actor,
  sku: string,
  draft: PartDraft,
): Promise<Outcome<null, SaveRefusal>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'catalog.edit', at)
    if (!permitted.ok) return permitted
    const before = await lockPart(tx, sku)
    if (!before) return refused('gone')
    if (before.version !== draft.version) return refused('changed-meanwhile')
    await change(tx, by, { before, draft, at })
    return ok(null)
  })
}

/** Returns whether the draft differs from the locked part, and then saves it. */
async function change(
  tx: Tx,
  by: Actor,
  { before, draft, at }: { before: Part; draft: PartDraft; at: Temporal.Instant },
): Promise<boolean> {
  const [was, becomes] = [recorded(before), recorded({ ...draft, kind: before.kind })]
  if (JSON.stringify(was) === JSON.stringify(becomes)) return false
  await updatePart(tx, before.id, draft, at)
  await recordAct(tx, { by, act: 'part.changed', subject: before.sku, before: was, after: becomes, at })
  return true
}

function recorded({ kind, brand, name, facts, priceCents, costCents, isOnSale }: Omit<PartDraft, 'version' | 'sku'>) {
  const details = factTexts(partKindOf(kind), facts).join(', ')
  return { kind, brand, name, details, priceCents, costCents, forSale: isOnSale ? 'yes' : 'no' }
}

/**
 * Sets a part's available units in one of the store's warehouses, as counted. Refuses `gone` for an unknown SKU,
 * `not-our-warehouse`, and `changed-meanwhile` if an order took units since the form was read.
 */
export function countPart(
  { db, clock }: Deps,
  by: Actor,
  sku: string,
  { warehouse: warehouseId, units, seen }: { warehouse: number; units: number; seen: number | null },
): Promise<Outcome<null, SaveRefusal | Refused<'not-our-warehouse'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'catalog.edit', at)
    if (!permitted.ok) return permitted
    const part = await lockPart(tx, sku)
    if (!part) return refused('gone')
    const stock = await stockOf(tx, await selectPartStock(tx, part.id, { isLocked: true }))
    const place = stock.find((each) => each.warehouseId === warehouseId)
    if (!place) return refused('not-our-warehouse')
    if (seen !== null && seen !== (place.units ?? 0)) return refused('changed-meanwhile')
    if (place.units === units) return ok(null)
    await setPartStock(tx, { partId: part.id, warehouseId, units })
    await recordAct(tx, {
      by,
      act: 'part.counted',
      subject: sku,
      before: { warehouse: place.code, units: place.units },
      after: { warehouse: place.code, units },
      at,
    })
    return ok(null)
  })
}

/**
 * Adds a part for each row with a new SKU, and changes the others. A row that equals its part has no effect. A file with
 * a fault imports no rows; `faults` has every error by line and column.
 */
export async function importParts(
  { db, clock }: Deps,
  by: Actor,
  text: string,
): Promise<Outcome<{ added: number; changed: number }, Refused<'not-allowed'> | Refused<'faults', string[]>>> {
  const table = readUploadedTable(text, {
    columns: partFileColumns.required,
    maxBytes: maxPartFileBytes,
    maxRows: maxPartFileRows,
  })
  if (!table.ok) return table
  return withoutFaults(db, async (tx, faults) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'catalog.edit', at)
    if (!permitted.ok) return permitted
    const rows = readRows(table.value, faults)
    const saved = { added: 0, changed: 0 }
    if (faults.length > 0) return ok(saved)
    // In key order, so that two files don't wait for each other.
    for (const { line, draft } of rows.toSorted((one, other) => (one.draft.sku < other.draft.sku ? -1 : 1))) {
      const before = await lockPart(tx, draft.sku)
      if (before && before.kind !== draft.kind) faults.push(faultOf(line, 'kind', 'The kind of a part stays.'))
      else if (before && draft.version !== 0 && draft.version !== before.version)
        faults.push(faultOf(line, 'version', 'This part was changed after the export. Export the file again.'))
      else if (!before) {
        await insertPart(tx, draft, at)
        await recordAct(tx, { by, act: 'part.added', subject: draft.sku, after: recorded(draft), at })
        saved.added += 1
      } else if (await change(tx, by, { before, draft, at })) saved.changed += 1
    }
    return ok(saved)
  })
}

function faultOf(line: number, field: string, message: string): string {
  return `Line ${line}, ${partColumns[field] ?? field}: ${message}`
}

function readRows(table: readonly TableRow[], faults: string[]): { line: number; draft: PartDraft }[] {
  const lines = new Map<string, number>()
  return table.flatMap(({ line, cells }) => {
    const typed = Object.entries(partColumns).map(([field, heading]) => [
      field,
      uploadedCell(cells[headOf(heading)] ?? ''),
    ])
    const draft = partForm.safeParse(Object.fromEntries(typed.filter(([, cell]) => cell !== '')))
    for (const { path, message } of draft.error?.issues ?? []) faults.push(faultOf(line, String(path[0]), message))
    if (!draft.success) return []
    const before = lines.get(draft.data.sku)
    lines.set(draft.data.sku, before ?? line)
    if (before === undefined) return [{ line, draft: draft.data }]
    faults.push(faultOf(line, 'sku', `Line ${before} has the same one.`))
    return []
  })
}

/** Parts of an order, and the tires' warehouses that could pack them. */
type PartsToPlan = { parts: readonly { partId: number; quantity: number }[]; warehouseIds: readonly number[] }

/**
 * Chooses for each part the first warehouse with enough units. `lacking` has the parts without such a
 * warehouse. Suppliers' warehouses have no parts.
 */
export async function planParts(
  db: Database,
  { parts, warehouseIds }: PartsToPlan,
): Promise<{ packed: PartUnits[]; lacking: number[] }> {
  if (parts.length === 0) return { packed: [], lacking: [] }
  const free = await selectPartUnits(db, { partIds: parts.map(({ partId }) => partId), warehouseIds })
  const packed: PartUnits[] = []
  const lacking: number[] = []
  for (const { partId, quantity } of parts) {
    const from = warehouseIds.find((id) =>
      free.some((row) => row.partId === partId && row.warehouseId === id && row.quantity >= quantity),
    )
    if (from === undefined) lacking.push(partId)
    else packed.push({ partId, warehouseId: from, quantity })
  }
  return { packed, lacking }
}
