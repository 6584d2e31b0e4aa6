/** Imports a price list from a file. */
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { AccountType } from '#domain/pricing/pricing.ts'
import { findTargets, releaseType, replaceRules, upsertPriceList } from './import-price-list.sql.server.ts'
import { overlapsOf, readPriceListRows } from './price-list-rows.ts'

export type PriceListFile = {
  readonly slug: string
  /** The account type that buys by the list; null leaves it unchanged. */
  readonly type: AccountType | null
  /** One per row, by the names of `priceListColumns`. */
  readonly records: readonly Readonly<Record<string, string>>[]
}

/**
 * Replaces the list with the file's rules, all or nothing, making the list if needed. Refuses with every error, each by
 * its line.
 */
export async function importPriceList(
  db: Database,
  { slug, type, records }: PriceListFile,
): Promise<Outcome<{ rules: number }, Refused<'faults', string[]>>> {
  const { rows, faults } = readPriceListRows(records)
  const found = await findTargets(db, rows)
  const all = [
    ...faults,
    ...rows.flatMap((row) => (found(row) ? [] : [`Line ${row.line}: there is no ${row.scope} ${row.target}.`])),
    // Compared by what the names refer to: a size has several spellings.
    ...overlapsOf(rows, (row) => JSON.stringify(found(row) ?? row.line)),
  ]
  if (all.length > 0) return refused('faults', all)
  await db.transaction().execute(async (tx) => {
    // One list per type: take it from the list that had it.
    if (type !== null) await releaseType(tx, type, slug)
    const id = await upsertPriceList(tx, slug, type)
    await replaceRules(
      tx,
      id,
      rows.map((row) => ({ ...row, target: found(row) ?? {} })),
    )
  })
  return ok({ rules: rows.length })
}
