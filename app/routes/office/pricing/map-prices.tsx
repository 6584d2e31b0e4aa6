import { mapPriceActions, tireMapPriceActions } from '#app/office/actions/map-prices.server.ts'
import { numberedId } from '#app/office/define-actions.server.ts'
import {
  actionStep,
  callOf,
  decideActions,
  found,
  type Posted,
  type RefusalOfAction,
  type Step,
} from '#app/office/decision.server.ts'
import { formRefusal } from '#app/forms/form.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { mapPrices } from '#app/office/lists/price-lists.server.ts'
import { openList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findMapPrice, latestMapVersion } from '#domain/catalog/catalog/catalog.server.ts'
import { countOf, countText } from '#platform/count-text.ts'
import { formatCents, typedDollars } from '#platform/money.ts'
import { AcceptBelow } from './accept-below.tsx'
import type { Route } from './+types/map-prices.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Minimum prices', officePaths.officeMapPrices())

export async function loader(args: Route.LoaderArgs) {
  const {
    data,
    reader: { app, can },
  } = await openList(args, mapPrices)
  const mayEdit = can('promotions.edit')
  const id = numberedId(args.url.searchParams.get('tire') ?? '')
  const tire = mayEdit && id > 0 ? found(await findMapPrice(app, id)) : null
  return {
    data,
    mayEdit,
    latest: mayEdit ? await latestMapVersion(app.db) : 1,
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
      done: {},
      more: {
        steps: (posted) => ({
          change: changeStep(posted),
          set: actionStep(
            tireMapPriceActions.actions.change,
            callOf(posted, posted.fields.get('tire') ?? ''),
            () => 'saved',
          ),
        }),
        refusals: { ...mapPriceActions.refusals, ...tireMapPriceActions.refusals },
      },
    },
    mapPriceActions,
  )

/** Saves prices. Prices for tires set after the page was loaded stay in the form. */
function changeStep(posted: Posted): Step<RefusalOfAction<typeof mapPriceActions.actions.change>> {
  return {
    requiresFresh: false,
    async run(fields) {
      const result = await mapPriceActions.actions.change.run(callOf(posted, ''), fields)
      if (!('value' in result)) return result
      const { changed, version } = result.value
      if (changed.length === 0) return { done: 'saved' }
      const skus = new Set(changed.map(({ sku }) => sku))
      const lines = (fields.get('prices') ?? '').split(/\n+/)
      const left = lines.filter((line) => skus.has(/[\w.-]+/.exec(line)?.[0].toUpperCase() ?? ''))
      fields.set('prices', left.join('\n'))
      fields.set('seen', String(version))
      return { reply: formRefusal(fields, staleLead(lines.length - left.length), { prices: staleText(changed) }) }
    },
  }
}

const mostStaleNamed = 20

function staleLead(saved: number): string {
  return saved === 0 ? 'No price was saved.' : `Saved ${countOf(saved, 'price')}. Check the others:`
}

/** "Another team member set KES-1 to $129.99. Save again to replace it." */
function staleText(changed: readonly { sku: string; mapCents: number | null }[]): string {
  const named = changed
    .slice(0, mostStaleNamed)
    .map(({ sku, mapCents }) => (mapCents === null ? `${sku} (no minimum)` : `${sku} (${formatCents(mapCents)})`))
  const more = changed.length > named.length ? `, and ${countText(changed.length - named.length)} more` : ''
  return `Another team member changed ${named.join(', ')}${more} since you opened this page. Save again to replace.`
}

export default function MapPricesPage({
  loaderData: { data, mayEdit, latest, tire },
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
            hidden={{ seen: latest }}
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
