/** Imports files of coupons and rebates as drafts. */
import { isDeepStrictEqual } from 'node:util'
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { readUploadedTable } from '#platform/uploaded-table.server.ts'
import { withoutFaults } from '#platform/without-faults.server.ts'
import {
  draftFileColumns,
  draftFileFault,
  maxDraftFileBytes,
  maxDraftFileRows,
  readDraftFile,
  type DraftFile,
  type DraftFileRow,
} from './draft-file.ts'
import type { NotADraft } from './draft-kind.server.ts'
import type { SubjectRefusal } from './drafts.server.ts'
import { filterOfOneMessage, unknownPartMessages } from './offer-fields.ts'
import { lockDraftImport } from './promotions.sql.server.ts'

type Saved = 'drafted' | 'changed' | 'same'
export type RowFault = { field: string; message: string }

/** How one kind of draft is imported. */
type DraftImport<Field extends string, Change, Row, Refusal extends Refused<string, unknown>> = {
  file: DraftFile<Field, Change>
  find: (tx: Tx, id: number) => Promise<Row | undefined>
  /** The terms of a stored row, as its form has them. */
  termsOf: (row: Row) => Change
  /** Both save in the transaction of a permitted actor. */
  change: (
    tx: Tx,
    by: Actor,
    change: { id: number; change: Change; at: Temporal.Instant },
  ) => Promise<Outcome<unknown, Refusal>>
  add: (tx: Tx, by: Actor, change: Change, at: Temporal.Instant) => Promise<Outcome<unknown, Refusal>>
  faultOf: (refusal: Refusal) => RowFault
}

export type ImportedDrafts = Outcome<
  { drafted: number; changed: number },
  Refused<'not-allowed'> | Refused<'faults', string[]>
>

/**
 * Drafts a row without an ID, and changes the draft of every other one. A row that equals the stored one has no effect.
 * A file with a fault imports no rows; `faults` has every error by line and column.
 */
export async function importDrafts<Field extends string, Change, Row, Refusal extends Refused<string, unknown>>(
  kind: DraftImport<Field, Change, Row, Refusal>,
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
  text: string,
): Promise<ImportedDrafts> {
  const table = readUploadedTable(text, {
    columns: draftFileColumns(kind.file).required,
    maxBytes: maxDraftFileBytes,
    maxRows: maxDraftFileRows,
  })
  if (!table.ok) return table
  const { rows, faults } = readDraftFile(kind.file, table.value)
  if (faults.length > 0) return refused('faults', faults)
  return withoutFaults(db, async (tx, found) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'promotions.edit', at)
    if (!permitted.ok) return permitted
    await lockDraftImport(tx, kind.file.noun)
    const saved: Saved[] = []
    for (const row of rows) {
      const outcome = await saveRow(kind, tx, by, { row, at })
      if (outcome.ok) saved.push(outcome.value)
      else found.push(draftFileFault(kind.file, row.line, outcome.detail))
    }
    const count = (what: Saved) => saved.filter((each) => each === what).length
    return ok({ drafted: count('drafted'), changed: count('changed') })
  })
}

async function saveRow<Field extends string, Change, Row, Refusal extends Refused<string, unknown>>(
  kind: DraftImport<Field, Change, Row, Refusal>,
  tx: Tx,
  by: Actor,
  { row: { id, change }, at }: { row: DraftFileRow<Change>; at: Temporal.Instant },
): Promise<Outcome<Saved, Refused<'fault', RowFault>>> {
  const { noun } = kind.file
  const fault = (field: string, message: string) => refused('fault', { field, message })
  if (id === null) {
    const added = await kind.add(tx, by, change, at)
    return added.ok ? ok('drafted') : refused('fault', kind.faultOf(added))
  }
  const found = await kind.find(tx, id)
  if (!found) return fault('id', `No ${noun} has this ID. Leave it empty for a new ${noun}.`)
  if (isDeepStrictEqual(plain(kind.termsOf(found)), plain(change))) return ok('same')
  const changed = await kind.change(tx, by, { id, change, at })
  return changed.ok ? ok('changed') : refused('fault', kind.faultOf(changed))
}

/** Times as text, because they have no properties to compare. */
const plain = (terms: unknown): unknown => JSON.parse(JSON.stringify(terms))

/** Explains the refusals that all kinds of drafts have. */
export function draftFault(
  noun: DraftFile<never, never>['noun'],
  refusal: NotADraft | Exclude<SubjectRefusal, Refused<'no-subject'>>,
): RowFault {
  switch (refusal.reason) {
    case 'no-filter':
      return { field: refusal.detail, message: unknownPartMessages[refusal.detail] }
    case 'filter-of-one':
      return { field: refusal.detail, message: filterOfOneMessage }
    case 'changed-meanwhile':
      return { field: 'version', message: 'This draft was changed after the export. Export the file again.' }
    case 'gone':
    case 'not-allowed':
    case 'other-state':
      return { field: 'id', message: `Only drafts can be changed. Leave the ID empty to draft a new ${noun}.` }
  }
}
