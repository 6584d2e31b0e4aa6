import { mapPriceActions, tireMapPriceActions } from '#app/office/actions/map-prices.server.ts'
import { numberedId } from '#app/office/define-actions.server.ts'
import { actionStep, callOf, decideActions, found } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { mapPrices } from '#app/office/lists/price-lists.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findMapPrice } from '#domain/catalog/catalog/catalog.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { typedDollars } from '#platform/money.ts'
import { AcceptBelow } from './accept-below.tsx'
import type { Route } from './+types/map-prices.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Minimum prices', officePaths.officeMapPrices())

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, mapPrices)
  const { app, session } = await requireStaff(args.context, 'promotions.read', officePaths.officeMapPrices())
  const mayEdit = staffCan(session.roles, 'promotions.edit')
  const id = numberedId(args.url.searchParams.get('tire') ?? '')
  const tire = mayEdit && id > 0 ? found(await findMapPrice(app, id)) : null
  return {
    data,
    mayEdit,
    tire: tire && {
      id,
      sku: tire.sku,
      name: tire.name,
      version: tire.version,
      price: tire.mapCents === null ? '' : typedDollars(tire.mapCents),
    },
  }
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: '',
      path: (done) => officePaths.officeMapPrices({ done }),
      done: { change: 'saved' },
      more: {
        steps: (posted) => ({
          set: actionStep(
            tireMapPriceActions.actions.change,
            callOf(posted, posted.fields.get('tire') ?? ''),
            () => 'saved',
          ),
        }),
        refusals: tireMapPriceActions.refusals,
      },
    },
    mapPriceActions,
  )

export default function MapPricesPage({
  loaderData: { data, mayEdit, tire },
  actionData: reply,
}: Route.ComponentProps) {
  const below = reply?.errors['acceptsBelow']
  const acceptsBelow = (label: string) => <AcceptBelow label={label} isBelow={below !== undefined} error={below} />
  return (
    <ListPage
      data={data}
      reply={reply}
      before={
        <>
          <p className="office-note">
            Set by manufacturers. No page, feed, or API shows a lower price: shoppers see it in the cart. Your store
            details determine whether imports, edits, and promotions can set one. Coupons never apply below a minimum.
            Account prices are exempt, because only signed-in customers see them.
          </p>
          {tire ? (
            <FormPanel
              id="tire"
              title={`Minimum price of ${tire.sku}`}
              lead={tire.name}
              reply={reply}
              hidden={{ tire: String(tire.id), version: String(tire.version) }}
              fields={{
                price: {
                  label: 'Minimum price in dollars',
                  kind: 'money',
                  value: tire.price,
                  isOptional: true,
                  hint: 'Leave empty to remove it.',
                },
                acceptsBelow: acceptsBelow('Save a minimum that we sell below'),
              }}
              buttons={[button('set', 'Save price', 'primary')]}
            />
          ) : null}
        </>
      }
      after={
        mayEdit && !tire ? (
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
              acceptsBelow: acceptsBelow('Save minimums that we sell below'),
            }}
            buttons={[button('change', 'Save prices', 'primary')]}
          />
        ) : null
      }
    />
  )
}
