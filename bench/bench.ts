import type { Environment, Store } from './environment.ts'
import type { Started } from './processes.ts'
import type { Pace } from './rounds.ts'
import type { SampleCatalog } from './sample-catalog.ts'

/** What all parts of a benchmark run share. */
export type Bench = Environment & {
  client: Started
  /** The web process and the limits process, both on `databaseUrl`, which holds the demo data at the default scale. */
  store: Store
  limits: Store
  databaseUrl: string
  sample: SampleCatalog
  pace: Pace
  say: (line: string) => void
}
