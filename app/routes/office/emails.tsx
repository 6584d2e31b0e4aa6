import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import { listPreviews } from '#app/views/mail-preview.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/emails.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Emails', officePaths.officeEmails())

export async function loader({ context }: Route.LoaderArgs) {
  const { shop } = await requireStaff(context, 'requests.read', officePaths.officeEmails())
  return { kinds: await listPreviews(shop) }
}

export default function Emails({ loaderData: { kinds } }: Route.ComponentProps) {
  return (
    <OfficePage title="Emails" crumbs={[{ label: 'Messages', path: officePaths.officeMessages() }]}>
      <Panel id="kinds" title="Every kind" note={`${kinds.length}, each with sample values`}>
        <DataTable
          caption="Kinds of email"
          columns={[
            { key: 'kind', label: 'Kind', isRowHeader: true },
            { key: 'subject', label: 'Subject' },
            { key: 'stops', label: 'Unsubscribe' },
          ]}
          rows={kinds.map(({ kind, subject, stops }) => ({
            id: kind,
            cells: {
              kind: <a href={officePaths.officeEmail(kind)}>{kind}</a>,
              subject,
              stops: stops === null ? 'No: transactional' : `Yes: ${stops}`,
            },
          }))}
        />
      </Panel>
    </OfficePage>
  )
}
