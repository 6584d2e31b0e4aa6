/** A process's in-memory settings, reread twice a second so that a change applies everywhere within a second. */
import { applied, phoneHoursOf, readSettings } from './read-settings.server.ts'
import { selectState } from './store-state.sql.server.ts'
import { selectTermHistory } from './business-terms.sql.server.ts'
import type { LiveTerms } from './business-terms.server.ts'
import { termsAt, type TermHistory } from './business-terms.ts'
import type { Clock } from '#platform/clock.ts'
import type { StoreSettings } from './settings.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { createLiveReading, type LiveReading } from '#platform/live-reading.ts'

export type LiveSettings = LiveReading<StoreSettings> & {
  /** Environment configuration, the default for settings that aren't set. */
  readonly configured: Config['store']
  /** The configured store, overridden by settings. */
  readonly store: Config['store']
  /** Whether shoppers can order, for what pages say; what commits reads the database. True before the first reading. */
  readonly isOpen: boolean
  /** What staff set of the business terms, of every time. */
  readonly terms: LiveTerms
}

/** Creates a process's settings, not yet polling. `configured` has the defaults for settings that aren't set. */
export function createLiveSettings(
  { db, clock }: { db: Database; clock: Clock },
  configured: Config['store'],
): LiveSettings {
  const initial: Known = { settings: applied({}, configured), isOpen: true, termsVersion: 0, history: [] }
  let latest = initial
  const reading = createLiveReading({ version: '', value: initial }, async () => {
    const [{ version, started: ids, settings }, { isOpen, termsVersion }] = await Promise.all([
      readSettings({ db, clock, configured }),
      selectState(db),
    ])
    const history = termsVersion === latest.termsVersion ? latest.history : await selectTermHistory(db)
    latest = { settings, isOpen, termsVersion, history }
    // A scheduled change is a change when it starts.
    const started = termsAt(history, clock.now())
    const step = history.findIndex(({ terms }) => terms === started)
    return { version: [version, ids, isOpen, termsVersion, step].join(' '), value: latest }
  })
  return {
    get current() {
      return reading.current.settings
    },
    get isOpen() {
      return reading.current.isOpen
    },
    terms: {
      get current() {
        return termsAt(reading.current.history, clock.now())
      },
      get version() {
        return reading.current.termsVersion
      },
      at: (at) => termsAt(reading.current.history, at),
      read: reading.read,
    },
    configured,
    store: {
      get name() {
        return reading.current.settings.name
      },
      get phone() {
        return reading.current.settings.phone
      },
      get phoneHours() {
        return phoneHoursOf(reading.current.settings)
      },
      get email() {
        return reading.current.settings.email
      },
      address: configured.address,
    },
    read: reading.read,
    onChange: reading.onChange,
    start: reading.start,
    stop: reading.stop,
  }
}

type Known = { settings: StoreSettings; isOpen: boolean; termsVersion: number; history: TermHistory }
