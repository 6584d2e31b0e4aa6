/** A process's in-memory published texts; scheduled ones appear automatically. */
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { createLiveReading, type LiveReading } from '#platform/live-reading.ts'
import { asReleased, type PublishedTexts } from './content.ts'
import { selectPublished, selectPublishedKey } from './content.sql.server.ts'

export type LiveContent = LiveReading<PublishedTexts> & {
  /** Whether a version of the page was published, be it as released. */
  isPublished(path: string): boolean
}

/** Creates a process's published texts, not yet polling. */
export function createLiveContent({ db, clock }: { db: Database; clock: Clock }): LiveContent {
  const initial = { texts: asReleased, published: new Set<string>() }
  const reading = createLiveReading<{ texts: PublishedTexts; published: ReadonlySet<string> }>(
    { version: '', value: initial },
    async (known) => {
      const now = clock.now()
      const version = await selectPublishedKey(db, now)
      if (version === known) return undefined
      const published = await selectPublished(db, now)
      const texts = published.flatMap(({ id, path, text, startsAt }) =>
        text && startsAt ? [[path, { ...text, versionId: id, publishedAt: startsAt }] as const] : [],
      )
      return { version, value: { texts: new Map(texts), published: new Set(published.map(({ path }) => path)) } }
    },
  )
  return {
    get current() {
      return reading.current.texts
    },
    isPublished: (path) => reading.current.published.has(path),
    read: reading.read,
    onChange: reading.onChange,
    start: reading.start,
    stop: reading.stop,
  }
}
