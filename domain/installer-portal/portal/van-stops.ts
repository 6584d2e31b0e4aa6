/** The order of a van's stops, with the drive to each. Pure. */
import { milesBetween, travelMinutes, type Point } from '#domain/scheduling/booking/booking.ts'

/** From two days after a stop, its address is hidden, because it is no longer needed. */
const addressDays = 2

/** What of a stop decides the drives. */
type Stop = { start: Temporal.Instant; end: Temporal.Instant; point: Point | null }
/** The drive from the previous stop; `leaveBy` is the latest departure. */
export type Drive = { minutes: number; miles: number | null; leaveBy: Temporal.Instant }

/** Sorts stops by time, each with the drive from the previous one, or null for the first. */
export function withDrives<Each extends Stop>(stops: readonly Each[]): (Each & { drive: Drive | null })[] {
  const inOrder = stops.toSorted((one, other) => Temporal.Instant.compare(one.start, other.start))
  return inOrder.map((stop, index) => {
    const before = inOrder[index - 1]
    if (!before) return { ...stop, drive: null }
    const minutes = travelMinutes(before.point, stop.point)
    const miles = before.point && stop.point ? milesBetween(before.point, stop.point) : null
    return { ...stop, drive: { minutes, miles, leaveBy: stop.start.subtract({ minutes }) } }
  })
}

/** Whether the crew may still see where a stop is. */
export function showsAddress({ start }: Pick<Stop, 'start'>, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(now, start.add({ hours: 24 * addressDays })) < 0
}
