/** Canceling lines of an order that have not shipped. Safe in the browser. */
import { z } from 'zod'
import { readUnits, unitRows, type AskedUnits } from '#domain/ordering/refunds/refunds.ts'

export { countCancelable } from './cancel-lines.ts'

/**
 * The lines to cancel in a form. `seen` is the cancelable number when it was rendered, and `key` is its idempotency
 * key. `agreedCents` is the refund amount shown; null if it wasn't shown.
 */
export type AskedLines = { lines: AskedUnits[]; seen: number; key: string; agreedCents: number | null }

const again = 'Reload the page.'

/** The form: `units-3` is how many of line 3. */
export const cancelLinesForm = z
  .looseObject({
    lines: unitRows,
    key: z.uuid(again),
    seen: z
      .string(again)
      .regex(/^\d{1,6}$/, again)
      .meta({ formUnit: 'number' }),
    agreed: z
      .string()
      .regex(/^\d{1,9}$/, again)
      .optional()
      .meta({ formUnit: 'number', description: 'The refund in cents, if it must be this amount' }),
  })
  .transform((form, issue): AskedLines => {
    const lines = readUnits(form, issue)
    const agreedCents = form.agreed === undefined ? null : Number(form.agreed)
    return { lines, seen: Number(form.seen), key: form.key, agreedCents }
  })
