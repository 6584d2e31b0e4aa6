import { manifestActions } from '#app/office/actions/manifests.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { ListPage } from '#app/office/list-page.tsx'
import { manifests } from '#app/office/lists/manifests.server.ts'
import { openList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { manifestFormView } from '#app/views/office/manifest.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { ManifestForm } from './carrier-manifest-form.tsx'
import type { Route } from './+types/carrier-manifests.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Manifests', officePaths.officeManifests())

export async function loader(args: Route.LoaderArgs) {
  const { data, reader } = await openList(args, manifests)
  return { data, form: await manifestFormView(reader.app, reader.session.roles, data.list?.values['warehouse']) }
}

/** Requests the manifests of a warehouse, and opens the manifest if there is one carrier. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: '',
      path: (done) => officePaths.officeManifests({ done }),
      done: {
        request: (_, { ids: [first, ...more] }) =>
          first !== undefined && more.length === 0 ? officePaths.officeManifest(first, 'requested') : 'requested',
      },
    },
    manifestActions,
  )

export default function ManifestsPage({ loaderData: { data, form }, actionData: reply }: Route.ComponentProps) {
  return <ListPage data={data} reply={reply} before={form ? <ManifestForm form={form} reply={reply} /> : null} />
}
