/** Vehicles a search may mean, with their trims. */
import { vehicleName } from '#domain/catalog/vehicles/vehicles.ts'
import type { Matches, ModelMatch, NamedTrim } from './search-matches.ts'
import type { SearchQuery } from './search-query.ts'
import { filtersOf, met, wellMet, type Ranked } from './search-ranked.ts'
import { vehicleDescriptions } from './search-words.ts'

/** Makes, models and years of models; the named trims with the whole year. */
export function vehicles(query: SearchQuery, matches: Matches): Ranked[] {
  const { makes, models } = matches
  const makeOf = new Map(makes.map((make) => [make.slug, make]))
  const found = models.flatMap((model) => {
    const make = makeOf.get(model.makeSlug)
    // A matching make and a year of production each raise the rank; of two models the one with sizes ranks higher.
    const rank = model.score + (make?.score ?? 0) * 0.15 + (query.year === null ? 0 : 0.1) - (model.hasSizes ? 0 : 0.2)
    const beside = besideVehicle(query, matches, model)
    // Next to a name, but not after a letter, since the "wagon" in "g wagon" is part of the name.
    const described = model.term.length > 2 ? query.words.filter((word) => vehicleDescriptions.has(word)) : []
    const terms = [
      model.term,
      ...model.trimTerms,
      ...(make && make.score >= met ? [make.term] : []),
      ...beside.terms,
      ...described,
    ]
    return query.year === null
      ? [modelSuggestion(model, rank, terms)]
      : trimSuggestions(model, query.year, query, { rank, terms, beside })
  })
  const isModelMet = (makeSlug: string) =>
    query.words.length > 1 && models.some((model) => model.makeSlug === makeSlug && model.score >= met)
  const ofMakes = makes.map(({ slug, name, score, term }) => ({
    kind: 'vehicle' as const,
    label: `${name} tires`,
    detail: 'All models',
    place: { kind: 'vehicle' as const, makeSlug: slug },
    rank: score - (isModelMet(slug) ? 0.5 : query.words.length > 1 || query.year !== null ? 0.2 : 0),
    terms: [term],
  }))
  return [...found, ...ofMakes]
}

type Beside = {
  readonly filters: string | undefined
  readonly detail: string | undefined
  readonly terms: readonly string[]
}

/** A type or brand next to a vehicle filters its results. */
function besideVehicle(query: SearchQuery, { kinds, brands }: Matches, { term }: ModelMatch): Beside {
  const isFree = (other: { readonly term: string; readonly score: number }) =>
    !query.kindTerms.includes(other.term) &&
    other.score >= wellMet &&
    !term.includes(other.term) &&
    !other.term.includes(term)
  const [kind, brand] = [kinds.find(isFree), brands.find(isFree)]
  const said = [brand?.name, kind?.name, query.filters.runFlat && 'Run-flat'].filter(Boolean).join(', ')
  return {
    filters: filtersOf(query, { kind, brand: brand?.slug }),
    detail: said === '' ? undefined : said,
    terms: [kind?.term, brand?.term].filter((each) => each !== undefined),
  }
}

function modelSuggestion(
  { makeSlug, make, modelSlug, model, firstYear, lastYear }: ModelMatch,
  rank: number,
  terms: readonly string[],
): Ranked {
  const years = firstYear === lastYear ? `${firstYear}` : `${firstYear} to ${lastYear}`
  return {
    kind: 'vehicle',
    label: vehicleName({ make, model }),
    detail: years,
    place: { kind: 'vehicle', makeSlug, modelSlug },
    rank,
    terms,
  }
}

/**
 * Returns the named trims, or otherwise the whole year. Suggests trims of both drive types if the text has no drive
 * type, and never a different one than stated.
 */
function trimSuggestions(
  { makeSlug, make, modelSlug, model, trims }: ModelMatch,
  year: number,
  { terms: typed, filters: { drive } }: SearchQuery,
  { rank, terms, beside }: { rank: number; terms: readonly string[]; beside: Beside },
): Ranked[] {
  const typedSlug = (trim: { readonly slug: string }) => trim.slug.replaceAll('-', '')
  const exact = trims.filter((trim) => typed.includes(typedSlug(trim)))
  // "xlt" matches every XLT unless a trim has exactly that name.
  const called =
    exact.length > 0
      ? exact
      : trims.filter((trim) => typed.some((term) => term.length > 1 && typedSlug(trim).startsWith(term)))
  const possible = drive === null ? called : called.filter((trim) => (drivenBy(trim) ?? drive) === drive)
  const stated = possible.filter((trim) => drivenBy(trim) === drive)
  const named = (drive !== null && stated.length > 0 ? stated : possible).slice(0, 3)
  const others = called.filter((trim) => !possible.includes(trim)).slice(0, 2)
  const isGuess = named.some((trim) => drive === null && drivenByName(trim) !== null)
  const place = { kind: 'vehicle' as const, makeSlug, modelSlug, year, filters: beside.filters }
  const name = vehicleName({ year, make, model })
  const whole = {
    kind: 'vehicle' as const,
    label: name,
    detail: beside.detail ?? 'All trims',
    place,
    rank: isGuess ? rank + 0.01 : rank,
    terms,
  }
  const suggestion = (trim: NamedTrim, points: number) => ({
    ...whole,
    label: vehicleName({ year, make, model, trim: trim.name }),
    detail: beside.detail ?? 'Vehicle',
    place: { ...place, trimSlug: trim.slug },
    rank: points,
  })
  return [
    ...named.map((trim) => suggestion(trim, rank + (exact.length > 0 && !isGuess ? 0.05 : 0.01))),
    whole,
    ...others.map((trim) => suggestion(trim, rank - 0.05)),
  ]
}

/** The drive type of a trim; null if not known. */
function drivenBy(trim: NamedTrim): 'all' | 'two' | null {
  if (trim.drive === 'awd' || trim.drive === '4wd') return 'all'
  return trim.drive === 'fwd' || trim.drive === 'rwd' ? 'two' : drivenByName(trim)
}

function drivenByName({ name }: NamedTrim): 'all' | 'two' | null {
  if (/\b(4x4|4wd|awd|xdrive|quattro|4matic)/i.test(name)) return 'all'
  return /\b(4x2|2wd|fwd|rwd|sdrive)/i.test(name) ? 'two' : null
}
