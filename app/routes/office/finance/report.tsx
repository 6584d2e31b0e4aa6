import { data } from 'react-router'
import { decide, press, step } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { ReportEmails } from '#app/ui/office/report-emails.tsx'
import { ReportsPage } from '#app/ui/office/reports-page.tsx'
import { readAskedReports, readReportsPage } from '#app/views/office/reports.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { isReportName, reportEntries, subscriptionForm } from '#domain/operations/reports/reports.ts'
import {
  listSubscriptions,
  subscribeToReport,
  unsubscribeFromReport,
} from '#domain/operations/reports/reports.server.ts'
import reportStyles from '#app/ui/styles/office-reports.css?url'
import type { Route } from './+types/report.ts'

export const links = () => [{ rel: 'stylesheet', href: reportStyles }]
export const meta: Route.MetaFunction = ({ matches, params }) => {
  const name = params.report
  const label = isReportName(name) ? reportEntries[name].label : 'Reports'
  return officeHead(matches, label, officePaths.officeReports())
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const name = params.report
  const { app, session } = await requireStaff(context, 'reports.read', `${url.pathname}${url.search}`)
  if (!isReportName(name)) throw data(null, { status: 404 })
  const [view, subscriptions] = await Promise.all([
    readReportsPage(app, readAskedReports(url.searchParams, app.clock.now()), name),
    listSubscriptions(app, session, name),
  ])
  return {
    view,
    email: session.email,
    subscriptions: subscriptions.map(({ id, every, hour }) => ({ id, every, hour })),
    done: url.searchParams.get('done'),
  }
}

/** `subscribe` emails the report each week or month, `unsubscribe` ends that. */
export const action = (args: Route.ActionArgs) => {
  const name = args.params.report
  if (!isReportName(name)) throw data(null, { status: 404 })
  const back = (done: string) => `${officePaths.officeReport(name, { done })}#email`
  return decide(
    args,
    { noun: 'email', permission: 'reports.read', path: () => officePaths.officeReport(name) },
    ({ app, by, staff: { session }, fields }) => {
      const { issuer, subject } = session
      const id = fields.get('subscription') ?? ''
      return {
        subscribe: step(
          subscriptionForm,
          (form) => subscribeToReport(app, by, { issuer, subject, report: name, ...form }),
          back('subscribed'),
        ),
        unsubscribe: press(() => unsubscribeFromReport(app, by, { issuer, subject, id }), back('unsubscribed')),
      }
    },
    { gone: 'You already unsubscribed from this email.' },
  )
}

export default function OneReport({ loaderData: { view, ...emails }, actionData }: Route.ComponentProps) {
  return (
    <ReportsPage view={view}>
      <ReportEmails {...emails} reply={actionData} />
    </ReportsPage>
  )
}
