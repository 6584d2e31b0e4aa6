/** Takes a price list from a file. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { AccountType } from '#domain/pricing/pricing.ts'
import type { Formula } from './price-list.ts'
import { overlapsOf, readPriceListRows, type PriceListRow } from './price-list-rows.ts'

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
    if (type !== null)
      await tx
        .updateTable('price_list')
        .set({ account_type: null })
        .where('account_type', '=', type)
        .where('slug', '!=', slug)
        .execute()
    const { id } = await tx
      .insertInto('price_list')
      .values({ slug, name: slug, account_type: type })
      .onConflict((conflict) => conflict.column('slug').doUpdateSet(type === null ? { slug } : { account_type: type }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.deleteFrom('price_rule').where('price_list_id', '=', id).execute()
    const values = rows.map((row) => ({
      price_list_id: id,
      ...found(row),
      ...columnsOf(row.formula),
      starts_at: row.since,
      ends_at: row.until,
    }))
    // So many that the parameters of a statement suffice.
    for (let from = 0; from < values.length; from += 5_000)
      await tx
        .insertInto('price_rule')
        .values(values.slice(from, from + 5_000))
        .execute()
  })
  return ok({ rules: rows.length })
}

type Target = { brand_id?: number; product_line_id?: number; size_id?: number; item_id?: number }

/** What the words of each row stand for; undefined where there is no such thing. */
async function findTargets(
  db: Database,
  rows: readonly PriceListRow[],
): Promise<(row: PriceListRow) => Target | undefined> {
  const wanted = (scope: PriceListRow['scope']) =>
    rows.flatMap((row) => (row.scope === scope ? [row.target.toLowerCase()] : []))
  const { rows: found } = await sql<{ scope: PriceListRow['scope']; target: string; id: number }>`
    select 'brand' as scope, slug as target, id from brand where slug = any (${wanted('brand')}::text[])
    union all
    select 'line', concat(brand.slug, '/', product_line.slug), product_line.id from product_line join brand on brand.id = product_line.brand_id
      where concat(brand.slug, '/', product_line.slug) = any (${wanted('line')}::text[])
    union all
    select 'size', word, size.id from size cross join lateral (values (lower(size.designation)), (size.slug)) as words (word)
      where word = any (${wanted('size')}::text[])
    union all
    select 'item', lower(sku), id from item where sku = any (${wanted('item').map((sku) => sku.toUpperCase())}::text[])`.execute(
    db,
  )
  const ids = new Map(found.map(({ scope, target, id }) => [`${scope} ${target}`, id]))
  return ({ scope, target }) => {
    if (scope === 'every-tire') return {}
    const id = ids.get(`${scope} ${target.toLowerCase()}`)
    return id === undefined ? undefined : { [columns[scope]]: id }
  }
}

const columns = { brand: 'brand_id', line: 'product_line_id', size: 'size_id', item: 'item_id' } as const

function columnsOf(formula: Formula): { kind: string; rate_ppm: number | null; amount_cents: number | null } {
  return {
    kind: formula.kind,
    rate_ppm: formula.kind === 'fixed' ? null : formula.ratePpm,
    amount_cents: formula.kind === 'percent-off' ? null : formula.amountCents,
  }
}
