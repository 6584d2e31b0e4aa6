import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { OfficeFault, officeHandle, officeHead, officeLinks, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, Tag } from '#app/ui/office/office-parts.tsx'
import { readDay } from '#app/views/office-times.ts'
import { officePaths } from '#content/office-paths.ts'
import { listDays } from '#domain/reconciliation/reconciliation.server.ts'
import { dayStates } from '#domain/reconciliation/reconciliation.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import type { Route } from './+types/reconciliation.ts'

export const handle = officeHandle('reconciliation')
export const links = officeLinks
export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Reconciliation', officePaths.officeReconciliation())

const tones = { open: 'stop', resolved: 'signal', balanced: 'go' } as const

export async function loader({ context, url }: Route.LoaderArgs) {
  const path = officePaths.officeReconciliation() + url.search
  const { shop, office } = await requireStaff(context, 'reconciliation.read', path)
  const before = readDay(url.searchParams.get('before') ?? '')
  const { days, next } = await listDays(shop, before === '' ? null : Temporal.PlainDate.from(before))
  return {
    office,
    rows: days.map(({ provider, day, state, movements, ...sums }) => ({
      provider,
      day: day.toString(),
      label: dateText(day.toString()),
      state,
      movements: String(movements),
      charged: formatCents(sums.chargedCents),
      refunded: formatCents(sums.refundedCents),
      disputed: formatCents(sums.disputedCents),
      fees: formatCents(sums.feeCents),
    })),
    next: next === null ? null : officePaths.officeReconciliation({ before: next.toString() }),
  }
}

export default function Reconciliation({ loaderData: { office, rows, next } }: Route.ComponentProps) {
  return (
    <OfficePage office={office} title="Reconciliation">
      <Panel id="days" title="Days" note="Of UTC, as the providers count. Each night the last three are compared">
        {rows.length === 0 ? (
          <p className="office-panel-body">No day is reconciled yet. The first one is tonight.</p>
        ) : (
          <DataTable
            caption="Reconciled days"
            columns={[
              { key: 'day', label: 'Day', isRowHeader: true },
              { key: 'provider', label: 'Provider' },
              { key: 'movements', label: 'Movements', isAmount: true },
              { key: 'charged', label: 'Charged', isAmount: true },
              { key: 'refunded', label: 'Refunded', isAmount: true },
              { key: 'disputed', label: 'Disputed', isAmount: true },
              { key: 'fees', label: 'Fees', isAmount: true },
              { key: 'state', label: 'State' },
            ]}
            rows={rows.map(({ provider, day, label, state, ...row }) => ({
              id: `${provider}-${day}`,
              cells: {
                ...row,
                provider,
                day: <a href={officePaths.officeReconciledDay(provider, day)}>{label}</a>,
                state: <Tag tone={tones[state]}>{dayStates[state]}</Tag>,
              },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of days" older={next} file={officePaths.officeReconciliationCsv()} />
    </OfficePage>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <OfficeFault error={error} />
}
