/** Free times as the API shows them, and as it is told which one is meant. */
import { z } from 'zod'
import { day, instant } from '#api/schemas.ts'
import { dropOffWindowNames, type Opening } from '#domain/booking/booking.ts'
import { EVENING_DROP_OFF_FROM_HOUR } from '#platform/business-constants.ts'

export const dropOffWindow = z.enum(dropOffWindowNames).meta({
  description: `When the car is brought: in the morning, in the afternoon, or in the evening after ${EVENING_DROP_OFF_FROM_HOUR - 12}pm`,
})

export const opening = z
  .strictObject({
    kind: z.enum(['wait', 'drop-off']),
    date: day,
    start: instant.meta({ description: 'When the work begins; for a drop-off from when the car may be brought' }),
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
