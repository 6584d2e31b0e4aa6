/** The definition of a list's bulk action, which staff apply to several selected rows. */
import type { Staff } from '#app/server/office.server.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

/** A row's ID, either a number or a key. */
export type RowId = number | string

/**
 * A row in the preview; `whyNot` is null if the action is possible. `effect` describes what happens to this row, if it
 * differs from the others. `agreed` is submitted with the form, so that only the previewed action is performed. `was`
 * is the data for undo, and `costCents` is in the total of the preview.
 */
export type BulkRow = {
  id: RowId
  label: string
  path: string
  about: string
  whyNot: string | null
  was: string
  effect?: string
  agreed?: string
  costCents?: number
}

/** The input that a bulk action applies to every row. It is free text or a choice from a list. */
export type BulkField =
  | { kind: 'text'; label: string; hint: string; most: number; missing: string; isOptional?: boolean }
  | { kind: 'choice'; label: string; options: [value: string, words: string][]; missing: string }

/** `given` is the field's value; `key` names this row of this form, so that sending it twice is once. */
export type Given<Id extends RowId = number> = { id: Id; given: string; key: string; was: string; agreed: string }
/** `what` is the result of a row, if it differs from the others. */
export type Done = { ok: true; what?: string } | { ok: false; why: string }

/** The user viewing a bulk action's rows. */
export type RowReader = Pick<Staff, 'app' | 'session' | 'actor'>

/** The shared part of bulk actions. */
type BulkBase<Id extends RowId> = {
  permission: Permission
  title: string
  /** On the button below the list. */
  label: string
  isStop?: boolean
  /** "Confirm 3 orders" */
  button(count: number): string
  /** What will be done to each row that allows it. */
  effect: string
  readRow(reader: RowReader, id: Id): Promise<BulkRow | undefined>
  /** How many rows are possible at once, and the message for the others. */
  limit?: { rows: number; message: string }
}

/** A bulk action that changes each row. */
export type BulkChange<Id extends RowId = number> = BulkBase<Id> & {
  file?: undefined
  input: ((app: Application) => Promise<BulkField>) | null
  does(staff: Staff, given: Given<Id>): Promise<Done>
  /** Returns the cost of a row in cents, with its effect, or why it isn't possible. Only the preview reads it. */
  readCost?(reader: RowReader, id: Id): Promise<{ costCents: number; effect: string } | { whyNot: string }>
  /** How many rows are done at the same time, for actions that wait for another system; 1 by default. */
  concurrency?: number
  /** How long it can be undone, in words, and how; null where the world does not allow it. */
  undo: { words: string; does(staff: Staff, given: Omit<Given<Id>, 'agreed'>): Promise<Done> } | null
}

/** A bulk action that opens one file with the rows. */
export type BulkFile<Id extends RowId = number> = BulkBase<Id> & {
  /** The file's path, and the name of the query parameter with the row IDs, separated by commas. */
  file: { path: string; field: string }
  limit: { rows: number; message: string }
}

export type BulkAct<Id extends RowId = number> = BulkChange<Id> | BulkFile<Id>

/** A list's bulk actions, by URL value. */
export type BulkActs<Id extends RowId = number> = {
  /** The name under which the id of a selected row is sent. */
  field: string
  readId(text: string): Id | undefined
  /** A row's ID in its list, if it isn't the number. */
  writeId?(id: Id): string
  acts: Readonly<Record<string, BulkAct<Id>>>
}

/** In rows. */
export const mostAtOnce = 100

export const readWhole = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)
export const counted = (verb: string, noun: string) => (count: number) => `${verb} ${countOf(count, noun)}`
export const done: Done = { ok: true }
export const refusedFor = (why: string): Done => ({ ok: false, why })
export const revoked = 'You no longer have permission to do this.'
