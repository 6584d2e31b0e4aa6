/** Reports: days are counted by the worker, and read as sums by month. */
import {
  deleteFigures,
  insertCash,
  insertParcels,
  insertRefunds,
  insertSales,
  markCounted,
  selectFirstEntry,
  selectUncounted,
} from '#domain/reports/count.sql.server.ts'
import { selectChoices, selectCountedAt, selectFigures, type ReportFilter } from '#domain/reports/figures.sql.server.ts'
import { comparedWith, reportsOf, type Comparison, type Period, type ReportSet } from '#domain/reports/reports.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'

export type { ReportFilter } from '#domain/reports/figures.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Parcels are delivered, or reported as delivered, up to so many days after the promised one. */
const lateDays = 45

/**
 * Counts today, yesterday and every day that is not counted yet. `again`: also the last 45 days, whose parcels may have
 * arrived since. Returns how many days were counted.
 */
export async function countReports(deps: Deps, { again = false } = {}): Promise<number> {
  const today = storeDay(deps.clock.now())
  const first = await selectFirstEntry(deps.db)
  if (!first) return 0
  const begin = storeDay(first)
  const recent = Array.from({ length: again ? lateDays : 2 }, (_, back) => today.subtract({ days: back }).toString())
  const days = new Set([...(await selectUncounted(deps.db, begin.toString(), today.toString())), ...recent])
  for (const day of [...days].toSorted()) await countDay(deps, Temporal.PlainDate.from(day))
  return days.size
}

/** Counts one day again, in a transaction of its own: readers see the day before or after, never half of it. */
async function countDay({ db, clock }: Deps, date: Temporal.PlainDate): Promise<void> {
  const day = date.toString()
  const from = date.toZonedDateTime(storeZone).toInstant()
  const until = date.add({ days: 1 }).toZonedDateTime(storeZone).toInstant()
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    await markCounted(tx, day, at)
    await deleteFigures(tx, day)
    await insertSales(tx, { day, from, until })
    await insertParcels(tx, { day, isOver: Temporal.Instant.compare(until, at) <= 0 })
    await insertRefunds(tx, { day, from, until })
    await insertCash(tx, { day, from, until })
  })
}

export type ReportsOfPeriod = ReportSet & {
  /** Null while no day of the period is counted. */
  countedAt: Temporal.Instant | null
  choices: Awaited<ReturnType<typeof selectChoices>>
}

/** Reads the reports of a period beside another one, narrowed by `filter`. Nothing is counted for it. */
export async function readReports(
  { db }: Pick<Deps, 'db'>,
  asked: { period: Period; comparison: Comparison; filter: ReportFilter },
): Promise<ReportsOfPeriod> {
  const { period, comparison, filter } = asked
  const other = comparedWith(period, comparison)
  const days = daysOf(period)
  const [figures, before, countedAt, choices] = await Promise.all([
    selectFigures(db, days, filter),
    other ? selectFigures(db, daysOf(other.period), filter, { onlySales: true }) : null,
    selectCountedAt(db, days),
    selectChoices(db, days),
  ])
  const counted =
    other && before ? before.map((figure) => ({ ...figure, day: figure.day && other.counterpart(figure.day) })) : null
  return { ...reportsOf({ period, figures, before: counted }), countedAt, choices }
}

function daysOf({ from, to }: Period): { from: string; to: string } {
  return { from: from.toString(), to: to.toString() }
}
