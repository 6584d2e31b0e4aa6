import { requireStaff } from '#app/server/office.server.ts'
import { Field } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFilters, ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { listStock } from '#domain/stock/stock.server.ts'
import { stockPoolNames, stockPools } from '#domain/stock/stock.ts'
import { readStockAsked, stockFiltersOf, stockQueryOf } from '#app/views/office-stock.ts'
import type { Route } from './+types/stock.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Stock', officePaths.officeStock())

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = readStockAsked(url.searchParams)
  const filters = stockFiltersOf(asked)
  const staff = await requireStaff(context, 'stock.read', officePaths.officeStock(filters))
  const [{ tires, next }, views] = await Promise.all([
    listStock(staff.shop, stockQueryOf(asked), asked.after),
    readViewTabs(staff, 'stock', url.searchParams),
  ])
  return {
    filters,
    views,
    mayReadOrders: staffCan(staff.session.roles, 'suppliers.read'),
    tires,
    next: next === null ? null : officePaths.officeStock({ ...filters, after: next }),
  }
}

const columns = [
  { key: 'tire', label: 'Tire', isRowHeader: true },
  { key: 'sku', label: 'SKU' },
  { key: 'onHand', label: stockPoolNames['on-hand'], isAmount: true },
  { key: 'local', label: stockPoolNames.local, isAmount: true },
  { key: 'nationwide', label: stockPoolNames.nationwide, isAmount: true },
  { key: 'allocated', label: 'Allocated', isAmount: true },
]

export default function StockPage({ loaderData }: Route.ComponentProps) {
  const { filters, views, mayReadOrders, tires, next } = loaderData
  const isFiltered = filters.q !== undefined
  return (
    <OfficePage
      title="Stock"
      end={
        mayReadOrders ? (
          <a className="btn quiet" href={officePaths.officePurchaseOrders()}>
            Purchase orders
          </a>
        ) : undefined
      }
    >
      <ListTabs
        label="Stock by pool"
        tabs={[undefined, ...stockPools].map((pool) => ({
          label: pool ? stockPoolNames[pool] : 'All',
          path: officePaths.officeStock({ ...filters, pool }),
          isOn: filters.pool === pool,
        }))}
        views={views}
      />
      <ListFilters
        label="Stock"
        action={officePaths.officeStock()}
        clear={isFiltered ? officePaths.officeStock({ pool: filters.pool }) : null}
      >
        {filters.pool ? <input type="hidden" name="pool" value={filters.pool} /> : null}
        <Field name="q" label="SKU, brand, line or size" value={filters.q} maxLength={80} autoComplete="off" />
      </ListFilters>
      <Panel id="stock" title="Units free to sell" note="without those of orders">
        {tires.length === 0 ? (
          <PanelBody>
            <p>No tire matches.</p>
          </PanelBody>
        ) : (
          <DataTable
            caption="Units free to sell"
            columns={columns}
            rows={tires.map(({ itemId, brand, line, size, isActive, ...cells }) => ({
              id: String(itemId),
              isMuted: !isActive,
              cells: {
                ...cells,
                tire: (
                  <>
                    <a href={officePaths.officeStockItem(itemId)}>{`${brand} ${line}`}</a> {size}{' '}
                    {isActive ? null : <Tag>Not sold</Tag>}
                  </>
                ),
              },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of stock" older={next} file={views.file} />
    </OfficePage>
  )
}
