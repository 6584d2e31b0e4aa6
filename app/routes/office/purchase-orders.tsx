import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { listPurchaseOrders } from '#domain/stock/stock.server.ts'
import { purchaseOrderNumber, purchaseOrderStateNames, purchaseOrderStates } from '#domain/stock/stock.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { readPurchaseOrdersAsked } from '#app/views/office-purchase-orders.ts'
import type { Route } from './+types/purchase-orders.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Purchase orders', officePaths.officePurchaseOrders())

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = readPurchaseOrdersAsked(url.searchParams)
  const { state } = asked
  const staff = await requireStaff(context, 'suppliers.read', officePaths.officePurchaseOrders() + url.search)
  const [{ orders, next }, views] = await Promise.all([
    listPurchaseOrders(staff.shop, asked),
    readViewTabs(staff, 'purchases', url.searchParams),
  ])
  return {
    state,
    views,
    next: next === null ? null : officePaths.officePurchaseOrders({ state, before: next }),
    orders: orders.map((order) => ({
      id: order.id,
      orderId: order.orderId,
      supplier: order.supplier,
      warehouse: order.warehouse,
      units: order.units.join(', '),
      since: timeText(order.answeredAt ?? order.releasedAt ?? order.createdAt, storeZone),
      answer: order.reference ?? order.rejectReason ?? '',
    })),
  }
}

const columns = [
  { key: 'number', label: 'Purchase order', isRowHeader: true },
  { key: 'order', label: 'Order' },
  { key: 'supplier', label: 'Supplier' },
  { key: 'units', label: 'Units' },
  { key: 'since', label: 'Since, Eastern Time' },
  { key: 'answer', label: 'Answer' },
]

export default function PurchaseOrdersPage({ loaderData }: Route.ComponentProps) {
  const { state, views, next, orders } = loaderData
  return (
    <OfficePage title="Purchase orders" crumbs={[{ label: 'Stock', path: officePaths.officeStock() }]}>
      <ListTabs
        label="Purchase orders by state"
        tabs={purchaseOrderStates.map((each) => ({
          label: purchaseOrderStateNames[each],
          path: officePaths.officePurchaseOrders({ state: each }),
          isOn: each === state,
        }))}
        views={views}
      />
      <Panel id="orders" title={purchaseOrderStateNames[state]}>
        {orders.length === 0 ? (
          <PanelBody>
            <p>No purchase orders here.</p>
          </PanelBody>
        ) : (
          <OrderTable orders={orders} />
        )}
      </Panel>
      <ListFoot label="Pages of purchase orders" older={next} file={views.file} />
    </OfficePage>
  )
}

function OrderTable({ orders }: Pick<Route.ComponentProps['loaderData'], 'orders'>) {
  return (
    <DataTable
      caption="Purchase orders"
      columns={columns}
      rows={orders.map(({ id, orderId, supplier, warehouse, ...cells }) => ({
        id: String(id),
        cells: {
          ...cells,
          number: <a href={officePaths.officePurchaseOrder(id)}>{purchaseOrderNumber(id)}</a>,
          order: <a href={officePaths.officeOrder(orderId)}>{orderNumber(orderId)}</a>,
          supplier: `${supplier}, ${warehouse}`,
        },
      }))}
    />
  )
}
