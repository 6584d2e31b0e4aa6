import { isOfficeFile, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { pathWithin } from '#app/server/work-door.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/download.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) => [
  ...officeHead(matches, 'Download', officePaths.officeDownload('')),
  // The browser downloads the file and stays on this page, with and without script.
  ...(loaderData?.file ? [{ httpEquiv: 'refresh', content: `0; url=${loaderData.file}` }] : []),
]

/** Starts the download of a file that was requested before a sign-in. The file checks permissions itself. */
export async function loader({ context, url }: Route.LoaderArgs) {
  await requireStaff(context, 'office.open', `${url.pathname}${url.search}`)
  const file = pathWithin(url.searchParams.get('file'), officePaths.office())
  return { file: isOfficeFile(file) ? file : null }
}

export default function Download({ loaderData: { file } }: Route.ComponentProps) {
  return (
    <OfficePage title="Download">
      {file === null ? (
        <Notice tone="signal" title="File not found">
          <p>Go back to the list, then export it again.</p>
        </Notice>
      ) : (
        <Panel id="file" title="You’re signed in">
          <PanelBody>
            <p>
              Your download has started. If it didn’t, <a href={file}>download the file</a>.
            </p>
          </PanelBody>
        </Panel>
      )}
    </OfficePage>
  )
}
