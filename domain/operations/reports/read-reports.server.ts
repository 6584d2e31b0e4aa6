/** Reads reports from counted figures. */
import { selectChoices, selectCountedAt, selectFigures, type ReportFilter } from './figures.sql.server.ts'
import {
  comparedWith,
  kindsOf,
  reportNames,
  reportsOf,
  type Comparison,
  type Period,
  type ReportName,
  type ReportSet,
} from './reports.ts'
import type { Database } from '#platform/db.ts'

export type ReportsOfPeriod = ReportSet & {
  /** Null while no day of the period is counted. */
  countedAt: Temporal.Instant | null
  choices: Awaited<ReturnType<typeof selectChoices>>
}

/**
 * Reads a period's reports with a comparison, narrowed by `filter`. Reports not in `names` are empty. Uses only stored
 * counts.
 */
export async function readReports(
  { db }: { db: Database },
  asked: { period: Period; comparison: Comparison; filter: ReportFilter; names?: readonly ReportName[] },
): Promise<ReportsOfPeriod> {
  const { period, comparison, filter, names = reportNames } = asked
  const other = comparedWith(period, comparison)
  const days = daysOf(period)
  const kinds = kindsOf(names)
  const [figures, before, countedAt, choices] = await Promise.all([
    selectFigures(db, days, filter, kinds),
    other ? selectFigures(db, daysOf(other.period), filter, kinds) : null,
    selectCountedAt(db, days),
    selectChoices(db, days),
  ])
  const counted =
    other && before ? before.map((figure) => ({ ...figure, day: figure.day && other.counterpart(figure.day) })) : null
  return { reports: reportsOf({ period, figures, before: counted }), countedAt, choices }
}

function daysOf({ from, to }: Period): { from: string; to: string } {
  return { from: from.toString(), to: to.toString() }
}
