/** Takes a price list from a file. */
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { AccountType } from '#domain/pricing/pricing.ts'
import { findTargets, releaseType, replaceRules, upsertPriceList } from './import-price-list.sql.server.ts'
import { overlapsOf, readPriceListRows } from './price-list-rows.ts'

export type PriceListFile = {
  readonly slug: string
  /** The type whose accounts buy by the list; null leaves that as it is. */
  readonly type: AccountType | null
  /** A row each, by the names of `priceListColumns`. */
  readonly records: readonly Readonly<Record<string, string>>[]
}

/**
 * Makes the list what the file says, all of it or nothing: rules that are not in the file are gone. A list that is not
 * there is made. Refuses with every fault, each by its line.
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
    // By what the words stand for: a size has more than one spelling.
    ...overlapsOf(rows, (row) => JSON.stringify(found(row) ?? row.line)),
  ]
  if (all.length > 0) return refused('faults', all)
  await db.transaction().execute(async (tx) => {
    // One list a type: the one that had it is nobody's then.
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
