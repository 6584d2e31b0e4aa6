/**
 * What staff do to several rows of a list at once. A preview says of each row what will be done, or why not; each row is
 * then its own transaction, so that one refusal stops no other. What the world allows to be taken back can be undone.
 */
import type { Staff } from '#app/server/office.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { canActOn, orderNumber, parseOrderNumber } from '#domain/orders/orders.ts'
import {
  addOrderNote,
  confirmAsStaff,
  longestNote,
  noteRemovableMinutes,
  readOrder,
  removeOrderNote,
} from '#domain/orders/orders.server.ts'
import { contentRules, isRefusalReason, refusalReasons } from '#domain/reviews/reviews.ts'
import { findForModeration, publishReview, refuseReview, unpublishReview } from '#domain/reviews/reviews.server.ts'
import type { OfficeListName, Permission } from '#domain/staff/staff.ts'
import {
  assignRequest,
  closeRequest,
  findRequest,
  listAssignees,
  reopenRequest,
} from '#domain/support/support.server.ts'
import { requestNumber } from '#domain/support/support.ts'
import { isId } from '#platform/ids.ts'
import { countOf } from '#platform/count-text.ts'
import type { Shop } from '#shop'

/** A row as the preview shows it: `whyNot` is null where the act is possible. `was` is what undoing needs to know. */
export type BulkRow = { id: number; label: string; path: string; about: string; whyNot: string | null; was: string }

/** What all rows get: a text, or one of some values. */
export type BulkField =
  | { kind: 'text'; label: string; hint: string; most: number; missing: string }
  | { kind: 'choice'; label: string; options: [value: string, words: string][]; missing: string }

/** `given` is the field's value; `key` names this row of this form, so that sending it twice is once. */
type Given = { id: number; given: string; key: string; was: string }
type Done = { ok: true } | { ok: false; why: string }

/** Who reads the rows of a bulk act. */
type RowReader = Pick<Staff, 'shop' | 'session'>

export type BulkAct = {
  list: OfficeListName
  /** The name under which a row's id is sent. */
  field: 'order' | 'message' | 'review'
  permission: Permission
  title: string
  /** On the button below the list. */
  label: string
  isStop?: boolean
  /** "Confirm 3 orders" */
  button(count: number): string
  /** What will be done to each row that allows it. */
  effect: string
  readId(text: string): number | undefined
  input: ((shop: Shop) => Promise<BulkField>) | null
  readRow(reader: RowReader, id: number): Promise<BulkRow | undefined>
  does(staff: Staff, given: Given): Promise<Done>
  /** How long it can be undone, in words, and how; null where the world does not allow it. */
  undo: { words: string; does(staff: Staff, given: Given): Promise<Done> } | null
}

const readWhole = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)
const counted = (verb: string, noun: string) => (count: number) => `${verb} ${countOf(count, noun)}`
const done: Done = { ok: true }
const refusedFor = (why: string): Done => ({ ok: false, why })
const revoked = 'Your role was revoked in the meantime.'

const onOrders = {
  list: 'orders',
  field: 'order',
  readId: (text) => parseOrderNumber(text),
} as const satisfies Partial<BulkAct>

const onMessages = {
  list: 'messages',
  field: 'message',
  permission: 'requests.answer',
  readId: readWhole,
} as const satisfies Partial<BulkAct>

const onReviews = {
  list: 'reviews',
  field: 'review',
  permission: 'reviews.decide',
  readId: readWhole,
} as const satisfies Partial<BulkAct>

async function orderRow(
  { shop, session }: RowReader,
  id: number,
  whyNot: (order: NonNullable<Awaited<ReturnType<typeof readOrder>>>) => string | null,
): Promise<BulkRow | undefined> {
  const order = await readOrder(shop.db, id)
  return (
    order && {
      id,
      label: orderNumber(id),
      path: officePaths.officeOrder(id),
      about: customerFieldsFor(session.roles).show(`${order.firstName} ${order.lastName}`),
      whyNot: whyNot(order),
      was: '',
    }
  )
}

async function messageRow(
  shop: Shop,
  id: number,
  whyNot: (request: NonNullable<Awaited<ReturnType<typeof findRequest>>>) => string | null,
): Promise<BulkRow | undefined> {
  const request = await findRequest(shop, id)
  return (
    request && {
      id,
      label: requestNumber(id),
      path: officePaths.officeMessage(id),
      about: `${request.name}: ${request.subject}`,
      whyNot: whyNot(request),
      was: request.assignedTo ?? '',
    }
  )
}

