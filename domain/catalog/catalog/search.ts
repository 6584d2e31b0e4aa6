/** Ranks the likely meanings of a search, for the suggestions under the box and a submitted search's target. */
import type { Place } from './place.ts'
import { countOf } from '#platform/count-text.ts'
import { kindNotSold, otherKindResults } from './search-not-sold.ts'
import { isPartOf, nameWords, type SearchQuery } from './search-query.ts'
import { isUse, otherWords } from './search-words.ts'
import { inches, ranges, sizes } from './search-size-results.ts'
import type { Matches, OtherTier } from './search-matches.ts'
import { filtersOf, met, namedTypes, wellMet, type Ranked, type Suggestion } from './search-ranked.ts'
import { vehicles } from './search-vehicles.ts'

/**
 * The result of a submitted search. It has one place if the meaning is clear, or else a list of possible meanings.
 * `meant` is the most likely one if it is spelled differently than typed. `notSold` is a requested brand that isn't
 * sold.
 */
export type Resolution =
  | { readonly kind: 'place'; readonly place: Place }
  | {
      readonly kind: 'results'
      readonly suggestions: readonly Suggestion[]
      readonly meant: Suggestion | null
      readonly notSold: { readonly name: string; readonly tier: OtherTier | null } | null
    }

/** Returns at most ten suggestions, likeliest first. */
export function suggestionsFrom(query: SearchQuery, matches: Matches): Suggestion[] {
  return ranked(query, matches).slice(0, 10).map(suggestionOf)
}

/** Goes straight to a clear match; see `clearlyMeant`. */
export function resolve(query: SearchQuery, matches: Matches): Resolution {
  const all = ranked(query, matches)
  const [first] = all
  const kind = kindNotSold(query, matches)
  const notSold = kind ? { name: kind.name, tier: null } : brandNotSold(matches, first)
  const clear = clearlyMeant(query, all)
  if (clear && !notSold) return { kind: 'place', place: clear.place }
  const shownFirst = all.filter(({ kind }) => kind !== 'other-brand').slice(0, resultsShown)
  const meant = first && first.kind !== 'other-brand' && !isSpelledSo(query, first) ? suggestionOf(first) : null
  return { kind: 'results', suggestions: shownFirst.map(suggestionOf), meant, notSold }
}

/**
 * Returns an almost exact match better than all others or, for more than a few letters, a far better one; undefined if
 * there isn't one. A shop or city is opened only by its exact words, because a similar name usually means something
 * else.
 */
function clearlyMeant(query: SearchQuery, [first, second]: readonly Ranked[]): Ranked | undefined {
  if (!first || (second && areTwins(query, first, second))) return undefined
  const ahead = first.rank - (second?.rank ?? 0)
  if ((first.kind === 'shop' || first.kind === 'area') && !isNamed(query, first)) return undefined
  const isAlone = query.text.length >= 4 && first.rank >= likely && ahead >= lead
  return ahead > 0 && (first.rank >= sure || isAlone) ? first : undefined
}

/** Returns whether every typed word is part of a result's name or location. */
function isNamed({ words }: SearchQuery, { label, detail }: Ranked): boolean {
  const named = new Set([...nameWords(label), ...nameWords(detail)])
  return words.every((word) => named.has(word) || word === nameWords(label).join(''))
}

/** Returns whether two results have the same name, so the shopper must choose. */
function areTwins({ size }: SearchQuery, first: Ranked, second: Ranked): boolean {
  return size === null && second.rank >= sure && first.kind !== second.kind && first.rank - second.rank < lead
}

/** The brand asked for, if we do not sell it and no likelier result has that name. */
function brandNotSold({ otherBrands }: Matches, first: Ranked | undefined): { name: string; tier: OtherTier } | null {
  const [brand] = otherBrands
  if (!brand || brand.score < wellMet) return null
  const isOther = first && first.kind !== 'other-brand' && first.terms.some((term) => term.includes(brand.term))
  return isOther ? null : { name: brand.name, tier: brand.tier }
}

/** The results page has more room than the box. */
const resultsShown = 30

function suggestionOf({ kind, label, detail, place }: Ranked): Suggestion {
  return { kind, label, detail, place }
}

/** Whether every typed word is in the result's name, or a synonym of it. */
function isSpelledSo({ words }: SearchQuery, { label, kind, rank }: Ranked): boolean {
  const name = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  return kind === 'page' || rank >= sure || words.every((word) => name.includes(word))
}

