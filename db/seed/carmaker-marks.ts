import type { CategorySlug } from '#db/reference/categories.ts'
import type { Candidate } from './items.ts'
import type { Fitment, Vehicle } from '#db/reference/vehicles.ts'

/** The marks of carmakers on tires developed for and approved by them. */
const markOfMake: Readonly<Record<string, string>> = {
  Audi: 'AO',
  BMW: '*',
  Jaguar: 'J',
  'Mercedes-Benz': 'MO',
  Porsche: 'N0',
  Tesla: 'T0',
  Volvo: 'VOL',
}

/** Categories that have such tires. */
const markedCategories: ReadonlySet<CategorySlug> = new Set([
  'grand-touring-all-season',
  'uhp-all-season',
  'max-performance-summer',
  'performance-winter',
  'ev-specific',
])

/**
 * The mark for each size listed for cars of a maker that has one; of several makers, the one with the most vehicles in
 * the size.
 */
export function marksBySize(vehicles: readonly Vehicle[], fitments: readonly Fitment[]): Map<string, string> {
  const makes = new Map(vehicles.map(({ id, make }) => [id, make]))
  const axles = fitments.flatMap(({ vehicle_id, front_size, rear_size }) =>
    [...new Set([front_size, rear_size])].map((size) => ({ size, vehicle_id })),
  )
  const marks = new Map<string, string>()
  for (const [size, listed] of Map.groupBy(axles, (axle) => axle.size)) {
    const byMark = Map.groupBy(listed, ({ vehicle_id }) => markOfMake[makes.get(vehicle_id) ?? ''])
    const [most] = [...byMark].filter(([mark]) => mark !== undefined).sort(([, a], [, b]) => b.length - a.length)
    if (most?.[0]) marks.set(size, most[0])
  }
  return marks
}

/**
 * Returns the model's items with the carmaker's mark. Of two premium items in a size, the rarer one, so that the model
 * is also available without a mark. Never marks `isPromised` items, which pairs and requirements depend on.
 */
export function markedAmong(
  line: readonly Candidate[],
  marks: ReadonlyMap<string, string>,
  isPromised: (candidate: Candidate) => boolean,
): Map<Candidate, string> {
  const marked = new Map<Candidate, string>()
  for (const [, alike] of Map.groupBy(line, ({ size, runFlat }) => `${size.designation} ${runFlat}`)) {
    const [first, rarer] = alike.toSorted((a, b) => a.key - b.key)
    const mark = rarer && marks.get(rarer.size.designation)
    if (!first || !rarer || !mark || isPromised(rarer)) continue
    if (rarer.line.brand.tier === 'premium' && markedCategories.has(rarer.line.profile.slug)) marked.set(rarer, mark)
  }
  return marked
}
