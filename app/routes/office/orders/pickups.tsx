import { ListPage } from '#app/office/list-page.tsx'
import { pickups } from '#app/office/lists/pickups.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { selectPickup } from '#domain/ordering/orders/orders.server.ts'
import { longestCounterSearch } from '#domain/ordering/warehouse-pickups/warehouse-pickups.ts'
import { searchPickups } from '#domain/ordering/warehouse-pickups/warehouse-pickups.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/pickups.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Warehouse pickups', officePaths.officePickups())

/** A number or code that is one pickup's opens it. */
export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, pickups)
  const app = args.context.get(applicationContext)
  const words = (args.url.searchParams.get('q') ?? '').trim()
  const found = words === '' ? undefined : await searchPickups(app, words)
  if (found !== undefined && (await selectPickup(app, found))) throw seeOther(officePaths.officePickup(found))
  return { data, words: words.slice(0, longestCounterSearch) }
}

export default function PickupsPage({ loaderData: { data, words } }: Route.ComponentProps) {
  return (
    <ListPage
      data={data}
      before={
        <>
          {words ? <Notice tone="signal" title={`No pickup has the number or code ${words}.`} isNews /> : null}
          <Panel id="find" title="Find at the counter" isOpen>
            <PanelBody>
              <form method="get" className="row">
                <label htmlFor="q">Order number or pickup code</label>
                <input className="input" id="q" name="q" maxLength={longestCounterSearch} defaultValue={words} />
                <button className="btn primary">Find</button>
              </form>
            </PanelBody>
          </Panel>
        </>
      }
    />
  )
}
