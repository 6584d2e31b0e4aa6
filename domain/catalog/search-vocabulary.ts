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

export function createVocabulary({ sizes, brands, lines, kinds, models, shops }: Names): Vocabulary {
  const typedSizes = sizes.map((size) => ({ ...size, digits: size.designation.replaceAll(/\D/g, '') }))
  // A make of which no size is listed has no page.
  const makes = [
    ...new Map(models.flatMap(({ makeSlug, make, trims }) => (trims.size > 0 ? [[makeSlug, { slug: makeSlug, name: make }] as const] : []))).values(),
  ]
  const modelsOfMake = Map.groupBy(models, ({ makeSlug }) => makeSlug)
  const linesOfBrand = Map.groupBy(lines, ({ brandSlug }) => brandSlug)
  const indexes = {
    makes: indexBySlug(makes, ({ slug }) => slug),
    models: indexBySlug(models, ({ modelSlug }) => modelSlug),
    brands: indexBySlug(brands, ({ slug }) => slug),
    lines: indexBySlug(lines, ({ slug }) => slug),
    kinds: indexBySlug(kinds, ({ slug }) => slug),
    shops: indexBySlug(shops, ({ slug }) => slug),
    // The first word is what people remember of a line or a shop, and what stands behind it must not hide a typing error in it.
    firstWordsOfLines: indexNames(lines.map((line) => ({ entry: line, name: firstWord(line.slug) }))),
    firstWordsOfShops: indexNames(shops.map((shop) => ({ entry: shop, name: firstWord(shop.slug) }))),
  }

  function matchSizes({ size, sizeDigits, sizeLetters }: SearchQuery): SizeMatch[] {
    return typedSizes
      .filter(({ slug, designation, digits }) => slug === size || (sizeDigits !== null && designation.startsWith(sizeLetters) && digits.startsWith(sizeDigits)))
      .sort((a, b) => Number(b.slug === size) - Number(a.slug === size) || b.vehicles - a.vehicles || byText(a.designation, b.designation))
      .slice(0, shown)
      .map(({ slug, designation }) => ({ slug, designation, isWhole: slug === size }))
  }

  function matchModels({ terms, year }: SearchQuery, score: (term: string, likeness: number) => number, makeScores: ReadonlyMap<string, number>): ModelMatch[] {
    const readings = new Map<NamedModel, Reading>()
    const read = (model: NamedModel, points: number, isWhole: boolean) => {
      const reading = readings.get(model) ?? { score: 0, years: [], rows: 0, hasSizes: false }
      const sized = [...model.trims].filter(([each]) => year === null || each === year)
      const known = isWhole ? model.known.filter(({ first, last }) => year === null || (first <= year && year <= last)) : []
      if (sized.length === 0 && known.length === 0) return
      readings.set(model, {
        score: Math.max(reading.score, points),
        years: [...reading.years, ...sized.map(([each]) => each), ...known.flatMap(({ first, last }) => [first, last])],
        rows: reading.rows + sized.reduce((sum, [, trims]) => sum + trims.length, 0) + known.length,
        hasSizes: reading.hasSizes || sized.length > 0,
      })
    }
    for (const term of terms) {
      for (const { entry, score: likeness } of indexes.models.meeting(term)) read(entry, score(term, likeness), true)
      // Behind a make even one letter begins a model.
      if (term.length === 1)
        for (const [makeSlug, makeScore] of makeScores)
          if (makeScore >= 0.5) for (const model of modelsOfMake.get(makeSlug) ?? []) if (model.modelSlug.startsWith(term)) read(model, 0.6, false)
    }
    const rank = ([{ makeSlug }, { score }]: [NamedModel, Reading]) => score + (makeScores.get(makeSlug) ?? 0)
    const byRank = (a: [NamedModel, Reading], b: [NamedModel, Reading]) => rank(b) - rank(a) || Number(b[1].hasSizes) - Number(a[1].hasSizes)
    const bySlug = ([a]: [NamedModel, Reading], [b]: [NamedModel, Reading]) => byText(a.modelSlug, b.modelSlug) || byText(a.makeSlug, b.makeSlug)
    return [...readings]
      .sort((a, b) => byRank(a, b) || b[1].rows - a[1].rows || bySlug(a, b))
      .slice(0, shown)
      .sort((a, b) => byRank(a, b) || bySlug(a, b))
      .map(([{ makeSlug, make, modelSlug, model, trims }, { score, years, hasSizes }]) => ({
        makeSlug,
        make,
        modelSlug,
        model,
        firstYear: Math.min(...years),
        lastYear: Math.max(...years),
        hasSizes,
        score,
        trims: (year !== null && trims.get(year)) || [],
      }))
  }

  function matchLines({ terms }: SearchQuery, score: (term: string, likeness: number) => number, brandScores: ReadonlyMap<string, number>): LineMatch[] {
    const scores = new Map<NamedLine, number>()
    const add = (line: NamedLine, points: number) => void scores.set(line, Math.max(scores.get(line) ?? 0, points))
    for (const term of terms) {
      for (const { entry, score: likeness } of indexes.lines.meeting(term)) add(entry, score(term, likeness))
      for (const [line, likeness] of likeFirstWords(indexes.firstWordsOfLines, term)) add(line, score(term, likeness))
    }
    // A brand alone stands for its best-known lines.
    const named = [...brandScores].flatMap(([slug, points]) => (points >= 0.7 ? (linesOfBrand.get(slug) ?? []) : []))
    for (const line of named.sort((a, b) => b.reviews - a.reviews || a.id - b.id).slice(0, 4)) add(line, 0.4)
    const rank = ([{ brandSlug }, points]: [NamedLine, number]) => points + (brandScores.get(brandSlug) ?? 0)
    return [...scores]
      .sort((a, b) => rank(b) - rank(a) || b[0].reviews - a[0].reviews || a[0].id - b[0].id)
      .slice(0, shown)
      .map(([{ slug, name, brandSlug, brandName, category }, points]) => ({ slug, name, brandSlug, brandName, category, score: points }))
  }

  return {
    match(query) {
      const { terms } = query
      const typedLength = Math.max(1, query.words.join('').length)
      // A term that is most of what was typed says more than a part of it.
      const score = (term: string, likeness: number) => (0.8 + (0.2 * term.length) / typedLength) * likeness
      const best = <Entry extends object>(index: NameIndex<Entry>) =>
        bestOf(terms.flatMap((term) => index.meeting(term).map((met) => [met.entry, score(term, met.score)] as const)))
      const [makeScores, brandScores, kindScores] = [best(indexes.makes), best(indexes.brands), best(indexes.kinds)]
      const shopScores = bestOf([
        ...best(indexes.shops),
        ...terms.flatMap((term) => likeFirstWords(indexes.firstWordsOfShops, term).map(([shop, likeness]) => [shop, score(term, likeness)] as const)),
      ])
      return {
        sizes: matchSizes(query),
        brands: topOf(brandScores, (a, b) => byText(a.slug, b.slug)),
        lines: matchLines(query, score, new Map([...brandScores].map(([{ slug }, points]) => [slug, points]))),
        kinds: topOf(kindScores, (a, b) => a.position - b.position),
        makes: topOf(makeScores, (a, b) => byText(a.slug, b.slug)) satisfies NameMatch[],
        models: matchModels(query, score, new Map([...makeScores].map(([{ slug }, points]) => [slug, points]))),
        shops: topOf(shopScores, (a, b) => a.id - b.id),
      }
    },
  }
}

