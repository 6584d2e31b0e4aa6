/** Partners of the programs: employers, applications, rates and widgets. */
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Notice } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  employerForm,
  partnerDecisionForm,
  percentText,
  rateForm,
  rateOn,
  ratesAfter,
  type WidgetRate,
} from '#domain/programs/programs.ts'
import {
  addEmployer,
  approvePartner,
  closeWidget,
  listApplications,
  listEmployers,
  listRates,
  listWidgets,
  refusePartner,
  removeEmployer,
  setRate,
} from '#domain/programs/programs.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import type { Actor } from '#domain/staff/staff.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import { storeDateText, storeDay } from '#platform/store-zone.ts'
import type { Shop } from '#shop'
import type { Route } from './+types/partners.ts'
import { ApplicationPanel, Employers, formReply, Forms, Widgets } from './partners-panels.tsx'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Partners', officePaths.officePartners())

const news: Readonly<Record<string, string>> = {
  approve: 'Approved. They were emailed.',
  refuse: 'Refused. They were emailed.',
  'close-widget': 'Closed. The widget shows nothing from now on.',
  rate: 'Set. Orders placed before that day keep their rate.',
  employer: 'Employer added.',
  'no-employer': 'Employer removed. People who have employee prices keep them until they expire.',
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'partners.read', officePaths.officePartners())
  const [applications, employers, widgets] = await Promise.all([
    listApplications(shop),
    listEmployers(shop),
    listWidgets(shop),
  ])
  const rates = await listRates(
    shop,
    widgets.map(({ id }) => id),
  )
  const today = storeDay(shop.clock.now())
  return {
    tomorrow: today.add({ days: 1 }).toString(),
    mayDecide: staffCan(session.roles, 'partners.decide'),
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    applications: applications.map(
      ({ id, kind, business, name, email, phone, people, site, channel, message, received_at: at }) => ({
        id,
        business: kind === 'affiliate' ? `Affiliate: ${business}` : business,
        message,
        rows: [
          ['Contact', name],
          ['Email', email],
          ['Phone', phone],
          [kind === 'affiliate' ? 'Readers a month' : 'People', people.toLocaleString('en-US')],
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

/** Decides on an application, sets a rate, or adds or removes the email domain of an employer. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor: by } = await requireStaff(context, 'partners.decide', officePaths.officePartners())
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'approve':
    case 'refuse': {
      const checked = checkForm(partnerDecisionForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const { application: id, intent } = checked.value
      const decided =
        intent === 'approve' ? await approvePartner(shop, { id, by }) : await refusePartner(shop, { id, by })
      return decided.ok ? seeOther(officePaths.officePartners(intent)) : refusal(fields, decided.reason)
    }
    case 'close-widget':
      return close(shop, fields, by)
    case 'rate':
      return changeRate(shop, fields, by)
    case 'employer': {
      const checked = checkForm(employerForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const added = await addEmployer(shop, { ...checked.value, by })
      if (added.ok) return seeOther(officePaths.officePartners('employer'))
      return added.reason === 'not-allowed'
        ? refusal(fields, added.reason)
        : refuseForm(formRefusal(fields, 'Fix 1 field:', { domain: domainRefusals[added.reason] }))
    }
    case 'no-employer': {
      const removed = await removeEmployer(shop, { domain: (fields.get('domain') ?? '').slice(0, 253), by })
      return removed.ok ? seeOther(officePaths.officePartners('no-employer')) : refusal(fields, removed.reason)
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

async function close(shop: Shop, fields: URLSearchParams, by: Actor) {
  const closed = await closeWidget(shop, { id: (fields.get('widget') ?? '').slice(0, 40), by })
  if (closed.ok) return seeOther(officePaths.officePartners('close-widget'))
  return refusal(fields, closed.reason === 'not-known' ? 'no-widget' : closed.reason)
}

async function changeRate(shop: Shop, fields: URLSearchParams, by: Actor) {
  const checked = checkForm(rateForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { widget: widgetId, percent: commissionBp, from: fromDay } = checked.value
  const set = await setRate(shop, { widgetId, fromDay, commissionBp, by })
  if (set.ok) return seeOther(officePaths.officePartners('rate'))
  if (set.reason === 'not-ahead')
    return refuseForm(formRefusal(fields, 'Fix 1 field:', { from: 'Choose a day from tomorrow on.' }))
  return refusal(fields, set.reason === 'not-known' ? 'no-widget' : set.reason)
}

const domainRefusals = {
  known: 'This domain is already listed.',
  'free-mail': 'Anyone can get a mailbox there.',
} as const

const refusals = {
  'not-allowed': 'Your role does not allow that. Nothing was changed.',
  'not-waiting': 'A colleague decided on this application in the meantime. Nothing was changed.',
  'no-widget': 'That widget is closed already, or unknown.',
  'not-known': 'That domain is not listed.',
} as const

function refusal(fields: URLSearchParams, reason: keyof typeof refusals) {
  return refuseForm(formRefusal(fields, refusals[reason]), reason === 'not-allowed' ? 403 : 409)
}

export default function PartnersPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayDecide, news: done, applications, employers, widgets } = loaderData
  const ofForm = formReply(reply)
  return (
    <OfficePage title="Partners">
      {reply && !ofForm ? <Notice tone="stop" title={reply.formError ?? 'Nothing was changed.'} isNews /> : null}
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      <Columns
        body={
          <>
            {applications.length === 0 ? <p className="office-note">No applications to decide.</p> : null}
            {applications.map((application) => (
              <ApplicationPanel key={application.id} application={application} mayDecide={mayDecide} />
            ))}
            <ListFoot label="Pages of applications" older={null} file={officePaths.officeListFile('partners')} />
            <p className="office-note">
              <a href={officePaths.officeWebhooks()}>Webhooks that could not be delivered</a>
            </p>
            <Widgets widgets={widgets} mayDecide={mayDecide} />
            <Employers employers={employers} mayDecide={mayDecide} />
          </>
        }
        last={mayDecide ? <Forms data={loaderData} reply={ofForm} /> : undefined}
      />
    </OfficePage>
  )
}
