import { data } from 'react-router'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { ReportEmails } from '#app/ui/office/report-emails.tsx'
import { ReportsPage } from '#app/ui/office/reports-page.tsx'
import { readAskedReports, readReportsPage } from '#app/views/office-reports.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { isReportName, reportEntries, subscriptionForm } from '#domain/operations/reports/reports.ts'
import {
  listSubscriptions,
  subscribeToReport,
  unsubscribeFromReport,
} from '#domain/operations/reports/reports.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
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
  const { shop, session } = await requireStaff(context, 'reports.read', `${url.pathname}${url.search}`)
  if (!isReportName(name)) throw data(null, { status: 404 })
  const [view, subscriptions] = await Promise.all([
    readReportsPage(shop, readAskedReports(url.searchParams, shop.clock.now()), name),
    listSubscriptions(shop, session, name),
  ])
  return {
    view,
    email: session.email,
    subscriptions: subscriptions.map(({ id, every, hour }) => ({ id, every, hour })),
    done: url.searchParams.get('done'),
  }
}

/** `subscribe` emails the report each week or month, `unsubscribe` ends that. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const name = params.report
  const { shop, session, actor } = await requireStaff(context, 'reports.read', url.pathname)
  if (!isReportName(name)) throw data(null, { status: 404 })
  const fields = await readForm(request)
  const { issuer, subject } = session
  const back = (done: string) => seeOther(`${officePaths.officeReport(name, { done })}#email`)
  switch (fields.get('intent')) {
    case 'subscribe': {
      const checked = checkForm(subscriptionForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const subscribed = await subscribeToReport(shop, actor, { issuer, subject, report: name, ...checked.value })
      return subscribed.ok ? back('subscribed') : refuseForm(formRefusal(fields, refusals[subscribed.reason]), 403)
    }
    case 'unsubscribe': {
      const ended = await unsubscribeFromReport(shop, actor, { issuer, subject, id: fields.get('subscription') ?? '' })
      return ended.ok
        ? back('unsubscribed')
        : refuseForm(formRefusal(fields, refusals[ended.reason]), ended.reason === 'gone' ? 409 : 403)
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

const refusals = {
  'not-allowed': 'You no longer have permission to do this.',
  gone: 'You already unsubscribed from this email.',
} as const

export default function OneReport({ loaderData: { view, ...emails }, actionData }: Route.ComponentProps) {
  return (
    <ReportsPage view={view}>
      <ReportEmails {...emails} reply={actionData} />
    </ReportsPage>
  )
}
