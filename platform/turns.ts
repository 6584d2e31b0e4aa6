/**
 * Bounds how many requests a process works on at a time, so that each one it takes is answered soon and what it cannot
 * take is refused at once, in place of all of them waiting together (docs/decisions/093-refusing-under-load.md).
 */
import { eventLoopUtilization } from 'node:perf_hooks'
import PQueue from 'p-queue'

/** What is looked at must not wait for what is bought: each kind has turns of its own. */
export type WorkKind = 'browsing' | 'buying'

export type Turns = {
  /**
   * Waits for a turn of this kind, and returns what ends it; undefined if none came in time: then refuse. `hasBegun`
   * goes before others: who is halfway through a checkout has more to lose than who would begin one.
   */
  take(kind: WorkKind, hasBegun: boolean): Promise<(() => void) | undefined>
}

/**
 * How many times as long as who buys, who looks waits. There are turns enough for looking, but where a process has only
 * just started or the whole machine is slow; then a page that is late is better than none.
 */
const browsingPatience = 5
/** Waiting requests cost memory, and more than this many of one kind would not have their turn in time. */
const mostWaiting = 1_000
const lookEveryMs = 100
/** The share of the time that the process's thread may be busy before it counts as such. */
const busyShare = 0.8
/** A process with nothing to do but wait, for providers or for bodies that come slowly, takes up to this many. */
const mostAtOnce = 2_000

/** `patienceMs`: how long who buys waits for a turn. `isWaitedFor`: whether a statement waits for a connection. */
type TurnsOptions = { connections: number; patienceMs: number; isWaitedFor: () => boolean }

/**
 * Creates the turns of a process with `connections` to its database. Buying has half as many turns as there are
 * connections, browsing as many, and more only while the process has time and no statement waits for a connection:
 * much of buying is waiting for payment providers.
 */
export function createTurns({ connections, patienceMs, isWaitedFor }: TurnsOptions): Turns {
  const fewest: Record<WorkKind, number> = { browsing: connections, buying: Math.max(1, Math.floor(connections / 2)) }
  const queues: Record<WorkKind, PQueue> = {
    browsing: new PQueue({ concurrency: fewest.browsing }),
    buying: new PQueue({ concurrency: fewest.buying }),
  }
  const isBusy = watchLoop(isWaitedFor)
  let looking: NodeJS.Timeout | undefined

  /** Twice as many at each look, so that those who wait do not all begin at once; back to the fewest when busy. */
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
    async take(kind, hasBegun) {
      const queue = queues[kind]
      if (queue.size >= mostWaiting) return undefined
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
        // Only waiting can be given up: a turn that began has no timer any more.
        queue.add(turn, { priority: hasBegun ? 1 : 0, signal: tooLate.signal }).catch(() => resolve(undefined))
      })
    },
  }
}

/** Whether the process had hardly any time since it was last asked, or its database has none. */
function watchLoop(isWaitedFor: () => boolean): () => boolean {
  let before = eventLoopUtilization()
  return () => {
    const now = eventLoopUtilization()
    const { utilization } = eventLoopUtilization(now, before)
    before = now
    return utilization > busyShare || isWaitedFor()
  }
}
