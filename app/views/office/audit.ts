/** The audit log's URL parameters. */
import { isAct } from '#domain/kernel/staff/staff.ts'
import type { listAudit } from '#domain/kernel/staff/staff.server.ts'
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
