/** The weekly schedule of a supplier feed in the store's time zone. Safe in the browser. */

/** `days`: 1 for Monday to 7 for Sunday. `times`: minutes after midnight. */
export type FeedSchedule = { days: readonly number[]; times: readonly number[] }

/**
 * Returns the scheduled times of the days around `now`, in order. Where clocks skip a time, it is an hour later; where
 * they repeat it, it is the first of both.
 */
function timesAround({ days, times }: FeedSchedule, now: Temporal.Instant, zone: string): Temporal.Instant[] {
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  const instants = Array.from({ length: 17 }, (_, index) => today.add({ days: index - 8 }))
    .filter(({ dayOfWeek }) => days.includes(dayOfWeek))
    .flatMap((day) =>
      times.map((minutes) =>
        day
          .toZonedDateTime({ timeZone: zone, plainTime: { hour: Math.floor(minutes / 60), minute: minutes % 60 } })
          .toInstant(),
      ),
    )
  return instants.toSorted((one, other) => Temporal.Instant.compare(one, other))
}

/** The last scheduled time up to `now`; undefined for a schedule without days or times. */
export function lastTime(schedule: FeedSchedule, now: Temporal.Instant, zone: string): Temporal.Instant | undefined {
  return timesAround(schedule, now, zone).findLast((time) => Temporal.Instant.compare(time, now) <= 0)
}

/** The first scheduled time after `now`; undefined for a schedule without days or times. */
export function nextTime(schedule: FeedSchedule, now: Temporal.Instant, zone: string): Temporal.Instant | undefined {
  return timesAround(schedule, now, zone).find((time) => Temporal.Instant.compare(time, now) > 0)
}

/** "06:00, 14:30": times as they are typed. */
export function typedTimes(times: readonly number[]): string {
  return times
    .map((minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`)
    .join(', ')
}
