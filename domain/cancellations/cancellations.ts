/** Canceling lines of an order that have not shipped. Safe in the browser. */
import { z } from 'zod'
import { readUnits, type AskedUnits } from '#domain/refunds/refunds.ts'

export { countCancelable } from './cancel-lines.ts'

/**
 * The lines to cancel, as a form asks: `seen` is how much could be canceled when it was shown, `key` names it.
 * `agreedCents` is what was said to come back; null where nobody was shown it.
 */
export type AskedLines = { lines: AskedUnits[]; seen: number; key: string; agreedCents: number | null }

const again = 'Open the page again.'

/** The form: `units-3` is how many of line 3. */
export const cancelLinesForm = z
  .looseObject({
    key: z.uuid(again),
    seen: z.string(again).regex(/^\d{1,6}$/, again),
    agreed: z
      .string()
      .regex(/^\d{1,9}$/, again)
      .optional(),
  })
  .transform((form, issue): AskedLines => {
    const lines = readUnits(form, issue)
    const agreedCents = form.agreed === undefined ? null : Number(form.agreed)
    return { lines, seen: Number(form.seen), key: form.key, agreedCents }
  })
