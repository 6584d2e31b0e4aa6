/**
 * Everything that has a name, and what of it a typed text could mean. Read once and matched in memory: no keystroke
 * waits for a table.
 */
import { parseSizeSlug, sizeDesignation, tireGeometry } from '#domain/fitment/fitment.ts'
import { nameWords, phraseOf, type SearchQuery } from './search-query.ts'
import type {
  AreaMatch,
  BrandMatch,
  KindMatch,
  LineMatch,
  Matches,
  ModelMatch,
  NamedTrim,
  NameMatch,
  OtherBrandMatch,
  PageMatch,
  ShopMatch,
  SizeMatch,
} from './search-matches.ts'
import { indexNames, leastLikeness, type NameIndex } from './search-names.ts'
import { storePages } from './search-pages.ts'

type Unscored<Match> = Omit<Match, 'score' | 'term'>
export type NamedSize = {
  readonly slug: string
  readonly designation: string
  /** Vehicles that have it. */ readonly vehicles: number
}
export type NamedBrand = Unscored<BrandMatch>
export type NamedLine = Unscored<LineMatch> & { readonly id: number; readonly reviews: number }
/** `position` is where the shop's own order has it. */
export type NamedKind = Unscored<KindMatch> & { readonly position: number }
export type NamedModel = {
  readonly makeSlug: string
  readonly make: string
  readonly modelSlug: string
  readonly model: string
  /** The trims with listed sizes, by year. */
  readonly trims: ReadonlyMap<number, readonly NamedTrim[]>
  /** Years in which it is only known that the model was made. */
  readonly known: readonly { readonly first: number; readonly last: number }[]
  /** Other names, each with the years in which it stands for the model. */
  readonly aliases: readonly { readonly slug: string; readonly first: number; readonly last: number }[]
}
export type NamedShop = Unscored<ShopMatch> & { readonly id: number }
/** A city with shops; `slug` is its address: "chicago-il". */
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
  /** Up to six matches of each kind, the best first. */
  match(query: SearchQuery): Omit<Matches, 'items' | 'zips'>
}

const shown = 6
/** Inches: what is larger is no wheel but the height of a tire. */
export const largestRimIn = 24.5

