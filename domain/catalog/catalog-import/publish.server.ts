/**
 * Publishes staged rows. Products, prices and fitment are published in one transaction; stock in slices, see
 * publish-stock.
 */
import { isDeepStrictEqual } from 'node:util'
import type { RawBuilder } from 'kysely'
import { announceCatalogChange } from '#domain/catalog/catalog/catalog.server.ts'
import { recordAct, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { discardIfCanceled, ImportCanceled, stopIfCanceled } from './cancel.server.ts'
import type { BelowMap, ChangeCount, Entity, FeedKind, Warning } from './catalog-import.ts'
import { countChanges } from './changes.sql.server.ts'
import type { CustomerRecords } from './customer-records.port.ts'
import { checkProducts } from './check-products.sql.server.ts'
import { mostDifferences, readDifference, selectDifference, storeDifference } from './difference.sql.server.ts'
import type { Difference } from './difference.sql.server.ts'
import { isPersonal } from './feed-kinds.ts'
import { stagingTables } from './feed.ts'
import { queuePictures } from './import-pictures.server.ts'
import { planBelowMinimum } from './minimums.sql.server.ts'
import { checkBrandFitment, mergeBrandFitment, weighBrandFitment } from './publish-brand-fitment.sql.server.ts'
import { checkCustomers, publishCustomers } from './publish-customers.sql.server.ts'
import { checkFitment, mergeFitment, weighFitment } from './publish-fitment.sql.server.ts'
import { checkItemData, mergeItemData, weighItemData } from './publish-item-data.sql.server.ts'
import { checkOrders, publishOrders } from './publish-orders.sql.server.ts'
import { checkPrices, mergePrices, stagedPrices, weighPrices } from './publish-prices.sql.server.ts'
import { mergeProducts, stagedProductPrices, weighProducts } from './publish-products.sql.server.ts'
import { checkCompetitorPrices, mergeCompetitorPrices } from './publish-competitor-prices.sql.server.ts'
import { checkVehicleCodes, mergeVehicleCodes } from './publish-vehicle-codes.sql.server.ts'
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
import { permitsKind } from './kind-permission.server.ts'
import { clearStaged } from './staged.sql.server.ts'
import { deleteParts } from './uploads.sql.server.ts'

type Step = (tx: Tx, runId: number, at: Temporal.Instant, records: CustomerRecords) => Promise<void>

/**
 * `check` refuses rows that contradict each other or the catalog, `prices` selects the prices of the others, `weigh`
 * returns changes to confirm, `merge` writes.
 */
type Publisher = {
  tables: readonly Entity[]
  check: Step
  prices?: (runId: number) => RawBuilder<unknown>
  weigh: (tx: Tx, runId: number, at: Temporal.Instant) => Promise<Warning[]>
} & (
  | { merge: Step }
  | {
      slice: (tx: Tx, from: { runId: number; after: number; at: Temporal.Instant }) => Promise<number | undefined>
      foresee: (tx: Tx, runId: number) => Promise<ChangeCount[]>
    }
)

const publishers: Record<FeedKind, Publisher> = {
  products: {
    tables: ['brand', 'product_line', 'size', 'item'],
    check: checkProducts,
    prices: stagedProductPrices,
    weigh: weighProducts,
    merge: mergeProducts,
  },
  prices: { tables: ['item'], check: checkPrices, prices: stagedPrices, weigh: weighPrices, merge: mergePrices },
  stock: {
    tables: ['stock'],
    check: checkStock,
    weigh: weighStock,
    slice: publishStockSlice,
    foresee: countStockChanges,
  },
  // Customers and past orders aren't of the catalog, so that no change of one is recorded for a rollback.
  customers: { tables: [], check: checkCustomers, weigh: async () => [], merge: publishCustomers },
  orders: { tables: [], check: checkOrders, weigh: async () => [], merge: publishOrders },
  fitment: {
    tables: ['vehicle', 'oe_fitment', 'size_list'],
    check: checkFitment,
    weigh: weighFitment,
    merge: mergeFitment,
  },
  'item-data': {
    tables: ['item', 'product_line'],
    check: checkItemData,
    weigh: weighItemData,
    merge: mergeItemData,
  },
  'brand-fitment': {
    tables: ['brand_catalog', 'brand_fitment'],
    check: checkBrandFitment,
    weigh: weighBrandFitment,
    merge: mergeBrandFitment,
  },
  'vehicle-codes': {
    tables: ['vehicle_code'],
    check: checkVehicleCodes,
    weigh: async () => [],
    merge: mergeVehicleCodes,
  },
  'competitor-prices': {
    tables: ['competitor_price'],
    check: checkCompetitorPrices,
    weigh: async () => [],
    merge: mergeCompetitorPrices,
  },
}

/**
 * How far to publish. Either up to the preview; to the end without warnings; to the end with any warnings, but not with
 * others than a pending run has shown; or to the end if it makes exactly the previewed difference.
 */
export type Consent = 'preview' | 'no-warnings' | 'any-warnings' | 'as-previewed'

/** Changes to confirm, and prices below a minimum. The store's setting determines what happens to those prices. */
type Findings = { warnings: readonly Warning[]; belowMap?: BelowMap }

/** `by` publishes; in the office with a `reason` if there are warnings. */
type PublishDeps = {
  db: Database
  clock: Clock
  customerRecords: CustomerRecords
  by: Actor
  reason?: string | null
}

/**
 * Publishes a fully read run, or stops it. It ends as published, refused, checked or pending confirmation. A
 * half-published run is continued. After a crash at any point the run can be resumed. The audit entry is written in the
 * publishing transaction. If the actor isn't permitted (any longer), the run stays pending.
 */
export async function publishRun(
  deps: PublishDeps,
  runId: number,
  { consent, say }: { consent: Consent; say: (rowsPublished: number) => void },
): Promise<Run> {
  const { db } = deps
  say(0)
  const decided = await decideUnlessCanceled(deps, runId, consent)
  const done = decided.state === 'publishing' ? await publishSlices(deps, decided, say) : decided
  if (done.state === 'published' && publishers[done.kind].tables.length > 0)
    await analyzePublished(db, publishers[done.kind].tables)
  return done
}

async function decideUnlessCanceled(deps: PublishDeps, runId: number, consent: Consent): Promise<Run> {
  try {
    return await deps.db.transaction().execute(async (tx) => {
      const run = await lockRun(tx, runId)
      await stopIfCanceled(tx, runId)
      return run.state === 'read' || run.state === 'waiting-for-yes' ? decide(tx, deps, run, consent) : run
    })
  } catch (error) {
    const discarded = error instanceof ImportCanceled ? await discardIfCanceled(deps, runId) : undefined
    if (!discarded) throw error
    return discarded
  }
}

async function decide(tx: Tx, deps: PublishDeps, run: Run, consent: Consent): Promise<Run> {
  const { clock, customerRecords } = deps
  const publisher = publishers[run.kind]
  await lockPublishing(tx)
  await allowLargeJoins(tx)
  await analyzeStaged(tx, stagingTables[run.kind])
  await publisher.check(tx, run.id, clock.now(), customerRecords)
  await stopIfCanceled(tx, run.id)
  const { rows, refused } = await recount(tx, run.id, stagingTables[run.kind])
  if (refused === rows || (refused > 0 && run.mode === 'all-or-nothing'))
    return finish(tx, clock, run, 'refused', [], { warnings: [] })

  const findings = await find(tx, publisher, run.id, clock.now())
  const { warnings } = findings
  await stopIfCanceled(tx, run.id)
  if (run.isDry) return dryRun(tx, deps, run, findings)
  if (consent === 'preview' || consent === 'as-previewed') return decideByPreview(tx, deps, run, { consent, findings })
  const isNew = run.state !== 'waiting-for-yes' || !sameWarnings(run.summary.warnings ?? [], warnings)
  if (warnings.length > 0 && (consent === 'no-warnings' || (run.state === 'waiting-for-yes' && isNew)))
    return enterState(tx, run.id, 'waiting-for-yes', { summary: findings })
  if (!(await recordPublishing(tx, deps, run, warnings))) return enterState(tx, run.id, 'waiting-for-yes')
  if ('slice' in publisher) return enterState(tx, run.id, 'publishing', { summary: findings })
  await publisher.merge(tx, run.id, clock.now(), customerRecords)
  await stopIfCanceled(tx, run.id)
  return finish(tx, clock, run, 'published', await countChanges(tx, run.id), findings)
}

/** The prices are planned first, because those that are refused don't count as changes to confirm. */
async function find(tx: Tx, { prices, weigh }: Publisher, runId: number, at: Temporal.Instant): Promise<Findings> {
  const below = prices && (await planBelowMinimum(tx, prices(runId), at))
  const warnings = await weigh(tx, runId, at)
  return { warnings, ...(below && { belowMap: below }) }
}

/** A dry run does everything and then rolls back, so that it fails where the real run would. */
async function dryRun(tx: Tx, { clock, customerRecords }: PublishDeps, run: Run, findings: Findings): Promise<Run> {
  const publisher = publishers[run.kind]
  if ('slice' in publisher) return finish(tx, clock, run, 'checked', await publisher.foresee(tx, run.id), findings)
  await beginDryRun(tx)
  await publisher.merge(tx, run.id, clock.now(), customerRecords)
  const changes = await countChanges(tx, run.id)
  await undoDryRun(tx)
  return finish(tx, clock, run, 'checked', changes, findings)
}

/**
 * Stops with a preview, or publishes a run with an up-to-date preview. If the catalog has changed since, a new preview
 * is made and must be confirmed. Stock counts change with every order, so only their warnings are compared.
 */
async function decideByPreview(
  tx: Tx,
  deps: PublishDeps,
  run: Run,
  { consent, findings }: { consent: Consent; findings: Findings },
): Promise<Run> {
  const publisher = publishers[run.kind]
  const { warnings } = findings
  await beginDryRun(tx)
  if (!('slice' in publisher)) await publisher.merge(tx, run.id, deps.clock.now(), deps.customerRecords)
  await stopIfCanceled(tx, run.id)
  const difference = await readDifference(tx, run.id, run.kind)
  const changes = 'slice' in publisher ? await publisher.foresee(tx, run.id) : await countChanges(tx, run.id)
  const isAsShown =
    consent === 'as-previewed' &&
    sameWarnings(run.summary.warnings ?? [], warnings) &&
    ('slice' in publisher || (await isDifferenceOf(tx, run, difference)))
  if (isAsShown && (await recordPublishing(tx, deps, run, warnings)))
    return 'slice' in publisher
      ? enterState(tx, run.id, 'publishing', { summary: run.summary })
      : finish(tx, deps.clock, run, 'published', changes, findings)
  await undoDryRun(tx)
  await storeDifference(tx, run.id, difference.rows)
  const summary = { ...findings, changes, difference: difference.counts, previewedAt: deps.clock.now().toString() }
  const answer = consent === 'preview' ? null : ({ reason: isAsShown ? 'not-allowed' : 'different-now' } as const)
  return enterState(tx, run.id, 'waiting-for-yes', { summary, answer })
}

async function isDifferenceOf(tx: Tx, run: Run, { counts, rows }: Difference): Promise<boolean> {
  const byKind = (all: readonly { kind: string }[]) => all.toSorted((one, other) => (one.kind < other.kind ? -1 : 1))
  if (!isDeepStrictEqual(byKind(run.summary.difference ?? []), byKind(counts))) return false
  const shown = await selectDifference(tx, run.id, {
    after: null,
    limit: rows.length + 1,
    perKind: mostDifferences,
  })
  const keyed = (all: typeof rows) => new Map(all.map(({ kind, place, ...row }) => [`${kind} ${place}`, row]))
  return isDeepStrictEqual(keyed(shown), keyed(rows))
}

/** Compares the warnings shown, but not their totals, which may change with every order. */
function sameWarnings(shown: readonly Warning[], found: readonly Warning[]): boolean {
  const told = (warnings: readonly Warning[]) =>
    warnings.map((warning) => ('of' in warning ? { ...warning, of: 0 } : { ...warning }))
  return isDeepStrictEqual(told(shown), told(found))
}

/** Records the act in the transaction that publishes. Returns false if the actor may not publish this run. */
async function recordPublishing(
  tx: Tx,
  { by, clock, reason }: PublishDeps,
  run: Run,
  warnings: readonly Warning[],
): Promise<boolean> {
  const at = clock.now()
  const permission = warnings.length > 0 ? 'catalog.publish' : 'catalog.import'
  const permitted = await permitsKind(tx, by, { kind: run.kind, permission }, at)
  if (!permitted.ok) return false
  await recordAct(tx, {
    by,
    act: 'import.published',
    subject: `import ${run.id}`,
    after: { kind: run.kind, file: run.fileName, warnings: warnings.map(({ kind }) => kind).join(', ') },
    reason: reason ?? undefined,
    at,
  })
  return true
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
      const to = await publisher.slice(tx, { runId: id, after: Math.max(after, run.publishedTo), at: clock.now() })
      if (to !== undefined) await setPublishedTo(tx, id, to)
      return to
    })
    if (last !== undefined) say(last - 1)
  }
  return db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, id)
    return run.state === 'publishing'
      ? finish(tx, clock, run, 'published', await countChanges(tx, id), {
          warnings: run.summary.warnings ?? [],
        })
      : run
  })
}

async function finish(
  tx: Tx,
  clock: Clock,
  run: Run,
  state: 'published' | 'refused' | 'checked',
  changes: readonly ChangeCount[],
  findings: Findings,
): Promise<Run> {
  await clearStaged(tx, run.id, stagingTables[run.kind])
  // The file of a refused run can be checked again; a customer's data is stored with the customer only.
  if (state !== 'refused' || isPersonal(run.kind)) await deleteParts(tx, run.id)
  if (state === 'published') {
    await announceCatalogChange(tx)
    await queuePictures(tx, run.id)
  }
  const { difference, previewedAt } = run.summary
  return enterState(tx, run.id, state, {
    summary: { changes, ...findings, ...(difference && { difference }), ...(previewedAt && { previewedAt }) },
    finishedAt: clock.now(),
  })
}
