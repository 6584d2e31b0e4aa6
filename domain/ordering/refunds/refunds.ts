/** Reasons, cost allocation, and the form for staff refunds. Safe in the browser. */
import { optionalText, rowFields, ticked } from '#platform/form-fields.ts'
import { parseDollars } from '#platform/money.ts'
import { z } from 'zod'
import type { AskedUnits } from './refund-lines.ts'
import { refundReasons, type RefundReason } from './refund-reasons.ts'

export { refundReasons, type RefundReason } from './refund-reasons.ts'
export {
  listedReasons,
  refundMoneyNames,
  refundTabNames,
  refundTabs,
  type ListedReason,
  type RefundMoney,
  type RefundTab,
} from './refund-list.ts'
export {
  sumOfParts,
  sumUnits,
  totalOf,
  unitsOfReturn,
  type AskedUnits,
  type LineParts,
  type RefundableLine,
} from './refund-lines.ts'

/** The party that bears a refund's cost. */
export const refundBearers = {
  store: 'Store',
  supplier: 'Supplier',
  carrier: 'Carrier',
  shop: 'Shop',
  maker: 'Maker',
} as const
export type RefundBearer = keyof typeof refundBearers

/** Who usually bears the cost for a reason, which staff can change. Reasons without one need a look at the order. */
export const usualBearers: Readonly<Partial<Record<RefundReason, RefundBearer>>> = {
  late: 'carrier',
  damaged: 'carrier',
  'does-not-fit': 'store',
  'changed-mind': 'store',
  defect: 'maker',
  'service-not-done': 'shop',
  price: 'store',
}

/** Why a refund is lower than its lines come to. */
export const lowerReasons = {
  'refunded-before': 'A part was refunded before',
  'used-or-damaged': 'Came back used or damaged',
  agreed: 'Agreed with the customer',
  other: 'Another reason, see the note',
} as const
export type LowerReason = keyof typeof lowerReasons

/** `cancellation`: of units that had not shipped. `delay`: of a whole order that was late. `refund`: every other. */
export type RefundKind = 'refund' | 'cancellation' | 'delay'

/** `draft` means above the approval threshold and pending another team member's decision. */
export type RefundState = 'draft' | 'approved' | 'declined'

/** The maximum units per line in a form. */
const mostUnits = 400

/** The most lines of an order that a form may name. */
export const mostLines = 100

/** A refund request. */
export type AskedRefund = {
  lines: { lineNo: number; units: number }[]
  /** Null: what the lines come to. */
  amountCents: number | null
  hasHandlingFee: boolean
  lowerReason: LowerReason | null
  reason: RefundReason
  bearer: RefundBearer
  note: string | null
  /** The return's tires this refunds, so the return doesn't block their units. */
  ofReturn?: { returnId: number; tireNos: readonly number[] }
}

const amountMessage = 'Enter an amount like 149.99.'

/** Units per line in the admin API. Forms have fields such as `units-3`. */
export const unitRows = rowFields<unknown>({ key: 'lineNo', fields: { units: 'number' } }).optional()

const unitsField = /^units-(\d{1,3})$/

/** The form: `units-3` is how many of line 3; an empty amount is what the lines come to. */
export const refundForm = z
  .looseObject({
    lines: unitRows,
    amount: z.string().trim().max(20, amountMessage).default('').transform(readAmount).meta({ formUnit: 'cents' }),
    fee: ticked(),
    lowerReason: z
      .union([z.literal(''), z.enum(Object.keys(lowerReasons) as [LowerReason])], 'Choose a reason.')
      .default('')
      .transform((value) => value || null),
    reason: z.enum(Object.keys(refundReasons) as [RefundReason], 'Choose a reason.'),
    bearer: z.enum(Object.keys(refundBearers) as [RefundBearer], 'Choose who bears the cost.'),
    note: optionalText(500),
  })
  .transform((form, issue): AskedRefund => {
    const { amount, fee, lowerReason, reason, bearer, note } = form
    const lines = readUnits(form, issue)
    if (bearer === 'maker' && reason !== 'defect')
      issue.addIssue({
        code: 'custom',
        path: ['bearer'],
        message: 'The manufacturer pays only for documented defects.',
      })
    if ((reason === 'other' || lowerReason === 'other') && note === null)
      issue.addIssue({ code: 'custom', path: ['note'], message: 'Say what the reason is.' })
    return {
      lines,
      amountCents: amount,
      hasHandlingFee: fee,
      lowerReason,
      reason,
      bearer,
      note,
    }
  })

/** Parses form fields such as `units-3`, the units of line 3. Empty and 0 are skipped. */
export function readUnits(form: Readonly<Record<string, unknown>>, issue: z.core.$RefinementCtx): AskedUnits[] {
  const asked = Object.entries(form).flatMap(([name, value]) => {
    const lineNo = unitsField.exec(name)?.[1]
    return lineNo === undefined || value === '' || value === '0' ? [] : [{ name, lineNo: Number(lineNo), value }]
  })
  return asked.slice(0, mostLines).map(({ name, lineNo, value }) => {
    if (typeof value !== 'string' || !/^[1-9]\d{0,2}$/.test(value) || Number(value) > mostUnits)
      issue.addIssue({ code: 'custom', path: [name], message: 'Choose how many.' })
    return { lineNo, units: Number(value) }
  })
}

/** "$1,049.99" → 104999; empty → null */
function readAmount(text: string, issue: z.core.$RefinementCtx): number | null {
  if (text === '') return null
  const amount = parseDollars(text)
  if (amount !== undefined && amount > 0) return amount
  issue.addIssue({ code: 'custom', message: amountMessage })
  return z.NEVER
}

/** Returns whether a refund requires approval, counting all the order's refunds made without a second person. */
export function isOverLimit(refund: { aloneCents: number; amountCents: number; limitCents: number }): boolean {
  return refund.aloneCents + refund.amountCents > refund.limitCents
}
