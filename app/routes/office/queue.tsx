import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody, Timer } from '#app/ui/office/office-parts.tsx'
import { readQueuePage } from '#app/views/office/home.server.ts'
import { findQueue } from '#app/views/office/queues.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/queue.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData, params }) =>
  officeHead(matches, loaderData?.title ?? 'Queue', officePaths.officeQueue(params.queue))

/** Lists a queue's oldest tasks, for tasks without their own page. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const queue = findQueue(params.queue)
  if (!queue) throw new Response(null, { status: 404 })
  const { app, session } = await requireStaff(context, queue.permission, officePaths.officeQueue(queue.slug))
  return readQueuePage(app, session.roles, queue)
}

export default function QueuePage({ loaderData: { title, rows, hasMore } }: Route.ComponentProps) {
  return (
    <OfficePage title={title} crumbs={[{ label: 'Home', path: officePaths.office() }]}>
      <Panel id="entries" title="Waiting" note={hasMore ? `the first ${rows.length}` : undefined}>
        {rows.length === 0 ? (
          <PanelBody>
            <p>No open tasks.</p>
          </PanelBody>
        ) : (
          <DataTable
            caption={title}
            columns={columns}
            rows={rows.map(({ label, path, age, timer }, index) => ({
              id: String(index),
              cells: {
                what: path === null ? label : <a href={path}>{label}</a>,
                age,
                timer: timer ? <Timer tone={timer.tone}>{timer.words}</Timer> : null,
              },
            }))}
          />
        )}
      </Panel>
    </OfficePage>
  )
}

const columns = [
  { key: 'what', label: 'What', isRowHeader: true },
  { key: 'age', label: 'Age' },
  { key: 'timer', label: 'Due' },
]
