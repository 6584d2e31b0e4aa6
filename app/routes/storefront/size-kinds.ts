import type { SizeEntry } from '#domain/catalog/catalog/catalog.server.ts'

/** What each kind of size is for, in page order. */
const sizeKindWords: Record<SizeEntry['kind'], string> = {
  P: 'Cars, SUVs and vans',
  LT: 'Light truck',
  FLOTATION: 'Light truck, in inches',
  C: 'Commercial vans',
  COMMERCIAL: 'Heavy trucks',
  ST: 'Trailers',
  T: 'Temporary spares',
}

/** Sizes grouped by kind; kinds without any are omitted. */
export function groupByKind<Size extends Pick<SizeEntry, 'kind'>>(
  sizes: readonly Size[],
): { kind: string; sizes: Size[] }[] {
  const kinds = Object.keys(sizeKindWords) as SizeEntry['kind'][]
  return kinds
    .map((kind) => ({ kind: sizeKindWords[kind], sizes: sizes.filter((size) => size.kind === kind) }))
    .filter((group) => group.sizes.length > 0)
}
