import { nameKey, readEpa, type ListedYear, type VehicleClass } from './vehicle-class.ts'
import { modelNamer } from './model-aliases.ts'

type Model = { make: string; model: string }
type ListedModel = { first: number; last: number; vclass: VehicleClass }

/**
 * Finds the last model year by make and model. vPIC states no end for many discontinued models and lists them through its
 * own last year ("Ford Focus, 2026"). The EPA's mileage guide lists only model years that were certified for sale, so for
 * such a model the guide's last year counts, or a later one for which we list sizes (`sizedUntil`, by `nameKey`). A model
 * that the guide does not name (such as trucks over 8,500 lb) has no end: Infinity.
 */
export function lastYearFinder(
  listed: readonly ListedYear[],
  sizedUntil: ReadonlyMap<string, number>,
): (model: Model) => number {
  const guide = readGuide()
  const inVpic = readSpans(listed)
  const listEnd = Math.max(...listed.map(({ year }) => year))
  const ends = new Map<string, number>()
  return function lastYearOf({ make, model }) {
    const key = nameKey(make, model)
    const end = ends.get(key) ?? Math.max(endOf(make, model), sizedUntil.get(key) ?? 0)
    ends.set(key, end)
    return end
  }

  function endOf(make: string, model: string): number {
    const key = nameKey(make, model)
    const span = inVpic.get(key)
    // vPIC itself states an end, or does not know the model.
    if (!span || span.last < listEnd) return Infinity
    const ofMake = guide.variants.get(nameKey(make, '')) ?? []
    // The guide files some models as variants of another: "RS 7" under A7.
    const asVariant = Math.max(
      0,
      ...ofMake.filter(({ variant }) => wordsOf(variant).startsWith(wordsOf(model))).map(({ year }) => year),
    )
    const asModel = guide.lastYears.get(key)
    if (asModel !== undefined) {
      const last = Math.max(asModel, asVariant)
      // The newest heavy trucks and vans may be missing from the guide.
      return isTruck(span) && last === listEnd - 1 ? listEnd : last
    }
    // A variant's name changes more often than a model's, so its last year counts only if our size list ends in the
    // same year.
    if (asVariant > 0) return asVariant === sizedUntil.get(key) ? asVariant : Infinity
    // A make that left the market has no later models.
    const ofMakeEnd = Math.max(0, ...ofMake.map(({ year }) => year))
    return span.vclass === 'commercial' || span.first > ofMakeEnd ? Infinity : ofMakeEnd
  }
}

/** Reads each model's last year by `nameKey`, and each make's variants, from the fuel economy guide. */
function readGuide() {
  const modelsOf = modelNamer()
  const rows = readEpa()
  const lastYears = new Map<string, number>()
  for (const { year, ...filed } of rows)
    for (const { make, model } of modelsOf(year, filed)) {
      const key = nameKey(make, model)
      lastYears.set(key, Math.max(lastYears.get(key) ?? 0, year))
    }
  return { lastYears, variants: Map.groupBy(rows, ({ make }) => nameKey(make, '')) }
}

function readSpans(listed: readonly ListedYear[]): Map<string, ListedModel> {
  const modelsOf = modelNamer()
  const spans = new Map<string, ListedModel>()
  for (const { year, vclass, ...filed } of listed)
    for (const { make, model } of modelsOf(year, filed)) {
      const { first = year, last = year } = spans.get(nameKey(make, model)) ?? {}
      spans.set(nameKey(make, model), { first: Math.min(first, year), last: Math.max(last, year), vclass })
    }
  return spans
}

function isTruck({ vclass }: ListedModel): boolean {
  return vclass === 'truck' || vclass === 'van'
}

/** "RS e-tron GT" → " rs e tron gt ", so that only whole words match. */
function wordsOf(name: string): string {
  return ` ${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()} `
}
