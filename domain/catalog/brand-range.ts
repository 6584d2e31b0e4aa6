/** The brands a visitor is shown and sold, by id and in order; null for all of them. */
export type BrandRange = readonly number[] | null

/** One name for ranges that are the same. */
export function rangeKey(range: BrandRange): string {
  return range === null ? 'all' : range.join(' ')
}
