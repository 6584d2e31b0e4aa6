import type { Database } from '#platform/db.ts'

/** What a shop needs to know of articles to install them, by article. */
export async function selectItemSizes(
  db: Database,
  itemIds: readonly number[],
): Promise<Map<number, { rimIn: number; aspect: number; runFlat: boolean; sizeKind: string }>> {
  if (itemIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select(['item.id', 'size.rim_in', 'size.aspect', 'size.kind', 'item.run_flat'])
    .where('item.id', 'in', itemIds)
    .execute()
  return new Map(
    rows.map(({ id, rim_in: rimIn, aspect, kind: sizeKind, run_flat: runFlat }) => [
      id,
      { rimIn, aspect: aspect ?? 0, runFlat, sizeKind },
    ]),
  )
}
