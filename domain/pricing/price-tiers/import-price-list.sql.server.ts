/** The statements for importing a price list from a file. */
import type { AccountType } from '#domain/pricing/pricing/pricing.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { FindCatalogIds } from './catalog-ids.port.ts'
import type { Formula } from './price-list.ts'
import type { PriceListRow } from './price-list-rows.ts'

/** A rule's scope, by its only key column; empty for every tire. */
export type Target = { brand_id?: number; product_line_id?: number; size_id?: number; item_id?: number }

/** Returns what each row's names refer to; undefined if it does not exist. */
export async function findTargets(
  { db, findCatalogIds }: { db: Database; findCatalogIds: FindCatalogIds },
  rows: readonly PriceListRow[],
): Promise<(row: PriceListRow) => Target | undefined> {
  const wanted = (scope: PriceListRow['scope']) =>
    rows.flatMap((row) => (row.scope === scope ? [row.target.toLowerCase()] : []))
  const ids = await findCatalogIds(db, {
    brand: wanted('brand'),
    line: wanted('line'),
    size: wanted('size'),
    item: wanted('item'),
  })
  return ({ scope, target }) => {
    if (scope === 'every-tire') return {}
    const id = ids[scope].get(target.toLowerCase())
    return id === undefined ? undefined : { [columns[scope]]: id }
  }
}

const columns = { brand: 'brand_id', line: 'product_line_id', size: 'size_id', item: 'item_id' } as const

/** Takes an account type from the list that has it, unless that is the list `slug`. */
export async function releaseType(tx: Tx, type: AccountType, slug: string): Promise<void> {
  await tx
    .updateTable('price_list')
    .set({ account_type: null })
    .where('account_type', '=', type)
    .where('slug', '!=', slug)
    .execute()
}

/** Whether the list has versions with a start, which its rules come from. */
export async function hasVersions(tx: Tx, slug: string): Promise<boolean> {
  const row = await tx
    .selectFrom('price_list_version')
    .innerJoin('price_list', 'price_list.id', 'price_list_id')
    .select('price_list_version.id')
    .where('slug', '=', slug)
    .where('starts_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds or makes the list with a slug and sets its account type; null leaves that unchanged. Returns its id. */
export async function upsertPriceList(tx: Tx, slug: string, type: AccountType | null): Promise<number> {
  const { id } = await tx
    .insertInto('price_list')
    .values({ slug, name: slug, account_type: type })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(type === null ? { slug } : { account_type: type }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Stays below the maximum number of query parameters. */
const rulesPerStatement = 5_000

/** Replaces the rules of a list. */
export async function replaceRules(
  tx: Tx,
  listId: number,
  rules: readonly (Omit<PriceListRow, 'target'> & { target: Target })[],
): Promise<void> {
  await tx.deleteFrom('price_rule').where('price_list_id', '=', listId).execute()
  const values = rules.map(({ target, formula, since, until }) => ({
    price_list_id: listId,
    ...target,
    ...columnsOf(formula),
    starts_at: since,
    ends_at: until,
  }))
  for (let from = 0; from < values.length; from += rulesPerStatement)
    await tx
      .insertInto('price_rule')
      .values(values.slice(from, from + rulesPerStatement))
      .execute()
}

/** A rule's formula as its columns. */
export function columnsOf(formula: Formula): { kind: string; rate_ppm: number | null; amount_cents: number | null } {
  return {
    kind: formula.kind,
    rate_ppm: formula.kind === 'fixed' ? null : formula.ratePpm,
    amount_cents: formula.kind === 'percent-off' ? null : formula.amountCents,
  }
}
