import { ListPage } from '#app/office/list-page.tsx'
import { mapPrices } from '#app/office/lists/price-lists.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { setMinimumPrices } from '#domain/promotions/promotions.server.ts'
import { belowMinimumText, mapPricesForm } from '#domain/promotions/promotions.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countText } from '#platform/count-text.ts'
import { AcceptBelow } from './accept-below.tsx'
import type { Route } from './+types/map-prices.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Minimum prices', officePaths.officeMapPrices())

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, mapPrices)
  const { session } = await requireStaff(args.context, 'promotions.read', officePaths.officeMapPrices())
  return {
    data,
    mayEdit: staffCan(session.roles, 'promotions.edit'),
    isSaved: args.url.searchParams.get('done') === 'saved',
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'promotions.edit', officePaths.officeMapPrices())
  const fields = await readForm(request)
  const checked = checkForm(mapPricesForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const set = await setMinimumPrices(shop, actor, checked.value)
  if (set.ok) return seeOther(officePaths.officeMapPrices({ done: 'saved' }))
  if (set.reason === 'not-allowed')
    return refuseForm(formRefusal(fields, 'Your role does not allow that. Nothing was changed.'), 403)
  if (set.reason === 'below-minimum') {
    const { count, tires } = set.detail
    const more = count > tires.length ? `, and ${countText(count - tires.length)} more` : ''
    const acceptsBelow = `Sold below the minimum: ${tires.map(belowMinimumText).join('; ')}${more}. Check the box to save anyway.`
    return refuseForm(formRefusal(fields, 'Not saved yet:', { acceptsBelow }))
  }
  const skus = set.detail.slice(0, 5).join(', ')
  return refuseForm(formRefusal(fields, 'Fix 1 field:', { prices: `The catalog has no tire with the SKU ${skus}.` }))
}

export default function MapPricesPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { data, mayEdit, isSaved } = loaderData
  return (
    <ListPage
      data={data}
      before={
        <>
          {isSaved && !reply ? <Notice tone="go" title="Saved. Carts update immediately." isNews /> : null}
          <p className="office-note">
            Set by manufacturers. Promotions can’t be scheduled below them, and coupons don’t apply below them.
          </p>
        </>
      }
      after={mayEdit ? <PricesForm reply={reply} /> : null}
    />
  )
}

function PricesForm({ reply }: { reply: Route.ComponentProps['actionData'] }) {
  const label = 'SKUs and prices'
  const acceptLabel = 'Save minimums that we sell below'
  const below = reply?.errors['acceptsBelow']
  return (
    <Panel id="set" title="Set prices">
      <form method="post" noValidate>
        <PanelBody>
          <ErrorSummary reply={reply} labels={{ prices: label, acceptsBelow: acceptLabel }} />
          <TextAreaField
            name="prices"
            label={label}
            reply={reply}
            rows={6}
            maxLength={20_000}
            hint="A SKU and dollars on each line, such as KES-225-65-17 129.99. Write none to remove one."
          />
          <AcceptBelow label={acceptLabel} isBelow={below !== undefined} error={below} />
          <button className="btn primary">Save prices</button>
        </PanelBody>
      </form>
    </Panel>
  )
}
