/** Shop reports about tires, as the office reads, answers and closes them. */
import type { NamedFile } from '#domain/kernel/files/files.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { shopReportNumber, type ShopReportState } from './shop-report-terms.ts'
import {
  lockReport,
  selectOpenReports,
  selectReport,
  selectReportPhotoKey,
  selectReportsByState,
  updateAnswer,
  updateClosed,
  type ShopReport,
} from './shop-reports.sql.server.ts'

type Deps = { db: Database; clock: Clock }

const perPage = 50

/** Lists a page of reports by state, newest first; `next` is the cursor of the following page. */
export async function listShopReports(
  { db }: Pick<Deps, 'db'>,
  { state, before }: { state: ShopReportState; before: number | null },
): Promise<{ reports: ShopReport[]; next: number | null }> {
  const found = await selectReportsByState(db, { state, before, count: perPage + 1 })
  const reports = found.slice(0, perPage)
  return { reports, next: found.length > perPage ? (reports.at(-1)?.id ?? null) : null }
}

/** Lists open reports, oldest first. */
export function listOpenShopReports({ db }: Pick<Deps, 'db'>, limit: number): Promise<ShopReport[]> {
  return selectOpenReports(db, limit)
}

/** Finds a report. */
export function findShopReport({ db }: Pick<Deps, 'db'>, id: number): Promise<ShopReport | undefined> {
  return selectReport(db, id)
}

/** Returns a report's photo; undefined if it has no photo. */
export async function findReportPhoto({ db }: Pick<Deps, 'db'>, id: number): Promise<NamedFile | undefined> {
  const key = await selectReportPhotoKey(db, id)
  return key === undefined ? undefined : { name: `${shopReportNumber(id)}.webp`, key }
}

type ReportRefusal = Refused<'not-allowed'> | Refused<'report-not-found'> | Refused<'closed-already'>

/** Answers a report; the shop sees the text on its work order. A later answer replaces it. */
export function answerShopReport(
  deps: Deps,
  by: Actor,
  { id, answer }: { id: number; answer: string },
): Promise<Outcome<null, ReportRefusal>> {
  return act(deps, by, { id, did: 'shop-report.answered', said: answer }, (tx, at) =>
    updateAnswer(tx, { id, answer, at }),
  )
}

/** Closes a report, once. */
export function closeShopReport(deps: Deps, by: Actor, { id }: { id: number }): Promise<Outcome<null, ReportRefusal>> {
  return act(deps, by, { id, did: 'shop-report.closed', said: null }, (tx, at) =>
    updateClosed(tx, { id, by: by.name, at }),
  )
}

function act(
  { db, clock }: Deps,
  by: Actor,
  { id, did, said }: { id: number; did: 'shop-report.answered' | 'shop-report.closed'; said: string | null },
  change: (tx: Tx, at: Temporal.Instant) => Promise<void>,
): Promise<Outcome<null, ReportRefusal>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'shop-reports.answer', at)
    if (!permitted.ok) return permitted
    const report = await lockReport(tx, id)
    if (!report) return refused('report-not-found')
    if (report.state === 'closed') return refused('closed-already')
    await change(tx, at)
    await recordAct(tx, {
      by,
      act: did,
      subject: shopReportNumber(id),
      before: { answer: report.answer },
      after: said === null ? { state: 'closed' } : { answer: said },
      at,
    })
    return ok(null)
  })
}
