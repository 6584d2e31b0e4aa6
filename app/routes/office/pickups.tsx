import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber, pickupStates, pickupStateWords } from '#domain/orders/orders.ts'
import { listPickups, selectPickup } from '#domain/orders/orders.server.ts'
import { longestCounterSearch } from '#domain/warehouse-pickups/warehouse-pickups.ts'
import { searchPickups } from '#domain/warehouse-pickups/warehouse-pickups.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dayText } from '#platform/day-text.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/pickups.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Warehouse pickups', officePaths.officePickups())

/** The page shows as many; the next ones follow as these are worked off. */
const mostShown = 200

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'pickups.read', officePaths.officePickups() + url.search)
  const { shop } = staff
  const words = (url.searchParams.get('q') ?? '').trim()
  const found = words === '' ? undefined : await searchPickups(shop, words)
  if (found !== undefined && (await selectPickup(shop, found))) throw seeOther(officePaths.officePickup(found))
  const state = pickupStates.find((one) => one === url.searchParams.get('state')) ?? 'preparing'
  const pickups = await listPickups(shop, { state, limit: mostShown })
  return {
    state,
    words: words.slice(0, longestCounterSearch),
    rows: pickups.map((pickup) => ({
      number: orderNumber(pickup.orderId),
      path: officePaths.officePickup(pickup.orderId),
      name: `${pickup.firstName} ${pickup.lastName}`,
      tires: String(pickup.tires),
      warehouse: pickup.warehouse,
      due:
        pickup.handedOverAt !== null
          ? timeText(pickup.handedOverAt, pickup.timeZone)
          : pickup.keepUntil === null
            ? timeText(pickup.readyBy, pickup.timeZone)
            : dayText(Temporal.PlainDate.from(pickup.keepUntil)),
    })),
  }
}

const dueWords = { preparing: 'Ready by', ready: 'Kept until', overdue: 'Was kept until', 'handed-over': 'Handed over' }

export default function PickupsPage({ loaderData: { state, words, rows } }: Route.ComponentProps) {
  return (
    <OfficePage title="Warehouse pickups">
      {words ? <Notice tone="signal" title={`No pickup has the number or code ${words}.`} isNews /> : null}
      <Panel id="find" title="Find at the counter" isOpen>
        <PanelBody>
          <form method="get" className="row">
            <label htmlFor="q">Order number or pickup code</label>
            <input className="input" id="q" name="q" maxLength={longestCounterSearch} defaultValue={words} />
            <button className="btn primary">Find</button>
          </form>
        </PanelBody>
      </Panel>
      <ListTabs
        label="Pickups by state"
        tabs={pickupStates.map((each) => ({
          label: pickupStateWords[each],
          path: officePaths.officePickups({ state: each }),
          isOn: each === state,
        }))}
      />
      <Panel id="pickups" title={pickupStateWords[state]}>
        {rows.length === 0 ? (
          <p className="office-panel-body">No pickups here.</p>
        ) : (
          <DataTable
            caption="Orders picked up at warehouses"
            columns={[
              { key: 'number', label: 'Order', isRowHeader: true },
              { key: 'name', label: 'Name' },
              { key: 'tires', label: 'Tires' },
              { key: 'warehouse', label: 'Warehouse' },
              { key: 'due', label: dueWords[state] },
            ]}
            rows={rows.map(({ number, path, ...row }) => ({
              id: number,
              cells: { ...row, number: <a href={path}>{number}</a> },
            }))}
          />
        )}
      </Panel>
    </OfficePage>
  )
}
