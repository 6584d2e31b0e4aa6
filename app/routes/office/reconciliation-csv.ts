import { csvPages, csvResponse } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { dollars } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listDays, type ReconciledDay } from '#domain/reconciliation/reconciliation.server.ts'
import { dayStates } from '#domain/reconciliation/reconciliation.ts'
import type { Route } from './+types/reconciliation-csv.ts'

/** Every reconciled day as a CSV file. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { shop } = await requireStaff(context, 'reconciliation.read', officePaths.officeReconciliationCsv())
  const read = async (before: Temporal.PlainDate | null) => {
    const { days, next } = await listDays(shop, before)
    return { items: days, next }
  }
  const header = [
    'Day',
    'Provider',
    'State',
    'Movements',
    'Charged',
    'Refunded',
    'Disputed',
    'Fees',
    'Resolved by',
    'Note',
  ]
  return csvResponse('reconciliation', header, csvPages(read, cellsOf))
}

function cellsOf(day: ReconciledDay) {
  return [
    day.day.toString(),
    day.provider,
    dayStates[day.state],
    day.movements,
    ...[day.chargedCents, day.refundedCents, day.disputedCents, day.feeCents].map(dollars),
    day.resolvedBy ?? '',
    day.note ?? '',
  ]
}
