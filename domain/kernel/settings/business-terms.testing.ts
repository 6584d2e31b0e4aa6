/** Business terms for tests and prepared data. */
import { selectTermHistory } from './business-terms.sql.server.ts'
import { standardTerms, termsAt, type BusinessTerms, type TermHistory } from './business-terms.ts'
import type { LiveTerms } from './business-terms.server.ts'
import { selectState } from './store-state.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

/** Terms that apply at every time (the standard ones, overridden by `changed`). */
export function fixedTerms(changed: Partial<BusinessTerms> = {}): LiveTerms {
  const current = { ...standardTerms, ...changed }
  return { current, version: 0, at: () => current, read: async () => undefined }
}

/** The terms last read from a database; the standard ones until `read`. */
export function termsOf({ db, clock }: { db: Database; clock: Clock }): LiveTerms {
  let [version, history]: [number, TermHistory] = [0, []]
  return {
    get current() {
      return termsAt(history, clock.now())
    },
    get version() {
      return version
    },
    at: (at) => termsAt(history, at),
    async read() {
      version = (await selectState(db)).termsVersion
      history = await selectTermHistory(db)
    },
  }
}
