import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Retries until there is a result, because workers, carriers, and email take time. The timeout is long enough for a
 * busy machine.
 */
export async function eventually<Value>(
  what: string,
  find: () => Promise<Value | undefined | false> | Value | undefined | false,
  seconds = 60,
): Promise<Value> {
  for (const deadline = performance.now() + seconds * 1_000; ; await sleep(50)) {
    const found = await find()
    if (found) return found
    if (performance.now() > deadline) throw new Error(`There was no ${what} within ${seconds} s.`)
  }
}
