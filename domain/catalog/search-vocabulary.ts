/** Everything that has a name, and what of it a typed text could mean. Read once and matched in memory: no keystroke waits for a table. */
import type { SearchQuery } from './search-query.ts'
import type { BrandMatch, KindMatch, LineMatch, Matches, ModelMatch, NameMatch, ShopMatch, SizeMatch } from './search-matches.ts'
import { indexNames, leastLikeness, type NameIndex } from './search-names.ts'

export type NamedSize = { readonly slug: string; readonly designation: string; /** Vehicles that have it. */ readonly vehicles: number }
export type NamedBrand = Omit<BrandMatch, 'score'>
export type NamedLine = Omit<LineMatch, 'score'> & { readonly id: number; readonly reviews: number }
/** `position` is where the shop's own order has it. */
export type NamedKind = Omit<KindMatch, 'score'> & { readonly position: number }
export type NamedModel = {
  readonly makeSlug: string
  readonly make: string
  readonly modelSlug: string
  readonly model: string
  /** The trims with listed sizes, by year. */
  readonly trims: ReadonlyMap<number, ModelMatch['trims']>
  /** Years in which it is only known that the model was made. */
  readonly known: readonly { readonly first: number; readonly last: number }[]
  /** Other names, each with the years in which it stands for the model. */
  readonly aliases: readonly { readonly slug: string; readonly first: number; readonly last: number }[]
}
export type NamedShop = Omit<ShopMatch, 'score'> & { readonly id: number }

export type Names = {
  readonly sizes: readonly NamedSize[]
  readonly brands: readonly NamedBrand[]
  readonly lines: readonly NamedLine[]
  readonly kinds: readonly NamedKind[]
  readonly models: readonly NamedModel[]
  readonly shops: readonly NamedShop[]
}

export type Vocabulary = {
  /** Up to six matches of each kind, the best first. */
  match(query: SearchQuery): Omit<Matches, 'items' | 'zips'>
}

const shown = 6

/** Indexes the names. It takes tens of milliseconds, so it lets others in by `pause` between its steps. */
export async function createVocabulary({ sizes, brands, lines, kinds, models, shops }: Names, pause: () => Promise<void>): Promise<Vocabulary> {
  const typedSizes = sizes
    .map((size) => ({ ...size, digits: size.designation.replaceAll(/\D/g, '') }))
    .sort((a, b) => b.vehicles - a.vehicles || byText(a.designation, b.designation))
  // A make of which no size is listed has no page.
  const makes = [
    ...new Map(models.flatMap(({ makeSlug, make, trims }) => (trims.size > 0 ? [[makeSlug, { slug: makeSlug, name: make }] as const] : []))).values(),
  ]
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
    shops: await index(shops, ({ slug }) => whole(slug)),
    // The first word is what people remember of a line or a shop, and what stands behind it must not hide a typing error in it.
    firstWordsOfLines: await index(lines, ({ slug }) => firstWord(slug)),
    firstWordsOfShops: await index(shops, ({ slug }) => firstWord(slug)),
  }

  function matchSizes({ size, sizeDigits, sizeLetters }: SearchQuery): SizeMatch[] {
    if (size === null && sizeDigits === null) return []
    // Who leaves out the letters of a size that is only sold with them means that one.
    const isSold = typedSizes.some(({ slug }) => slug === size)
    const wholeDigits = isSold ? undefined : size?.replaceAll(/\D/g, '')
    const matches: SizeMatch[] = []
    for (const { slug, designation, digits } of typedSizes) {
      if (slug === size || digits === wholeDigits) matches.unshift({ slug, designation, isWhole: true })
      else if (sizeDigits !== null && digits.startsWith(sizeDigits) && designation.startsWith(sizeLetters)) matches.push({ slug, designation, isWhole: false })
    }
    return matches.slice(0, shown)
  }

  function matchModels({ terms, year }: SearchQuery, score: Scoring, makeScores: ReadonlyMap<string, number>): ModelMatch[] {
    const readings = new Map<NamedModel, Reading>()
    const read = (model: NamedModel, points: number, isWhole: boolean) => {
      const known = readings.get(model)
      if (known && known.score >= points && (known.isWhole || !isWhole)) return
      const span = spans.get(model)?.(year, isWhole || known?.isWhole === true)
      if (span) readings.set(model, { ...span, score: Math.max(points, known?.score ?? 0), isWhole: isWhole || known?.isWhole === true })
    }
    for (const term of terms) {
      for (const { entry, score: likeness } of indexes.models.meeting(term))
        if (year === null || (entry.first <= year && year <= entry.last)) read(entry.model, score(term, likeness), true)
      // Behind a make even one letter begins a model, or is a word of it: Ford F, Tesla 3.
      if (term.length === 1)
        for (const [makeSlug, makeScore] of makeScores)
          if (makeScore >= 0.5)
            for (const model of modelsOfMake.get(makeSlug) ?? [])
              if (model.modelSlug.startsWith(term) || model.modelSlug.endsWith(`-${term}`)) read(model, 0.7, false)
    }
    const rank = ([{ makeSlug }, { score: points }]: [NamedModel, Reading]) => points + (makeScores.get(makeSlug) ?? 0)
    const byRank = (a: [NamedModel, Reading], b: [NamedModel, Reading]) => rank(b) - rank(a) || Number(b[1].hasSizes) - Number(a[1].hasSizes)
    const bySlug = ([a]: [NamedModel, Reading], [b]: [NamedModel, Reading]) => byText(a.modelSlug, b.modelSlug) || byText(a.makeSlug, b.makeSlug)
    return firstOf(readings, (a, b) => byRank(a, b) || b[1].rows - a[1].rows || bySlug(a, b))
      .sort((a, b) => byRank(a, b) || bySlug(a, b))
      .map(([{ makeSlug, make, modelSlug, model, trims }, { score: points, firstYear, lastYear, hasSizes }]) => ({
        makeSlug,
        make,
        modelSlug,
        model,
        firstYear,
        lastYear,
        hasSizes,
        score: points,
        trims: (year !== null && trims.get(year)) || [],
      }))
  }

  function matchLines({ terms }: SearchQuery, score: Scoring, brandScores: ReadonlyMap<string, number>): LineMatch[] {
    const scores = bestOf(terms, score, indexes.lines, indexes.firstWordsOfLines)
    // A brand alone stands for its best-known lines.
    const named = [...brandScores].flatMap(([slug, points]) => (points >= 0.7 ? (linesOfBrand.get(slug) ?? []).slice(0, 4) : []))
    for (const line of firstOf(named, (a, b) => b.reviews - a.reviews || a.id - b.id, 4)) scores.set(line, Math.max(scores.get(line) ?? 0, 0.4))
    const rank = ([{ brandSlug }, points]: readonly [NamedLine, number]) => points + (brandScores.get(brandSlug) ?? 0)
    return firstOf(scores, (a, b) => rank(b) - rank(a) || b[0].reviews - a[0].reviews || a[0].id - b[0].id).map(
      ([{ slug, name, brandSlug, brandName, category }, points]) => ({ slug, name, brandSlug, brandName, category, score: points }),
    )
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
        shops: topOf(bestOf(terms, score, indexes.shops, indexes.firstWordsOfShops), (a, b) => a.id - b.id),
      }
    },
  }
}

