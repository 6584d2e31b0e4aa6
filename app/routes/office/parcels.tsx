import { ListPage } from '#app/office/list-page.tsx'
import { parcels } from '#app/office/lists/parcels.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/parcels.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Parcels to pack', officePaths.officeParcels())

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, parcels)
  const warehouse = data.list?.values['warehouse']
  return { data, print: officePaths.officePickList(warehouse ? { warehouse } : {}) }
}

export default function ParcelsPage({ loaderData: { data, print } }: Route.ComponentProps) {
  return (
    <ListPage
      data={data}
      before={
        <p>
          <a className="btn quiet" href={print}>
            <Icon name="print" size="s" /> Print pick list
          </a>
        </p>
      }
    />
  )
}
