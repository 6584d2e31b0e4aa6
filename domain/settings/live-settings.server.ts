/** The settings as a process has them in memory: read again every two seconds, so that a change applies everywhere. */
import { applied, phoneHoursOf, readSettings } from '#domain/settings/read-settings.server.ts'
import type { StoreSettings } from '#domain/settings/settings.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { createLiveReading, type LiveReading } from '#platform/live-reading.ts'

export type LiveSettings = LiveReading<StoreSettings> & {
  /** What the environment says, which applies where nothing was set. */
  readonly configured: Config['store']
  /** The configured store, with what was set in place of it. */
  readonly store: Config['store']
}

/** Creates the settings of a process, not yet reading. `configured` applies where nothing was set. */
export function createLiveSettings(db: Database, configured: Config['store']): LiveSettings {
  const reading = createLiveReading({ version: 0, value: applied({}, configured) }, async () => {
    const { version, settings } = await readSettings({ db, configured })
    return { version, value: settings }
  })
  return {
    get current() {
      return reading.current
    },
    configured,
    store: {
      get name() {
        return reading.current.name
      },
      get phone() {
        return reading.current.phone
      },
      get phoneHours() {
        return phoneHoursOf(reading.current)
      },
      get email() {
        return reading.current.email
      },
      address: configured.address,
    },
    read: reading.read,
    onChange: reading.onChange,
    start: reading.start,
    stop: reading.stop,
  }
}
