import { reconciledDayOf, reconciliationActions } from '#app/office/actions/reconciliation.server.ts'
import { actionStep, callOf, doneNews, found, shownRows, submit } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findDay, type ReconciledDay } from '#domain/aftercare/reconciliation/reconciliation.server.ts'
import {
  dayStates,
  differenceKinds,
  longestNote,
  providerNames,
} from '#domain/aftercare/reconciliation/reconciliation.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/reconciled-day.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Reconciliation ${params.day}`, officePaths.officeReconciliation())

const tones = { open: 'stop', resolved: 'signal', balanced: 'go' } as const
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeReconciledDay(params.provider, params.day)
  const { app, session } = await requireStaff(context, 'reconciliation.read', path)
  const { day, differences } = found(await findDay(app, found(reconciledDayOf(`${params.provider}-${params.day}`))))
  return {
    title: `${dateText(day.day.toString())}, ${providerNames[day.provider]}`,
    state: day.state,
    news: doneNews(url, { resolved: 'Day resolved.' }),
    mayResolve: day.state === 'open' && staffCan(session.roles, 'reconciliation.resolve'),
    facts: factsOf(day),
    differences: differences.map(({ kind, ref, orderId, providerCents, storeCents }) => ({
      kind: differenceKinds[kind],
      ref,
      order: orderId === null ? null : { number: orderNumber(orderId), path: officePaths.officeOrder(orderId) },
      provider: formatCents(providerCents),
      store: formatCents(storeCents),
      difference: formatCents(providerCents - storeCents),
    })),
  }
}

function factsOf(day: ReconciledDay): [string, string][] {
  const { resolvedAt, resolvedBy, note } = day
  return shownRows([
    ['Balance transactions', String(day.movements)],
    ['Charged', formatCents(day.chargedCents)],
    ['Refunded', formatCents(day.refundedCents)],
    ['Disputed', formatCents(day.disputedCents)],
    ['Fees', formatCents(day.feeCents)],
    ['Compared', timeText(day.reconciledAt, storeZone)],
    ['Resolved', resolvedAt && `${timeText(resolvedAt, storeZone)} by ${resolvedBy}`],
    ['Note', resolvedAt && (note ?? '')],
  ])
}

/** Resolves the day with a note. */
export const action = (args: Route.ActionArgs) => {
  const { provider, day } = args.params
  return submit(
    args,
    {
      noun: 'day',
      permission: 'reconciliation.resolve',
      path: (done) => officePaths.officeReconciledDay(provider, day, done),
    },
    (posted) => actionStep(reconciliationActions.actions.resolve, callOf(posted, `${provider}-${day}`), 'resolved'),
    reconciliationActions.refusals,
  )
}

export default function ReconciledDayPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, state, mayResolve, facts, differences } = loaderData
  return (
    <DetailPage
      title={title}
      crumbs={[{ label: 'Reconciliation', path: officePaths.officeReconciliation() }]}
      tags={<Tag tone={tones[state]}>{dayStates[state]}</Tag>}
      news={loaderData.news}
      reply={reply}
      body={
        <>
          <TablePanel
            id="differences"
            title="Differences"
            caption="Reconciliation differences"
            empty="No differences. Provider, ledger, and orders match to the cent."
            columns={{
              kind: 'Kind',
              ref: 'Reference',
              order: 'Order',
              provider: 'Provider',
              store: 'Store',
              difference: 'Difference',
            }}
            amounts={['provider', 'store', 'difference']}
            rows={differences.map(({ order, ...row }) => ({
              id: `${row.kind}-${row.ref}`,
              cells: { ...row, order: order ? <a href={order.path}>{order.number}</a> : null },
            }))}
          />
          <FactsPanel id="day" title="Day" rows={facts} />
        </>
      }
      forms={
        mayResolve ? (
          <FormPanel
            id="resolve"
            title="Resolve"
            isOpen
            reply={reply}
            fields={{ note: { label: 'Explanation', kind: 'area', max: longestNote } }}
            buttons={[button('', 'Resolve this day', 'primary')]}
            note="A day that balances later needs no explanation."
          />
        ) : undefined
      }
    />
  )
}
