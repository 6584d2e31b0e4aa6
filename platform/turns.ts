/**
 * Limits the number of concurrent requests in a process, so that accepted requests are fast and others are refused
 * immediately instead of all waiting (docs/decisions/030-load-shedding.md).
 */
import { eventLoopUtilization } from 'node:perf_hooks'
import PQueue from 'p-queue'

/** Browsing must not wait for buying, so each has its own queue. */
export type WorkKind = 'browsing' | 'buying'

export type Turns = {
  /**
   * Acquires a slot of this kind when one is free, and returns the function that releases it. Returns undefined on
   * timeout, or without a free slot if it may not wait, and then the request must be refused. `hasBegun` has priority
   * because shoppers in the middle of a checkout have more to lose.
   */
  take(kind: WorkKind, options: { hasBegun: boolean; mayWait?: boolean }): Promise<(() => void) | undefined>
}

/**
 * The browsing timeout as a multiple of the buying timeout. Browsing slots are sufficient except just after the start
 * or on a slow machine, and then a late page is better than a refusal.
 */
const browsingPatience = 5
/** Waiting requests cost memory, and more than this many of one kind would not have their turn in time. */
const mostWaiting = 1_000
const lookEveryMs = 100
/** The share of the time that the process's thread may be busy before it counts as such. */
const busyShare = 0.8
/** The maximum concurrency when requests only wait for providers or slow request bodies. */
const mostAtOnce = 2_000

/** `patienceMs` is the timeout for buying. `isWaitedFor` returns whether a statement is waiting for a connection. */
type TurnsOptions = { connections: number; patienceMs: number; isWaitedFor: () => boolean }

/**
 * Creates the queues of a process with `connections` to its database. The minimum is half the connections for buying,
 * and all for browsing. It grows only while the process is idle and no statement waits for a connection, because
 * payment providers take most of the time when buying.
 */
export function createTurns({ connections, patienceMs, isWaitedFor }: TurnsOptions): Turns {
  const fewest: Record<WorkKind, number> = { browsing: connections, buying: Math.max(1, Math.floor(connections / 2)) }
  const queues: Record<WorkKind, PQueue> = {
    browsing: new PQueue({ concurrency: fewest.browsing }),
    buying: new PQueue({ concurrency: fewest.buying }),
  }
  const isBusy = watchLoop(isWaitedFor)
  let looking: NodeJS.Timeout | undefined

  /**
   * Doubles the limit at each check, so that queued requests don't all start together. Resets to the minimum when busy.
   */
  function look(): void {
    const busy = isBusy()
    for (const kind of ['browsing', 'buying'] as const) {
      const queue = queues[kind]
      const more = queue.size > 0 && !busy
      queue.concurrency = more ? Math.min(mostAtOnce, 2 * Math.max(queue.pending, fewest[kind])) : fewest[kind]
    }
    if (queues.browsing.size + queues.buying.size > 0) return
    clearInterval(looking)
    looking = undefined
  }

  return {
    async take(kind, { hasBegun, mayWait = true }) {
      const queue = queues[kind]
      if (queue.size >= mostWaiting || (!mayWait && queue.pending >= queue.concurrency)) return undefined
      if (queue.pending >= queue.concurrency) looking ??= setInterval(look, lookEveryMs).unref()
      const tooLate = new AbortController()
      const patience = kind === 'buying' ? patienceMs : patienceMs * browsingPatience
      const timer = setTimeout(() => tooLate.abort(), patience)
      return new Promise((resolve) => {
        const turn = () => {
          clearTimeout(timer)
          const { promise, resolve: end } = Promise.withResolvers<void>()
          resolve(end)
          return promise
        }
        // Only waiting requests time out. Running requests have no timer.
        queue.add(turn, { priority: hasBegun ? 1 : 0, signal: tooLate.signal }).catch(() => resolve(undefined))
      })
    },
  }
}

/** Returns whether the process was mostly busy since the last call, or its database is overloaded. */
function watchLoop(isWaitedFor: () => boolean): () => boolean {
  let before = eventLoopUtilization()
  return () => {
    const now = eventLoopUtilization()
    const { utilization } = eventLoopUtilization(now, before)
    before = now
    return utilization > busyShare || isWaitedFor()
  }
}
