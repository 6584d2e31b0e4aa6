/**
 * Counts visits on the server without a cookie. A visitor is a network and browser on one day. Their hash, with a daily
 * key, only updates a number in a sketch (visitor-sketch.ts) and is never stored.
 */
import { createHmac } from 'node:crypto'
import { addToSketch, emptySketch } from './visitor-sketch.ts'
import { addVisits } from './visits.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import type { Log } from '#platform/log.ts'
import { makingSecret, type Secrets } from '#platform/secrets.ts'
import { storeDay } from '#platform/store-zone.ts'

const flushEveryMs = 15_000

/** User agents of bots, such as search engines, link previews, monitors and command lines. */
const robots =
  /bot\b|crawl|spider|slurp|preview|headless|monitor|lighthouse|curl|wget|python|java\/|go-http|axios|node|undici|scrap|feed/i

export type VisitCounter = ReturnType<typeof createVisitCounter>

/**
 * Creates a process's counter. `count` takes a visitor's address and browser. `start` and `stop` add the counts to the
 * day's row, so a crash loses a few seconds.
 */
export function createVisitCounter({
  db,
  clock,
  log,
  secret,
}: {
  db: Database
  clock: Clock
  log: Pick<Log, 'warn'>
  secret: Secrets
}) {
  let counted: { day: string; key: Buffer; sketch: Uint8Array } | undefined
  let timer: NodeJS.Timeout | undefined
  let flushing = Promise.resolve()

  /** Returns today's counts; when the day changes, the previous day is flushed first. */
  function today(): NonNullable<typeof counted> {
    const day = storeDay(clock.now()).toString()
    if (counted?.day === day) return counted
    if (counted) void flush()
    const key = createHmac('sha256', makingSecret(secret)).update(`visits\n${day}`).digest()
    return (counted = { day, key, sketch: emptySketch() })
  }

  /** Adds the counts to the day's row. While the database is down, they are retained for the next attempt. */
  function flush(): Promise<void> {
    const taken = counted
    if (!taken || taken.sketch.every((run) => run === 0)) return flushing
    return (flushing = flushing
      .then(() => addVisits(db, taken.day, taken.sketch))
      .catch((error: unknown) => log.warn({ err: error }, 'visits could not be added to those of the day')))
  }

  return {
    /** Counts a visit unless the user agent is a bot. */
    count({ address, browser }: { address: string; browser: string }): void {
      if (browser === '' || robots.test(browser.slice(0, 300))) return
      const { key, sketch } = today()
      addToSketch(
        sketch,
        createHmac('sha256', key)
          .update(`${address}\n${browser.slice(0, 300)}`)
          .digest(),
      )
    },
    flush,
    start(): void {
      timer = setInterval(() => void flush(), flushEveryMs)
      timer.unref()
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}
