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

/** Names of shops change without notice: search finds a new shop within ten minutes, its pages immediately. */
const life = { minutes: 10 }
/** Wait before retrying a failed reading of names. */
const pauseAfterFailure = { seconds: 10 }

export type VocabularyKeeper = {
  /**
   * The current vocabulary. Fails only if none was ever read. Call it when a process starts, so that the first shopper
   * does not wait.
   */
  current(): Promise<Vocabulary>
  /** Brands or models changed: the next search waits until their names are read again. */
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

  /** A reading that began before the last change is followed by another one. */
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
