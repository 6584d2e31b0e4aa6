/** Ids of the demo data, for calls that are to get past the first checks. */
import type { Database } from '#platform/db.ts'

/** The first twenty tires for sale and ten open shops. */
export async function knownIds(db: Database): Promise<{ itemIds: number[]; shopIds: number[] }> {
  const first = (table: 'item' | 'shop', count: number) =>
    db.selectFrom(table).select('id').where('active', '=', true).orderBy('id').limit(count).execute()
  const [items, shops] = [await first('item', 20), await first('shop', 10)]
  return { itemIds: items.map(({ id }) => id), shopIds: shops.map(({ id }) => id) }
}
