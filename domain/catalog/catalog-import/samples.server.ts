/**
 * Sample tires for the store setup. The worker publishes two imports without a preview, one with the tires and one with
 * their stock. Removing them rolls both back.
 */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { canRollBack, isAtWork } from './catalog-import.ts'
import { awaitImport, queueImport, startImportIn } from './office-imports.server.ts'
import { countAddedTires, lockSamples, selectSampleRun, setRequest, type Run } from './runs.sql.server.ts'
import { sampleFiles } from './sample-files.ts'
import { storeUpload } from './uploads.server.ts'

type Deps = { db: Database; clock: Clock }

/** The order in which the worker imports them. They are rolled back the other way around. */
const kinds = ['products', 'stock'] as const

/**
 * The sample tires. `failed` needs staff, in the import with the ID `runId`. `tires` are those in the catalog, after a
 * removal those that orders or carts use.
 */
export type SampleTires = {
  state: 'none' | 'working' | 'loaded' | 'failed' | 'removed'
  tires: number
  runId: number | null
}

/** Reads the state of the sample tires. */
export async function readSampleTires({ db }: Pick<Deps, 'db'>): Promise<SampleTires> {
  const [products, stock] = await selectSampleRuns(db)
  if (!products || !stock) return { state: 'none', tires: 0, runId: null }
  return {
    state: stateOf(products, stock),
    tires: await countAddedTires(db, products.id),
    runId: failedOf(products, stock),
  }
}

/** Returns the state after waiting for the worker for a few seconds. */
export async function awaitSampleTires(deps: Pick<Deps, 'db'>): Promise<SampleTires> {
  for (const run of await selectSampleRuns(deps.db)) if (run) await awaitImport(deps, run.id)
  return readSampleTires(deps)
}

/**
 * Adds the sample tires to an empty catalog, with stock in the warehouse that has the code `warehouse`. Refuses
 * `not-allowed`, and `has-tires` for a catalog with tires.
 */
export async function loadSampleTires(
  deps: Deps,
  by: Actor,
  { warehouse }: { warehouse: string },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'has-tires'>>> {
  const permitted = await deps.db.transaction().execute((tx) => permit(deps, tx, by))
  if (!permitted.ok) return permitted
  const files = sampleFiles(warehouse)
  const uploads: Record<(typeof kinds)[number], string> = { products: newTimedId(), stock: newTimedId() }
  for (const kind of kinds) {
    const bytes = pieces(files[kind])
    const stored = await storeUpload(deps, by, { id: uploads[kind], fileName: `sample-${kind}.csv`, bytes })
    if (!stored.ok) throw new Error(`The sample file was refused: ${stored.reason}`)
  }
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    const { hasTires } = await lockSamples(tx)
    const runs = await selectSampleRuns(tx)
    if (hasTires || runs.some((run) => run && isAtWork(run))) return refused('has-tires')
    for (const kind of kinds) {
      const start = { uploadId: uploads[kind], kind, mode: 'all-or-nothing', isSample: true, at } as const
      const started = await startImportIn(tx, by, start)
      if (started.ok) continue
      if (started.reason === 'not-allowed') return started
      throw new Error(`The sample import was refused: ${started.reason}`)
    }
    await recordAct(tx, { by, act: 'samples.loaded', subject: 'sample tires', at })
    return ok(null)
  })
}

/**
 * Removes the sample tires with their stock, brands and sizes. Tires that orders or carts use stay in the catalog and
 * are no longer for sale. Refuses `not-allowed`, and `no-samples` without any.
 */
export async function removeSampleTires(
  deps: Deps,
  by: Actor,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'no-samples'>>> {
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await permit(deps, tx, by)
    if (!permitted.ok) return permitted
    await lockSamples(tx)
    const runs = (await selectSampleRuns(tx)).filter((run) => run !== undefined)
    if (runs.some(isAtWork)) return refused('no-samples')
    const published = runs.filter(canRollBack)
    if (published.length === 0) return refused('no-samples')
    for (const { id } of published) {
      await setRequest(tx, id, { request: { act: 'roll-back', by, reason: null }, answer: null })
      await queueImport(tx, id)
    }
    await recordAct(tx, { by, act: 'samples.removed', subject: 'sample tires', at })
    return ok(null)
  })
}

/** Whether a sample run has to come after the other one. Stock needs the tires, and is rolled back first. */
export async function waitsForSample(db: Database, run: Run): Promise<boolean> {
  if (!run.isSample) return false
  const [products, stock] = await selectSampleRuns(db)
  return run.asked === 'roll-back'
    ? run.kind === 'products' && stock?.asked === 'roll-back'
    : run.kind === 'stock' && products !== undefined && isAtWork(products)
}

/** Queues the sample run that waited for `run`, if any. */
export async function queueWaitingSample(db: Database, run: Run): Promise<void> {
  if (!run.isSample) return
  for (const other of await selectSampleRuns(db))
    if (other && other.id !== run.id && isAtWork(other)) await queueImport(db, other.id)
}

async function selectSampleRuns(db: Database | Tx): Promise<[Run | undefined, Run | undefined]> {
  return [await selectSampleRun(db, 'products'), await selectSampleRun(db, 'stock')]
}

function stateOf(products: Run, stock: Run): SampleTires['state'] {
  if (isAtWork(products) || isAtWork(stock)) return 'working'
  if (failedOf(products, stock) !== null) return 'failed'
  return products.state === 'published' ? 'loaded' : 'removed'
}

/** The ID of a run that needs staff. */
function failedOf(products: Run, stock: Run): number | null {
  const failed = [products, stock].find(
    ({ state, answer }) =>
      state === 'refused' || state === 'waiting-for-yes' || (state === 'published' && answer !== null),
  )
  return failed?.id ?? null
}

function permit({ clock }: Pick<Deps, 'clock'>, tx: Tx, by: Actor) {
  return requirePermission(tx, by, 'catalog.import', clock.now())
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