async function reviewRow(shop: Shop, id: number, can: readonly string[]): Promise<BulkRow | undefined> {
  const [review] = await findForModeration(shop, [id])
  return (
    review && {
      id,
      label: `Review ${id}`,
      path: officePaths.officeReviews({ state: review.state }),
      about: `${review.tire}: ${review.summary}`,
      whyNot: can.includes(review.state) ? null : `It is ${review.state === 'waiting' ? 'to read' : review.state}.`,
      was: '',
    }
  )
}

const requestRefusals = {
  'not-allowed': revoked,
  'request-not-found': 'This message is not there.',
  'not-staff': 'That person cannot answer messages now.',
  'already-closed': 'A colleague closed it in the meantime.',
  'already-open': 'A colleague reopened it in the meantime.',
  'sent-again': 'The sender has sent the same text again since, and that message is open.',
} as const

async function assign(staff: Staff, { id, to }: { id: number; to: string }): Promise<Done> {
  const assigned = await assignRequest(staff.shop, staff.actor, { id, to: to === 'nobody' || to === '' ? null : to })
  return assigned.ok ? done : refusedFor(requestRefusals[assigned.reason])
}

export const bulkActs: Readonly<Record<string, BulkAct>> = {
  'confirm-orders': {
    ...onOrders,
    permission: 'orders.confirm',
    title: 'Confirm orders',
    label: 'Confirm',
    button: counted('Confirm', 'order'),
    effect: 'Confirmed. The customer gets an email, and the order is charged and shipped after its cancel window.',
    input: () =>
      Promise.resolve({
        kind: 'text',
        label: 'Reason',
        hint: 'Goes into the audit log. Customers do not see it.',
        most: 400,
        missing: 'Say why, for the audit log.',
      }),
    readRow: (reader, id) =>
      orderRow(reader, id, (order) => {
        const allowed = canActOn(order, 'confirm', reader.shop.clock.now())
        return allowed.can ? null : allowed.reason
      }),
    does: async ({ shop, actor }, { id, given }) => {
      const confirmed = await confirmAsStaff(shop, actor, { orderId: id, reason: given })
      if (confirmed.ok) return done
      return refusedFor(confirmed.reason === 'not-possible' ? confirmed.detail.why : revoked)
    },
    // Its customer has an email that says it is confirmed.
    undo: null,
  },
  'note-orders': {
    ...onOrders,
    permission: 'orders.note',
    title: 'Add a note to orders',
    label: 'Add a note',
    button: counted('Add the note to', 'order'),
    effect: 'The note is added. Customers never see it.',
    input: () =>
      Promise.resolve({
        kind: 'text',
        label: 'Note',
        hint: 'Staff see it on the page of each order.',
        most: longestNote,
        missing: 'Write the note.',
      }),
    readRow: (reader, id) => orderRow(reader, id, () => null),
    does: async ({ shop, actor }, { id, given, key }) => {
      const noted = await addOrderNote(shop, { orderId: id, body: given, actor, key })
      return noted.ok ? done : refusedFor(noted.reason === 'not-allowed' ? revoked : 'The note was not added.')
    },
    undo: {
      words: `Removes the notes again, within ${countOf(noteRemovableMinutes, 'minute')}.`,
      does: async ({ shop, actor }, { id, key }) => {
        const removed = await removeOrderNote(shop, { orderId: id, key, actor })
        return removed.ok ? done : refusedFor(removed.reason === 'gone' ? 'It is gone, or older than that.' : revoked)
      },
    },
  },
  'assign-messages': {
    ...onMessages,
    title: 'Assign messages',
    label: 'Assign',
    button: counted('Assign', 'message'),
    effect: 'Assigned to the person you choose.',
    input: async (shop) => ({
      kind: 'choice',
      label: 'Assign to',
      options: [['nobody', 'No one'], ...(await listAssignees(shop)).map((email): [string, string] => [email, email])],
      missing: 'Choose a person.',
    }),
    readRow: ({ shop }, id) => messageRow(shop, id, () => null),
    does: (staff, { id, given }) => assign(staff, { id, to: given }),
    undo: { words: 'Gives each back to whoever had it.', does: (staff, { id, was }) => assign(staff, { id, to: was }) },
  },
  'close-messages': {
    ...onMessages,
    title: 'Close messages',
    label: 'Close',
    isStop: true,
    button: counted('Close', 'message'),
    effect: 'Closed without an email. An answer of the sender opens it again.',
    input: null,
    readRow: ({ shop }, id) =>
      messageRow(shop, id, ({ state }) => (state === 'closed' ? 'It is closed already.' : null)),
    does: async ({ shop, actor }, { id }) => {
      const closed = await closeRequest(shop, actor, id)
      return closed.ok ? done : refusedFor(requestRefusals[closed.reason])
    },
    undo: {
      words: 'Opens them again.',
      does: async ({ shop, actor }, { id }) => {
        const opened = await reopenRequest(shop, actor, id)
        return opened.ok ? done : refusedFor(requestRefusals[opened.reason])
      },
    },
  },
  'publish-reviews': {
    ...onReviews,
    title: 'Publish reviews',
    label: 'Publish',
    button: counted('Publish', 'review'),
    effect: 'Published. The writer gets an email.',
    input: null,
    readRow: ({ shop }, id) => reviewRow(shop, id, ['waiting']),
    does: async ({ shop, actor }, { id }) => {
      const published = await publishReview(shop, { reviewId: id, by: actor })
      if (published.ok) return done
      return refusedFor(published.reason === 'not-allowed' ? revoked : 'A colleague decided on it in the meantime.')
    },
    undo: {
      words: 'Takes them off the store, back to those to read. The email to the writers is not taken back.',
      does: async ({ shop, actor }, { id }) => {
        const back = await unpublishReview(shop, { reviewId: id, by: actor })
        if (back.ok) return done
        return refusedFor(back.reason === 'not-allowed' ? revoked : 'It is not published.')
      },
    },
  },
  'refuse-reviews': {
    ...onReviews,
    title: 'Refuse reviews',
    label: 'Refuse',
    isStop: true,
    button: counted('Refuse', 'review'),
    effect: 'Refused for the rule you choose, which the writer is told by email.',
    input: () =>
      Promise.resolve({
        kind: 'choice',
        label: 'Rule they break',
        options: refusalReasons.map((reason): [string, string] => [reason, contentRules[reason].told]),
        missing: 'Choose the rule that they break.',
      }),
    readRow: ({ shop }, id) => reviewRow(shop, id, ['waiting', 'published']),
    does: async ({ shop, actor }, { id, given }) => {
      if (!isRefusalReason(given)) return refusedFor('Choose the rule that they break.')
      const refused = await refuseReview(shop, { reviewId: id, reason: given, by: actor })
      if (refused.ok) return done
      return refusedFor(refused.reason === 'not-allowed' ? revoked : 'A colleague decided on it in the meantime.')
    },
    // Its writer has an email that says why.
    undo: null,
  },
}

