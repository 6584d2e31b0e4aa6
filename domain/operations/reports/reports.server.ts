/** Reports: days are counted by the worker, read as sums, and emailed to staff who subscribe. */
import { deleteFigures, insertFigures, markCounted, selectFirstEntry, selectUncounted } from './count.sql.server.ts'
import { replaceInventory } from './operation-entries.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { deleteOldMissedSearches } from './missed-searches.server.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'

export { readCellSums, readEntries, type CellQuery, type ReportEntryRow } from './read-entries.server.ts'
export { readReports, type ReportsOfPeriod } from './read-reports.server.ts'
export {
  emailDueReports,
  listSubscriptions,
  reportMessageValues,
  subscribeToReport,
  unsubscribeFromReport,
} from './subscriptions.server.ts'
export { createVisitCounter, type VisitCounter } from './visits.server.ts'
export { selectVisitDays } from './visits.sql.server.ts'
export { countMissedSearch } from './missed-searches.server.ts'
export type { ReportFilter } from './figures.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Parcels are delivered, or reported as delivered, up to so many days after the promised one. */
const lateDays = 45

/**
 * Counts today, yesterday and all uncounted days. `again` recounts the last 45 days, because parcels may have arrived
 * since. Returns how many days were counted.
 */
export async function countReports(deps: Deps, { again = false } = {}): Promise<number> {
  const today = storeDay(deps.clock.now())
  const first = await selectFirstEntry(deps.db)
  if (!first) return 0
  const begin = storeDay(first)
  const recent = Array.from({ length: again ? lateDays : 2 }, (_, back) => today.subtract({ days: back }).toString())
  const days = new Set([...(await selectUncounted(deps.db, begin.toString(), today.toString())), ...recent])
  for (const day of [...days].toSorted()) await countDay(deps, Temporal.PlainDate.from(day))
  if (again) await deleteOldMissedSearches(deps.db, today)
  return days.size
}

/** Recounts one day in a separate transaction, so that readers never see a partial count. */
async function countDay({ db, clock }: Deps, date: Temporal.PlainDate): Promise<void> {
  const day = date.toString()
  const from = date.toZonedDateTime(storeZone).toInstant()
  const until = date.add({ days: 1 }).toZonedDateTime(storeZone).toInstant()
  const at = clock.now()
  const isOver = Temporal.Instant.compare(until, at) <= 0
  await db.transaction().execute(async (tx) => {
    await markCounted(tx, day, at)
    await deleteFigures(tx, day)
    await insertFigures(tx, { day, from, until, isOver })
    if (storeDay(at).equals(date)) await replaceInventory(tx, day)
  })
}
