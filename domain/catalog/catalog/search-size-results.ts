/** Results for a size, a wheel diameter, a tire height or a load range. */
import { parseSizeSlug, sizeDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { countOf } from '#platform/count-text.ts'
import type { Matches } from './search-matches.ts'
import type { SearchQuery } from './search-query.ts'
import { filtersOf, namedTypes, wellMet, type Ranked } from './search-ranked.ts'
import { largestRimIn } from './search-sizes.ts'

/** A size, combined with a brand, type or category if named. */
export function sizes(query: SearchQuery, { sizes: found, brands, kinds }: Matches): Ranked[] {
  const { words, filters } = query
  const rearSlug = query.rear ?? undefined
  const rearSize = query.rear === null ? undefined : parseSizeSlug(query.rear)
  const said = [filters.range && `load range ${filters.range}`, filters.runFlat && 'run-flat']
    .filter(Boolean)
    .join(', ')
  return found.flatMap(({ slug, designation, isWhole, isSold }) => {
    const size = {
      kind: 'size' as const,
      label: [rearSize ? `${designation} front, ${sizeDesignation(rearSize)} rear` : designation, said]
        .filter(Boolean)
        .join(', '),
      detail: isSold ? (said === '' ? 'All tires in this size' : 'Tires in this size') : 'Not sold here. Closest sizes',
      place: { kind: 'listing' as const, size: slug, rear: rearSlug, filters: isSold ? filtersOf(query) : undefined },
      // Of two sizes with a load range, the light-truck one is meant.
      rank:
        (isWhole ? (words.length === 0 ? 1.2 : 0.9) : 0.8) +
        (filters.range !== null && slug.startsWith('lt') ? 0.05 : 0),
      terms: [],
    }
    if (!isWhole || words.length === 0) return [size]
    // A complete size is more specific than a kind or brand next to it.
    if (!isSold) return [{ ...size, rank: 1.1 }]
    const both = [
      ...brands.map((brand) => ({
        ...size,
        label: `${brand.name} ${size.label}`,
        detail: 'Brand in this size',
        place: { ...size.place, brand: brand.slug },
        rank: 1 + brand.score / 10,
      })),
      ...kinds.map((kind) => ({
        ...size,
        label: `${kind.name} ${size.label}`,
        detail: 'Kind in this size',
        place: { ...size.place, [kind.of]: kind.slug },
        rank: 1 + kind.score / 10,
      })),
    ]
    return [size, ...both.filter(({ rank }) => rank >= 1.07)]
  })
}

/** "20 inch tires" are for wheels of that diameter; "35 inch tires" and "35s" are that tall themselves. */
export function inches(query: SearchQuery, { kinds, sizes: found }: Matches): Ranked[] {
  const number = query.filters.inches
  if (number === null || query.size !== null) return []
  const kind = kinds.find(({ score }) => score >= wellMet)
  const label = `${number}-inch ${kind ? `${kind.name.toLowerCase()} ` : ''}tires`
  const rank = query.words.length === 0 || kind ? 1.2 : 0.6
  if (number <= largestRimIn)
    return [
      {
        kind: 'size',
        label,
        detail: `For ${number}-inch wheels`,
        place: {
          kind: 'rim',
          rimIn: number,
          filters: filtersOf({ ...query, filters: { ...query.filters, range: null, runFlat: false } }, { kind }),
        },
        rank,
        terms: [],
      },
    ]
  return found.length === 0
    ? []
    : [
        {
          kind: 'size',
          label,
          detail: `Sizes about ${countOf(number, 'inch', 'inches')} high`,
          place: { kind: 'height', heightIn: number },
          rank,
          terms: [],
        },
      ]
}

/** Returns kinds in a load range searched without other terms, such as "10 ply". */
export function ranges(query: SearchQuery, { typeNames }: Pick<Matches, 'typeNames'>): Ranked[] {
  const { size, sizeDigits, words, year, filters } = query
  if (filters.range === null || size !== null || words.length > 0 || year !== null || filters.inches !== null) return []
  return sizeDigits !== null && sizeDigits.length > 2
    ? []
    : namedTypes(rangeTypes, typeNames).map(({ slug, name }, index) => ({
        kind: 'type' as const,
        label: `${name}, load range ${filters.range}`,
        detail: 'Kind in this load range',
        place: { kind: 'listing' as const, type: slug, filters: filtersOf(query) },
        rank: 0.9 - index / 100,
        terms: [],
      }))
}

/** The types that light trucks and trailers take. */
const rangeTypes = ['all-terrain', 'highway', 'mud-terrain', 'commercial', 'trailer']
