import type { Environment, Store } from './environment.ts'
import type { Started } from './processes.ts'
import type { Pace } from './rounds.ts'
import type { SampleCatalog } from './sample-catalog.ts'

/** What the parts of a run share. */
export type Bench = Environment & {
  client: Started
  /**
   * The web process and the process of the limits, both over `databaseUrl`, which holds the demo data of the default
   * scale.
   */
  store: Store
  limits: Store
  databaseUrl: string
  sample: SampleCatalog
  pace: Pace
  say: (line: string) => void
}
