/**
 * The vocabulary of this process. It has a place of its own, so that no rush of listings takes it away; and while a
 * newer one is read the old one answers, so that nobody who types waits for names, but the very first.
 */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import type { BrandRange } from './brand-range.ts'
import { selectNames } from './search.sql.server.ts'
import { createVocabulary, type Vocabulary } from './search-vocabulary.ts'

/** Names change seldom: a new line, brand or shop is found by its name within ten minutes, and on its pages at once. */
const life = { minutes: 10 }
/** When the names could not be read again, they are tried again after this. */
const pauseAfterFailure = { seconds: 10 }

export type VocabularyKeeper = {
  /**
   * The vocabulary at hand. Fails only when none was ever read. Ask for it when a process starts, and the first shopper
   * finds it read.
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
