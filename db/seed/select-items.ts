/** Selects which possible tires exist, so that every listed vehicle finds a full page of tires that fit. */
import { markedAmong } from './carmaker-marks.ts'
import { candidatesOf, isNamed, nameOf, type Candidate } from './items.ts'
import type { Line } from './lines.ts'
import type { Size } from './sizes.ts'
import { meets } from './suitability.ts'
import type { Fitment } from '#db/reference/vehicles.ts'

/** Minimum number of items for each listed load index and speed, and in each line. */
const leastPerRequirement = 8
const leastPerLine = 3
const linesPerStaggeredPair = 8

/**
 * Yields `count` candidates by model. Includes the `promised` ones (see `promisedItems`) and then the most common
 * others. Some have the carmaker's mark for their size from `marks`. Stores one number per candidate in memory.
 */
export function* selectItems(
  lines: readonly Line[],
  sizes: readonly Size[],
  promised: ReadonlySet<string>,
  count: number,
  marks: ReadonlyMap<string, string> = new Map(),
): Generator<Candidate> {
  const keys: number[] = []
  for (const line of lines)
    for (const candidate of candidatesOf(line, sizes)) if (!promised.has(identity(candidate))) keys.push(candidate.key)
  const ordered = Float64Array.from(keys).sort()
  const limit = ordered[count - promised.size - 1] ?? (count > promised.size ? Infinity : -Infinity)
  for (const line of lines) {
    const made = candidatesOf(line, sizes).filter(
      (candidate) => candidate.key <= limit || promised.has(identity(candidate)),
    )
    const marked = markedAmong(made, marks, (candidate) => promised.has(identity(candidate)))
    for (const candidate of made) yield { ...candidate, mark: marked.get(candidate) ?? null }
  }
}

/**
 * Returns the identities of items that must be in stock. They include named items, enough for every listed vehicle's
 * requirement, staggered pairs within one model, and a few per model. All are from the first generation of models.
 * Later generations only add volume.
 */
export function promisedItems(
  lines: readonly Line[],
  sizes: readonly Size[],
  fitments: readonly Fitment[],
): Set<string> {
  const promised = new Set<string>()
  const perLine = lines.filter((line) => line.generation === 1).map((line) => candidatesOf(line, sizes).sort(byKey))
  for (const candidates of perLine) {
    for (const candidate of [...candidates.filter(isNamed), ...candidates.slice(0, leastPerLine)])
      promised.add(identity(candidate))
  }
  const bySize = Map.groupBy(perLine.flat(), (candidate) => candidate.size.designation)
  for (const size of sizes) {
    const candidates = (bySize.get(size.designation) ?? []).sort(byKey)
    for (const requirement of size.requirements) {
      const fitting = candidates.filter(
        ({ strength, speed, line }) => meets(requirement, strength.loadIndex, speed) && line.profile.tread !== 'winter',
      )
      for (const candidate of acrossTiers(fitting, leastPerRequirement)) promised.add(identity(candidate))
    }
  }
  for (const { front, rear } of staggeredPairs(fitments)) {
    const rears = Map.groupBy(
      (bySize.get(rear.size) ?? []).filter(({ strength, speed }) => meets(rear, strength.loadIndex, speed)),
      ({ line, runFlat }) => `${line.id} ${runFlat}`,
    )
    const pairs = (bySize.get(front.size) ?? [])
      .filter(({ strength, speed }) => meets(front, strength.loadIndex, speed))
      .flatMap((first) =>
        (rears.get(`${first.line.id} ${first.runFlat}`) ?? []).slice(0, 1).map((second) => ({ first, second })),
      )
      .sort((a, b) => a.first.key + a.second.key - b.first.key - b.second.key)
    for (const { first, second } of pairs.slice(0, linesPerStaggeredPair))
      promised.add(identity(first)).add(identity(second))
  }
  return promised
}

/** A unique identity for each candidate. */
export function identity(candidate: Candidate): string {
  return `${candidate.line.id} ${nameOf(candidate)}`
}

function byKey(a: Candidate, b: Candidate): number {
  return a.key - b.key
}

/** The first `count` of `candidates`, alternating between price tiers. */
function acrossTiers(candidates: readonly Candidate[], count: number): Candidate[] {
  const tiers = [...Map.groupBy(candidates, ({ line }) => line.brand.tier).values()]
  const taken: Candidate[] = []
  for (let round = 0; taken.length < count && tiers.some((tier) => tier[round]); round++)
    taken.push(...tiers.flatMap((tier) => tier[round] ?? []))
  return taken.slice(0, count)
}

type Axle = { size: string; loadIndex: number; speed: string }

function staggeredPairs(fitments: readonly Fitment[]): { front: Axle; rear: Axle }[] {
  const pairs = new Map<string, { front: Axle; rear: Axle }>()
  for (const row of fitments) {
    if (row.front_size === row.rear_size) continue
    const front = { size: row.front_size, loadIndex: row.front_load_index ?? 0, speed: row.front_speed ?? 'S' }
    const rear = { size: row.rear_size, loadIndex: row.rear_load_index ?? 0, speed: row.rear_speed ?? 'S' }
    pairs.set(JSON.stringify([front, rear]), { front, rear })
  }
  return [...pairs.values()]
}
