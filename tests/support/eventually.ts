import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks again until there is an answer: workers, carriers and mails take their time. How much is enough for a machine
 * that is busy with other things, too.
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
