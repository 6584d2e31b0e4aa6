/**
 * Alternates trials and their limits and takes medians. The machine's speed varies but affects both sides of a ratio
 * equally.
 */
import type { Sample, Trial } from './load.ts'

/** `goal`: the required share of the limit's rate. `p99Under` is in milliseconds. */
export type Comparison = {
  what: string
  trial: Trial
  limit: Trial
  goal?: number
  p99Under?: number
  statements?: number
}

export type Compared = {
  what: string
  limitName: string
  sample: Sample
  limit: Sample
  ratio: number
  ratios: number[]
  goal?: number
  p99Under?: number
  statements?: number
}

export type Pace = { rounds: number; milliseconds: number }

/** Runs every trial once to warm up, then rounds in which each limit is followed by its comparisons. */
export async function compare(
  comparisons: readonly Comparison[],
  { rounds, milliseconds }: Pace,
  say: (line: string) => void,
): Promise<Compared[]> {
  const groups = [...Map.groupBy(comparisons, ({ limit }) => limit)]
  for (const [limit, beside] of groups)
    for (const trial of [limit, ...beside.map((each) => each.trial)]) await trial.run(milliseconds / 2)
  const samples = new Map<Trial, Sample[]>(
    groups.flatMap(([limit, beside]) => [limit, ...beside.map(({ trial }) => trial)]).map((trial) => [trial, []]),
  )
  for (let round = 1; round <= rounds; round++) {
    for (const [trial, taken] of samples) {
      const sample = await trial.run(milliseconds)
      taken.push(sample)
      say(`round ${round}: ${trial.name}: ${Math.round(sample.perSecond)} per second`)
    }
  }
  return comparisons.map(({ trial, limit, ...about }) => {
    const [own, beside] = [samples.get(trial) ?? [], samples.get(limit) ?? []]
    const ratios = own.map((sample, index) => sample.perSecond / (beside[index]?.perSecond ?? Number.NaN))
    return {
      ...about,
      limitName: limit.name,
      sample: middle(own),
      limit: middle(beside),
      ratio: median(ratios),
      ratios,
    }
  })
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[half] ?? Number.NaN)
    : ((sorted[half - 1] ?? Number.NaN) + (sorted[half] ?? Number.NaN)) / 2
}

/** Each figure's median over the rounds. */
function middle(samples: readonly Sample[]): Sample {
  const of = (read: (sample: Sample) => number) => median(samples.map(read))
  return {
    perSecond: of((sample) => sample.perSecond),
    p50: of((sample) => sample.p50),
    p99: of((sample) => sample.p99),
    statements: of((sample) => sample.statements),
    cpu: of((sample) => sample.cpu),
    databaseCpu: samples.some((sample) => sample.databaseCpu === null) ? null : of((sample) => sample.databaseCpu ?? 0),
    clientShare: of((sample) => sample.clientShare),
  }
}
