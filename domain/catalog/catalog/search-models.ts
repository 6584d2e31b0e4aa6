/** Matches a query with vehicle models, their years and trims. */
import type { ModelMatch, NamedTrim } from './search-matches.ts'
import { nameOfSlug, type NameIndex } from './search-names.ts'
import type { SearchQuery } from './search-query.ts'
import { byText, firstOf, pointsOf, type Best, type Scoring } from './search-scores.ts'

export type NamedModel = {
  readonly makeSlug: string
  readonly make: string
  readonly modelSlug: string
  readonly model: string
  /** The trims with listed sizes, by year. */
  readonly trims: ReadonlyMap<number, readonly NamedTrim[]>
  /** Years in which the model is known to have been made, without sizes. */
  readonly known: readonly { readonly first: number; readonly last: number }[]
  /** Other names, each with the years in which it refers to the model. */
  readonly aliases: readonly { readonly slug: string; readonly first: number; readonly last: number }[]
}

/**
 * The minimum score at which a model accounts for a term in addition to its best one. A lower likeness may be of
 * another word in it.
 */
const surelyMet = 0.45

/** A spelling of a model, and the years it applies to. */
type SpelledModel = {
  readonly name: string
  readonly model: NamedModel
  readonly first: number
  readonly last: number
}

type Span = { readonly firstYear: number; readonly lastYear: number; readonly rows: number; readonly hasSizes: boolean }
type Reading = Span & Best & { readonly isWhole: boolean }
type Ranked = [NamedModel, Reading]

/** Matches a query with the models that `spellings` indexes; `makeScores` by make slug. */
export function modelMatcher(
  models: readonly NamedModel[],
  spellings: NameIndex<SpelledModel>,
): (query: SearchQuery, score: Scoring, makeScores: ReadonlyMap<string, Best>) => ModelMatch[] {
  const trimsOf = new Map(
    models.map((model) => [
      model,
      [...new Set([...model.trims.values()].flatMap((trims) => trims.map(({ slug }) => nameOfSlug(slug))))],
    ]),
  )
  const spans = new Map(models.map((model) => [model, spansOf(model)]))
  const modelsOfMake = Map.groupBy(models, ({ makeSlug }) => makeSlug)

  /** After a make even one letter starts a model or is one of its words: Ford F, Tesla 3. */
  function* begunBy(letter: string, makeScores: ReadonlyMap<string, Best>): Generator<NamedModel> {
    for (const [makeSlug, make] of makeScores)
      if (make.score >= 0.5)
        for (const model of modelsOfMake.get(makeSlug) ?? [])
          if (model.modelSlug.startsWith(letter) || model.modelSlug.endsWith(`-${letter}`)) yield model
  }

  /** The models that exist in the year asked for, each by its best match. */
  function read(
    query: SearchQuery,
    score: Scoring,
    makeScores: ReadonlyMap<string, Best>,
  ): { readings: Map<NamedModel, Reading>; metTerms: Map<NamedModel, string[]> } {
    const { terms, year } = query
    // A model met by one of its words, "1500", accounts for a misspelled other one, too.
    const metTerms = new Map<NamedModel, string[]>()
    const readings = new Map<NamedModel, Reading>()
    const add = (model: NamedModel, points: number, isWhole: boolean, term: string) => {
      if (points >= surelyMet) metTerms.set(model, [...(metTerms.get(model) ?? []), term])
      const known = readings.get(model)
      if (known && known.score >= points && (known.isWhole || !isWhole)) return
      const isNowWhole = isWhole || known?.isWhole === true
      const span = spans.get(model)?.(year, isNowWhole)
      if (!span) return
      const isBetter = !known || points > known.score
      readings.set(model, {
        ...span,
        score: isBetter ? points : known.score,
        term: isBetter ? term : known.term,
        isWhole: isNowWhole,
      })
    }
    for (const term of terms) {
      // A single letter or digit is no model unless a make precedes it.
      if (term.length > 1) {
        for (const met of spellings.meeting(term))
          if (year === null || (met.entry.first <= year && year <= met.entry.last))
            add(met.entry.model, score(term, pointsOf(query, term, met)), true, term)
      } else if (term.length === 1) {
        for (const model of begunBy(term, makeScores)) {
          const isWhole = model.modelSlug === term
          add(model, isWhole ? score(term, 1) : 0.7, isWhole, term)
        }
      }
    }
    return { readings, metTerms }
  }

  return (query, score, makeScores) => {
    const { terms, year } = query
    const rank = ([{ makeSlug }, { score: points }]: Ranked) => points + (makeScores.get(makeSlug)?.score ?? 0)
    const byRank = (a: Ranked, b: Ranked) => rank(b) - rank(a) || Number(b[1].hasSizes) - Number(a[1].hasSizes)
    const { readings, metTerms } = read(query, score, makeScores)
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
        trimTerms: [
          ...terms.filter((each) => each.length > 1 && trimsOf.get(model)?.some((trim) => trim.startsWith(each))),
          ...(metTerms.get(model) ?? []),
        ],
      }))
  }
}

function bySlug([a]: Ranked, [b]: Ranked): number {
  return byText(a.modelSlug, b.modelSlug) || byText(a.makeSlug, b.makeSlug)
}

/**
 * Returns a model's spellings, from its name, its aliases and its trims' badges (a 330i is a 3 Series, an RX350 an RX).
 */
export function spelledModels(model: NamedModel): SpelledModel[] {
  const always = { model, first: 0, last: 9999 }
  const badges = [...model.trims.values()].flatMap((trims) => trims.flatMap(({ slug }) => badge.exec(slug)?.[0] ?? []))
  // "and" is ignored in queries.
  const own = [
    model.modelSlug,
    ...(model.modelSlug.includes('-and-') ? [model.modelSlug.replaceAll('-and-', '-')] : []),
    ...new Set(badges),
  ].map((slug) => ({
    ...always,
    name: slug,
  }))
  return [...own, ...model.aliases.map(({ slug, first, last }) => ({ model, first, last, name: slug }))]
}

/** Matches trunk badges: "330i", "RX 350", "GLC 300"; not "2.5i" and not "20in". */
const badge = /^(?!\d\din)[a-z]{0,3}-?\d{3}[a-z]{0,2}(?=-|$)/

/**
 * The years of a model, or undefined if it does not exist in the year asked for; years without sizes count if
 * `isWhole`.
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
