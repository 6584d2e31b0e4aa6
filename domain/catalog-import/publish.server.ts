/**
 * Publishes staged rows. Products, prices and fitment are published in one transaction; stock in slices, see
 * publish-stock.
 */
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { ChangeCount, Entity, FeedKind, Warning } from './catalog-import.ts'
import { countChanges } from './changes.sql.server.ts'
import { checkProducts } from './check-products.sql.server.ts'
import type { StagingTable } from './feed.ts'
import { checkFitment, mergeFitment, weighFitment } from './publish-fitment.sql.server.ts'
import { checkPrices, mergePrices, weighPrices } from './publish-prices.sql.server.ts'
import { mergeProducts, weighProducts } from './publish-products.sql.server.ts'
import {
  allowLargeJoins,
  analyzePublished,
  analyzeStaged,
  beginDryRun,
  lockPublishing,
  undoDryRun,
} from './publish.sql.server.ts'
import { checkStock, countStockChanges, publishStockSlice, weighStock } from './publish-stock.sql.server.ts'
import { enterState, lockRun, recount, setPublishedTo, type Run } from './runs.sql.server.ts'
import { clearStaged } from './staged.sql.server.ts'

type Step = (tx: Tx, runId: number) => Promise<void>

/**
 * `check` refuses rows that contradict each other or the catalog, `weigh` returns changes to confirm, `merge` writes.
 */
type Publisher = {
  table: StagingTable
  tables: readonly Entity[]
  check: Step
  weigh: (tx: Tx, runId: number) => Promise<Warning[]>
} & (
  | { merge: Step }
  | {
      slice: (tx: Tx, runId: number, after: number) => Promise<number | undefined>
      foresee: (tx: Tx, runId: number) => Promise<ChangeCount[]>
    }
)

const publishers: Record<FeedKind, Publisher> = {
  products: {
    table: 'import_product',
    tables: ['brand', 'product_line', 'size', 'item'],
    check: checkProducts,
    weigh: weighProducts,
    merge: mergeProducts,
  },
  prices: { table: 'import_price', tables: ['item'], check: checkPrices, weigh: weighPrices, merge: mergePrices },
  stock: {
    table: 'import_stock',
    tables: ['stock'],
    check: checkStock,
    weigh: weighStock,
    slice: publishStockSlice,
    foresee: countStockChanges,
  },
  fitment: {
    table: 'import_fitment',
    tables: ['vehicle', 'oe_fitment'],
    check: checkFitment,
    weigh: weighFitment,
    merge: mergeFitment,
  },
}

/**
 * Publishes a fully read run, or finds why not: it ends as published, refused, checked or waiting for confirmation. A
 * half-published run is continued. After a crash at any point the run can be resumed.
 */
export async function publishRun(
  deps: { db: Database; clock: Clock },
  runId: number,
  { isYes, say }: { isYes: boolean; say: (rowsPublished: number) => void },
): Promise<Run> {
  const { db, clock } = deps
  say(0)
  const decided = await db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, runId)
    return run.state === 'read' || run.state === 'waiting-for-yes' ? decide(tx, clock, run, isYes) : run
  })
  const done = decided.state === 'publishing' ? await publishSlices(deps, decided, say) : decided
  if (done.state === 'published') await analyzePublished(db, publishers[done.kind].tables)
  return done
}

async function decide(tx: Tx, clock: Clock, run: Run, isYes: boolean): Promise<Run> {
  const publisher = publishers[run.kind]
  await lockPublishing(tx)
  await allowLargeJoins(tx)
  await analyzeStaged(tx, publisher.table)
  await publisher.check(tx, run.id)
  const { rows, refused } = await recount(tx, run.id, publisher.table)
  if (refused === rows || (refused > 0 && run.mode === 'all-or-nothing'))
    return finish(tx, clock, run, 'refused', [], [])

  const warnings = await publisher.weigh(tx, run.id)
  if (warnings.length > 0 && !isYes && !run.isDry)
    return enterState(tx, run.id, 'waiting-for-yes', { summary: { warnings } })
  if ('slice' in publisher) {
    if (run.isDry) return finish(tx, clock, run, 'checked', await publisher.foresee(tx, run.id), warnings)
    return enterState(tx, run.id, 'publishing', { summary: { warnings } })
  }
  if (!run.isDry) {
    await publisher.merge(tx, run.id)
    return finish(tx, clock, run, 'published', await countChanges(tx, run.id), warnings)
  }
  // A dry run does everything and then rolls back, so that it fails where the real run would.
  await beginDryRun(tx)
  await publisher.merge(tx, run.id)
  const changes = await countChanges(tx, run.id)
  await undoDryRun(tx)
  return finish(tx, clock, run, 'checked', changes, warnings)
}

async function publishSlices(
  { db, clock }: { db: Database; clock: Clock },
  { id, kind, publishedTo }: Run,
  say: (rowsPublished: number) => void,
): Promise<Run> {
  const publisher = publishers[kind]
  if (!('slice' in publisher)) throw new Error(`${kind} are not published in slices.`)
  let last: number | undefined = publishedTo
  while (last !== undefined) {
    const after: number = last
    last = await db.transaction().execute(async (tx) => {
      const run = await lockRun(tx, id)
      const to = await publisher.slice(tx, id, Math.max(after, run.publishedTo))
      if (to !== undefined) await setPublishedTo(tx, id, to)
      return to
    })
    if (last !== undefined) say(last - 1)
  }
  return db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, id)
    return run.state === 'publishing'
      ? finish(tx, clock, run, 'published', await countChanges(tx, id), run.summary.warnings ?? [])
      : run
  })
}

async function finish(
  tx: Tx,
  clock: Clock,
  run: Run,
  state: 'published' | 'refused' | 'checked',
  changes: readonly ChangeCount[],
  warnings: readonly Warning[],
): Promise<Run> {
  await clearStaged(tx, run.id, publishers[run.kind].table)
  return enterState(tx, run.id, state, { summary: { changes, warnings }, finishedAt: clock.now() })
}
