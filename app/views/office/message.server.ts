/** What the pages about messages show of a request. */
import { officePaths } from '#content/office-paths.ts'
import { requestNumber, supportZone } from '#domain/messaging/support/support.ts'
import type { Reply, RequestCursor, SupportRequest } from '#domain/messaging/support/support.server.ts'
import { phoneText } from '#platform/phone-text.ts'
import { timeText } from '#platform/time-text.ts'

/** Parses a request id from the URL; throws a 404 if invalid. */
export function readRequestId(text: string): number {
  const id = readWhole(text)
  if (id === undefined) throw new Response(null, { status: 404 })
  return id
}

/** Parses an integer from the URL; undefined if invalid. */
export function readWhole(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Serializes a page cursor for the URL, such as "12" or "12~2026-11-20T15:00:00Z". */
export function cursorText({ id, waitingSince }: RequestCursor): string {
  return waitingSince === null ? String(id) : `${id}~${waitingSince.toString()}`
}

/** Reads that again; null for anything else. */
export function readCursor(text: string | null): RequestCursor | null {
  const [, id, since] = /^(\d{1,15})(?:~([\dT:.Z-]{20,40}))?$/.exec(text ?? '') ?? []
  if (id === undefined) return null
  try {
    return { id: Number(id), waitingSince: since === undefined ? null : Temporal.Instant.from(since) }
  } catch {
    return null
  }
}

export type RequestRow = {
  id: number
  number: string
  who: string
  about: string
  since: string
  assignedTo: string
  state: 'waiting' | 'answered' | 'closed'
}

/** A request in the list; `since` is on the clock of support. */
export function rowOf(request: SupportRequest): RequestRow {
  const { id, kind, name, subject, createdAt, waitingSince, assignedTo, state } = request
  return {
    id,
    number: requestNumber(id),
    who: name,
    about: kind === 'lead' ? `Lead: ${subject}` : subject,
    since: timeText(waitingSince ?? createdAt, supportZone),
    assignedTo: assignedTo ?? '',
    state: state === 'closed' ? 'closed' : waitingSince === null ? 'answered' : 'waiting',
  }
}

/** What is known of who wrote, in labels and values. */
export function factsOf(request: SupportRequest): [string, string][] {
  const { attachment: _file, ...known } = request
  const rows: [string, string | null][] = [
    ['Name', known.name],
    ['Email', known.email],
    ['Phone', known.phone && phoneText(known.phone)],
    ['Order', known.orderNumber],
    ['Tires', known.quantity === null ? null : String(known.quantity)],
    ['Size', known.size],
    ['Vehicle', known.vehicle],
    ['Brand', known.brand],
    ['Closed', known.closedAt && `${timeText(known.closedAt, supportZone)} by ${known.closedBy}`],
  ]
  return rows.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : []))
}

export type Said = {
  kind: 'in' | 'out' | 'note'
  author: string
  time: string
  body: string
  files: { name: string; path: string }[]
}

/** Returns the thread, oldest first, with the original message, then every reply and note. */
export function threadOf(request: SupportRequest, replies: readonly Reply[]): Said[] {
  return [
    ...(isByStaff(request) ? [] : [firstOf(request)]),
    ...replies.map(({ id, kind, author, body, at, files }) => ({
      kind,
      author,
      time: timeText(at, supportZone),
      body,
      files: files.map(({ place, name }) => ({ name, path: officePaths.officeMessageFile(request.id, id, place) })),
    })),
  ]
}

/** Returns whether staff started a request about an order, so its first message is a staff reply. */
function isByStaff({ kind, message, attachment }: SupportRequest): boolean {
  return kind === 'contact' && message === '' && attachment === null
}

function firstOf(request: SupportRequest): Said {
  const { id, name, email, createdAt, message, subject, attachment } = request
  return {
    kind: 'in',
    author: `${name} <${email}>`,
    time: timeText(createdAt, supportZone),
    body: message || subject,
    files: attachment ? [{ name: attachment.name, path: officePaths.officeMessageFile(id) }] : [],
  }
}