type Reading = { readonly score: number; readonly years: readonly number[]; readonly rows: number; readonly hasSizes: boolean }

function indexBySlug<Entry>(entries: readonly Entry[], slugOf: (entry: Entry) => string): NameIndex<Entry> {
  return indexNames(entries.map((entry) => ({ entry, name: slugOf(entry).replaceAll('-', '') })))
}

function firstWord(slug: string): string {
  return slug.split('-', 1)[0] ?? slug
}

/** A first word alone says a little less than a name; the beginning of one is the beginning of the name already. */
function likeFirstWords<Entry>(index: NameIndex<Entry>, term: string): [Entry, number][] {
  return index.meeting(term).flatMap(({ entry, likeness }) => (likeness >= leastLikeness ? [[entry, 0.9 * likeness]] : []))
}

function bestOf<Entry>(scored: Iterable<readonly [Entry, number]>): Map<Entry, number> {
  const best = new Map<Entry, number>()
  for (const [entry, points] of scored) best.set(entry, Math.max(best.get(entry) ?? 0, points))
  return best
}

function topOf<Entry extends object>(scores: ReadonlyMap<Entry, number>, order: (a: Entry, b: Entry) => number): (Entry & { score: number })[] {
  return [...scores]
    .sort((a, b) => b[1] - a[1] || order(a[0], b[0]))
    .slice(0, shown)
    .map(([entry, score]) => ({ ...entry, score }))
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
