import { requireStaff } from '#app/server/office.server.ts'
import { FilterChoice, ListFilters, ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { OfficeList } from '#app/ui/office/office-list.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { readMessagesAsked } from '#app/views/office-messages.ts'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { listRequests } from '#domain/support/support.server.ts'
import { cursorText, readCursor, rowOf } from './message-view.server.ts'
import type { Route } from './+types/messages.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Messages', officePaths.officeMessages())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'requests.read', officePaths.officeMessages() + url.search)
  const { shop, session } = staff
  const asked = readMessagesAsked(url.searchParams)
  const [{ requests, next }, views] = await Promise.all([
    listRequests(
      shop,
      {
        show: asked.show ?? 'waiting',
        kind: asked.kind ?? null,
        assignedTo: asked.mine ? session.email.toLowerCase() : null,
      },
      readCursor(url.searchParams.get('after')),
    ),
    readViewTabs(staff, 'messages', url.searchParams),
  ])
  return {
    asked,
    views,
    mayAnswer: staffCan(session.roles, 'requests.answer'),
    rows: requests.map(rowOf),
    next: next && officePaths.officeMessages({ ...asked, after: cursorText(next) }),
  }
}

const columns = [
  { key: 'number', label: 'Number', isRowHeader: true },
  { key: 'who', label: 'From' },
  { key: 'about', label: 'About' },
  { key: 'state', label: 'State' },
  { key: 'assignedTo', label: 'Assigned to' },
  { key: 'since', label: 'Waiting since' },
]

const acts = [
  { label: 'Assign', action: officePaths.officeBulk('assign-messages') },
  { label: 'Close', action: officePaths.officeBulk('close-messages'), isStop: true },
]

const states = {
  waiting: <Tag tone="signal">Waiting</Tag>,
  answered: <Tag tone="go">Answered</Tag>,
  closed: <Tag>Closed</Tag>,
}

export default function Messages({ loaderData: { asked, views, mayAnswer, rows, next } }: Route.ComponentProps) {
  return (
    <OfficePage
      title="Messages"
      end={
        <>
          <a className="btn quiet" href={officePaths.officeBounces()}>
            Bounced
          </a>
          <a className="btn quiet" href={officePaths.officeEmails()}>
            Emails
          </a>
          <a className="btn quiet" href={officePaths.officeTemplates()}>
            Templates
          </a>
        </>
      }
    >
      <ListTabs
        label="Messages by state"
        tabs={([undefined, 'open', 'closed'] as const).map((show) => ({
          label: titles[show ?? 'waiting'],
          path: officePaths.officeMessages({ ...asked, show }),
          isOn: asked.show === show,
        }))}
        views={views}
      />
      <Filters asked={asked} />
      {rows.length === 0 ? (
        <p className="office-none">No messages here.</p>
      ) : (
        <OfficeList
          caption={`Messages and leads: ${titles[asked.show ?? 'waiting']}`}
          columns={columns}
          rows={rows.map(({ id, number, state, ...cells }) => ({
            id: String(id),
            label: number,
            path: officePaths.officeMessage(id),
            cells: { ...cells, number: <a href={officePaths.officeMessage(id)}>{number}</a>, state: states[state] },
          }))}
          field="message"
          acts={mayAnswer ? acts : []}
          layout="messages"
        />
      )}
      <ListFoot label="Pages of messages" older={next} file={views.file} />
    </OfficePage>
  )
}

const titles = { waiting: 'Waiting for an answer', open: 'Open', closed: 'Closed' } as const

function Filters({ asked }: { asked: Route.ComponentProps['loaderData']['asked'] }) {
  return (
    <ListFilters
      label="Messages"
      action={officePaths.officeMessages()}
      clear={asked.kind || asked.mine ? officePaths.officeMessages({ show: asked.show }) : null}
    >
      {asked.show ? <input type="hidden" name="show" value={asked.show} /> : null}
      <FilterChoice
        name="kind"
        label="Kind"
        value={asked.kind ?? ''}
        options={[
          ['', 'Messages and leads'],
          ['contact', 'Messages'],
          ['lead', 'Leads'],
        ]}
      />
      <FilterChoice
        name="mine"
        label="Assigned to"
        value={asked.mine ?? ''}
        options={[
          ['', 'Anyone'],
          ['yes', 'Me'],
        ]}
      />
    </ListFilters>
  )
}