/** Indexes the names. It takes tens of milliseconds, so it lets others in by `pause` between its steps. */
export async function createVocabulary(
  { sizes, brands, lines, kinds, models, shops, areas, otherBrands }: Names,
  pause: () => Promise<void>,
): Promise<Vocabulary> {
  const typedSizes = sizes
    .map((size) => ({ ...size, digits: size.designation.replaceAll(/\D/g, '') }))
    .sort((a, b) => b.vehicles - a.vehicles || byText(a.designation, b.designation))
  const sizesByHeight = Map.groupBy(typedSizes, heightIn)
  // A make of which no size is listed has no page.
  const makes = [
    ...new Map(
      models.flatMap(({ makeSlug, make, trims }) =>
        trims.size > 0 ? [[makeSlug, { slug: makeSlug, name: make }] as const] : [],
      ),
    ).values(),
  ]
  const sold = new Set(brands.map(({ slug }) => slug))
  const trimsOf = new Map(
    models.map((model) => [
      model,
      [...new Set([...model.trims.values()].flatMap((trims) => trims.map(({ slug }) => whole(slug))))],
    ]),
  )
  const phrases = storePages.flatMap((page) =>
    [...page.phrases, page.label].map((phrase) => ({ page, phrase: phraseOf(phrase) })),
  )
  const pageOfPhrase = new Map(phrases.map(({ page, phrase }) => [phrase, page]))
  const cityOf = new Map(shops.map((shop) => [shop, nameWords(shop.city).join('')]))
  await pause()
  const spans = new Map(models.map((model) => [model, spansOf(model)]))
  const modelsOfMake = Map.groupBy(models, ({ makeSlug }) => makeSlug)
  const linesOfBrand = Map.groupBy(
    lines.toSorted((a, b) => b.reviews - a.reviews || a.id - b.id),
    ({ brandSlug }) => brandSlug,
  )
  async function index<Entry>(entries: readonly Entry[], nameOf: (entry: Entry) => string): Promise<NameIndex<Entry>> {
    await pause()
    return indexNames(entries.map((entry) => ({ entry, name: nameOf(entry) })))
  }
  const indexes = {
    makes: await index(makes, ({ slug }) => whole(slug)),
    models: await index(models.flatMap(spelledModels), ({ name }) => name),
    brands: await index(brands, ({ slug }) => whole(slug)),
    lines: await index(lines, ({ slug }) => whole(slug)),
    kinds: await index(kinds, ({ slug }) => whole(slug)),
    shops: await index(shops, ({ name }) => nameWords(name).join('')),
    areas: await index(areas, ({ name }) => nameWords(name).join('')),
    pages: await index(phrases, ({ phrase }) => phrase),
    otherBrands: await index(
      otherBrands.filter(({ slug }) => !sold.has(slug)),
      ({ slug }) => whole(slug),
    ),
    // The first word is what people remember of a line or a shop, and what stands behind it must not hide a typing
    // error in it.
    firstWordsOfLines: await index(lines, ({ slug }) => firstWord(slug)),
    firstWordsOfShops: await index(shops, ({ name }) => nameWords(name)[0] ?? ''),
  }

  function matchSizes({ size, sizeDigits, sizeLetters, filters }: SearchQuery): SizeMatch[] {
    if (size === null && filters.inches !== null)
      return (filters.inches > largestRimIn ? (sizesByHeight.get(filters.inches) ?? []) : [])
        .slice(0, shown)
        .map(({ slug, designation }) => ({ slug, designation, isWhole: false, isSold: true }))
    if (size === null && sizeDigits === null) return []
    const typedDigits = size?.replaceAll(/\D/g, '')
    // A load range is that of a light truck: who says "265/70R17 E" leaves out its letters.
    const isSold = typedSizes.some(
      ({ slug }) =>
        slug === size &&
        (filters.range === null || slug.startsWith('lt') || slug.startsWith('st') || slug.includes('x')),
    )
    // Who leaves out the letters of a size that is only sold with them means that one.
    const wholeDigits = isSold ? undefined : typedDigits
    const matches: SizeMatch[] = []
    for (const { slug, designation, digits } of typedSizes) {
      if (slug === size || digits === wholeDigits) matches.unshift({ slug, designation, isWhole: true, isSold: true })
      else if (sizeDigits !== null && digits.startsWith(sizeDigits) && designation.startsWith(sizeLetters))
        matches.push({ slug, designation, isWhole: false, isSold: true })
    }
    if (filters.range !== null)
      matches.sort((a, b) => Number(b.designation.startsWith('LT')) - Number(a.designation.startsWith('LT')))
    const parsed = size !== null && !matches.some(({ isWhole }) => isWhole) ? parseSizeSlug(size) : undefined
    return [
      ...(parsed && size !== null
        ? [{ slug: size, designation: sizeDesignation(parsed), isWhole: true, isSold: false }]
        : []),
      ...matches,
    ].slice(0, shown)
  }

  function matchModels(
    { terms, year }: SearchQuery,
    score: Scoring,
    makeScores: ReadonlyMap<string, Best>,
  ): ModelMatch[] {
    const readings = new Map<NamedModel, Reading>()
    const read = (model: NamedModel, points: number, isWhole: boolean, term: string) => {
      const known = readings.get(model)
      if (known && known.score >= points && (known.isWhole || !isWhole)) return
      const span = spans.get(model)?.(year, isWhole || known?.isWhole === true)
      if (!span) return
      const isBetter = points > (known?.score ?? 0)
      readings.set(model, {
        ...span,
        score: isBetter ? points : (known?.score ?? 0),
        term: isBetter ? term : (known?.term ?? term),
        isWhole: isWhole || known?.isWhole === true,
      })
    }
    for (const term of terms) {
      // One letter or digit alone is no model: it takes a make before it.
      for (const { entry, score: likeness } of term.length > 1 ? indexes.models.meeting(term) : [])
        if (year === null || (entry.first <= year && year <= entry.last))
          read(entry.model, score(term, likeness), true, term)
      // Behind a make even one letter begins a model, or is a word of it: Ford F, Tesla 3.
      if (term.length === 1)
        for (const [makeSlug, make] of makeScores)
          if (make.score >= 0.5)
            for (const model of modelsOfMake.get(makeSlug) ?? [])
              if (model.modelSlug.startsWith(term) || model.modelSlug.endsWith(`-${term}`))
                read(model, model.modelSlug === term ? score(term, 1) : 0.7, model.modelSlug === term, term)
    }
    const rank = ([{ makeSlug }, { score: points }]: [NamedModel, Reading]) =>
      points + (makeScores.get(makeSlug)?.score ?? 0)
    const byRank = (a: [NamedModel, Reading], b: [NamedModel, Reading]) =>
      rank(b) - rank(a) || Number(b[1].hasSizes) - Number(a[1].hasSizes)
    const bySlug = ([a]: [NamedModel, Reading], [b]: [NamedModel, Reading]) =>
      byText(a.modelSlug, b.modelSlug) || byText(a.makeSlug, b.makeSlug)
    return firstOf(readings, (a, b) => byRank(a, b) || b[1].rows - a[1].rows || bySlug(a, b))
      .sort((a, b) => byRank(a, b) || bySlug(a, b))
      .map(([model, { score: points, term, firstYear, lastYear, hasSizes }]) => ({
        makeSlug: model.makeSlug,
        make: model.make,
        modelSlug: model.modelSlug,
        model: model.model,
        firstYear,
        lastYear,
        hasSizes,
        score: points,
        term,
        trims: (year !== null && model.trims.get(year)) || [],
        trimTerms: terms.filter((each) => each.length > 1 && trimsOf.get(model)?.some((trim) => trim.startsWith(each))),
      }))
  }

  function matchLines({ terms }: SearchQuery, score: Scoring, brandScores: ReadonlyMap<string, Best>): LineMatch[] {
    const scores = bestOf(terms, score, indexes.lines, indexes.firstWordsOfLines)
    // A brand alone stands for its best-known lines.
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

  function matchShops({ words, terms }: SearchQuery, score: Scoring): ShopMatch[] {
    const scores = bestOf(terms, score, indexes.shops, indexes.firstWordsOfShops)
    // Several shops may have one name: the city that was typed says which.
    if (words.length > 1)
      for (const [shop, best] of scores)
        if (terms.includes(cityOf.get(shop) ?? '')) scores.set(shop, { ...best, score: best.score + 0.1 })
    return topOf(scores, (a, b) => a.id - b.id)
  }

  function matchAreas({ words, terms }: SearchQuery, score: Scoring): AreaMatch[] {
    const scores = bestOf(terms, score, indexes.areas)
    // So may several cities: the state says.
    if (words.length > 1)
      for (const [area, best] of scores)
        if (words.includes(area.state.toLowerCase())) scores.set(area, { ...best, score: best.score + 0.2 })
    return topOf(scores, (a, b) => b.shops - a.shops || byText(a.slug, b.slug))
  }

  /** A phrase is met as a whole, or stands as it is among other words. */
  function matchPages({ phrase, runs }: SearchQuery): PageMatch[] {
    if (phrase.length < 3) return []
    const best = new Map<(typeof storePages)[number], Best>()
    for (const run of runs) {
      const page = pageOfPhrase.get(run)
      if (page && run.length > (best.get(page)?.term.length ?? 0))
        best.set(page, { score: run === phrase ? 1 : 0.9, term: run })
    }
    for (const {
      entry: { page: entry },
      score,
      likeness,
    } of indexes.pages.meeting(phrase)) {
      const points = score >= 0.7 ? score : likeness >= 0.5 ? likeness : 0
      const known = best.get(entry)
      if (points * phrase.length > (known ? known.score * known.term.length : 0))
        best.set(entry, { score: points, term: phrase })
    }
    return topOf(best, (a, b) => storePages.indexOf(a) - storePages.indexOf(b))
  }

  function matchOtherBrands({ terms }: SearchQuery, score: Scoring): OtherBrandMatch[] {
    return topOf(bestOf(terms, score, indexes.otherBrands), (a, b) => byText(a.slug, b.slug))
      .slice(0, 2)
      .map((found) => ({ ...found, instead: brands.filter(({ tier }) => tier === found.tier).slice(0, shown) }))
  }

  return {
    match(query) {
      const { terms } = query
      const typedLength = Math.max(1, query.words.join('').length)
      // A term that is most of what was typed says more than a part of it.
      const score: Scoring = (term, likeness) => (0.8 + (0.2 * term.length) / typedLength) * likeness
      const makeScores = bestOf(terms, score, indexes.makes)
      const brandScores = bestOf(terms, score, indexes.brands)
      return {
        sizes: matchSizes(query),
        brands: topOf(brandScores, (a, b) => byText(a.slug, b.slug)),
        lines: matchLines(query, score, bySlugs(brandScores)),
        kinds: topOf(bestOf(terms, score, indexes.kinds), (a, b) => a.position - b.position),
        makes: topOf(makeScores, (a, b) => byText(a.slug, b.slug)) satisfies NameMatch[],
        models: matchModels(query, score, bySlugs(makeScores)),
        shops: matchShops(query, score),
        areas: matchAreas(query, score),
        pages: matchPages(query),
        otherBrands: matchOtherBrands(query, score),
      }
    },
  }
}

type Best = { readonly score: number; readonly term: string }
type Scoring = (term: string, likeness: number) => number
type Span = { readonly firstYear: number; readonly lastYear: number; readonly rows: number; readonly hasSizes: boolean }
type Reading = Span & Best & { readonly isWhole: boolean }

/** A spelling of a model, and the years in which it is one. */
type SpelledModel = { readonly name: string; readonly model: NamedModel; readonly first: number; readonly last: number }

/** By its own name, by its other names, and by the badges of its trims: a 330i is a 3 Series, an RX350 an RX. */
function spelledModels(model: NamedModel): SpelledModel[] {
  const always = { model, first: 0, last: 9999 }
  const badges = [...model.trims.values()].flatMap((trims) => trims.flatMap(({ slug }) => badge.exec(slug)?.[0] ?? []))
  // "and" is a small word of what is typed.
  const own = [
    model.modelSlug,
    ...(model.modelSlug.includes('-and-') ? [model.modelSlug.replaceAll('-and-', '-')] : []),
    ...new Set(badges),
  ].map((slug) => ({
    ...always,
    name: whole(slug),
  }))
  return [...own, ...model.aliases.map(({ slug, first, last }) => ({ model, first, last, name: whole(slug) }))]
}

/** What stands on the trunk lid: "330i", "RX 350", "GLC 300"; not "2.5i" and not "20in". */
const badge = /^(?!\d\din)[a-z]{0,3}-?\d{3}[a-z]{0,2}(?=-|$)/

/**
 * The years of a model, or undefined where it has nothing of the year asked for; years in which it is only known to be
 * made count when it is `isWhole`.
 */
function spansOf({ trims, known }: NamedModel): (year: number | null, isWhole: boolean) => Span | undefined {
  const span = (years: readonly number[], ranges: NamedModel['known'], rows: number): Span | undefined => {
    const all = [...years, ...ranges.flatMap(({ first, last }) => [first, last])]
    return all.length === 0
      ? undefined
      : {
          firstYear: Math.min(...all),
          lastYear: Math.max(...all),
          rows: rows + ranges.length,
          hasSizes: years.length > 0,
        }
  }
  const rows = [...trims.values()].reduce((sum, { length }) => sum + length, 0)
  const [sized, all] = [span([...trims.keys()], [], rows), span([...trims.keys()], known, rows)]
  return (year, isWhole) => {
    if (year === null) return isWhole ? all : sized
    const ofYear = trims.get(year)
    const ranges = isWhole ? known.filter(({ first, last }) => first <= year && year <= last) : []
    return span(ofYear ? [year] : [], ranges, ofYear?.length ?? 0)
  }
}

/** Inches of overall height, rounded; 0 where the size does not tell. */
function heightIn({ slug }: NamedSize): number {
  const size = parseSizeSlug(slug)
  return Math.round(((size && tireGeometry(size).overallDiameterMm) ?? 0) / 25.4)
}

function whole(slug: string): string {
  return slug.replaceAll('-', '')
}

function firstWord(slug: string): string {
  return slug.split('-', 1)[0] ?? slug
}

/**
 * The best score of each entry that a term meets. A first word alone says a little less than a name; the beginning of
 * one is the beginning of the name already.
 */
function bestOf<Entry>(
  terms: readonly string[],
  score: Scoring,
  names: NameIndex<Entry>,
  firstWords?: NameIndex<Entry>,
): Map<Entry, Best> {
  const best = new Map<Entry, Best>()
  const add = (entry: Entry, points: number, term: string) =>
    void (points > (best.get(entry)?.score ?? 0) && best.set(entry, { score: points, term }))
  for (const term of terms) {
    for (const met of names.meeting(term)) add(met.entry, score(term, met.score), term)
    for (const met of firstWords?.meeting(term) ?? [])
      if (met.likeness >= leastLikeness) add(met.entry, score(term, 0.9 * met.likeness), term)
  }
  return best
}

function bySlugs(scores: ReadonlyMap<{ readonly slug: string }, Best>): Map<string, Best> {
  return new Map([...scores].map(([{ slug }, best]) => [slug, best]))
}

function topOf<Entry extends object>(
  scores: ReadonlyMap<Entry, Best>,
  order: (a: Entry, b: Entry) => number,
): (Entry & Best)[] {
  return firstOf(scores, (a, b) => b[1].score - a[1].score || order(a[0], b[0])).map(([entry, best]) => ({
    ...entry,
    ...best,
  }))
}

/** The first few in an order, without putting all the others into theirs: a term may meet thousands. */
function firstOf<Entry>(
  entries: Iterable<Entry>,
  compare: (a: Entry, b: Entry) => number,
  count: number = shown,
): Entry[] {
  const first: Entry[] = []
  for (const entry of entries) {
    const last = first.at(-1)
    if (first.length === count && last !== undefined && compare(entry, last) >= 0) continue
    if (first.length === count) first.pop()
    const at = first.findIndex((each) => compare(entry, each) < 0)
    first.splice(at < 0 ? first.length : at, 0, entry)
  }
  return first
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
