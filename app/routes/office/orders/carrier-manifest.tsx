import { doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { manifestView } from '#app/views/office/manifest.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/carrier-manifest.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Manifest ${loaderData.manifest.number}` : 'Manifest', officePaths.officeManifests())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = Number(found(/^[1-9]\d{0,14}$/.exec(params.id)?.[0]))
  const { app, session } = await requireStaff(context, 'parcels.read', officePaths.officeManifest(id))
  const manifest = found(await manifestView(app, id, session.roles))
  const isCreated = !manifest.isWaiting && manifest.failure === null
  return {
    manifest,
    news: isCreated ? doneNews(url, { requested: 'Manifest created. Print it for the driver.' }) : null,
  }
}

export default function ManifestPage({ loaderData: { manifest, news } }: Route.ComponentProps) {
  const { number, state, isWaiting, failure, file, facts, count, parcels } = manifest
  return (
    <DetailPage
      title={`Manifest ${number}`}
      crumbs={[
        { label: 'Parcels to pack', path: officePaths.officeParcels() },
        { label: 'Manifests', path: officePaths.officeManifests() },
      ]}
      state={state}
      news={news}
      notices={[
        ...(isWaiting
          ? [
              {
                tone: 'signal' as const,
                title: 'The carrier hasn’t created this manifest yet',
                text: 'We ask again every few minutes. Reload this page, or create the manifest again to ask now.',
              },
            ]
          : []),
        ...(failure === null ? [] : [{ tone: 'stop' as const, title: 'No manifest was created', text: failure }]),
      ]}
      body={
        <TablePanel
          id="parcels"
          title="Parcels"
          note={`${countOf(count, 'parcel')} on the manifest`}
          columns={{ order: 'Order', tracking: 'Tracking', state: 'State', manifest: 'Manifest' }}
          rows={parcels.map(({ id, order, tracking, state: parcelState, refusal }) => ({
            id,
            cells: {
              order: <a href={officePaths.officeParcel(id)}>{order}</a>,
              tracking,
              state: parcelState,
              manifest: refusal ?? (isWaiting ? 'Requested' : 'On it'),
            },
          }))}
        />
      }
      side={
        <>
          {file === null ? null : (
            <Panel id="print" title="Print">
              <PanelBody>
                <ul className="office-acts">
                  <li>
                    <Icon name="print" size="s" /> <a href={file}>Manifest, PDF</a>
                  </li>
                </ul>
              </PanelBody>
            </Panel>
          )}
          <FactsPanel id="facts" title="Manifest" rows={facts} />
        </>
      }
    />
  )
}
