/** Looks up the catalog ids that a file's names refer to. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

type Kind = 'brand' | 'line' | 'size' | 'item'

/**
 * Returns the ids of brands by slug, lines by "brand/line" slugs, sizes by designation or slug, and articles by SKU,
 * all lowercase; unknown names are missing.
 */
export async function findCatalogIds(
  db: Database,
  words: Record<Kind, readonly string[]>,
): Promise<Record<Kind, ReadonlyMap<string, number>>> {
  const { rows } = await sql<{ kind: Kind; word: string; id: number }>`
    select 'brand' as kind, slug as word, id from brand where slug = any (${[...words.brand]}::text[])
    union all
    select 'line', concat(brand.slug, '/', product_line.slug), product_line.id from product_line join brand on brand.id = product_line.brand_id
      where concat(brand.slug, '/', product_line.slug) = any (${[...words.line]}::text[])
    union all
    select 'size', word, size.id from size cross join lateral (values (lower(size.designation)), (size.slug)) as words (word)
      where word = any (${[...words.size]}::text[])
    union all
    select 'item', lower(sku), id from item where sku = any (${words.item.map((sku) => sku.toUpperCase())}::text[])`.execute(
    db,
  )
  const idsOf = (kind: Kind) => new Map(rows.flatMap((row) => (row.kind === kind ? [[row.word, row.id] as const] : [])))
  return { brand: idsOf('brand'), line: idsOf('line'), size: idsOf('size'), item: idsOf('item') }
}
