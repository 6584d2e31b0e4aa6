import { requireStaff } from '#app/server/office.server.ts'
import { DateRange } from '#app/ui/office/date-range.tsx'
import { FilterChoice, FilterText, ListFilters, ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { OfficeList } from '#app/ui/office/office-list.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Tag, Timer } from '#app/ui/office/office-parts.tsx'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { readOrdersPage, type OrderRow } from '#app/views/office-orders.server.ts'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { fulfillmentNames, fulfillments } from '#domain/orders/orders.ts'
import { staffCan, type Permission } from '#domain/staff/staff.ts'
import type { Route } from './+types/orders.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Orders', officePaths.officeOrders())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'orders.read', officePaths.officeOrders() + url.search)
  const [page, views] = await Promise.all([
    readOrdersPage(staff.shop, url.searchParams, customerFieldsFor(staff.session.roles)),
    readViewTabs(staff, 'orders', url.searchParams),
  ])
  const can = (permission: Permission) => staffCan(staff.session.roles, permission)
  return {
    ...page,
    views,
    mayExport: can('orders.export'),
    acts: [
      ...(can('orders.confirm') ? [{ label: 'Confirm', action: officePaths.officeBulk('confirm-orders') }] : []),
      ...(can('orders.note') ? [{ label: 'Add a note', action: officePaths.officeBulk('note-orders') }] : []),
      ...(can('orders.export') ? [{ label: 'Export selected', action: officePaths.officeOrdersFile() }] : []),
    ],
  }
}

const columns = [
  { key: 'order', label: 'Order', isRowHeader: true },
  { key: 'customer', label: 'Customer' },
  { key: 'tires', label: 'Tires' },
  { key: 'shop', label: 'Shop and time' },
  { key: 'state', label: 'State' },
  { key: 'timer', label: 'Timer' },
  { key: 'total', label: 'Total', isAmount: true },
]

export default function Orders({ loaderData }: Route.ComponentProps) {
  const { tabs, views, rows, newer, older, file, acts, mayExport } = loaderData
  return (
    <OfficePage title="Orders">
      <ListTabs label="Orders by state" tabs={tabs} views={views} />
      <Filters view={loaderData} />
      {rows.length === 0 ? (
        <p className="office-none">No orders here.</p>
      ) : (
        <OfficeList
          caption="Orders, newest first"
          columns={columns}
          rows={rows.map((row) => ({ id: row.number, label: row.number, path: row.path, cells: cellsOf(row) }))}
          field="order"
          acts={acts}
          layout="orders"
        />
      )}
      <ListFoot label="Pages of orders" newer={newer} older={older} file={mayExport ? file : null} />
    </OfficePage>
  )
}

function cellsOf({ number, path, age, customer, company, tires, shop, time, tag, timer, total }: OrderRow) {
  return {
    order: (
      <>
        <a href={path}>{number}</a>
        <small>{age}</small>
      </>
    ),
    customer: (
      <>
        {company ?? customer}
        {company === null ? null : <small>{customer}</small>}
      </>
    ),
    tires: tires.map(({ name, size }, index) => (
      <span key={index}>
        {name}
        <small>{size}</small>
      </span>
    )),
    shop: (
      <>
        {time ?? shop}
        {time === null ? null : <small>{shop}</small>}
      </>
    ),
    state: <Tag tone={tag.tone}>{tag.words}</Tag>,
    timer: timer ? <Timer tone={timer.tone}>{timer.words}</Timer> : null,
    total,
  }
}

function Filters({ view: { asked, clear } }: { view: Route.ComponentProps['loaderData'] }) {
  return (
    <ListFilters label="Filter orders" action={officePaths.officeOrders()} clear={clear}>
      {asked.tab === 'all' ? null : <input type="hidden" name="state" value={asked.tab} />}
      <FilterChoice
        name="fulfillment"
        label="Fulfillment"
        value={asked.fulfillment}
        options={[['', 'Any'], ...fulfillments.map((one) => [one, fulfillmentNames[one]] as const)]}
      />
      <FilterText name="company" label="Company" value={asked.company} most={100} />
      <DateRange label="Placed" from={asked.from} to={asked.to} />
    </ListFilters>
  )
}
