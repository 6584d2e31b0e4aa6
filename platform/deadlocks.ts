/** Transactions that PostgreSQL rolled back to resolve a deadlock. */
import { setTimeout as pause } from 'node:timers/promises'
import { isDeadlock } from '#platform/db.ts'

const maxRetries = 3
const pauseMs = 20

/**
 * Runs `work`, a whole transaction, and again after a deadlock, up to 3 times. Then throws the deadlock. Each pause is
 * longer, and random, so that the other transaction gets its lock first.
 */
export async function retryDeadlocks<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let retry = 1; ; retry += 1)
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || retry > maxRetries) throw error
      await pause(pauseMs * retry * (0.5 + Math.random()))
    }
}
