import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { causeLabels, claimNumber, claimStates } from '#domain/coverage-claims/coverage-claims.ts'
import { listClaims } from '#domain/coverage-claims/coverage-claims.server.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/claims.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Coverage claims', officePaths.officeClaims())

const tabs = { open: 'To decide', approved: 'Approved', refused: 'Refused' } as const

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'claims.read', officePaths.officeClaims() + url.search)
  const state = claimStates.find((each) => each === url.searchParams.get('state')) ?? 'open'
  const before = url.searchParams.get('before') ?? ''
  const [{ claims, next }, views] = await Promise.all([
    listClaims(staff.shop, { state, before: /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null }),
    readViewTabs(staff, 'claims', url.searchParams),
  ])
  return {
    state,
    views,
    rows: claims.map(({ id, createdAt, orderId, tires, tire, cause, mostCents, givenCents }) => ({
      number: claimNumber(id),
      received: timeText(createdAt, storeZone),
      order: orderNumber(orderId),
      tires: `${tires} × ${tire}`,
      cause: causeLabels[cause],
      amount: formatCents(givenCents ?? mostCents),
    })),
    next: next === null ? null : officePaths.officeClaims({ state, before: next }),
  }
}

export default function ClaimsPage({ loaderData: { state, views, rows, next } }: Route.ComponentProps) {
  return (
    <OfficePage title="Coverage claims">
      <ListTabs
        label="Claims by state"
        tabs={claimStates.map((each) => ({
          label: tabs[each],
          path: officePaths.officeClaims({ state: each }),
          isOn: each === state,
        }))}
        views={views}
      />
      <Panel id="claims" title={tabs[state]}>
        {rows.length === 0 ? (
          <p className="office-panel-body">No claims here.</p>
        ) : (
          <DataTable
            caption="Coverage claims"
            columns={[
              { key: 'number', label: 'Claim', isRowHeader: true },
              { key: 'received', label: 'Received' },
              { key: 'order', label: 'Order' },
              { key: 'tires', label: 'Tires' },
              { key: 'cause', label: 'Cause' },
              { key: 'amount', label: state === 'approved' ? 'Given' : 'At most', isAmount: true },
            ]}
            rows={rows.map(({ number, ...row }) => ({
              id: number,
              cells: { ...row, number: <a href={officePaths.officeClaim(number)}>{number}</a> },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of claims" older={next} file={views.file} />
    </OfficePage>
  )
}
