/** The form of a return. */
import { z } from 'zod'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { optionalText, rowFields, ticked, tickedNumbers } from '#platform/form-fields.ts'
import { feeReasons, returnOutcomes, returnReasons } from './return-terms.ts'

/** Lines are submitted as `line-1`, `line-2`, … with a quantity each. */
export const returnForm = z
  .object({
    lines: rowFields<unknown>({
      key: 'lineNo',
      fields: { quantity: 'number' },
      names: { quantity: 'line' },
    }).optional(),
    reason: z.enum(returnReasons).nullable().catch(null),
    wants: z.enum(['refund', 'exchange']).catch('refund'),
    unmounted: ticked(),
    note: optionalText(500),
    seq: z.coerce.number().int().min(1).max(400).nullable().catch(null),
  })
  .catchall(z.string())
  .transform(({ reason, wants, unmounted, note, seq, ...rest }) => ({
    reason,
    wants,
    isUnmounted: unmounted,
    note,
    seq,
    lines: Object.entries(rest).flatMap(([name, value]) => {
      const lineNo = /^line-(\d{1,3})$/.exec(name)?.[1]
      const quantity = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0
      return lineNo === undefined || quantity === 0 ? [] : [{ lineNo: Number(lineNo), quantity }]
    }),
  }))

/** The tires that arrived, as `tire-1`, `tire-2`, …. */
export const receivedForm = z.looseObject({ tires: tickedNumbers('tire', 400) }).transform((form) =>
  Object.keys(form).flatMap((name) => {
    const no = /^tire-(\d{1,3})$/.exec(name)?.[1]
    return no === undefined ? [] : [Number(no)]
  }),
)

/** One tire's inspection result, as entered by staff. */
export const inspectionForm = z
  .object({
    tire: z.coerce.number().int().min(1).max(400),
    outcome: z.enum(returnOutcomes, 'Choose an outcome for the tire.'),
    finding: optionalText(300),
    dot: optionalText(20).transform((code, issue) => {
      if (code === null) return null
      const upper = code.toUpperCase().replaceAll(/\s+/g, ' ')
      if (/^[0-9A-Z ]{4,20}$/.test(upper)) return upper
      issue.addIssue({ code: 'custom', message: 'Write the DOT code in letters and digits, like SDWL 3126.' })
      return z.NEVER
    }),
    isDotMatch: ticked(),
    refusal: optionalText(500),
  })
  .transform(({ tire, dot, isDotMatch, ...rest }) => ({
    ...rest,
    tireNo: tire,
    dot,
    isDotMatch: dot === null && !isDotMatch ? null : isDotMatch,
  }))

const requiredText = (missing: string) =>
  z.string(missing).trim().min(1, missing).max(500, 'Please keep this under 500 characters.')

/** Why a refund is held for a second look, and the result of that look. */
export const holdForm = z.object({ reason: requiredText('Enter the reason.') })
export const releaseForm = z.object({ result: requiredText('Enter the result.') })

/** The fee that was chosen, and the amount that was shown with it. */
export const refundReturnForm = z
  .object({
    fee: z.enum(feeReasons, 'Choose whether the fee is due.'),
    agreed: z.coerce.number().int().min(0).max(100_000_000),
    reorder: optionalText(24).transform((number, issue) => {
      if (number === null) return null
      const id = parseOrderNumber(number)
      if (id !== undefined) return id
      issue.addIssue({ code: 'custom', message: 'Write the order number like S-104001.' })
      return z.NEVER
    }),
  })
  .transform(({ fee, agreed, reorder }) => ({ feeReason: fee, agreedCents: agreed, reorderId: reorder }))
