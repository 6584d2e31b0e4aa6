import type { LoadResult } from './load-client.ts'

/** `clients` at a time do `work` again and again for this long. */
export async function inTurns(clients: number, milliseconds: number, work: () => Promise<void>): Promise<LoadResult> {
  const began = performance.now()
  const usedBefore = process.cpuUsage()
  const took: number[] = []
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() - began < milliseconds) {
        const from = performance.now()
        await work()
        took.push(performance.now() - from)
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  const used = process.cpuUsage(usedBefore)
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
  return {
    answered: took.length,
    failed: 0,
    firstFailure: null,
    seconds,
    p50: at(0.5),
    p99: at(0.99),
    cpuShare: (used.user + used.system) / 1e6 / seconds,
  }
}