type Scoring = (term: string, likeness: number) => number
type Span = { readonly firstYear: number; readonly lastYear: number; readonly rows: number; readonly hasSizes: boolean }
type Reading = Span & { readonly score: number; readonly isWhole: boolean }

/** A spelling of a model, and the years in which it is one. */
type SpelledModel = { readonly name: string; readonly model: NamedModel; readonly first: number; readonly last: number }

/** By its own name, by its other names, and by the badges of its trims: a 330i is a 3 Series, an RX350 an RX. */
function spelledModels(model: NamedModel): SpelledModel[] {
  const always = { model, first: 0, last: 9999 }
  const badges = [...model.trims.values()].flatMap((trims) => trims.flatMap(({ slug }) => badge.exec(slug)?.[0] ?? []))
  const own = [model.modelSlug, ...new Set(badges)].map((slug) => ({ ...always, name: whole(slug) }))
  return [...own, ...model.aliases.map(({ slug, first, last }) => ({ model, first, last, name: whole(slug) }))]
}

/** What stands on the trunk lid: "330i", "RX 350", "GLC 300"; not "2.5i" and not "20in". */
const badge = /^(?!\d\din)[a-z]{0,3}-?\d{3}[a-z]{0,2}(?=-|$)/

/** The years of a model, or undefined where it has nothing of the year asked for; years in which it is only known to be made count when it is `isWhole`. */
function spansOf({ trims, known }: NamedModel): (year: number | null, isWhole: boolean) => Span | undefined {
  const span = (years: readonly number[], ranges: NamedModel['known'], rows: number): Span | undefined => {
    const all = [...years, ...ranges.flatMap(({ first, last }) => [first, last])]
    return all.length === 0 ? undefined : { firstYear: Math.min(...all), lastYear: Math.max(...all), rows: rows + ranges.length, hasSizes: years.length > 0 }
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

function whole(slug: string): string {
  return slug.replaceAll('-', '')
}

function firstWord(slug: string): string {
  return slug.split('-', 1)[0] ?? slug
}

/** The best score of each entry that a term meets. A first word alone says a little less than a name; the beginning of one is the beginning of the name already. */
function bestOf<Entry>(terms: readonly string[], score: Scoring, names: NameIndex<Entry>, firstWords?: NameIndex<Entry>): Map<Entry, number> {
  const best = new Map<Entry, number>()
  const add = (entry: Entry, points: number) => void (points > (best.get(entry) ?? 0) && best.set(entry, points))
  for (const term of terms) {
    for (const met of names.meeting(term)) add(met.entry, score(term, met.score))
    for (const met of firstWords?.meeting(term) ?? []) if (met.likeness >= leastLikeness) add(met.entry, score(term, 0.9 * met.likeness))
  }
  return best
}

function bySlugs(scores: ReadonlyMap<{ readonly slug: string }, number>): Map<string, number> {
  return new Map([...scores].map(([{ slug }, points]) => [slug, points]))
}

function topOf<Entry extends object>(scores: ReadonlyMap<Entry, number>, order: (a: Entry, b: Entry) => number): (Entry & { score: number })[] {
  return firstOf(scores, (a, b) => b[1] - a[1] || order(a[0], b[0])).map(([entry, score]) => ({ ...entry, score }))
}

/** The first few in an order, without putting all the others into theirs: a term may meet thousands. */
function firstOf<Entry>(entries: Iterable<Entry>, compare: (a: Entry, b: Entry) => number, count: number = shown): Entry[] {
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
