/**
 * Everything with a name, and matching it with a query. Read once and matched in memory, so that keystrokes don't
 * depend on the database.
 */
import type {
  AreaMatch,
  BrandMatch,
  KindMatch,
  LineMatch,
  Matches,
  NameMatch,
  OtherBrandMatch,
  PageMatch,
  ShopMatch,
} from './search-matches.ts'
import { modelMatcher, spelledModels, type NamedModel } from './search-models.ts'
import { indexNames, type Met, type NameIndex } from './search-names.ts'
import { storePages, type NamedPage } from './search-pages.ts'
import { nameWords, phraseOf, type SearchQuery } from './search-query.ts'
import { bestOf, bySlugs, byText, firstOf, shown, topOf, type Best, type Scoring } from './search-scores.ts'
import { sizeMatcher, type NamedSize } from './search-sizes.ts'

type Unscored<Match> = Omit<Match, 'score' | 'term'>
export type NamedBrand = Unscored<BrandMatch>
export type NamedLine = Unscored<LineMatch> & { readonly id: number; readonly reviews: number }
/** `position` is its place in display order. */
export type NamedKind = Unscored<KindMatch> & { readonly position: number }
export type NamedShop = Unscored<ShopMatch> & { readonly id: number }
/** A city with shops; `slug` is its slug: "chicago-il". */
export type NamedArea = Unscored<AreaMatch>
export type NamedOtherBrand = Omit<Unscored<OtherBrandMatch>, 'instead'>

export type Names = {
  readonly sizes: readonly NamedSize[]
  readonly brands: readonly NamedBrand[]
  readonly lines: readonly NamedLine[]
  readonly kinds: readonly NamedKind[]
  readonly models: readonly NamedModel[]
  readonly shops: readonly NamedShop[]
  readonly areas: readonly NamedArea[]
  readonly otherBrands: readonly NamedOtherBrand[]
}

export type Vocabulary = {
  /** Up to six matches of each kind, best first. */
  match(query: SearchQuery): Omit<Matches, 'items' | 'zips'>
}

/** Indexes the names. Takes tens of milliseconds, so it yields with `pause` between steps. */
export async function createVocabulary(
  { sizes, brands, lines, kinds, models, shops, areas, otherBrands }: Names,
  pause: () => Promise<void>,
): Promise<Vocabulary> {
  async function index<Entry>(entries: readonly Entry[], nameOf: (entry: Entry) => string): Promise<NameIndex<Entry>> {
    await pause()
    return indexNames(entries.map((entry) => ({ entry, name: nameOf(entry) })))
  }
  const matchSizes = sizeMatcher(sizes)
  const makeNames = await index(makesWithSizes(models), ({ slug }) => slug)
  const spellings = await index(models.flatMap(spelledModels), ({ name }) => name)
  await pause()
  const matchModels = modelMatcher(models, spellings)
  const brandNames = await index(brands, ({ slug }) => slug)
  // Staff may rename a kind; shoppers who remember the earlier name still find it by its slug.
  const kindNames = indexNames(kinds.flatMap((entry) => namesOfKind(entry).map((name) => ({ entry, name }))))
  const typeNames = new Map(kinds.flatMap(({ of, slug, name }) => (of === 'type' ? [[slug, name] as const] : [])))
  const matchLines = lineMatcher(lines, {
    names: await index(lines, ({ slug }) => slug),
    firstWords: await index(lines, ({ slug }) => firstWord(slug)),
  })
  const matchShops = shopMatcher(shops, {
    names: await index(shops, ({ name }) => nameWords(name).join('-')),
    firstWords: await index(shops, ({ name }) => nameWords(name)[0] ?? ''),
  })
  const areaNames = await index(areas, ({ name }) => nameWords(name).join('-'))
  const phraseIndex = await index(pagePhrases, ({ phrase }) => phrase)
  const sold = new Set(brands.map(({ slug }) => slug))
  const notSoldNames = await index(
    otherBrands.filter(({ slug }) => !sold.has(slug)),
    ({ slug }) => slug,
  )

  return {
    match(query) {
      const typedLength = Math.max(1, query.words.join('').length)
      // A term that is most of the query scores more than a part of it. A synonym may be longer than the query.
      const score: Scoring = (term, likeness) => (0.8 + 0.2 * Math.min(1, term.length / typedLength)) * likeness
      // Of several kinds for a use the first one is meant most.
      const scoreOfKind: Scoring = (term, likeness) =>
        score(term, likeness) - 0.02 * Math.max(0, query.kindTerms.indexOf(term))
      const makeScores = bestOf(query, score, makeNames)
      const brandScores = bestOf(query, score, brandNames)
      return {
        sizes: matchSizes(query),
        brands: topOf(brandScores, (a, b) => byText(a.slug, b.slug)),
        lines: matchLines(query, score, bySlugs(brandScores)),
        typeNames,
        kinds: topOf(
          bestOf({ ...query, terms: [...query.terms, ...query.kindTerms] }, scoreOfKind, kindNames),
          (a, b) => a.position - b.position,
        ),
        makes: topOf(makeScores, (a, b) => byText(a.slug, b.slug)) satisfies NameMatch[],
        models: matchModels(query, score, bySlugs(makeScores)),
        shops: matchShops(query, score),
        areas: matchAreas(query, score, areaNames),
        pages: matchPages(query, phraseIndex),
        otherBrands: matchOtherBrands(query, score, notSoldNames, brands),
      }
    },
  }
}

function namesOfKind({ slug, name }: NamedKind): string[] {
  return [...new Set([slug, nameWords(name).join('-')])]
}

