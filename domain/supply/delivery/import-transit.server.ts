/** Imports transit days of a warehouse by ZIP prefix. */
import type { DeliveryRegion } from '#domain/kernel/rates/rates.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { countOf } from '#platform/count-text.ts'
import { headOf } from '#platform/csv-text.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { readUploadedTable, type TableRow } from '#platform/uploaded-table.server.ts'
import { withoutFaults } from '#platform/without-faults.server.ts'
import {
  lockWarehouse,
  replaceTransit,
  selectPrefixRegions,
  selectTransit,
  type PrefixTransit,
} from './transit-file.sql.server.ts'
import { maxTransitFileBytes, maxTransitFileRows, transitColumns } from './transit-file.ts'

type Deps = { db: Database; clock: Clock }
type Regions = ReadonlyMap<string, DeliveryRegion | 'MILITARY'>
type Imported = { prefixes: number; changed: boolean }
type ReadRow = PrefixTransit & { region: DeliveryRegion }

/**
 * Replaces a warehouse's transit days by ZIP prefix. Other ZIP codes have their zone's days. A file with a fault is
 * rejected; `faults` has every error by line and column. `changed` is false for a
 * file that equals the current days. Refuses `gone` for an unknown warehouse.
 */
export async function importTransit(
  { db, clock }: Deps,
  by: Actor,
  { id, text }: { id: number; text: string },
): Promise<Outcome<Imported, Refused<'not-allowed'> | Refused<'gone'> | Refused<'faults', string[]>>> {
  const table = readUploadedTable(text, {
    columns: Object.values(transitColumns),
    maxBytes: maxTransitFileBytes,
    maxRows: maxTransitFileRows,
  })
  if (!table.ok) return table
  return withoutFaults(db, async (tx, faults) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'warehouses.manage', at)
    if (!permitted.ok) return permitted
    const code = await lockWarehouse(tx, id)
    if (code === undefined) return refused('gone')
    const rows = readRows(table.value, await selectPrefixRegions(tx), faults)
    const unchanged: Imported = { prefixes: rows.length, changed: false }
    if (faults.length > 0) return ok(unchanged)
    const before = await selectTransit(tx, id)
    const [was, becomes] = [summaryOf(before), summaryOf(rows)]
    if (JSON.stringify(plain(before)) === JSON.stringify(plain(rows))) return ok(unchanged)
    await replaceTransit(tx, id, rows, { by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'warehouse.changed',
      subject: code,
      before: { transitByZip: was },
      after: { transitByZip: becomes },
      at,
    })
    return ok({ ...unchanged, changed: true })
  })
}

/** Removes a warehouse's transit days by ZIP prefix, so that its zones apply. Refuses `gone` for an unknown warehouse. */
export async function removeTransit(
  { db, clock }: Deps,
  by: Actor,
  id: number,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'gone'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'warehouses.manage', at)
    if (!permitted.ok) return permitted
    const code = await lockWarehouse(tx, id)
    if (code === undefined) return refused('gone')
    const before = await selectTransit(tx, id)
    if (before.length === 0) return ok(null)
    await replaceTransit(tx, id, [], { by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'warehouse.changed',
      subject: code,
      before: { transitByZip: summaryOf(before) },
      after: { transitByZip: summaryOf([]) },
      at,
    })
    return ok(null)
  })
}

function readRows(table: readonly TableRow[], regions: Regions, faults: string[]): ReadRow[] {
  const lines = new Map<string, number>()
  const rows = table.flatMap(({ line, cells }) => {
    const fault = (column: keyof typeof transitColumns, message: string) =>
      faults.push(`Line ${line}, ${transitColumns[column]}: ${message}`)
    // Spreadsheets drop leading zeros.
    const prefix = (cells[headOf(transitColumns.prefix)] ?? '').trim().padStart(3, '0')
    const days = (cells[headOf(transitColumns.days)] ?? '').trim()
    const before = lines.get(prefix)
    lines.set(prefix, before ?? line)
    const region = regions.get(prefix)
    if (!/^\d{3}$/.test(prefix)) fault('prefix', 'Enter the first three digits of ZIP codes, such as 606.')
    else if (before !== undefined) fault('prefix', `Line ${before} has the same one.`)
    else if (region === undefined) fault('prefix', `No ZIP code begins with ${prefix}.`)
    else if (region === 'MILITARY') fault('prefix', 'The store doesn’t ship to APO, FPO, and DPO addresses.')
    const isDays = /^\d{1,2}$/.test(days) && Number(days) >= 1 && Number(days) <= 30
    if (!isDays) fault('days', 'Enter a whole number of days from 1 to 30.')
    return isDays && region !== undefined && region !== 'MILITARY' ? [{ prefix, region, days: Number(days) }] : []
  })
  return rows.toSorted((one, other) => Number(one.prefix) - Number(other.prefix))
}

const plain = (rows: readonly PrefixTransit[]) => rows.map(({ prefix, days }) => [prefix, days])

/** "930 ZIP prefixes, 1 to 6 business days", for the audit log. */
function summaryOf(rows: readonly PrefixTransit[]): string {
  if (rows.length === 0) return ''
  const days = rows.map((row) => row.days)
  return `${countOf(rows.length, 'ZIP prefix', 'ZIP prefixes')}, ${Math.min(...days)} to ${countOf(Math.max(...days), 'business day')}`
}
