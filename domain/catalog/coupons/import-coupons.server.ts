/** Imports a file of coupons as drafts. */
import {
  draftFault,
  importDrafts,
  type ImportedDrafts,
  type NotADraft,
  type RowFault,
} from '#domain/catalog/promotions/promotions.server.ts'
import { filterValues } from '#domain/catalog/promotions/promotions.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { refused, ok, type Outcome, type Refused } from '#platform/outcome.ts'
import { couponFile } from './coupon-file.ts'
import { couponSubjectMessages, type CouponChange } from './coupons.ts'
import { selectCoupon, selectDraftOf, type OfficeCoupon } from './coupons.sql.server.ts'
import { addDraft, couponDrafts, findCouponSubject, type CouponSubjectRefusal } from './office-coupons.server.ts'

type Refusal = NotADraft | CouponSubjectRefusal | Refused<'drafted-before', number>

/** Imports a file of coupons, or refuses it with its faults. */
export function importCoupons(deps: { db: Database; clock: Clock }, by: Actor, text: string): Promise<ImportedDrafts> {
  return importDrafts({ file: couponFile, find: selectCoupon, termsOf, change, add, faultOf }, deps, by, text)
}

const change = (...args: Parameters<typeof couponDrafts.changeWithin>): Promise<Outcome<null, Refusal>> =>
  couponDrafts.changeWithin(...args)

async function add(tx: Tx, by: Actor, typed: CouponChange, at: Temporal.Instant): Promise<Outcome<number, Refusal>> {
  const { version: _, ...terms } = typed
  const twin = await selectDraftOf(tx, terms.code)
  if (twin !== undefined) return refused('drafted-before', twin)
  const on = await findCouponSubject(tx, terms)
  if (!on.ok) return on
  return ok(await addDraft(tx, by, { draft: { ...terms, formKey: newId(), replaces: null }, on: on.value, at }))
}

function faultOf(refusal: Refusal): RowFault {
  switch (refusal.reason) {
    case 'drafted-before': {
      const message = `Draft ${refusal.detail} has this code. Enter its ID and version to change it, or use another code.`
      return { field: 'code', message }
    }
    case 'no-subject':
    case 'not-free':
      return { field: 'subject', message: couponSubjectMessages[refusal.reason] }
    default:
      return draftFault('coupon', refusal)
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
