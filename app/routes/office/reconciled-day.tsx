import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { readDay } from '#app/views/office-times.ts'
import { officePaths } from '#content/office-paths.ts'
import { findDay, resolveDay, type ReconciledDay } from '#domain/reconciliation/reconciliation.server.ts'
import { dayStates, differenceKinds, longestNote, providerNames } from '#domain/reconciliation/reconciliation.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/reconciled-day.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Reconciliation ${params.day}`, officePaths.officeReconciliation())

const tones = { open: 'stop', resolved: 'signal', balanced: 'go' } as const
const providers = Object.keys(providerNames) as ReconciledDay['provider'][]

function dayOf(params: { provider: string; day: string }): Pick<ReconciledDay, 'provider' | 'day'> {
  const provider = providers.find((each) => each === params.provider)
  const day = readDay(params.day)
  if (!provider || day === '') throw new Response(null, { status: 404 })
  return { provider, day: Temporal.PlainDate.from(day) }
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeReconciledDay(params.provider, params.day)
  const { shop, session } = await requireStaff(context, 'reconciliation.read', path)
  const found = await findDay(shop, dayOf(params))
  if (!found) throw new Response(null, { status: 404 })
  const { day, differences } = found
  return {
    title: `${dateText(day.day.toString())}, ${providerNames[day.provider]}`,
    state: day.state,
    isDone: url.searchParams.get('done') === 'resolved',
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
  return [
    ['Movements', String(day.movements)],
    ['Charged', formatCents(day.chargedCents)],
    ['Refunded', formatCents(day.refundedCents)],
    ['Disputed', formatCents(day.disputedCents)],
    ['Fees', formatCents(day.feeCents)],
    ['Compared', timeText(day.reconciledAt, storeZone)],
    ...(day.resolvedAt
      ? ([
          ['Resolved', `${timeText(day.resolvedAt, storeZone)} by ${day.resolvedBy}`],
          ['Note', day.note ?? ''],
        ] as [string, string][])
      : []),
  ]
}

/** Resolves the day with a note. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const path = officePaths.officeReconciledDay(params.provider, params.day)
  const { shop, actor } = await requireStaff(context, 'reconciliation.resolve', path)
  const fields = await readForm(request)
  const resolved = await resolveDay(shop, { of: dayOf(params), note: fields.get('note') ?? '', by: actor })
  if (resolved.ok) return seeOther(officePaths.officeReconciledDay(params.provider, params.day, 'resolved'))
  switch (resolved.reason) {
    case 'no-note':
      return refuseForm(
        formRefusal(fields, 'Fix 1 field:', {
          note: `Write why it is fine, in up to ${countOf(longestNote, 'character')}.`,
        }),
      )
    case 'not-allowed':
      return refuseForm(formRefusal(fields, 'Your role changed in the meantime. Nothing was changed.'), 403)
    case 'not-open':
      return refuseForm(formRefusal(fields, 'This day is not open any more, or was never compared.'), 409)
  }
}

export default function ReconciledDayPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, state, isDone, mayResolve, facts, differences } = loaderData
  return (
    <OfficePage
      title={title}
      crumbs={[{ label: 'Reconciliation', path: officePaths.officeReconciliation() }]}
      tags={<Tag tone={tones[state]}>{dayStates[state]}</Tag>}
    >
      {isDone && !reply ? <Notice tone="go" title="Resolved." isNews /> : null}
      <Columns
        body={
          <>
            <Panel id="differences" title="Differences">
              {differences.length === 0 ? (
                <p className="office-panel-body">None: provider, ledger and orders agree to the cent.</p>
              ) : (
                <DataTable
                  caption="Differences of the day"
                  columns={[
                    { key: 'kind', label: 'Kind', isRowHeader: true },
                    { key: 'ref', label: 'Reference' },
                    { key: 'order', label: 'Order' },
                    { key: 'provider', label: 'Provider', isAmount: true },
                    { key: 'store', label: 'Store', isAmount: true },
                    { key: 'difference', label: 'Difference', isAmount: true },
                  ]}
                  rows={differences.map(({ order, ...row }) => ({
                    id: `${row.kind}-${row.ref}`,
                    cells: { ...row, order: order ? <a href={order.path}>{order.number}</a> : null },
                  }))}
                />
              )}
            </Panel>
            <Panel id="day" title="The day">
              <PanelBody>
                <KeyValues rows={facts} />
              </PanelBody>
            </Panel>
          </>
        }
        first={
          mayResolve ? (
            <Panel id="resolve" title="Resolve" isOpen>
              <PanelBody>
                <ErrorSummary reply={reply} />
                <form method="post" noValidate>
                  <TextAreaField name="note" label="Why it is fine" reply={reply} rows={4} maxLength={longestNote} />
                  <button className="btn primary">Resolve the day</button>
                </form>
                <p className="muted">A day that finds itself balanced later needs no note.</p>
              </PanelBody>
            </Panel>
          ) : undefined
        }
      />
    </OfficePage>
  )
}