/** A full name typed exactly ranks 1; a size with a brand, or a vehicle with its year, ranks higher. */
const sure = 0.95
const likely = 0.5
const lead = 0.15
/** A lower likeness is chance. */
const plausible = 0.2
function ranked(query: SearchQuery, matches: Matches): Ranked[] {
  // A category named like its type is redundant.
  const types = new Set(matches.kinds.flatMap(({ of, slug }) => (of === 'type' ? [slug] : [])))
  const isNamed = namesMore(query, matches)
  const kinds = matches.kinds.filter(
    ({ of, slug, term }) => (of === 'type' || !types.has(slug)) && !(isNamed && query.kindTerms.includes(term)),
  )
  const narrowed = { ...matches, kinds }
  const otherKind = kindNotSold(query, matches)
  if (otherKind) return [...otherKindResults(otherKind, matches), ...sizes(query, narrowed)]
  const named = [
    ...vehicles(query, narrowed),
    ...names(query, narrowed),
    ...pages(query, narrowed),
    ...otherBrands(query, narrowed),
  ]
  const all = [
    ...sizes(query, narrowed),
    ...inches(query, narrowed),
    ...ranges(query, matches),
    ...articles(query, narrowed),
    ...named.flatMap((each) => weighed(query, each)),
  ]
  const best = Math.max(0, ...all.map(({ rank }) => rank))
  return all.filter(({ rank }) => rank >= plausible && rank >= best / 2).sort((a, b) => b.rank - a.rank)
}

/** Whether a vehicle or product line is most of the text, by more than a word for a use: "rav4 hybrid", "range rover sport". */
function namesMore({ words }: SearchQuery, { makes, models, lines }: Matches): boolean {
  const half = words.join('').length / 2
  return [...makes, ...models, ...lines].some(
    ({ score, term }) => score >= wellMet && term.length >= half && !isUse(term),
  )
}

/**
 * Lowers the rank of results that account for fewer of the words; one that leaves half of them over matched by chance.
 */
function weighed(query: SearchQuery, each: Ranked): Ranked[] {
  const { words } = query
  if (words.length < 2) return [each]
  const isAnswered = (word: string) => each.terms.some((term) => isPartOf(query, word, term))
  const all = words.reduce((sum, { length }) => sum + length, 0)
  const answered = words.reduce((sum, word) => sum + (isAnswered(word) ? word.length : 0), 0)
  // "landscape trailer tires" names its kind, whatever the other words are.
  const isKindOfTires = (each.kind === 'type' || each.kind === 'category') && /\bt[iy]res?\b/.test(query.text)
  const isKindSaid = (term: string) =>
    query.kindTerms.includes(term) || words.some((word) => word === term || otherWords(word).includes(term))
  const least = isKindOfTires && each.terms.some(isKindSaid) ? 0.7 : 0
  const share = answered * 2 < all ? 0 : 0.4 + (0.6 * answered) / all
  return share === 0 && least === 0 ? [] : [{ ...each, rank: each.rank * Math.max(share, least) }]
}

function articles({ zip, number }: SearchQuery, { items, zips }: Matches): Ranked[] {
  return [
    ...items.map(({ id, brandSlug, brandName, lineSlug, lineName, size }) => ({
      kind: 'item' as const,
      label: `${brandName} ${lineName} ${size}`,
      detail: `Article ${id}`,
      place: { kind: 'item' as const, brandSlug, lineSlug, itemId: id },
      rank: zip === null || number === null ? 1.3 : 0.9,
      terms: [],
    })),
    ...zips.map((found) => ({
      kind: 'zip' as const,
      label: `Shops near ${found.zip}`,
      detail: `${found.city}, ${found.state}`,
      place: { kind: 'zip' as const, zip: found.zip },
      rank: 1.1,
      terms: [],
    })),
  ]
}

