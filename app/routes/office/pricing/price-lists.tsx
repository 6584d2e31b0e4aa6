import { priceListActions } from '#app/office/actions/price-lists.server.ts'
import { actionStep, submit } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { priceLists } from '#app/office/lists/price-lists.server.ts'
import { openList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/price-lists.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Price lists', officePaths.officePriceLists())

export async function loader(args: Route.LoaderArgs) {
  const { data, reader } = await openList(args, priceLists)
  return { data, mayEdit: reader.can('price-lists.edit') }
}

/** Creates a list. */
export const action = (args: Route.ActionArgs) =>
  submit(
    args,
    { noun: 'price list', permission: 'price-lists.edit', path: () => officePaths.officePriceLists() },
    ({ app, by }) =>
      actionStep(priceListActions.actions.add, { app, by, id: '' }, (slug) => officePaths.officePriceList(slug)),
    priceListActions.refusals,
  )

export default function PriceListsPage({ loaderData: { data, mayEdit }, actionData: reply }: Route.ComponentProps) {
  return (
    <ListPage
      data={data}
      reply={reply}
      after={
        mayEdit ? (
          <FormPanel
            id="new"
            title="New list"
            isPair
            reply={reply}
            fields={{
              name: { label: 'Name', max: 100 },
              slug: { label: 'Address', max: 60, hint: 'Lowercase letters, digits and hyphens, such as fleets-2027.' },
            }}
            buttons={[button('', 'Create list')]}
          />
        ) : null
      }
    />
  )
}
