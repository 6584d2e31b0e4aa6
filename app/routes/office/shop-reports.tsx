import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import {
  shopReportKinds,
  shopReportNumber,
  shopReportStates,
  shopReportStateWords,
} from '#domain/work-orders/work-orders.ts'
import { listShopReports } from '#domain/work-orders/work-orders.server.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/shop-reports.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Shop reports', officePaths.officeShopReports())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'shop-reports.read', officePaths.officeShopReports() + url.search)
  const state = shopReportStates.find((one) => one === url.searchParams.get('state')) ?? 'open'
  const before = url.searchParams.get('before') ?? ''
  const [{ reports, next }, views] = await Promise.all([
    listShopReports(staff.shop, { state, before: /^[1-9]\d{0,11}$/.test(before) ? Number(before) : null }),
    readViewTabs(staff, 'shop-reports', url.searchParams),
  ])
  return {
    state,
    views,
    rows: reports.map(({ id, kind, pieces, shop, orderId, reportedAt, hasPhoto, answer }) => ({
      number: shopReportNumber(id),
      what: `${pieces} ${shopReportKinds[kind].toLowerCase()}${hasPhoto ? ', with a photo' : ''}`,
      shop,
      order: orderNumber(orderId),
      orderPath: officePaths.officeOrder(orderId),
      reported: timeText(reportedAt, storeZone),
      answered: answer === null ? 'No' : 'Yes',
    })),
    next: next === null ? null : officePaths.officeShopReports({ state, before: next }),
  }
}

export default function ShopReportsPage({ loaderData: { state, views, rows, next } }: Route.ComponentProps) {
  return (
    <OfficePage title="Shop reports">
      <ListTabs
        label="Reports by state"
        tabs={shopReportStates.map((each) => ({
          label: shopReportStateWords[each],
          path: officePaths.officeShopReports({ state: each }),
          isOn: each === state,
        }))}
        views={views}
      />
      <Panel id="reports" title={shopReportStateWords[state]}>
        {rows.length === 0 ? (
          <p className="office-panel-body">No reports here.</p>
        ) : (
          <DataTable
            caption="Reports of shops"
            columns={[
              { key: 'number', label: 'Report', isRowHeader: true },
              { key: 'what', label: 'Pieces' },
              { key: 'shop', label: 'Shop' },
              { key: 'order', label: 'Order' },
              { key: 'reported', label: 'Reported' },
              { key: 'answered', label: 'Answered' },
            ]}
            rows={rows.map(({ number, orderPath, order, ...row }) => ({
              id: number,
              cells: {
                ...row,
                number: <a href={officePaths.officeShopReport(number)}>{number}</a>,
                order: <a href={orderPath}>{order}</a>,
              },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of reports" older={next} file={views.file} />
    </OfficePage>
  )
}
