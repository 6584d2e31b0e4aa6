/** Checks the file of an import again, after staff fixed what its rows were refused for. */
import { recordAct, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { canCheckAgain, type ImportRun, type RunState } from './catalog-import.ts'
import { storeDifference } from './difference.sql.server.ts'
import { stagingTables } from './feed.ts'
import { permitsKind } from './kind-permission.server.ts'
import { queueImport } from './office-imports.server.ts'
import { categoryWord, unknownCategory } from './product-feed.ts'
import { lockRun, restartRun, selectRun } from './runs.sql.server.ts'
import { clearProblems, clearStaged, selectCategorySlugs, selectRefusedValues } from './staged.sql.server.ts'
import { hasParts } from './uploads.sql.server.ts'

type Deps = { db: Database; clock: Clock }

type CheckRefusal =
  | Refused<'not-allowed'>
  | Refused<'not-found'>
  | Refused<'not-now', { state: RunState }>
  | Refused<'no-file'>

/** How many unknown categories a page lists. */
const mostUnknown = 20

/** Lists the category names in an import that the store doesn't have, each with its number of rows. */
export async function listUnknownCategories(
  { db }: Pick<Deps, 'db'>,
  runId: number,
): Promise<{ word: string; rows: number }[]> {
  const found = await selectRefusedValues(db, { runId, problem: unknownCategory, limit: 10 * mostUnknown })
  if (found.length === 0) return []
  const { categories, retired } = await selectCategorySlugs(db)
  const known = new Set([...categories, ...retired])
  return found
    .filter(({ value }) => !known.has(value) && !known.has(categoryWord(value)))
    .map(({ value, rows }) => ({ word: value, rows }))
    .slice(0, mostUnknown)
}

/** Whether the file of a run is still stored and can be checked again. */
export async function isCheckable({ db }: Pick<Deps, 'db'>, run: ImportRun): Promise<boolean> {
  return canCheckAgain(run) && (await hasParts(db, run.id))
}

/**
 * Reads and checks the file of a run again, after staff fixed what its rows were refused for. Refuses
 * `no-file` for one that is no longer stored.
 */
export async function checkImportAgain(
  { db, clock }: Deps,
  by: Actor,
  runId: number,
): Promise<Outcome<null, CheckRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    if (!(await selectRun(tx, runId))) return refused('not-found')
    const run = await lockRun(tx, runId)
    const permitted = await permitsKind(tx, by, { kind: run.kind, permission: 'catalog.import' }, at)
    if (!permitted.ok) return permitted
    // The second click on the button.
    if (run.state === 'reading') return ok(null)
    if (!canCheckAgain(run)) return refused('not-now', { state: run.state })
    if (!(await hasParts(tx, runId))) return refused('no-file')
    await clearStaged(tx, runId, stagingTables[run.kind])
    await clearProblems(tx, runId)
    await storeDifference(tx, runId, [])
    await restartRun(tx, runId)
    await recordAct(tx, {
      by,
      act: 'import.checked-again',
      subject: `import ${runId}`,
      after: { kind: run.kind, file: run.fileName },
      at,
    })
    await queueImport(tx, runId)
    return ok(null)
  })
}
