/**
 * The search vocabulary of this process. Kept outside the cache, so that no load of listings evicts it; the old one
 * answers while a new one is read, so that only the very first search waits for names.
 */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import type { BrandRange } from './brand-range.ts'
import { selectNames } from './search.sql.server.ts'
import { createVocabulary, type Vocabulary } from './search-vocabulary.ts'

/** Names rarely change: search finds a new line, brand or shop within ten minutes, its pages at once. */
const life = { minutes: 10 }
/** Wait before retrying a failed reading of names. */
const pauseAfterFailure = { seconds: 10 }

export type VocabularyKeeper = {
  /**
   * The current vocabulary. Fails only if none was ever read. Call it when a process starts, so that the first shopper
   * does not wait.
   */
  current(): Promise<Vocabulary>
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

  async function read(): Promise<Vocabulary> {
    try {
      const vocabulary = await createVocabulary(await selectNames(db, range), () => setImmediate())
      known = { vocabulary, until: clock.now().add(life) }
      return vocabulary
    } catch (error) {
      if (!known) throw error
      known = { ...known, until: clock.now().add(pauseAfterFailure) }
      return known.vocabulary
    } finally {
      reading = undefined
    }
  }

  return {
    current() {
      if (known && Temporal.Instant.compare(clock.now(), known.until) < 0) return Promise.resolve(known.vocabulary)
      reading ??= read()
      return known ? Promise.resolve(known.vocabulary) : reading
    },
  }
}
