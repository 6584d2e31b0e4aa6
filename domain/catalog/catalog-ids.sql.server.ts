/** Looks up the catalog ids that a file's names refer to. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import { startPattern } from '#platform/start-pattern.ts'

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

/** An article as staff find it. */
export type NumberedItem = { id: number; sku: string; name: string; brandSlug: string; lineSlug: string }

/** Up to `limit` articles whose SKU begins with `start`, in any case, by SKU; also those that are no longer sold. */
export async function findItemsNumbered(
  { db }: { db: Database },
  start: string,
  limit: number,
): Promise<NumberedItem[]> {
  const { rows } = await sql<NumberedItem>`
    select item.id, item.sku, brand.name || ' ' || line.name || ' ' || size.designation as name, brand.slug as "brandSlug", line.slug as "lineSlug"
    from item join product_line line on line.id = item.product_line_id join brand on brand.id = line.brand_id join size on size.id = item.size_id
    where lower(item.sku) like ${startPattern(start)} order by lower(item.sku) limit ${limit}`.execute(db)
  return rows
}
