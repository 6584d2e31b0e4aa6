import { decide, press } from '#app/office/decision.server.ts'
import { button, RowForm } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { brandedStores } from '#app/office/lists/branded-stores.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { installerIdOf } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { switchStore } from '#domain/installer-portal/branded-stores/branded-stores.server.ts'
import { refused } from '#platform/outcome.ts'
import type { Route } from './+types/branded-stores.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Branded stores', officePaths.officeBrandedStores())

export const loader = (args: Route.LoaderArgs) => readList(args, brandedStores)

/** Activates a store, or deactivates it with a reason. */
export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    {
      noun: 'store',
      permission: 'branded-stores.decide',
      path: (done) => officePaths.officeBrandedStores({ state: done, done }),
    },
    ({ shop, by, fields }) => {
      const shopCode = installerIdOf(fields.get('shop') ?? '')
      const seen = /^\d{1,9}$/.exec(fields.get('seen') ?? '')?.[0]
      const turn = async (offReason: string | null) =>
        shopCode === undefined || seen === undefined
          ? refused('unreadable')
          : switchStore(shop, { shopCode, seen: Number(seen), offReason, by })
      return { on: press(() => turn(null)), off: press(() => turn(fields.get('reason') ?? '')) }
    },
    {
      unreadable: { text: technicalMessages.tryAgain, status: 400 },
      'no-store': 'This shop has no store.',
      'changed-meanwhile': 'The shop changed its store after you opened this page. Review it again.',
      'shop-not-offered': 'This shop isn’t active, so its store stays off.',
      'no-reason': { text: 'Enter the reason. The shop sees it.', status: 422 },
    },
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
                  ? [button('off', 'Deactivate', 'stop')]
                  : [button('on', 'Activate'), button('off', 'Refuse', 'stop')]
              }
            />
          ) : null,
      }}
    />
  )
}
