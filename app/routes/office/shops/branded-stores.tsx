import { brandedStoreActions } from '#app/office/actions/shop-marks.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, RowForm } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { brandedStores } from '#app/office/lists/branded-stores.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/branded-stores.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Branded stores', officePaths.officeBrandedStores())

export const loader = (args: Route.LoaderArgs) => readList(args, brandedStores)

/** Activates a store, or deactivates it with a reason. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: (fields) => fields.get('shop') ?? '',
      path: (done) => officePaths.officeBrandedStores({ state: done, done }),
      done: { activate: 'on', deactivate: 'off' },
    },
    brandedStoreActions,
  )

export default function BrandedStoresPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  return (
    <ListPage
      data={loaderData}
      reply={reply}
      render={{
        logo: ({ cells: { logo } }) => (typeof logo === 'string' ? <img src={logo} alt="" height={32} /> : null),
        act: ({ id, cells: { act } }) =>
          typeof act === 'object' && act ? (
            <RowForm
              about={{ shop: id, seen: String(act.text) }}
              reply={reply}
              fields={{ reason: { label: `Why the store of ${id} is deactivated`, max: 500 } }}
              buttons={
                act.note === 'on'
                  ? [button('deactivate', 'Deactivate', 'stop')]
                  : [button('activate', 'Activate'), button('deactivate', 'Refuse', 'stop')]
              }
            />
          ) : null,
      }}
    />
  )
}
