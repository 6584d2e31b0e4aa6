import { requireStaff } from '#app/server/office.server.ts'
import { readToday, type QueueView } from '#app/views/office-today.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody, Timer } from '#app/ui/office/office-parts.tsx'
import type { Route } from './+types/today.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Today', officePaths.office())

export async function loader({ context }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'office.open', officePaths.office())
  return { queues: await readToday(shop, session.roles) }
}

export default function Today({ loaderData: { queues } }: Route.ComponentProps) {
  const waiting = queues.filter(({ count }) => count > 0)
  return (
    <OfficePage title="Today">
      {queues.length === 0 ? (
        <Notice tone="signal" title="Your role has no queues">
          <p>Queues appear here for the roles that work on them.</p>
        </Notice>
      ) : (
        <Panel id="queues" title="Needs attention">
          <DataTable
            caption="Queues"
            columns={columns}
            rows={queues.map(({ slug, title, count, hasMore, oldest, overdue }) => ({
              id: slug,
              isMuted: count === 0,
              cells: {
                queue: count > 0 ? <a href={`#${slug}`}>{title}</a> : title,
                count: count === 0 ? 'Empty' : `${count}${hasMore ? ' or more' : ''}`,
                oldest,
                overdue: overdue > 0 ? <Timer tone="stop">{overdue} overdue</Timer> : null,
              },
            }))}
          />
        </Panel>
      )}
      {waiting.map((queue) => (
        <QueueList key={queue.slug} queue={queue} />
      ))}
    </OfficePage>
  )
}

const columns = [
  { key: 'queue', label: 'Queue', isRowHeader: true },
  { key: 'count', label: 'Open' },
  { key: 'oldest', label: 'Oldest' },
  { key: 'overdue', label: 'Timer' },
]

function QueueList({ queue: { slug, title, path, count, first } }: { queue: QueueView }) {
  return (
    <Panel
      id={slug}
      title={title}
      note={count > first.length ? 'oldest first' : undefined}
      end={path === null ? undefined : <a href={path}>Show all</a>}
    >
      <PanelBody>
        <ul className="office-queue">
          {first.map(({ label, age, path: page, timer }, index) => (
            <li key={index}>
              {page === null ? <span>{label}</span> : <a href={page}>{label}</a>}
              <span className="muted">{age}</span>
              {timer ? <Timer tone={timer.tone}>{timer.words}</Timer> : null}
            </li>
          ))}
        </ul>
      </PanelBody>
    </Panel>
  )
}
