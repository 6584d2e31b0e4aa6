import { ReportsPage } from '#app/ui/office/reports-page.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { readAskedReports, readReportsPage } from '#app/views/office/reports.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { isReportName } from '#domain/operations/reports/reports.ts'
import { seeOther } from '#http/safe-redirect.ts'
import reportStyles from '#app/ui/styles/office-reports.css?url'
import type { Route } from './+types/reports.ts'

export const links = () => [{ rel: 'stylesheet', href: reportStyles }]
export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Reports', officePaths.officeReports())

/** The overview. The filters of every report are sent here with its name, and lead on to its page. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'reports.read', officePaths.officeReports())
  const { report, ...asked } = Object.fromEntries(url.searchParams)
  if (report !== undefined && isReportName(report)) throw seeOther(officePaths.officeReport(report, asked))
  return readReportsPage(app, readAskedReports(url.searchParams, app.clock.now()), null)
}

export default function Reports({ loaderData }: Route.ComponentProps) {
  return <ReportsPage view={loaderData} />
}
