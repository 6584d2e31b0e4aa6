import { requireStaff } from '#app/server/office.server.ts'
import { auditQueryOf, readAuditAsked } from '#app/views/office-audit.ts'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listAudit, type AuditEntry } from '#domain/staff/staff.server.ts'
import { acts, isAct } from '#domain/staff/staff.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { DateRange } from '#app/ui/office/date-range.tsx'
import { FilterChoice, FilterText, ListFilters, ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import type { Route } from './+types/audit.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Audit log', officePaths.officeAudit())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'audit.read', officePaths.officeAudit() + url.search)
  const asked = readAuditAsked(url.searchParams)
  const [{ entries, next }, views] = await Promise.all([
    listAudit(staff.shop, { ...auditQueryOf(asked), before: readBefore(url.searchParams.get('before')) }),
    readViewTabs(staff, 'audit', url.searchParams),
  ])
  return {
    asked,
    views,
    isFiltered: Object.values(asked).some((value) => value !== ''),
    entries: entries.map(viewOf),
    next: next === null ? null : officePaths.officeAudit({ ...asked, before: next }),
  }
}

function readBefore(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}

function viewOf({ id, at, actor, via, networkKey, act, subject, before, after, reason }: AuditEntry) {
  return {
    id,
    at: timeText(at, storeZone),
    actor,
    where: networkKey === null ? via : `${via}, network ${networkKey.slice(0, 6)}`,
    act: isAct(act) ? acts[act] : act,
    subject,
    change: [before === null ? [] : `before ${wordsOf(before)}`, after === null ? [] : `after ${wordsOf(after)}`]
      .flat()
      .join(', '),
    reason,
  }
}

function wordsOf(record: unknown): string {
  return Object.entries(record ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')
}

export default function Audit({ loaderData }: Route.ComponentProps) {
  const { asked, views, isFiltered, entries, next } = loaderData
  return (
    <OfficePage title="Audit log">
      <ListTabs
        label="Views of the audit log"
        tabs={[{ label: 'All acts', path: officePaths.officeAudit(), isOn: !isFiltered }]}
        views={views}
      />
      <Filters asked={asked} clear={isFiltered ? officePaths.officeAudit() : null} />
      {entries.length === 0 ? <p className="office-none">No entries match.</p> : <Entries entries={entries} />}
      <ListFoot label="Pages of entries" older={next} file={views.file} />
    </OfficePage>
  )
}

type View = Route.ComponentProps['loaderData']

function Filters({ asked, clear }: Pick<View, 'asked'> & { clear: string | null }) {
  return (
    <ListFilters label="Audit log" action={officePaths.officeAudit()} clear={clear}>
      <FilterText name="who" label="Staff member" value={asked.who} most={254} />
      <FilterChoice name="what" label="Act" value={asked.what} options={[['', 'Any'], ...Object.entries(acts)]} />
      <FilterText name="subject" label="Subject" value={asked.subject} most={254} />
      <DateRange label="When" from={asked.from} to={asked.to} />
    </ListFilters>
  )
}

const columns = [
  { key: 'at', label: 'When', isRowHeader: true },
  { key: 'actor', label: 'Staff member' },
  { key: 'act', label: 'Act' },
  { key: 'subject', label: 'Subject' },
  { key: 'change', label: 'Change and reason' },
  { key: 'where', label: 'From' },
]

function Entries({ entries }: Pick<View, 'entries'>) {
  return (
    <Panel id="entries" title="Entries" note="newest first">
      <DataTable
        caption="Entries of the audit log"
        columns={columns}
        rows={entries.map(({ id, at, actor, where, act, subject, change, reason }) => ({
          id: String(id),
          cells: { at, actor, act, subject, change: [change, reason].filter(Boolean).join('. '), where },
        }))}
      />
    </Panel>
  )
}
