import type { SizeEntry } from '#domain/catalog/catalog.server.ts'

/** What the kinds of sizes are for. */
export const sizeKindWords: Record<SizeEntry['kind'], string> = {
  P: 'Cars, SUVs and vans',
  LT: 'Light truck',
  FLOTATION: 'Light truck, in inches',
  C: 'Commercial vans',
  ST: 'Trailers',
  T: 'Temporary spares',
  COMMERCIAL: 'Heavy trucks',
}
