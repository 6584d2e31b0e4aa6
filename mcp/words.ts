/** How tools say amounts and times in their short texts. */
import { formatCents } from '#platform/money.ts'

export function outTheDoor(cents: number): string {
  return `${formatCents(cents)} out the door`
}

/** The same instant on the clock of a place: "2026-11-24T09:30". */
export function localTime(instant: string, timeZone: string): string {
  return Temporal.Instant.from(instant)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}
