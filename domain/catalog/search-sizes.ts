/** Which sizes a typed text means: one as a whole, one still being typed, or those of a height. */
import { parseSizeSlug, sizeDesignation, tireGeometry } from '#domain/fitment/fitment.ts'
import type { SizeMatch } from './search-matches.ts'
import type { SearchQuery } from './search-query.ts'
import { byText, shown } from './search-scores.ts'

export type NamedSize = {
  readonly slug: string
  readonly designation: string
  /** Vehicles that have it. */ readonly vehicles: number
}
/** Inches: what is larger is no wheel but the height of a tire. */
export const largestRimIn = 24.5

type TypedSize = NamedSize & { readonly digits: string }

/** Matches what was typed with the sizes on sale; the likeliest first, and of these the one most vehicles have. */
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

/** What is on sale of the size that was typed as a whole, before all that begin as it does. */
function soldSizes(typedSizes: readonly TypedSize[], query: SearchQuery): SizeMatch[] {
  const { size, sizeDigits, sizeLetters } = query
  // Who leaves out the letters of a size that is only sold with them means that one.
  const wholeDigits = isSoldAsTyped(typedSizes, query) ? undefined : size?.replaceAll(/\D/g, '')
  const matches: SizeMatch[] = []
  for (const { slug, designation, digits } of typedSizes) {
    if (slug === size || digits === wholeDigits) matches.unshift({ slug, designation, isWhole: true, isSold: true })
    else if (sizeDigits !== null && digits.startsWith(sizeDigits) && designation.startsWith(sizeLetters))
      matches.push({ slug, designation, isWhole: false, isSold: true })
  }
  return matches
}

/**
 * Whether the size is on sale as it was typed. A load range is that of a light truck: who says "265/70R17 E" leaves out
 * its letters.
 */
function isSoldAsTyped(typedSizes: readonly TypedSize[], { size, filters: { range } }: SearchQuery): boolean {
  return typedSizes.some(
    ({ slug }) =>
      slug === size && (range === null || slug.startsWith('lt') || slug.startsWith('st') || slug.includes('x')),
  )
}

/** A size that is none of ours; its nearest are shown for it. */
function notSold(slug: string): SizeMatch[] {
  const size = parseSizeSlug(slug)
  return size ? [{ slug, designation: sizeDesignation(size), isWhole: true, isSold: false }] : []
}

/** Inches of overall height, rounded; 0 where the size does not tell. */
function heightIn({ slug }: NamedSize): number {
  const size = parseSizeSlug(slug)
  return Math.round(((size && tireGeometry(size).overallDiameterMm) ?? 0) / 25.4)
}
