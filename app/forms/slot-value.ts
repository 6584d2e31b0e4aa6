/** How the button of a free time names it in a form. */
import type { Choice, DropOffWindow, Opening } from '#domain/scheduling/booking/booking.ts'

/** Parses the value of a slot button, such as an instant or "2026-11-24|AM". Returns undefined for invalid values. */
export function parseSlot(value: string): Choice | undefined {
  try {
    const dropOff = /^(\d{4}-\d{2}-\d{2})\|(AM|PM|EVE)$/.exec(value)
    if (dropOff) return { date: Temporal.PlainDate.from(dropOff[1] ?? ''), window: dropOff[2] as DropOffWindow }
    return value.length <= 40 ? { start: Temporal.Instant.from(value) } : undefined
  } catch {
    return undefined
  }
}

/** Returns the button value for an open time, such as an instant or "2026-11-24|AM". */
export function openingValue(opening: Opening): string {
  return opening.kind === 'drop-off' ? `${opening.date.toString()}|${opening.window}` : opening.start.toString()
}
