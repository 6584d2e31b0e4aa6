/** What a search most likely means: the suggestions under the box, and where a plain submit leads. */
import { vehicleName } from '#domain/vehicles/vehicles.ts'
import type { Place } from './place.ts'
import type { SearchQuery } from './search-query.ts'
import type { Matches, ModelMatch } from './search-matches.ts'

export type SuggestionKind = 'size' | 'vehicle' | 'brand' | 'line' | 'type' | 'category' | 'item' | 'shop' | 'zip'
export type Suggestion = { readonly kind: SuggestionKind; readonly label: string; readonly detail: string; readonly place: Place }

/**
 * What a submitted search leads to: one place when that is clear, else all that it could mean, which may be nothing. `meant` is the likeliest
 * where it is spelled otherwise than it was typed.
 */
export type Resolution =
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'results'; readonly suggestions: readonly Suggestion[]; readonly meant: Suggestion | null }

type Ranked = Suggestion & { readonly rank: number }

/** At most ten suggestions, the likeliest first. */
export function suggestionsFrom(query: SearchQuery, matches: Matches): Suggestion[] {
  return ranked(query, matches).slice(0, 10).map(suggestionOf)
}

/** Goes straight to what is met almost exactly and better than anything else, or, by more than a few letters, far better. */
export function resolve(query: SearchQuery, matches: Matches): Resolution {
  const all = ranked(query, matches)
  const [first, second] = all
  const isAlone = first && query.text.length >= 4 && first.rank >= likely && first.rank - (second?.rank ?? 0) >= lead
  const isClear = first && first.rank > (second?.rank ?? 0) && (first.rank >= sure || isAlone)
  if (isClear) return { kind: 'place', place: first.place }
  const meant = first && !isSpelledSo(query, first) ? suggestionOf(first) : null
  return { kind: 'results', suggestions: all.slice(0, resultsShown).map(suggestionOf), meant }
}

/** The page of results has more room than the box. */
const resultsShown = 30

function suggestionOf({ kind, label, detail, place }: Ranked): Suggestion {
  return { kind, label, detail, place }
}

/** Whether every word that was typed stands in the name of what was found. */
function isSpelledSo({ words }: SearchQuery, { label }: Suggestion): boolean {
  const name = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  return words.every((word) => name.includes(word))
}

/** A whole name typed as it is ranks 1; a size with a brand, or a vehicle with its year, ranks above that. */
const sure = 0.95
const likely = 0.5
const lead = 0.15
/** Below this a likeness is chance. */
const plausible = 0.2
/** What is met as well as this was typed: a make or brand beside it says which one, and is not itself what is looked for. */
const met = 0.3

function ranked(query: SearchQuery, matches: Matches): Ranked[] {
  // A category that is called like its type says nothing more than the type.
  const types = new Set(matches.kinds.flatMap(({ of, slug }) => (of === 'type' ? [slug] : [])))
  const kinds = matches.kinds.filter(({ of, slug }) => of === 'type' || !types.has(slug))
  const all = [...sizes(query, { ...matches, kinds }), ...vehicles(query, matches), ...articles(query, matches), ...names(query, { ...matches, kinds })]
  const best = Math.max(0, ...all.map(({ rank }) => rank))
  return all.filter(({ rank }) => rank >= plausible && rank >= best / 2).sort((a, b) => b.rank - a.rank)
}

/** A size, and with a brand, type or category beside it both at once. */
function sizes({ words }: SearchQuery, { sizes: found, brands, kinds }: Matches): Ranked[] {
  return found.flatMap(({ slug, designation, isWhole }) => {
    const size = {
      kind: 'size' as const,
      label: designation,
      detail: 'All tires in this size',
      place: { kind: 'listing' as const, size: slug },
      rank: isWhole ? (words.length === 0 ? 1.2 : 0.9) : 0.8,
    }
    if (!isWhole || words.length === 0) return [size]
    const both = [
      ...brands.map((brand) => ({
        ...size,
        label: `${brand.name} ${designation}`,
        detail: 'Brand in this size',
        place: { ...size.place, brand: brand.slug },
        rank: 1 + brand.score / 10,
      })),
      ...kinds.map((kind) => ({
        ...size,
        label: `${kind.name} ${designation}`,
        detail: 'Kind in this size',
        place: { ...size.place, [kind.of]: kind.slug },
        rank: 1 + kind.score / 10,
      })),
    ]
    return [size, ...both.filter(({ rank }) => rank >= 1.07)]
  })
}

