/** The sample tires as the store setup loads them. */
import {
  loadSampleTires,
  readSampleTires,
  type SampleTires,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { selectHasTires } from './facts.sql.server.ts'
import { selectOwnWarehouse } from './warehouse-address.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** `canLoad` is false for a catalog with tires, and without a warehouse for their stock. */
export type SetupSamples = SampleTires & { canLoad: boolean; hasWarehouse: boolean }

/** Reads the state of the sample tires, and whether they can be loaded. */
export async function readSetupSamples(deps: Pick<Deps, 'db'>): Promise<SetupSamples> {
  const [samples, hasTires, warehouse] = await Promise.all([
    readSampleTires(deps),
    selectHasTires(deps.db),
    selectOwnWarehouse(deps.db),
  ])
  const hasWarehouse = warehouse !== undefined
  const isIdle = samples.state !== 'working' && samples.state !== 'loaded'
  return { ...samples, hasWarehouse, canLoad: hasWarehouse && !hasTires && isIdle }
}

/** Loads the sample tires with stock in the store's first warehouse. Refuses `no-warehouse` without one. */
export async function loadSamples(
  deps: Deps,
  by: Actor,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'has-tires'> | Refused<'no-warehouse'>>> {
  const warehouse = await selectOwnWarehouse(deps.db)
  return warehouse === undefined ? refused('no-warehouse') : loadSampleTires(deps, by, { warehouse })
}
