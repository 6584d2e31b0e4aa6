/** A trial: generates load for a while, and measures the cost for client, process, and database. */
import type { LoadJob, LoadResult } from './load-client.ts'
import type { PostgresClock } from './postgres-clock.ts'
import type { Measured, Started } from './processes.ts'

/** The result of one run of a trial. Latencies and CPU times are milliseconds; CPU and statements are per response. */
export type Sample = {
  perSecond: number
  p50: number
  p99: number
  statements: number
  cpu: number
  databaseCpu: number | null
  /** The load client's share of one core. */
  clientShare: number
}

export type Trial = { name: string; run(milliseconds: number): Promise<Sample> }

/**
 * A trial of requests to processes. Any unexpected response is an error, since a figure based on failures would be
 * wrong.
 */
export function createTrial(
  name: string,
  tools: { client: Started; processes: readonly Measured[]; clock: PostgresClock },
  job: Omit<LoadJob, 'milliseconds'>,
): Trial {
  return {
    name,
    run: (milliseconds) => sample(tools, async () => sendLoad(name, tools.client, { ...job, milliseconds })),
  }
}

/** Sends a job and returns its result. Throws if a response was not the expected one. */
export async function sendLoad(name: string, client: Started, job: LoadJob): Promise<LoadResult> {
  const { result } = await client.ask<{ result: LoadResult }>({ job }, 'result')
  if (result.failed > 0 || result.answered === 0)
    throw new Error(
      `${name}: ${result.failed} of ${result.answered} answers were not as expected: ${result.firstFailure ?? 'none came'}`,
    )
  return result
}

/** Measures the cost of `work` for the processes and the database. */
export async function sample(
  { processes, clock }: { processes: readonly Measured[]; clock: PostgresClock },
  work: () => Promise<LoadResult>,
): Promise<Sample> {
  const usage = async () => {
    const all = await Promise.all(processes.map((process) => process.usage()))
    return {
      statements: sum(all.map(({ statements }) => statements)),
      cpu: sum(all.map(({ cpuMilliseconds }) => cpuMilliseconds)),
      database: await clock(),
    }
  }
  const before = await usage()
  const result = await work()
  const after = await usage()
  return {
    perSecond: result.answered / result.seconds,
    p50: result.p50,
    p99: result.p99,
    statements: (after.statements - before.statements) / result.answered,
    cpu: (after.cpu - before.cpu) / result.answered,
    databaseCpu:
      before.database === null || after.database === null ? null : (after.database - before.database) / result.answered,
    clientShare: result.cpuShare,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
