import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { guaranteeNumber, guaranteeStates } from '#domain/price-guarantee/price-guarantee.ts'
import { listGuarantees } from '#domain/price-guarantee/price-guarantee.server.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/guarantees.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Price guarantee', officePaths.officeGuarantees())

const tabs = { open: 'To decide', approved: 'Approved', refused: 'Refused' } as const

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'guarantees.read', officePaths.officeGuarantees() + url.search)
  const state = guaranteeStates.find((each) => each === url.searchParams.get('state')) ?? 'open'
  const before = url.searchParams.get('before') ?? ''
  const [{ requests, next }, views] = await Promise.all([
    listGuarantees(staff.shop, { state, before: /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null }),
    readViewTabs(staff, 'guarantees', url.searchParams),
  ])
  return {
    state,
    views,
    rows: requests.map(({ id, createdAt, orderId, quantity, tire, competitor, suggestedCents, differenceCents }) => ({
      number: guaranteeNumber(id),
      received: timeText(createdAt, storeZone),
      order: orderId === null ? 'Before buying' : orderNumber(orderId),
      tires: `${quantity} × ${tire}`,
      competitor,
      amount: formatCents(differenceCents ?? suggestedCents),
    })),
    next: next === null ? null : officePaths.officeGuarantees({ state, before: next }),
  }
}

export default function GuaranteesPage({ loaderData: { state, views, rows, next } }: Route.ComponentProps) {
  return (
    <OfficePage title="Price guarantee">
      <ListTabs
        label="Requests by state"
        tabs={guaranteeStates.map((each) => ({
          label: tabs[each],
          path: officePaths.officeGuarantees({ state: each }),
          isOn: each === state,
        }))}
        views={views}
      />
      <Panel id="requests" title={tabs[state]}>
        {rows.length === 0 ? (
          <p className="office-panel-body">No requests here.</p>
        ) : (
          <DataTable
            caption="Price guarantee requests"
            columns={[
              { key: 'number', label: 'Request', isRowHeader: true },
              { key: 'received', label: 'Received' },
              { key: 'order', label: 'Order' },
              { key: 'tires', label: 'Tires' },
              { key: 'competitor', label: 'Seen at' },
              { key: 'amount', label: state === 'approved' ? 'Given' : 'Difference', isAmount: true },
            ]}
            rows={rows.map(({ number, ...row }) => ({
              id: number,
              cells: { ...row, number: <a href={officePaths.officeGuarantee(number)}>{number}</a> },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of requests" older={next} file={views.file} />
    </OfficePage>
  )
}
