import { useRouteLoaderData } from 'react-router'
import { countText, groupsWith } from '#app/office/navigation.ts'
import { requireStaff, type OfficeView } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/office-menu.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Menu', officePaths.officeMenu())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'office.open', officePaths.officeMenu())
  return null
}

/** Every page that the reader's roles open, where the sidebar does not fit and there is no script to open it. */
export default function OfficeMenu() {
  const office = useRouteLoaderData<OfficeView>('routes/office/office-layout')
  return (
    <OfficePage title="Menu">
      {groupsWith(office?.pages ?? []).map(({ name, label, pages }) => (
        <Panel key={name} id={name} title={label}>
          <PanelBody>
            <ul className="office-all-pages">
              {pages.map((page) => (
                <li key={page.name}>
                  <a href={page.path}>{page.label}</a>
                  {office?.counts[page.name] ? (
                    <span className="muted"> {countText(office.counts[page.name] ?? 0)} waiting</span>
                  ) : null}
                </li>
              ))}
            </ul>
          </PanelBody>
        </Panel>
      ))}
    </OfficePage>
  )
}
