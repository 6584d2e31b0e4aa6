import { rebateActions, rebateId } from '#app/office/actions/rebates.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { rebateValues } from '#app/views/offer-form.ts'
import { offerOptions, reducedRows } from '#app/views/office/promotion.server.ts'
import { rebatePaymentLabels } from '#app/views/rebate-labels.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { findOfficeRebate, listRebated } from '#domain/catalog/promotions/promotions.server.ts'
import { rebateStateAt } from '#domain/catalog/promotions/promotions.ts'
import { countOf } from '#platform/count-text.ts'
import { dateText } from '#platform/day-text.ts'
import { OfferDraftPage, RebateCorrectionForm } from './offer-draft-form.tsx'
import { OfferPage } from './offer-page.tsx'
import type { Route } from './+types/rebate.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.rebate?.name ?? 'New rebate', officePaths.officeRebates())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'promotions.edit', officePaths.officeRebate(id))
  const options = () => offerOptions(app, rebatePaymentLabels)
  if (id === 'new') return { options: await options(), rebate: null }
  const rebate = found(await findOfficeRebate(app, rebateId(id)))
  const reduced = await listRebated(app, rebate)
  const { slug, name, units, paidAs, subjectName, version } = rebate
  const values = rebateValues(rebate)
  return {
    options: null,
    rebate: {
      slug,
      name,
      version,
      values,
      state: rebateStateAt(rebate, app.clock.now()),
      subject: subjectName,
      takes: `$${values.amount} for ${countOf(units, 'tire')} bought together`,
      units,
      paid: rebatePaymentLabels[paidAs],
      reduced: { count: reduced.count, rows: reducedRows(reduced.tires) },
      draft: rebate.draft ? { values, options: await options() } : null,
    },
    news: doneNews(url, {
      added: 'Draft saved. Check it, then schedule it.',
      change: 'Draft changed. Check it, then schedule it.',
      correct: 'Rebate corrected. Shoppers see it within a second.',
      schedule: 'Rebate scheduled. Shoppers see it from its first purchase day.',
      ended: 'Rebate ended. Earlier purchases can still be claimed.',
      withdrawn: 'Withdrawn. It is a draft again.',
    }),
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id: async (_, { app }) => (id === 'new' ? id : String(found(await findOfficeRebate(app, rebateId(id))).id)),
      path: (done) => officePaths.officeRebate(id, done),
      done: {
        add: (added) => officePaths.officeRebate(added, 'added'),
        change: 'change',
        correct: 'correct',
        schedule: 'schedule',
        end: (_, { isWithdrawn }) => (isWithdrawn ? 'withdrawn' : 'ended'),
        discard: officePaths.officeRebates({ done: 'discarded' }),
      },
    },
    rebateActions,
  )
}

export default function RebatePage({ loaderData: { rebate, options, news }, actionData: reply }: Route.ComponentProps) {
  const list = { label: 'Rebates', path: officePaths.officeRebates() }
  if (!rebate) return <OfferDraftPage what="rebate" crumb={list} options={options} reply={reply} />
  const { slug, name, state, values, subject, takes, units, paid, ...page } = rebate
  const isShown = state === 'running' || state === 'claimable'
  return (
    <OfferPage
      {...page}
      what="rebate"
      title={name}
      list={list}
      state={state}
      mayEdit
      hasEnd={state === 'running' || state === 'scheduled'}
      links={{}}
      news={news}
      approval={null}
      reply={reply}
      terms={[
        ['Amount', takes],
        ['Paid as', paid],
        ['Applies to', subject],
        ['First purchase day', dateText(values.startsOn)],
        ['Last purchase day', dateText(values.lastPurchaseOn)],
        ['Last claim day', dateText(values.lastClaimOn)],
        ['Claims', values.formUrl || values.mailTo],
        ...(isShown ? [['In the store', <StorePage key="page" path={paths.deal(slug)} />] as const] : []),
      ]}
      after={isShown ? <RebateCorrectionForm values={values} version={rebate.version} reply={reply} /> : null}
      reducedNote={`Each tire’s retail price today, and after the rebate on ${countOf(units, 'tire')}.`}
    />
  )
}

function StorePage({ path }: { path: string }) {
  return <a href={path}>{path}</a>
}
