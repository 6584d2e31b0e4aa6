/** What a bulk act of a list is made of: something that staff do to several selected rows at once. */
import type { Staff } from '#app/server/office.server.ts'
import type { Permission } from '#domain/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'
import type { Shop } from '#shop'

/**
 * A row as the preview shows it: `whyNot` is null where the act is possible. `effect` says what happens to this row, if
 * that is more than what happens to all of them; `agreed` comes back with the form, so that what was shown is what is
 * done. `was` is what undoing needs to know.
 */
export type BulkRow = {
  id: number
  label: string
  path: string
  about: string
  whyNot: string | null
  was: string
  effect?: string
  agreed?: string
}

/** What all rows get: a text, or one of some values. */
export type BulkField =
  | { kind: 'text'; label: string; hint: string; most: number; missing: string; isOptional?: boolean }
  | { kind: 'choice'; label: string; options: [value: string, words: string][]; missing: string }

/** `given` is the field's value; `key` names this row of this form, so that sending it twice is once. */
export type Given = { id: number; given: string; key: string; was: string; agreed: string }
export type Done = { ok: true } | { ok: false; why: string }

/** Who reads the rows of a bulk act. */
export type RowReader = Pick<Staff, 'shop' | 'session'>

export type BulkAct = {
  permission: Permission
  title: string
  /** On the button below the list. */
  label: string
  isStop?: boolean
  /** "Confirm 3 orders" */
  button(count: number): string
  /** What will be done to each row that allows it. */
  effect: string
  input: ((shop: Shop) => Promise<BulkField>) | null
  readRow(reader: RowReader, id: number): Promise<BulkRow | undefined>
  does(staff: Staff, given: Given): Promise<Done>
  /** How long it can be undone, in words, and how; null where the world does not allow it. */
  undo: { words: string; does(staff: Staff, given: Omit<Given, 'agreed'>): Promise<Done> } | null
}

/** The bulk acts of a list, by the word that names each in addresses. */
export type BulkActs = {
  /** The name under which the id of a selected row is sent. */
  field: string
  readId(text: string): number | undefined
  acts: Readonly<Record<string, BulkAct>>
}

export const readWhole = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)
export const counted = (verb: string, noun: string) => (count: number) => `${verb} ${countOf(count, noun)}`
export const done: Done = { ok: true }
export const refusedFor = (why: string): Done => ({ ok: false, why })
export const revoked = 'You no longer have permission to do this.'
