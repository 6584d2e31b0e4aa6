import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listShopApplications } from '#domain/shop-applications/shop-applications.server.ts'
import {
  shopApplicationNumber,
  shopApplicationStates,
  shopApplicationStateWords,
  shopApplicationTab,
} from '#domain/shop-applications/shop-applications.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/shop-applications.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Shop applications', officePaths.officeShopApplications())

export async function loader({ context, url }: Route.LoaderArgs) {
  const path = officePaths.officeShopApplications()
  const staff = await requireStaff(context, 'shop-applications.read', path + url.search)
  const state = shopApplicationTab(url.searchParams.get('state'))
  const before = url.searchParams.get('before') ?? ''
  const [{ applications, next }, views] = await Promise.all([
    listShopApplications(staff.shop, { state, before: /^[1-9]\d{0,11}$/.test(before) ? Number(before) : null }),
    readViewTabs(staff, 'shop-applications', url.searchParams),
  ])
  return {
    state,
    views,
    rows: applications.map(({ id, asked, submittedAt }) => ({
      number: shopApplicationNumber(id),
      shop: asked.company,
      place: `${asked.city}, ${asked.state} ${asked.zip}`,
      owner: `${asked.ownerFirstName} ${asked.ownerLastName}`,
      phone: phoneText(asked.shopPhone),
      sent: timeText(submittedAt, storeZone),
    })),
    next: next === null ? null : officePaths.officeShopApplications({ state, before: next }),
  }
}

export default function ShopApplicationsPage({ loaderData: { state, views, rows, next } }: Route.ComponentProps) {
  return (
    <OfficePage title="Shop applications">
      <ListTabs
        label="Applications by state"
        tabs={shopApplicationStates.map((each) => ({
          label: shopApplicationStateWords[each],
          path: officePaths.officeShopApplications({ state: each }),
          isOn: each === state,
        }))}
        views={views}
      />
      <Panel id="applications" title={shopApplicationStateWords[state]}>
        {rows.length === 0 ? (
          <p className="office-panel-body">No applications here.</p>
        ) : (
          <DataTable
            caption="Applications of shops"
            columns={[
              { key: 'number', label: 'Application', isRowHeader: true },
              { key: 'shop', label: 'Shop' },
              { key: 'place', label: 'Place' },
              { key: 'owner', label: 'Owner' },
              { key: 'phone', label: 'Phone' },
              { key: 'sent', label: 'Sent' },
            ]}
            rows={rows.map(({ number, ...row }) => ({
              id: number,
              cells: { ...row, number: <a href={officePaths.officeShopApplication(number)}>{number}</a> },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of applications" older={next} file={views.file} />
    </OfficePage>
  )
}
