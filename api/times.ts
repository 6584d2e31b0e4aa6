/** Available times as the API returns them, and how a request chooses one. */
import { z } from 'zod'
import { day, instant } from '#api/schemas.ts'
import { dropOffWindowNames, type Opening } from '#domain/booking/booking.ts'
import { EVENING_DROP_OFF_FROM_HOUR } from '#platform/business-constants.ts'

export const dropOffWindow = z.enum(dropOffWindowNames).meta({
  description: `The drop-off window: morning, afternoon, or evening after ${EVENING_DROP_OFF_FROM_HOUR - 12} PM`,
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
