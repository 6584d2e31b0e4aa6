/** The audit log, newest first. */
import { defineList, idPlace, placeOfId, time, rowAtId } from '#app/office/define-list.server.ts'
import { auditQueryOf, readAuditAsked } from '#app/views/office/audit.ts'
import { officePaths } from '#content/office-paths.ts'
import { actLabel, acts } from '#domain/kernel/staff/staff.ts'
import { changeText, listAudit } from '#domain/kernel/staff/staff.server.ts'

export const audit = defineList({
  name: 'audit',
  title: 'Audit log',
  path: officePaths.officeAudit(),
  permission: 'audit.read',
  caption: 'Audit log, newest first',
  nouns: ['entry', 'entries'],
  filters: [
    { kind: 'text', name: 'who', label: 'Staff member', max: 254 },
    { kind: 'choice', name: 'what', label: 'Activity', options: Object.entries(acts) },
    { kind: 'text', name: 'subject', label: 'Subject', max: 254 },
    { kind: 'days', label: 'When' },
  ],
  columns: [
    { key: 'at', label: 'When', kind: 'time', isFixed: true },
    { key: 'actor', label: 'Staff member', isFixed: true },
    { key: 'via', label: 'Via', isFileOnly: true },
    { key: 'act', label: 'Activity' },
    { key: 'subject', label: 'Subject' },
    { key: 'change', label: 'Change and reason' },
    { key: 'where', label: 'From' },
    { key: 'before', label: 'Before', isFileOnly: true },
    { key: 'after', label: 'After', isFileOnly: true },
    { key: 'reason', label: 'Reason', isFileOnly: true },
  ],
  rowAt: (_reader, id) => rowAtId(id, 'highest first'),
  read: async ({ app }, { filters, after, before }) => {
    const query = auditQueryOf(readAuditAsked(new URLSearchParams({ ...filters })))
    const { entries, next } = await listAudit(app, { ...query, before: idPlace(after ?? before) })
    return {
      rows: entries.map((entry) => ({
        id: String(entry.id),
        label: `Entry ${entry.id}`,
        path: null,
        cells: {
          at: time(entry.at),
          actor: entry.actor,
          via: entry.via,
          act: actLabel(entry.act),
          subject: entry.subject,
          change: [changeText(entry), entry.reason].filter(Boolean).join('. '),
          where: entry.networkKey === null ? entry.via : `${entry.via}, network ${entry.networkKey.slice(0, 6)}`,
          before: entry.before === null ? null : JSON.stringify(entry.before),
          after: entry.after === null ? null : JSON.stringify(entry.after),
          reason: entry.reason,
        },
      })),
      next: placeOfId(next),
    }
  },
})
