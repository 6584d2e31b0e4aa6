/** The brands a visitor may see and buy, by sorted id; null for all. */
export type BrandRange = readonly number[] | null

/** A key that is equal for equal ranges. */
export function rangeKey(range: BrandRange): string {
  return range === null ? 'all' : range.join(' ')
}
