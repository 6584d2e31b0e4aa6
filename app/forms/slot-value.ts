/** How the button of a free time names it in a form. */
import { z } from 'zod'
import { noTimeMessage } from '#content/messages/booking.ts'
import { parseChoice, type Opening } from '#domain/scheduling/booking/booking.ts'

/** Parses the value of a slot button. */
export const parseSlot = parseChoice

/** Returns the button value for an open time, such as an instant or "2026-11-24|AM". */
export function openingValue(opening: Opening): string {
  return opening.kind === 'drop-off' ? `${opening.date.toString()}|${opening.window}` : opening.start.toString()
}

/** A form field for a time, parsed by `parseSlot`. */
export const slotField = z
  .string(noTimeMessage)
  .transform((text, context) => {
    const choice = parseSlot(text)
    if (choice) return choice
    context.addIssue({ code: 'custom', message: noTimeMessage })
    return z.NEVER
  })
  .meta({ description: 'A start such as 2026-11-24T15:00:00Z, or a drop-off such as 2026-11-24|AM' })
