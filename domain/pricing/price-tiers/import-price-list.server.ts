/** Imports a price list from a file. */
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { AccountType } from '#domain/pricing/pricing/pricing.ts'
import type { FindCatalogIds } from './catalog-ids.port.ts'
import {
  findTargets,
  hasVersions,
  releaseType,
  replaceRules,
  upsertPriceList,
  type Target,
} from './import-price-list.sql.server.ts'
import { overlapsOf, readPriceListRows, type PriceListRow } from './price-list-rows.ts'

export type PriceListFile = {
  readonly slug: string
  /** The account type that buys by the list; null leaves it unchanged. */
  readonly type: AccountType | null
  /** One per row, by the names of `priceListColumns`. */
  readonly records: readonly Readonly<Record<string, string>>[]
}

/** A valid row with what it is for. */
export type TargetedRow = Omit<PriceListRow, 'target'> & { target: Target }

export type ImportDeps = { db: Database; findCatalogIds: FindCatalogIds }

/** Reads the rows of a file, and finds what they are for. Refuses with every fault, each by its line. */
export async function readTargets(
  deps: ImportDeps,
  records: PriceListFile['records'],
): Promise<Outcome<TargetedRow[], Refused<'faults', string[]>>> {
  const { rows, faults } = readPriceListRows(records)
  const found = await findTargets(deps, rows)
  const all = [
    ...faults,
    ...rows.flatMap((row) => (found(row) ? [] : [`Line ${row.line}: there is no ${row.scope} ${row.target}.`])),
    // Compared by referenced entity, because a size has several spellings.
    ...overlapsOf(rows, (row) => JSON.stringify(found(row) ?? row.line)),
  ]
  return all.length > 0 ? refused('faults', all) : ok(rows.map((row) => ({ ...row, target: found(row) ?? {} })))
}

/**
 * Replaces the list's rules with all of the file's, creating the list if necessary. Refuses the whole file with every
 * error by line, and any file for a list with versions, because those are edited in the office.
 */
export async function importPriceList(
  deps: ImportDeps,
  { slug, type, records }: PriceListFile,
): Promise<Outcome<{ rules: number }, Refused<'faults', string[]>>> {
  const read = await readTargets(deps, records)
  if (!read.ok) return read
  return deps.db.transaction().execute(async (tx) => {
    if (await hasVersions(tx, slug))
      return refused('faults', [`${slug} is managed in the back office. Upload a version there.`])
    // One list per type: take it from the list that had it.
    if (type !== null) await releaseType(tx, type, slug)
    const id = await upsertPriceList(tx, slug, type)
    await replaceRules(tx, id, read.value)
    return ok({ rules: read.value.length })
  })
}
