import { data } from 'react-router'
import { csvResponse, inOneBatch } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { readAskedReports } from '#app/views/office/reports.server.ts'
import { csvRowsOf, periodKey, periodName } from '#app/views/report-tables.server.ts'
import { readReports } from '#domain/operations/reports/reports.server.ts'
import { comparedWith, reportNames } from '#domain/operations/reports/reports.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Route } from './+types/reports-csv.ts'

/** One report as a file, or all of them one after the other, with the filters of the page. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { app } = await requireStaff(context, 'reports.read', `${url.pathname}${url.search}`)
  const wanted = url.searchParams.get('report') ?? 'all'
  const names = wanted === 'all' ? reportNames : reportNames.filter((name) => name === wanted)
  if (names.length === 0) throw data(null, { status: 404 })
  const asked = readAskedReports(url.searchParams, app.clock.now())
  const { reports, countedAt } = await readReports(app, { ...asked, names })
  const { state, shopId, accountType } = asked.filter
  const head = [
    periodName(asked.period),
    `days in ${storeZone}`,
    countedAt ? `counted ${countedAt.toString({ smallestUnit: 'second' })}` : 'not counted yet',
    ...(state === null ? [] : [`state ${state}`]),
    ...(shopId === null ? [] : [`shop ${shopId}`]),
    ...(accountType === null ? [] : [`account type ${accountType}`]),
  ]
  const before = comparedWith(asked.period, asked.comparison)?.period ?? null
  const rows = names.flatMap((name) => [
    [],
    [reports[name].title, [reports[name].note, reports[name].details].filter(Boolean).join('. ')],
    ...csvRowsOf(reports[name], before),
  ])
  return csvResponse(`${wanted}-${periodKey(asked.period)}`, head, inOneBatch(rows))
}
