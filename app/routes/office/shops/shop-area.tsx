import { vanAreaActions } from '#app/office/actions/shop-terms.server.ts'
import { decideActions, doneNews } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Columns } from '#app/ui/office/office-parts.tsx'
import { readShopArea } from '#app/views/office/shop-terms.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { longestArea } from '#domain/installer-portal/portal/portal.ts'
import type { Route } from './+types/shop-area.ts'
import { openTerms } from './shop-terms.server.ts'
import { TermsPage } from './shop-terms.tsx'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, `Service area, ${loaderData?.shop.name ?? 'van'}`, officePaths.officeShops())

const news = { saved: 'Service area saved. Shoppers see it from now on.' }

/** The ZIP codes that a mobile installer serves. */
export async function loader(args: Route.LoaderArgs) {
  const { staff, record, head } = await openTerms(args, { at: 'area', path: officePaths.officeShopArea })
  return {
    ...head,
    fixed: whyFixed(record),
    area: await readShopArea(staff, record),
    news: doneNews(args.url, news),
  }
}

/** Returns why the shop has no area to edit; null for a mobile installer that isn't closed. */
function whyFixed({ kind, status }: { kind: string; status: string }): { text: string; path: null } | null {
  if (kind !== 'van')
    return { text: 'Only mobile installers have a service area. Customers come to this shop.', path: null }
  return status === 'closed' ? { text: 'The shop is closed.', path: null } : null
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
  const { area } = loaderData
  return (
    <TermsPage title="Service area" data={loaderData} reply={reply}>
      {area ? (
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
      ) : null}
    </TermsPage>
  )
}