/** In rows: as many as a page of the list has. */
export const mostAtOnce = 50

/** The rows that an address names, each once; what is no row is dropped. */
export function readBulkIds(act: BulkAct, named: readonly string[]): number[] {
  const ids = named.slice(0, mostAtOnce).map((text) => act.readId(text))
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** The rows of a preview's form, each with its key: its fields are named "row-7", since of two equal names one counts. */
export function readBulkKeys(fields: URLSearchParams): Map<number, string> {
  const rows = [...fields].flatMap(([name, key]): [number, string][] => {
    const [, id] = /^row-(\d{1,12})$/.exec(name) ?? []
    return id !== undefined && isId(key) ? [[Number(id), key]] : []
  })
  return new Map(rows.slice(0, mostAtOnce))
}

/** The rows in the order in which they were named; those that do not exist are left out. */
export async function readBulkRows(reader: RowReader, act: BulkAct, ids: readonly number[]): Promise<BulkRow[]> {
  const rows: BulkRow[] = []
  for (const id of ids) {
    const row = await act.readRow(reader, id)
    if (row) rows.push(row)
  }
  return rows
}

export type BulkResult = { label: string; path: string; why: string | null; undo: string | null }

/** Does it to one row after the other, each in its own transaction; a row that refuses stops no other. */
export async function performBulk(
  staff: Staff,
  act: BulkAct,
  { rows, given, keys }: { rows: readonly BulkRow[]; given: string; keys: ReadonlyMap<number, string> },
): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (const row of rows) {
    const { id, was, label, path, whyNot } = row
    const key = keys.get(id) ?? ''
    const result = whyNot === null ? await act.does(staff, { id, given, key, was }) : refusedFor(whyNot)
    const undo = result.ok && act.undo ? [id, key, was].join(' ') : null
    results.push({ label, path, why: result.ok ? null : result.why, undo })
  }
  return results
}

/** Takes back what the lines of a result name; each in its own transaction. */
export async function undoBulk(staff: Staff, act: BulkAct, lines: readonly string[]): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (const line of lines.slice(0, mostAtOnce)) {
    const [, id = '', key = '', was = ''] = /^(\d{1,12}) ([0-9a-f-]{36}) (\S{0,254})$/.exec(line) ?? []
    const row = id === '' ? undefined : await act.readRow(staff, Number(id))
    if (!row || !act.undo) continue
    const result = await act.undo.does(staff, { id: Number(id), given: '', key, was })
    results.push({ label: row.label, path: row.path, why: result.ok ? null : result.why, undo: null })
  }
  return results
}
