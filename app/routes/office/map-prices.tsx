import { mapPriceActions } from '#app/office/actions/map-prices.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { mapPrices } from '#app/office/lists/price-lists.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { AcceptBelow } from './accept-below.tsx'
import type { Route } from './+types/map-prices.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Minimum prices', officePaths.officeMapPrices())

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, mapPrices)
  const { session } = await requireStaff(args.context, 'promotions.read', officePaths.officeMapPrices())
  return { data, mayEdit: staffCan(session.roles, 'promotions.edit') }
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    { id: '', path: (done) => officePaths.officeMapPrices({ done }), done: { change: 'saved' } },
    mapPriceActions,
  )

export default function MapPricesPage({ loaderData: { data, mayEdit }, actionData: reply }: Route.ComponentProps) {
  const below = reply?.errors['acceptsBelow']
  return (
    <ListPage
      data={data}
      reply={reply}
      before={
        <p className="office-note">
          Set by manufacturers. No page, feed, or API shows a lower price: shoppers see it in the cart. Your store
          details determine whether imports, edits, and promotions can set one. Coupons never apply below a minimum.
          Account prices are exempt, because only signed-in customers see them.
        </p>
      }
      after={
        mayEdit ? (
          <FormPanel
            id="set"
            title="Set prices"
            reply={reply}
            fields={{
              prices: {
                label: 'SKUs and prices',
                kind: 'area',
                rows: 6,
                max: 20_000,
                hint: 'Enter a SKU and a dollar amount per line, such as KES-225-65-17 129.99. To remove a minimum, enter “none.”',
              },
              acceptsBelow: (
                <AcceptBelow label="Save minimums that we sell below" isBelow={below !== undefined} error={below} />
              ),
            }}
            buttons={[button('change', 'Save prices', 'primary')]}
          />
        ) : null
      }
    />
  )
}
