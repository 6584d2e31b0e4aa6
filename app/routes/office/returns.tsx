import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, Timer } from '#app/ui/office/office-parts.tsx'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { selectReturns } from '#domain/returns/returns.server.ts'
import {
  refundTimer,
  returnNumber,
  returnReasonWords,
  returnStateWords,
  returnTireStates,
} from '#domain/returns/returns.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/returns.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Returns', officePaths.officeReturns())

const perPage = 50

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = url.searchParams.get('state')
  const state = returnTireStates.find((one) => one === asked) ?? null
  const before = /^\d{1,12}$/.exec(url.searchParams.get('before') ?? '')?.[0]
  const staff = await requireStaff(context, 'returns.read', officePaths.officeReturns() + url.search)
  const { shop } = staff
  const [found, views] = await Promise.all([
    selectReturns(shop.db, { state, before: before === undefined ? null : Number(before), limit: perPage + 1 }),
    readViewTabs(staff, 'returns', url.searchParams),
  ])
  const now = shop.clock.now()
  const customers = customerFieldsFor(staff.session.roles)
  const page = found.slice(0, perPage)
  const last = page.at(-1)
  return {
    state,
    views,
    next:
      last && found.length > perPage ? officePaths.officeReturns({ state: state ?? undefined, before: last.id }) : null,
    rows: page.map((row) => ({
      id: row.id,
      number: returnNumber(row.id),
      order: orderNumber(row.orderId),
      name: customers.show(row.name),
      reason: returnReasonWords[row.reason],
      states: [...new Set(row.states)].map((one) => returnStateWords[one]).join(', '),
      tires: row.states.length,
      requested: timeText(row.requestedAt, storeZone),
      timer: row.waitingSince && refundTimer(row.waitingSince, now),
    })),
  }
}

const columns = [
  { key: 'number', label: 'Return', isRowHeader: true },
  { key: 'order', label: 'Order' },
  { key: 'name', label: 'Customer' },
  { key: 'tires', label: 'Tires', isAmount: true },
  { key: 'reason', label: 'Reason' },
  { key: 'states', label: 'State' },
  { key: 'timer', label: 'Refund' },
  { key: 'requested', label: 'Requested' },
]

export default function Returns({ loaderData: { state, views, rows, next } }: Route.ComponentProps) {
  return (
    <OfficePage title="Returns">
      <ListTabs
        label="Returns by state"
        tabs={[
          { label: 'All', path: officePaths.officeReturns(), isOn: state === null },
          ...(['requested', 'labeled', 'shipped', 'received', 'accepted', 'refused', 'refunded'] as const).map(
            (one) => ({
              label: returnStateWords[one],
              path: officePaths.officeReturns({ state: one }),
              isOn: state === one,
            }),
          ),
        ]}
        views={views}
      />
      {rows.length === 0 ? (
        <p className="office-none">No returns here.</p>
      ) : (
        <Panel id="returns" title={state ? returnStateWords[state] : 'All returns'} note="newest first, ET">
          <DataTable
            caption="Returns"
            columns={columns}
            rows={rows.map(({ id, number, timer, ...cells }) => ({
              id: number,
              cells: {
                ...cells,
                number: <a href={officePaths.officeReturn(id)}>{number}</a>,
                timer: timer ? <Timer tone={timer.isLate ? 'stop' : 'signal'}>{timer.text}</Timer> : null,
              },
            }))}
          />
        </Panel>
      )}
      <ListFoot label="Pages of returns" older={next} file={views.file} />
    </OfficePage>
  )
}
