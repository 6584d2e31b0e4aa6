/** Names of brands. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'

/** SQL for a brand's name; null if the ID is null. */
export function brandName(id: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(select named_brand.name from brand as named_brand where named_brand.id = ${id})`
}

/** Lists all brands with their IDs, by name. */
export function selectBrandNames(db: Database): Promise<{ id: number; name: string }[]> {
  return db.selectFrom('brand').select(['id', 'name']).orderBy('name').limit(2_000).execute()
}