function names(query: SearchQuery, { brands, lines, kinds, shops, areas }: Matches): Ranked[] {
  const { words, filters } = query
  const brandOf = new Map(brands.map((brand) => [brand.slug, brand]))
  const isLineMet = (brandSlug: string) =>
    words.length > 1 && lines.some((line) => line.brandSlug === brandSlug && line.score >= met)
  const kind = kinds.find(({ score }) => score >= wellMet)
  const nearby = filters.shops ? 0.15 : 0
  return [
    ...brands.map(({ slug, name, score, term, lines: count }) => ({
      kind: 'brand' as const,
      label: name,
      detail: countOf(count, 'line'),
      place: { kind: 'listing' as const, brand: slug, filters: filtersOf(query) },
      rank: score - (isLineMet(slug) ? 0.2 : 0),
      terms: [term],
    })),
    ...brands.flatMap((brand) =>
      kind && words.length > 1 && brand.score >= wellMet && brand.term !== kind.term
        ? [
            {
              kind: 'brand' as const,
              label: `${brand.name} ${kind.name.toLowerCase()}`,
              detail: 'Brand and kind',
              place: { kind: 'listing' as const, brand: brand.slug, [kind.of]: kind.slug },
              rank: brand.score + kind.score * 0.1,
              terms: [brand.term, kind.term],
            },
          ]
        : [],
    ),
    ...lines.map(({ slug, name, score, term, brandSlug, brandName, category }) => {
      const brand = brandOf.get(brandSlug)
      return {
        kind: 'line' as const,
        label: `${brandName} ${name}`,
        detail: category,
        place: { kind: 'line' as const, brandSlug, lineSlug: slug },
        rank: score + (brand?.score ?? 0) * 0.15 - 0.05,
        terms: [term, ...(brand && brand.score >= met ? [brand.term] : [])],
      }
    }),
    ...kinds.map(({ of, slug, name, score, term }) => ({
      kind: of,
      label: name,
      detail: of === 'type' ? 'Tire type' : 'Category',
      place: { kind: 'listing' as const, [of]: slug, filters: filtersOf(query) },
      rank: score - 0.02,
      terms: [term],
    })),
    ...shops.map(({ slug, code, name, city, state, score, term }) => ({
      kind: 'shop' as const,
      label: name,
      detail: `${city}, ${state}`,
      place: { kind: 'shop' as const, slug, code },
      rank: score - 0.05,
      terms: [term, ...city.toLowerCase().split(' '), state.toLowerCase()],
    })),
    ...areas.map(({ slug, name, state, shops: count, score, term }) => ({
      kind: 'area' as const,
      label: `Tire shops in ${name}, ${state}`,
      detail: countOf(count, 'shop'),
      place: { kind: 'area' as const, area: slug },
      rank: score - 0.06 + nearby,
      terms: [term, state.toLowerCase()],
    })),
  ]
}

/** A page named in full is meant, whatever else its words may match. */
function pages({ words, phrase, filters }: SearchQuery, { pages: found }: Matches): Ranked[] {
  const named = found.map(({ page, label, detail, score, term }) => ({
    kind: 'page' as const,
    label,
    detail,
    place: { kind: 'page' as const, page },
    rank: score === 1 ? 1.25 : score - 0.12,
    terms: term === phrase ? words : [term],
  }))
  if (!filters.shops || found.some(({ page }) => page === 'shops')) return named
  const shops = {
    kind: 'page' as const,
    label: 'Tire shops near you',
    detail: 'Who installs, with prices and times',
    place: { kind: 'page' as const, page: 'shops' as const },
  }
  return [...named, { ...shops, rank: 0.5, terms: words }]
}

function otherBrands({ words, text }: SearchQuery, { otherBrands: found, typeNames }: Matches): Ranked[] {
  return found.flatMap(({ name, tier, score, term, instead }) => {
    // A brand name may be followed by one of its tire names.
    const terms = score >= wellMet && words[0] !== undefined && term.startsWith(words[0]) ? words : [term]
    const not = {
      kind: 'other-brand' as const,
      label: `${name}: not sold here`,
      detail: 'See what we sell instead',
      place: { kind: 'other-brand' as const, name },
      // "Cooper" may be a car; "Cooper tires" are a brand.
      rank: score - 0.03 + (/\btires?\b/.test(text) && tier !== 'value' ? 0.05 : 0),
      terms,
    }
    if (score < wellMet) return [not]
    return [
      not,
      ...instead.map((brand, index) => ({
        kind: 'brand' as const,
        label: brand.name,
        detail: `${tierNames[tier]} that we sell`,
        place: { kind: 'listing' as const, brand: brand.slug },
        rank: score - 0.3 - index / 100,
        terms,
      })),
      ...namedTypes(typesInstead[tier] ?? [], typeNames).map(({ slug: type, name: label }) => ({
        kind: 'type' as const,
        label,
        detail: 'That we sell',
        place: { kind: 'listing' as const, type },
        rank: score - 0.3,
        terms,
      })),
    ]
  })
}

const tierNames: Readonly<Record<OtherTier, string>> = {
  premium: 'Premium brand',
  mid: 'Mid-priced brand',
  value: 'Value brand',
  commercial: 'Brand',
  trailer: 'Brand',
  'off-road': 'Brand',
}

/** The types that a brand is known for, if any. */
const typesInstead: Partial<Record<OtherTier, readonly string[]>> = {
  commercial: ['commercial'],
  trailer: ['trailer'],
  'off-road': ['mud-terrain', 'all-terrain'],
}