/** A make without listed sizes has no page. */
function makesWithSizes(models: readonly NamedModel[]): Unscored<NameMatch>[] {
  const makes = new Map<string, Unscored<NameMatch>>()
  for (const { makeSlug, make, trims } of models)
    if (trims.size > 0) makes.set(makeSlug, { slug: makeSlug, name: make })
  return [...makes.values()]
}

/** People remember the first word of a line or shop, and the words after it must not hide a typo in it. */
type NamesAndFirstWords<Entry> = { readonly names: NameIndex<Entry>; readonly firstWords: NameIndex<Entry> }

function lineMatcher(
  lines: readonly NamedLine[],
  { names, firstWords }: NamesAndFirstWords<NamedLine>,
): (query: SearchQuery, score: Scoring, brandScores: ReadonlyMap<string, Best>) => LineMatch[] {
  const linesOfBrand = Map.groupBy(
    lines.toSorted((a, b) => b.reviews - a.reviews || a.id - b.id),
    ({ brandSlug }) => brandSlug,
  )
  return (query, score, brandScores) => {
    const scores = bestOf(query, score, names, firstWords)
    // A brand without a model suggests its best-known models.
    const named = [...brandScores].flatMap(([slug, best]) =>
      best.score >= 0.7 ? (linesOfBrand.get(slug) ?? []).slice(0, 4) : [],
    )
    for (const line of firstOf(named, (a, b) => b.reviews - a.reviews || a.id - b.id, 4)) {
      const known = scores.get(line)
      if (!known || known.score < 0.4) scores.set(line, { score: 0.4, term: known?.term ?? '' })
    }
    const rank = ([{ brandSlug }, best]: readonly [NamedLine, Best]) =>
      best.score + (brandScores.get(brandSlug)?.score ?? 0)
    return firstOf(scores, (a, b) => rank(b) - rank(a) || b[0].reviews - a[0].reviews || a[0].id - b[0].id).map(
      ([{ slug, name, brandSlug, brandName, category }, best]) => ({
        slug,
        name,
        brandSlug,
        brandName,
        category,
        ...best,
      }),
    )
  }
}

function shopMatcher(
  shops: readonly NamedShop[],
  { names, firstWords }: NamesAndFirstWords<NamedShop>,
): (query: SearchQuery, score: Scoring) => ShopMatch[] {
  const cityOf = new Map(shops.map((shop) => [shop, nameWords(shop.city).join('')]))
  return (query, score) => {
    const { words, terms } = query
    const scores = bestOf(query, score, names, firstWords)
    // Several shops may share a name, so the typed city decides.
    if (words.length > 1)
      for (const [shop, best] of scores)
        if (terms.includes(cityOf.get(shop) ?? '')) scores.set(shop, { ...best, score: best.score + 0.1 })
    return topOf(scores, (a, b) => a.id - b.id)
  }
}

function matchAreas(query: SearchQuery, score: Scoring, names: NameIndex<NamedArea>): AreaMatch[] {
  const { words } = query
  const scores = bestOf(query, score, names)
  // Several cities may share a name too, so the state decides.
  if (words.length > 1)
    for (const [area, best] of scores)
      if (words.includes(area.state.toLowerCase())) scores.set(area, { ...best, score: best.score + 0.2 })
  return topOf(scores, (a, b) => b.shops - a.shops || byText(a.slug, b.slug))
}

type PagePhrase = {
  readonly page: NamedPage
  readonly phrase: string
  /** All that is left of it is one word, so that its "my" counts: "track my tires" is an order, "track tires" are not. */
  readonly isAboutOwn: boolean
}

/** The phrases of pages, normalized for comparison. */
const pagePhrases: readonly PagePhrase[] = storePages.flatMap((page) =>
  [...page.phrases, page.label].map((text) => {
    const phrase = phraseOf(text)
    return { page, phrase, isAboutOwn: /\bmy\b/.test(text) && text.split(' ').includes(phrase) }
  }),
)
const phraseByText = new Map(pagePhrases.map((each) => [each.phrase, each]))

/** Matches a phrase in full, or verbatim among other words. */
function matchPages({ phrase, runs, text }: SearchQuery, phrases: NameIndex<PagePhrase>): PageMatch[] {
  if (phrase.length < 3) return []
  const best = new Map<NamedPage, Best>()
  const hasMy = /\bmy\b/.test(text)
  for (const run of runs) {
    const found = phraseByText.get(run)
    const page = found && isMeant(found, hasMy) ? found.page : undefined
    if (page && run.length > (best.get(page)?.term.length ?? 0))
      best.set(page, { score: run === phrase ? 1 : 0.9, term: run })
  }
  for (const met of phrases.meeting(phrase)) {
    const entry = met.entry.page
    const points = isMeant(met.entry, hasMy) ? pointsOfPhrase(met) : 0
    const known = best.get(entry)
    if (points * phrase.length > (known ? known.score * known.term.length : 0))
      best.set(entry, { score: points, term: phrase })
  }
  return topOf(best, (a, b) => storePages.indexOf(a) - storePages.indexOf(b))
}

function isMeant({ isAboutOwn }: PagePhrase, hasMy: boolean): boolean {
  return !isAboutOwn || hasMy
}

function pointsOfPhrase({ score, likeness }: Met<PagePhrase>): number {
  return score >= 0.7 ? score : likeness >= 0.5 ? likeness : 0
}

function matchOtherBrands(
  query: SearchQuery,
  score: Scoring,
  names: NameIndex<NamedOtherBrand>,
  brands: readonly NamedBrand[],
): OtherBrandMatch[] {
  return topOf(bestOf(query, score, names), (a, b) => byText(a.slug, b.slug))
    .slice(0, 2)
    .map((found) => ({ ...found, instead: brands.filter(({ tier }) => tier === found.tier).slice(0, shown) }))
}

function firstWord(slug: string): string {
  return slug.split('-', 1)[0] ?? slug
}
