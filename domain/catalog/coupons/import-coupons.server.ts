/** Imports a file of coupons as drafts. */
import { isDeepStrictEqual } from 'node:util'
import { filterOfOneMessage, filterValues, unknownPartMessages } from '#domain/catalog/promotions/promotions.ts'
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { readUploadedTable } from '#platform/uploaded-table.server.ts'
import {
  couponFault,
  maxCouponBytes,
  maxCouponRows,
  readCouponRows,
  requiredCouponColumns,
  type CouponFileField,
  type CouponFileRow,
} from './coupon-file.ts'
import { couponSubjectMessages, type CouponChange } from './coupons.ts'
import { lockCouponImport, selectCoupon, selectDraftOf, type OfficeCoupon } from './coupons.sql.server.ts'
import { addDraft, couponDrafts, findCouponSubject, type CouponSubjectRefusal } from './office-coupons.server.ts'

/** A row that can't be imported, with its field and the reason. */
type RowRefusal = Refused<'fault', { field: CouponFileField; message: string }>
type Saved = 'drafted' | 'changed' | 'same'

/**
 * Drafts a coupon for each row without an ID, and changes the draft of every other one. A row that equals its coupon
 * has no effect. All rows are imported, or none; `faults` has every error by line and column.
 */
export async function importCoupons(
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
  text: string,
): Promise<Outcome<{ drafted: number; changed: number }, Refused<'not-allowed'> | Refused<'faults', string[]>>> {
  const table = readUploadedTable(text, {
    columns: requiredCouponColumns,
    maxBytes: maxCouponBytes,
    maxRows: maxCouponRows,
  })
  if (!table.ok) return table
  const { rows, faults } = readCouponRows(table.value)
  if (faults.length > 0) return refused('faults', faults)
  try {
    return await db.transaction().execute(async (tx) => {
      const at = clock.now()
      const permitted = await requirePermission(tx, by, 'promotions.edit', at)
      if (!permitted.ok) return permitted
      await lockCouponImport(tx)
      const saved: Saved[] = []
      for (const row of rows) {
        const outcome = await saveRow(tx, by, row, at)
        if (outcome.ok) saved.push(outcome.value)
        else faults.push(couponFault(row.line, outcome.detail.field, outcome.detail.message))
      }
      if (faults.length > 0) throw new Faulty()
      const count = (what: Saved) => saved.filter((each) => each === what).length
      return ok({ drafted: count('drafted'), changed: count('changed') })
    })
  } catch (error) {
    if (error instanceof Faulty) return refused('faults', faults)
    throw error
  }
}

/** Rolls back all rows of a file with faults. */
class Faulty extends Error {}

const fault = (field: CouponFileField, message: string): RowRefusal => refused('fault', { field, message })

async function saveRow(
  tx: Tx,
  by: Actor,
  { id, change }: CouponFileRow,
  at: Temporal.Instant,
): Promise<Outcome<Saved, RowRefusal>> {
  if (id === null) return draftRow(tx, by, change, at)
  const coupon = await selectCoupon(tx, id)
  if (!coupon) return fault('id', 'No coupon has this ID. Leave it empty for a new coupon.')
  if (isDeepStrictEqual(termsOf(coupon), { ...change, version: coupon.version })) return ok('same')
  const changed = await couponDrafts.changeWithin(tx, by, { id, change, at })
  return changed.ok ? ok('changed') : rowRefusalOf(changed)
}

async function draftRow(
  tx: Tx,
  by: Actor,
  change: CouponChange,
  at: Temporal.Instant,
): Promise<Outcome<Saved, RowRefusal>> {
  const { version: _, ...terms } = change
  const twin = await selectDraftOf(tx, terms.code)
  if (twin !== undefined)
    return fault('code', `Draft ${twin} has this code. Enter its ID and version to change it, or use another code.`)
  const on = await findCouponSubject(tx, terms)
  if (!on.ok) return rowRefusalOf(on)
  await addDraft(tx, by, { draft: { ...terms, formKey: newId(), replaces: null }, on: on.value, at })
  return ok('drafted')
}

function rowRefusalOf(
  refusal: CouponSubjectRefusal | Extract<Awaited<ReturnType<typeof couponDrafts.changeWithin>>, { ok: false }>,
): RowRefusal {
  switch (refusal.reason) {
    case 'no-filter':
      return fault(refusal.detail, unknownPartMessages[refusal.detail])
    case 'filter-of-one':
      return fault(refusal.detail, filterOfOneMessage)
    case 'no-subject':
    case 'not-free':
      return fault('subject', couponSubjectMessages[refusal.reason])
    case 'changed-meanwhile':
      return fault('version', 'This draft was changed after the export. Export the file again.')
    case 'gone':
    case 'not-allowed':
    case 'other-state':
      return fault('id', 'Only drafts can be changed. Leave the ID empty to draft a new coupon.')
  }
}

/** The terms of a coupon as a row has them. */
function termsOf(coupon: OfficeCoupon): CouponChange {
  const { code, name, kind, amount, subjectKey, filter, fundedBy, stacks, advertised, usesMost, personMost } = coupon
  const parts = Object.entries(filterValues(filter)).map(([part, value]) => [part, value === '' ? null : value])
  return {
    code,
    name,
    kind,
    amount,
    subject: subjectKey,
    ...(Object.fromEntries(parts) as Pick<CouponChange, keyof ReturnType<typeof filterValues>>),
    fundedBy,
    stacks,
    minimum: coupon.minimumCents,
    advertised,
    usesMost,
    personMost,
    version: coupon.version,
  }
}
