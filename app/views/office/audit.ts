/** The audit log's URL parameters, and its changes as text. */
import { isAct } from '#domain/kernel/staff/staff.ts'
import type { listAudit } from '#domain/kernel/staff/staff.server.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { instantsOf, readDay } from './times.ts'

export type AuditAsked = { who: string; what: string; subject: string; from: string; to: string }

/** The filters in the address; an invalid one counts as absent. */
export function readAuditAsked(query: URLSearchParams): AuditAsked {
  const text = (name: string) => (query.get(name) ?? '').replaceAll('\0', '').trim().slice(0, 254)
  const what = text('what')
  return {
    who: text('who').toLowerCase(),
    what: isAct(what) ? what : '',
    subject: subjectOf(text('subject')),
    from: readDay(text('from')),
    to: readDay(text('to')),
  }
}

/** Subjects are emails in lowercase, or numbers such as S-104001. */
function subjectOf(text: string): string {
  return /^[a-z]{1,2}-\d/i.test(text) ? text.toUpperCase() : text.includes('@') ? text.toLowerCase() : text
}

/** Returns the query for a URL, from the newest entry. Days are in the store's time zone. */
export function auditQueryOf({ who, what, subject, from, to }: AuditAsked): Parameters<typeof listAudit>[1] {
  return {
    actor: who || null,
    act: isAct(what) ? what : null,
    subject: subject || null,
    ...instantsOf({ from, to }),
    before: null,
  }
}

/** Returns the recorded values before or after a change as text; empty without any. */
export function changeText(when: 'before' | 'after', record: unknown): string {
  const values = Object.entries(record ?? {}).filter(([, value]) => value !== null)
  if (values.length === 0) return ''
  return `${when} ${values.map(([name, value]) => `${name} ${valueText(value)}`).join(', ')}`
}

/** Times are recorded as instants, and are shown in the store's time zone. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/.test(text)) return text
  try {
    return timeText(Temporal.Instant.from(text), storeZone)
  } catch {
    // A text that staff entered can look like a time.
    return text
  }
}
