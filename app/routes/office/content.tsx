import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import { readContentRows } from '#app/views/office-content.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/content.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Content', officePaths.officeContent())

export async function loader({ context }: Route.LoaderArgs) {
  const { shop } = await requireStaff(context, 'content.edit', officePaths.officeContent())
  const rows = await readContentRows(shop)
  return {
    rows: rows.map(({ since, nextAt, ...row }) => ({
      ...row,
      since: since ? timeText(since, storeZone) : '',
      next: nextAt ? timeText(nextAt, storeZone) : '',
    })),
  }
}

const columns = [
  { key: 'title', label: 'Page', isRowHeader: true },
  { key: 'address', label: 'Address' },
  { key: 'kind', label: 'Kind' },
  { key: 'version', label: 'Published' },
  { key: 'since', label: 'Since' },
  { key: 'by', label: 'By' },
  { key: 'next', label: 'Next version' },
]

export default function Content({ loaderData: { rows } }: Route.ComponentProps) {
  return (
    <OfficePage title="Content">
      <Panel id="pages" title="Policies and pages" note="Times are Eastern.">
        <DataTable
          caption="Content pages"
          columns={columns}
          rows={rows.map(({ slug, title, address, ...cells }) => ({
            id: slug,
            cells: {
              ...cells,
              title: <a href={officePaths.officeContentPage(slug)}>{title}</a>,
              address: <a href={address}>{address}</a>,
            },
          }))}
        />
      </Panel>
      <p className="small muted">
        Messages of forms and checkout, articles, questions and the dictionary are not edited here: they change with a
        release.
      </p>
      <ListFoot label="Pages of content" older={null} file={officePaths.officeListFile('content')} />
    </OfficePage>
  )
}
