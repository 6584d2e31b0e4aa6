/** A process's in-memory settings, reread twice a second so that a change applies everywhere within a second. */
import { applied, phoneHoursOf, readSettings } from '#domain/settings/read-settings.server.ts'
import { selectState } from '#domain/settings/store-state.sql.server.ts'
import type { StoreSettings } from '#domain/settings/settings.ts'
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
}

const readEveryMs = 500

/** Creates a process's settings, not yet polling. `configured` has the defaults for settings that aren't set. */
export function createLiveSettings(db: Database, configured: Config['store']): LiveSettings {
  const initial = { settings: applied({}, configured), isOpen: true }
  const reading = createLiveReading(
    { version: '', value: initial },
    async () => {
      const [{ version, settings }, { isOpen }] = await Promise.all([readSettings({ db, configured }), selectState(db)])
      return { version: `${version} ${isOpen ? 'open' : 'closed'}`, value: { settings, isOpen } }
    },
    readEveryMs,
  )
  return {
    get current() {
      return reading.current.settings
    },
    get isOpen() {
      return reading.current.isOpen
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
