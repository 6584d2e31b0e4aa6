/** Available times as the API returns them, and how a request chooses one. */
import { z } from 'zod'
import { day, instant } from '#api/schemas.ts'
import { dropOffWindowNames, type Choice, type OfferedDay, type Opening } from '#domain/scheduling/booking/booking.ts'
import { EVENING_DROP_OFF_FROM_HOUR } from '#platform/business-constants.ts'

export const dropOffWindow = z.enum(dropOffWindowNames).meta({
  description: `Drop-off window. Morning, afternoon, or evening after ${EVENING_DROP_OFF_FROM_HOUR - 12} PM`,
})

export const opening = z
  .strictObject({
    kind: z.enum(['wait', 'drop-off']),
    date: day,
    start: instant.meta({ description: 'When installation starts; for a drop-off, the earliest time to drop off' }),
    end: instant,
    window: dropOffWindow.nullable(),
    readyBy: instant.nullable().meta({ description: 'For a drop-off, when the car is ready' }),
  })
  .meta({ id: 'Opening' })

export function openingView(free: Opening): z.input<typeof opening> {
  const { kind, date, start, end } = free
  return {
    kind,
    date: date.toString(),
    start: start.toString(),
    end: end.toString(),
    window: free.kind === 'drop-off' ? free.window : null,
    readyBy: free.kind === 'drop-off' ? free.readyBy.toString() : null,
  }
}

/** A day's free times, to wait or to leave the car. */
export function openingsOf({ date, times, dropOffs }: OfferedDay): z.input<typeof opening>[] {
  const waits = times
    .filter(({ free }) => free)
    .map(({ start, end }) => openingView({ kind: 'wait', date, start, end }))
  const left = dropOffs.filter(({ free }) => free).map((each) => openingView({ ...each, kind: 'drop-off', date }))
  return [...waits, ...left]
}

/** The fields by which a request chooses a time. */
export const pickedTime = {
  start: instant
    .regex(/^\d{4}-\d{2}-\d{2}T[\d:.]{5,18}(Z|[+-]\d{2}:\d{2})$/)
    .optional()
    .meta({ description: 'When installation starts, for customers who wait and for vans' }),
  date: day
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional()
    .meta({ description: 'The drop-off date, together with `window`', examples: undefined }),
  window: dropOffWindow.optional(),
}

/** The time that a request chose; undefined for both or neither of start and drop-off. */
export function choiceOf({
  start,
  date,
  window,
}: {
  start?: string | undefined
  date?: string | undefined
  window?: z.output<typeof dropOffWindow> | undefined
}): Choice | undefined {
  try {
    if (start !== undefined)
      return date === undefined && window === undefined ? { start: Temporal.Instant.from(start) } : undefined
    return date !== undefined && window !== undefined ? { date: Temporal.PlainDate.from(date), window } : undefined
  } catch {
    return undefined
  }
}
