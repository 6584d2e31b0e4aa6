import { vanAreaActions } from '#app/office/actions/shop-terms.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns } from '#app/ui/office/office-parts.tsx'
import { readShopArea } from '#app/views/office/shop-terms.server.ts'
import { shopTabs } from '#app/views/office/shop.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { longestArea } from '#domain/installer-portal/portal/portal.ts'
import { findShopRecord } from '#domain/installer-portal/shops/shops.server.ts'
import type { Route } from './+types/shop-area.ts'
import { OnboardingNotice, shopCrumbs } from './shop-terms.tsx'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, `Service area, ${loaderData?.shop.name ?? 'van'}`, officePaths.officeShops())

const news = { saved: 'Service area saved. Shoppers see it from now on.' }

/** The ZIP codes that a mobile installer serves. */
export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'shops.edit', officePaths.officeShopArea(shopCode))
  const record = found(await findShopRecord(staff.app, shopCode.slice(0, 40)))
  return {
    shop: { name: record.name, code: record.code },
    tabs: shopTabs(staff, record, { at: 'area' }),
    fixed: whyFixed(record),
    area: await readShopArea(staff, record),
    news: doneNews(url, news),
  }
}

/** Returns why the shop has no area to edit; null for a mobile installer that isn't closed. */
function whyFixed({ kind, status }: { kind: string; status: string }): string | null {
  if (kind !== 'van') return 'Only mobile installers have a service area. Customers come to this shop.'
  return status === 'closed' ? 'The shop is closed.' : null
}

export const action = (args: Route.ActionArgs) => {
  const { shopCode: code } = args.params
  return decideActions(
    args,
    {
      id: code,
      path: (done) => officePaths.officeShopArea(code, done),
      done: { change: 'saved' },
      longest: longestArea + 1,
    },
    vanAreaActions,
  )
}

export default function ShopArea({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { shop, tabs, fixed, area, news: done } = loaderData
  return (
    <OfficePage title="Service area" crumbs={shopCrumbs(shop)} news={done} reply={reply}>
      <ListTabs label="About the shop" tabs={tabs} />
      {fixed !== null || !area ? (
        <OnboardingNotice fixed={{ text: fixed ?? '', path: null }} />
      ) : (
        <Columns
          body={
            <FormPanel
              id="area"
              title="ZIP codes"
              isOpen
              reply={reply}
              text="Only shoppers in these ZIP codes are offered this installer. Booked appointments don’t change."
              hidden={{ seen: area.seen }}
              fields={{
                zips: {
                  label: 'ZIP codes',
                  kind: 'area',
                  rows: 12,
                  max: area.max,
                  value: area.text,
                  hint: 'Five digits each, with a space or comma between them.',
                },
              }}
              buttons={[button('change', 'Save service area', 'primary')]}
            />
          }
          last={area.towns.length > 0 ? <FactsPanel id="towns" title="Towns" rows={area.towns} /> : undefined}
        />
      )}
    </OfficePage>
  )
}
