import { requireStaff } from '#app/server/office.server.ts'
import { FilterText, ListFilters, ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { OfficeList } from '#app/ui/office/office-list.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { readCustomersPage, type CustomerRow } from '#app/views/office-customers.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { maxCustomerSearch } from '#domain/customers/customers.ts'
import { placeText, readPlace } from './list-place.ts'
import type { Route } from './+types/customers.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Customers', officePaths.officeCustomers())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop } = await requireStaff(context, 'customers.read', officePaths.officeCustomers() + url.search)
  const place = readPlace(url.searchParams.get('after'))
  const { next, address, ...page } = await readCustomersPage(
    shop,
    url.searchParams,
    place && { activeAt: place.at, id: place.id },
  )
  return {
    ...page,
    next: next && officePaths.officeCustomers({ ...address, after: placeText(next.activeAt, next.id) }),
    clear: page.text === '' ? null : officePaths.officeCustomers({ view: address.view }),
  }
}

const columns = [
  { key: 'customer', label: 'Customer', isRowHeader: true },
  { key: 'vehicle', label: 'Vehicle' },
  { key: 'last', label: 'Last order' },
  { key: 'orders', label: 'Orders', isAmount: true },
  { key: 'spent', label: 'Spent', isAmount: true },
  { key: 'labels', label: 'Labels' },
]

export default function Customers({ loaderData }: Route.ComponentProps) {
  const { view, text, tabs, rows, next, clear } = loaderData
  return (
    <OfficePage title="Customers">
      <ListTabs label="Customers by view" tabs={tabs} />
      <ListFilters label="Find a customer" action={officePaths.officeCustomers()} clear={clear}>
        {view === 'all' ? null : <input type="hidden" name="view" value={view} />}
        <FilterText name="q" label="Name, phone, email, ZIP" value={text} most={maxCustomerSearch} />
      </ListFilters>
      {rows.length === 0 ? (
        <p className="office-none">{noneText(view, text)}</p>
      ) : (
        <OfficeList
          caption="Customers, last active first"
          columns={columns}
          rows={rows.map((row) => ({ id: row.id, label: row.name, path: row.path, cells: cellsOf(row) }))}
          field="customer"
          acts={[]}
          layout="customers"
        />
      )}
      <ListFoot label="Pages of customers" older={next} file={null} />
    </OfficePage>
  )
}

function noneText(view: string, text: string): string {
  if (text !== '') return 'No customers match this search.'
  return view === 'all' ? 'Customers appear with their first order.' : 'No customers in this view.'
}

function cellsOf({ path, name, initials, email, vehicle, place, lastOrder, orders, spent, tags }: CustomerRow) {
  return {
    customer: (
      <span className="office-person">
        <span className="office-avatar" aria-hidden="true">
          {initials}
        </span>
        <span>
          <a href={path}>{name}</a>
          {email === null ? null : <small>{email}</small>}
        </span>
      </span>
    ),
    vehicle:
      vehicle === null && place === null ? null : (
        <>
          {vehicle}
          {place === null ? null : <small>{place}</small>}
        </>
      ),
    last: lastOrder && (
      <>
        {lastOrder.day}
        <small>{lastOrder.number}</small>
      </>
    ),
    orders,
    spent,
    labels:
      tags.length === 0 ? null : (
        <span className="office-tags">
          {tags.map(({ tone, words }) => (
            <Tag key={words} tone={tone}>
              {words}
            </Tag>
          ))}
        </span>
      ),
  }
}
