import { ListPage } from '#app/office/list-page.tsx'
import { parcels } from '#app/office/lists/parcels.server.ts'
import { openList } from '#app/office/read-list.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { manifestFormView } from '#app/views/office/manifest.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { ManifestForm } from './carrier-manifest-form.tsx'
import type { Route } from './+types/parcels.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Parcels to pack', officePaths.officeParcels())

export async function loader(args: Route.LoaderArgs) {
  const { data, reader } = await openList(args, parcels)
  const warehouse = data.list?.values['warehouse']
  return {
    data,
    print: officePaths.officePickList(warehouse ? { warehouse } : {}),
    form: await manifestFormView(reader.app, reader.session.roles, warehouse),
  }
}

export default function ParcelsPage({ loaderData: { data, print, form } }: Route.ComponentProps) {
  return (
    <ListPage
      data={data}
      before={
        <p className="row wrap-row">
          <a className="btn quiet" href={print}>
            <Icon name="print" size="s" /> Print pick list
          </a>
          <a className="btn quiet" href={officePaths.officeManifests()}>
            Manifests
          </a>
        </p>
      }
      after={form ? <ManifestForm form={form} reply={undefined} /> : null}
    />
  )
}
