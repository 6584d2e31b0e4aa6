import type { FormReply } from '#app/forms/form.ts'
import { rebateActions, rebateId } from '#app/office/actions/rebates.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel, type FormFields } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { rebatePaymentLabels, rebateStateLabels } from '#app/views/rebate-labels.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { findOfficeRebate } from '#domain/catalog/catalog/catalog.server.ts'
import { rebateStateAt, type RebateState } from '#domain/catalog/catalog/catalog.ts'
import { typedDollars } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Tone } from '#app/ui/office/office-parts.tsx'
import type { Route } from './+types/rebate.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.rebate?.name ?? 'New rebate', officePaths.officeRebates())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'promotions.edit', officePaths.officeRebate(id))
  const rebate = id === 'new' ? null : found(await findOfficeRebate(app, rebateId(id)))
  return {
    rebate: rebate && {
      ...rebate,
      state: rebateStateAt(rebate, app.clock.now()),
      isRetired: rebate.retiredAt !== null,
      amount: typedDollars(rebate.amountCents),
      startsOn: storeDay(rebate.startsAt).toString(),
      lastPurchaseOn: storeDay(rebate.endsAt.subtract({ nanoseconds: 1 })).toString(),
    },
    news: doneNews(url, {
      change: 'Rebate saved. Shoppers see the change within seconds.',
      retire: 'Rebate retired. Earlier purchases can still be claimed.',
    }),
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeRebate(id, done),
      done: { add: officePaths.officeRebates({ done: 'added' }), change: 'change', retire: 'retire' },
    },
    rebateActions,
  )
}

const tones: Readonly<Record<RebateState, Tone>> = {
  running: 'go',
  scheduled: 'signal',
  claimable: 'plain',
  ended: 'plain',
}

export default function RebatePage({ loaderData: { rebate, news }, actionData: reply }: Route.ComponentProps) {
  return (
    <DetailPage
      title={rebate?.name ?? 'New rebate'}
      crumbs={[{ label: 'Rebates', path: officePaths.officeRebates() }]}
      {...(rebate && { state: { label: rebateStateLabels[rebate.state], tone: tones[rebate.state] } })}
      news={news}
      reply={reply}
      body={
        rebate?.isRetired ? (
          <FactsPanel
            id="rebate"
            title="Rebate"
            rows={[
              ['Amount', `$${rebate.amount}`],
              ['Applies to', rebate.subjectName],
              ['Purchases until', rebate.lastPurchaseOn],
              ['Claims until', rebate.lastClaimOn],
            ]}
          />
        ) : (
          <RebateForm rebate={rebate} reply={reply} />
        )
      }
      side={rebate ? <RebateSide rebate={rebate} reply={reply} /> : undefined}
    />
  )
}

type Rebate = NonNullable<Route.ComponentProps['loaderData']['rebate']>
type Reply = { reply: FormReply | undefined }

function RebateForm({ rebate, reply }: Reply & { rebate: Rebate | null }) {
  return (
    <FormPanel
      id="rebate"
      title="Rebate"
      isPair
      reply={reply}
      hidden={{ version: rebate?.version ?? 0 }}
      fields={{ ...offerFields(rebate), ...claimFields(rebate) }}
      buttons={[rebate ? button('change', 'Save', 'primary') : button('add', 'Add the rebate', 'primary')]}
      note="Days are in Eastern Time. The manufacturer pays the rebate after the purchase; prices don’t change."
    />
  )
}

function offerFields(rebate: Rebate | null): FormFields {
  return {
    name: {
      label: 'Name',
      value: rebate?.name,
      max: 80,
      hint: rebate ? 'Its address stays the same.' : 'Such as Kestrel $60 rebate. Its address follows from it.',
    },
    subject: {
      label: 'Applies to',
      value: rebate?.subject,
      max: 120,
      hint: 'A brand such as kestrel, or a model such as kestrel/alltide-as2.',
    },
    amount: { label: 'Amount in dollars', kind: 'money', value: rebate?.amount },
    units: {
      label: 'For tires bought together',
      kind: 'number',
      value: String(rebate?.units ?? 4),
      max: 1,
      hint: '1 to 8.',
    },
    paidAs: { label: 'Paid as', kind: 'choice', options: rebatePaymentLabels, value: rebate?.paidAs },
    startsOn: { label: 'First purchase day', kind: 'day', value: rebate?.startsOn },
  }
}

function claimFields(rebate: Rebate | null): FormFields {
  return {
    lastPurchaseOn: { label: 'Last purchase day', kind: 'day', value: rebate?.lastPurchaseOn },
    lastClaimOn: { label: 'Last claim day', kind: 'day', value: rebate?.lastClaimOn },
    formUrl: {
      label: 'Claim form',
      value: rebate?.formUrl,
      max: 300,
      isOptional: true,
      hint: 'The manufacturer’s page, beginning with https://.',
    },
    mailTo: {
      label: 'Mailing address',
      value: rebate?.mailTo,
      max: 200,
      isOptional: true,
      hint: 'If there’s no claim form, shoppers print ours and mail it.',
    },
  }
}

function RebateSide({ rebate: { slug, state, version }, reply }: Reply & { rebate: Rebate }) {
  const canRetire = state === 'running' || state === 'scheduled'
  return (
    <>
      {state === 'running' || state === 'claimable' ? (
        <FactsPanel
          id="page"
          title="In the store"
          rows={[
            [
              'Page',
              <a key="page" href={paths.deal(slug)}>
                {paths.deal(slug)}
              </a>,
            ],
          ]}
        />
      ) : null}
      {canRetire ? (
        <FormPanel
          id="retire"
          title="Retire"
          reply={reply}
          hidden={{ version }}
          text={
            state === 'running'
              ? 'The rebate ends now. Earlier purchases can still be claimed.'
              : 'The rebate never starts.'
          }
          buttons={[button('retire', 'Retire the rebate', 'stop')]}
        />
      ) : null}
    </>
  )
}
