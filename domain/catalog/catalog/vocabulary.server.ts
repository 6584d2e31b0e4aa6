/**
 * The search vocabulary of this process. Separate from the cache, so that listing traffic can't evict it. The old
 * vocabulary is served during a refresh, so only the very first search has to load names.
 */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import type { BrandRange } from './brand-range.ts'
import { selectNames } from './search.sql.server.ts'
import { createVocabulary, type Vocabulary } from './search-vocabulary.ts'

/**
 * Shop names change without notification. Search finds a new shop within ten minutes; its pages are available
 * immediately.
 */
const life = { minutes: 10 }
/** The delay after a failed load. */
const pauseAfterFailure = { seconds: 10 }

export type VocabularyKeeper = {
  /**
   * The current vocabulary. Throws only if it was never loaded. Call it at process startup, so that the first shopper
   * isn't delayed.
   */
  current(): Promise<Vocabulary>
  /** Call when brands or models changed; the next search then loads the names again. */
  renew(): void
}

export function keepVocabulary({
  db,
  clock,
  range,
}: {
  db: Database
  clock: Clock
  range: BrandRange
}): VocabularyKeeper {
  let known: { vocabulary: Vocabulary; until: Temporal.Instant } | undefined
  let reading: Promise<Vocabulary> | undefined
  /** How often names changed, and how many of these changes `known` has. */
  let [changes, seen] = [0, 0]

  async function read(): Promise<Vocabulary> {
    const asOf = changes
    try {
      const vocabulary = await createVocabulary(await selectNames(db, range), () => setImmediate())
      known = { vocabulary, until: clock.now().add(life) }
      return vocabulary
    } catch (error) {
      if (!known) throw error
      known = { ...known, until: clock.now().add(pauseAfterFailure) }
      return known.vocabulary
    } finally {
      seen = asOf
      reading = undefined
    }
  }

  /** A load that started before the last change is repeated. */
  async function readChanged(): Promise<Vocabulary> {
    const vocabulary = await (reading ??= read())
    return seen === changes ? vocabulary : readChanged()
  }

  return {
    renew: () => void changes++,
    current() {
      if (known && seen !== changes) return readChanged()
      if (known && Temporal.Instant.compare(clock.now(), known.until) < 0) return Promise.resolve(known.vocabulary)
      reading ??= read()
      return known ? Promise.resolve(known.vocabulary) : reading
    },
  }
}
