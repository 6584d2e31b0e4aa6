/** Matches a query with sizes that are complete, partly typed, or given as a height. */
import { parseSizeSlug, sizeDesignation, tireGeometry } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { SizeMatch } from './search-matches.ts'
import type { SearchQuery } from './search-query.ts'
import { byText, shown } from './search-scores.ts'

export type NamedSize = {
  readonly slug: string
  readonly designation: string
  /** Number of vehicles with it. */ readonly vehicles: number
}
/** In inches. Larger values are a tire height, not a wheel. */
export const largestRimIn = 24.5

type TypedSize = NamedSize & { readonly digits: string }

/** Matches a query with the sizes on sale; likeliest first, and among these the one most vehicles have. */
export function sizeMatcher(sizes: readonly NamedSize[]): (query: SearchQuery) => SizeMatch[] {
  const typedSizes = sizes
    .map((size) => ({ ...size, digits: size.designation.replaceAll(/\D/g, '') }))
    .sort((a, b) => b.vehicles - a.vehicles || byText(a.designation, b.designation))
  const sizesByHeight = Map.groupBy(typedSizes, heightIn)

  return (query) => {
    const { size, sizeDigits, filters } = query
    if (size === null && filters.inches !== null)
      return (filters.inches > largestRimIn ? (sizesByHeight.get(filters.inches) ?? []) : [])
        .slice(0, shown)
        .map(({ slug, designation }) => ({ slug, designation, isWhole: false, isSold: true }))
    if (size === null && sizeDigits === null) return []
    const matches = soldSizes(typedSizes, query)
    if (filters.range !== null)
      matches.sort((a, b) => Number(b.designation.startsWith('LT')) - Number(a.designation.startsWith('LT')))
    const isMissing = size !== null && !matches.some(({ isWhole }) => isWhole)
    return [...(isMissing ? notSold(size) : []), ...matches].slice(0, shown)
  }
}

/** Sizes on sale that match the typed one in full, before those it is a prefix of. */
function soldSizes(typedSizes: readonly TypedSize[], query: SearchQuery): SizeMatch[] {
  const { size, sizeDigits, sizeLetters } = query
  // Omitting the letters of a size only sold with them means that size.
  const wholeDigits = isSoldAsTyped(typedSizes, query) ? undefined : size?.replaceAll(/\D/g, '')
  const matches: SizeMatch[] = []
  for (const { slug, designation, digits } of typedSizes) {
    if (slug === size || digits === wholeDigits) matches.unshift({ slug, designation, isWhole: true, isSold: true })
    else if (sizeDigits !== null && digits.startsWith(sizeDigits) && designation.startsWith(sizeLetters))
      matches.push({ slug, designation, isWhole: false, isSold: true })
  }
  return matches
}

/** Whether the size is on sale as typed. A load range implies light truck: "265/70R17 E" omits the letters. */
function isSoldAsTyped(typedSizes: readonly TypedSize[], { size, filters: { range } }: SearchQuery): boolean {
  return typedSizes.some(
    ({ slug }) =>
      slug === size && (range === null || slug.startsWith('lt') || slug.startsWith('st') || slug.includes('x')),
  )
}

/** A size we do not sell; shown with the closest ones. */
function notSold(slug: string): SizeMatch[] {
  const size = parseSizeSlug(slug)
  return size ? [{ slug, designation: sizeDesignation(size), isWhole: true, isSold: false }] : []
}

/** Overall height in inches, rounded; 0 if the size does not state it. */
function heightIn({ slug }: NamedSize): number {
  const size = parseSizeSlug(slug)
  return Math.round(((size && tireGeometry(size).overallDiameterMm) ?? 0) / 25.4)
}