function vehicles(query: SearchQuery, { makes, models }: Matches): Ranked[] {
  const makeScore = new Map(makes.map(({ slug, score }) => [slug, score]))
  const found = models.flatMap((model) => {
    // A make that agrees and a year in which the model was made each make the reading likelier; one that leads to tires is the better of two.
    const rank = model.score + (makeScore.get(model.makeSlug) ?? 0) * 0.15 + (query.year === null ? 0 : 0.1) - (model.hasSizes ? 0 : 0.2)
    return query.year === null ? [modelSuggestion(model, rank)] : trimSuggestions(model, query.year, query, rank)
  })
  const isModelMet = (makeSlug: string) => query.words.length > 1 && models.some((model) => model.makeSlug === makeSlug && model.score >= met)
  const ofMakes = makes.map(({ slug, name, score }) => ({
    kind: 'vehicle' as const,
    label: `${name} tires`,
    detail: 'All models',
    place: { kind: 'vehicle' as const, makeSlug: slug },
    rank: score - (isModelMet(slug) ? 0.5 : query.words.length > 1 || query.year !== null ? 0.2 : 0),
  }))
  return [...found, ...ofMakes]
}

function modelSuggestion({ makeSlug, make, modelSlug, model, firstYear, lastYear }: ModelMatch, rank: number): Ranked {
  const years = firstYear === lastYear ? `${firstYear}` : `${firstYear} to ${lastYear}`
  return { kind: 'vehicle', label: vehicleName({ make, model }), detail: years, place: { kind: 'vehicle', makeSlug, modelSlug }, rank }
}

/** The trims the words name, else the year as a whole. */
function trimSuggestions({ makeSlug, make, modelSlug, model, trims }: ModelMatch, year: number, { terms }: SearchQuery, rank: number): Ranked[] {
  const typedSlug = (trim: { readonly slug: string }) => trim.slug.replaceAll('-', '')
  const exact = trims.filter((trim) => terms.includes(typedSlug(trim)))
  // "xlt" names every XLT where none is called just that.
  const named = exact.length > 0 ? exact : trims.filter((trim) => terms.some((term) => term.length > 1 && typedSlug(trim).startsWith(term))).slice(0, 3)
  const name = vehicleName({ year, make, model })
  const place = { kind: 'vehicle' as const, makeSlug, modelSlug, year }
  const whole = { kind: 'vehicle' as const, label: name, detail: 'All trims', place, rank }
  return [
    ...named.map((trim) => ({
      ...whole,
      label: `${name} ${trim.name}`,
      detail: 'Vehicle',
      place: { ...place, trimSlug: trim.slug },
      rank: rank + (exact.length > 0 ? 0.05 : 0.01),
    })),
    whole,
  ]
}

function articles({ zip }: SearchQuery, { items, zips }: Matches): Ranked[] {
  return [
    ...items.map(({ id, brandSlug, brandName, lineSlug, lineName, size }) => ({
      kind: 'item' as const,
      label: `${brandName} ${lineName} ${size}`,
      detail: `Article ${id}`,
      place: { kind: 'item' as const, brandSlug, lineSlug, itemId: id },
      rank: zip === null ? 1.3 : 0.9,
    })),
    ...zips.map((found) => ({
      kind: 'zip' as const,
      label: `Shops near ${found.zip}`,
      detail: `${found.city}, ${found.state}`,
      place: { kind: 'zip' as const, zip: found.zip },
      rank: 1.1,
    })),
  ]
}

function names({ words }: SearchQuery, { brands, lines, kinds, shops }: Matches): Ranked[] {
  const brandScore = new Map(brands.map(({ slug, score }) => [slug, score]))
  const isLineMet = (brandSlug: string) => words.length > 1 && lines.some((line) => line.brandSlug === brandSlug && line.score >= met)
  return [
    ...brands.map(({ slug, name, score, lines: count }) => ({
      kind: 'brand' as const,
      label: name,
      detail: count === 1 ? '1 line' : `${count} lines`,
      place: { kind: 'listing' as const, brand: slug },
      rank: score - (isLineMet(slug) ? 0.2 : 0),
    })),
    ...lines.map(({ slug, name, score, brandSlug, brandName, category }) => ({
      kind: 'line' as const,
      label: `${brandName} ${name}`,
      detail: category,
      place: { kind: 'line' as const, brandSlug, lineSlug: slug },
      rank: score + (brandScore.get(brandSlug) ?? 0) * 0.15 - 0.05,
    })),
    ...kinds.map(({ of, slug, name, score }) => ({
      kind: of,
      label: name,
      detail: of === 'type' ? 'Tire type' : 'Category',
      place: { kind: 'listing' as const, [of]: slug },
      rank: score - 0.02,
    })),
    ...shops.map(({ slug, code, name, city, state, score }) => ({
      kind: 'shop' as const,
      label: name,
      detail: `${city}, ${state}`,
      place: { kind: 'shop' as const, slug, code },
      rank: score - 0.05,
    })),
  ]
}
