/** The page for program partners, with employers, applications, rates, and widgets. */
import { employerActions, partnerActions, widgetActions } from '#app/office/actions/partners.server.ts'
import { actionStep, actionSteps, callOf, decide, doneNews, type Posted } from '#app/office/decision.server.ts'
import { DetailPage } from '#app/office/detail.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'

import { officePaths } from '#content/office-paths.ts'
import { percentText, rateOn, ratesAfter, type WidgetRate } from '#domain/customers/programs/programs.ts'
import { listApplications, listEmployers, listRates, listWidgets } from '#domain/customers/programs/programs.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { dateText } from '#platform/day-text.ts'
import { storeDateText, storeDay } from '#platform/store-zone.ts'
import type { Route } from './+types/partners.ts'
import { ApplicationPanel, Employers, Forms, Widgets } from './partners-panels.tsx'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Partners', officePaths.officePartners())

const news = {
  approve: 'Approved. We emailed the partner.',
  refuse: 'Refused. We emailed the partner.',
  'close-widget': 'Widget closed. It no longer shows tires.',
  rate: 'Commission saved. Orders placed before that day keep their rate.',
  employer: 'Employer added.',
  'no-employer': 'Employer removed. Employee prices already granted stay valid until they expire.',
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'partners.read', officePaths.officePartners())
  const [applications, employers, widgets] = await Promise.all([
    listApplications(app),
    listEmployers(app),
    listWidgets(app),
  ])
  const rates = await listRates(
    app,
    widgets.map(({ id }) => id),
  )
  const today = storeDay(app.clock.now())
  return {
    tomorrow: today.add({ days: 1 }).toString(),
    mayDecide: staffCan(session.roles, 'partners.decide'),
    news: doneNews(url, news),
    applications: applications.map(
      ({ id, kind, business, name, email, phone, people, site, channel, message, received_at: at }) => ({
        id,
        business: kind === 'affiliate' ? `Affiliate: ${business}` : business,
        message,
        rows: [
          ['Contact', name],
          ['Email', email],
          ['Phone', phone],
          [kind === 'affiliate' ? 'Monthly readers' : 'People', people.toLocaleString('en-US')],
          ...(channel === null ? [] : [['Site or channel', channel] satisfies [string, string]]),
          ...(site === null ? [] : [['Widget on', site] satisfies [string, string]]),
          ['Received', storeDateText(at)],
        ] satisfies [string, string][],
      }),
    ),
    widgets: widgets.map(({ id, name, email, origins, since }) => ({
      id,
      name,
      email,
      origins: origins.replaceAll('\n', ', '),
      since: storeDateText(since),
      rate: rateText(rates.get(id) ?? [], today.toString()),
      rates: (rates.get(id) ?? []).map(
        ({ commissionBp, fromDay, setBy, setAt }) =>
          `${percentText(commissionBp)} from ${dateText(fromDay)}, set by ${setBy} on ${storeDateText(setAt)}`,
      ),
    })),
    employers: employers.map(({ domain, employer, since }) => ({ domain, employer, since: storeDateText(since) })),
  }
}

/** "3%, 4% from Dec 1, 2026" */
function rateText(rates: readonly WidgetRate[], today: string): string {
  return [
    percentText(rateOn(rates, today)?.commissionBp ?? 0),
    ...ratesAfter(rates, today).map(
      ({ commissionBp, fromDay }) => `${percentText(commissionBp)} from ${dateText(fromDay)}`,
    ),
  ].join(', ')
}

const widgetIn = ({ fields }: Pick<Posted, 'fields'>) => (fields.get('widget') ?? '').slice(0, 40)

/** Decides on an application, sets a rate, or adds or removes the email domain of an employer. */
export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    { noun: 'application', permission: 'partners.decide', path: officePaths.officePartners },
    async (posted) => {
      const idIn = (name: string) => (fields: URLSearchParams) => (fields.get(name) ?? '').slice(0, 253)
      return {
        ...(await actionSteps(
          partnerActions,
          { id: idIn('application'), done: { approve: 'approve', refuse: 'refuse' } },
          posted,
        )),
        ...(await actionSteps(
          employerActions,
          { id: idIn('domain'), done: { add: 'employer', remove: 'no-employer' } },
          posted,
        )),
        'close-widget': actionStep(widgetActions.actions.close, callOf(posted, widgetIn(posted))),
        rate: actionStep(widgetActions.actions.rate, callOf(posted, widgetIn(posted))),
      }
    },
    {
      ...partnerActions.refusals,
      ...employerActions.refusals,
      ...widgetActions.refusals,
    },
  )

export default function PartnersPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayDecide, applications, employers, widgets } = loaderData
  return (
    <DetailPage
      title="Partners"
      news={loaderData.news}
      reply={reply}
      body={
        <>
          {applications.length === 0 ? <p className="office-note">No applications to decide.</p> : null}
          {applications.map((application) => (
            <ApplicationPanel key={application.id} application={application} mayDecide={mayDecide} />
          ))}
          <ListFoot label="Applications pagination" older={null} file={officePaths.officeListFile('partners')} />
          <p className="office-note">
            <a href={officePaths.officeWebhooks()}>Webhooks that could not be delivered</a>
          </p>
          <Widgets widgets={widgets} mayDecide={mayDecide} />
          <Employers employers={employers} mayDecide={mayDecide} />
        </>
      }
      side={mayDecide ? <Forms data={loaderData} reply={reply} /> : undefined}
    />
  )
}
