import { ListPage } from '#app/office/list-page.tsx'
import { reconciliation } from '#app/office/lists/finance.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { DateRange } from '#app/ui/office/date-range.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFilters } from '#app/ui/office/list-parts.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { readDay } from '#app/views/office/times.ts'
import { officePaths } from '#content/office-paths.ts'
import { readMethodTotals } from '#domain/aftercare/reconciliation/reconciliation.server.ts'
import { ruleOf } from '#domain/payments/payments/payments.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Application } from '#application'
import type { Route } from './+types/reconciliation.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Reconciliation', officePaths.officeReconciliation())

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, reconciliation)
  return { data, totals: await totalsOf(args.context.get(applicationContext), args.url.searchParams) }
}

const mostDays = 366
const usualDays = 7

/** What each way to pay took and gave back on the days asked for; without any, in the last week. */
async function totalsOf(app: Application, asked: URLSearchParams) {
  const today = storeDay(app.clock.now())
  const dayOf = (name: string, otherwise: Temporal.PlainDate) => {
    const day = readDay(asked.get(name) ?? '')
    return day === '' ? otherwise : Temporal.PlainDate.from(day)
  }
  const to = dayOf('to', today)
  const wanted = dayOf('from', to.subtract({ days: usualDays - 1 }))
  const earliest = to.subtract({ days: mostDays - 1 })
  const from =
    Temporal.PlainDate.compare(wanted, to) > 0
      ? to
      : Temporal.PlainDate.compare(wanted, earliest) < 0
        ? earliest
        : wanted
  const methods = await readMethodTotals(app, { from, to })
  const sum = (key: 'charges' | 'chargedCents' | 'refunds' | 'refundedCents') =>
    methods.reduce((total, each) => total + each[key], 0)
  const all = {
    method: 'all',
    charges: sum('charges'),
    chargedCents: sum('chargedCents'),
    refunds: sum('refunds'),
    refundedCents: sum('refundedCents'),
  }
  return {
    from: from.toString(),
    to: to.toString(),
    rows: (methods.length > 0 ? [...methods, all] : []).map(({ method, charges, refunds, ...cents }) => ({
      id: method,
      cells: {
        method: method === 'all' ? 'All' : method === 'net-terms' ? 'Invoice' : (ruleOf(method)?.name ?? method),
        charges: String(charges),
        charged: formatCents(cents.chargedCents),
        refunds: String(refunds),
        refunded: formatCents(cents.refundedCents),
        net: formatCents(cents.chargedCents - cents.refundedCents),
      },
    })),
  }
}

/** The ways to pay with their sums, for the days chosen. */
function MethodTotals({ totals: { from, to, rows } }: { totals: Awaited<ReturnType<typeof totalsOf>> }) {
  return (
    <Panel id="methods" title="By payment method" note={`${dateText(from)} to ${dateText(to)}`}>
      <PanelBody>
        <ListFilters label="Days" action={officePaths.officeReconciliation()} clear={null}>
          <DateRange label="Days" from={from} to={to} />
        </ListFilters>
      </PanelBody>
      {rows.length === 0 ? (
        <p className="office-panel-body">No charges or refunds on these days.</p>
      ) : (
        <DataTable
          caption="Charges and refunds by payment method"
          columns={[
            { key: 'method', label: 'Payment method', isRowHeader: true },
            { key: 'charges', label: 'Charges', isAmount: true },
            { key: 'charged', label: 'Charged', isAmount: true },
            { key: 'refunds', label: 'Refunds', isAmount: true },
            { key: 'refunded', label: 'Refunded', isAmount: true },
            { key: 'net', label: 'Net', isAmount: true },
          ]}
          rows={rows}
        />
      )}
    </Panel>
  )
}

export default function Reconciliation({ loaderData: { data, totals } }: Route.ComponentProps) {
  return <ListPage data={data} before={<MethodTotals totals={totals} />} />
}
