/** Field labels and choices for capacity forms, in the portal and the back office. */
import { noticeText } from '#domain/scheduling/booking/booking.ts'
import { openingTimes } from '#domain/scheduling/installers/installers.ts'
import { bufferChoices, gridChoices, noticeChoices, walkInChoices } from '#domain/installer-portal/portal/portal.ts'
import { countOf } from '#platform/count-text.ts'
import { minuteText } from '#platform/time-text.ts'
import type { FieldOptions } from './select-options.tsx'

export const capacityLabels: Record<string, string> = {
  from: 'From',
  hours: 'Hours',
  lunchFrom: 'Lunch begins',
  lunchTo: 'Lunch ends',
  bays: 'Bays',
  technicians: 'Cars serviced in parallel',
  dropOffs: 'Drop-off places',
  slot: 'A car may start every',
  buffer: 'Free after each job',
  lead: 'Notice to book',
  notice: 'Notice to move or cancel',
  walkIn: 'Kept for walk-ins',
  on: 'Day',
  reason: 'Reason',
}

const options = (choices: readonly number[], text: (choice: number) => string) =>
  choices.map((choice) => [String(choice), text(choice)] as const)
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const notices = options(noticeChoices, (each) => (each === 0 ? 'None' : capitalized(noticeText(each))))

/** The opening and closing times that can be chosen. */
export const timeChoices: FieldOptions = options(openingTimes, minuteText)

/** The choices of each field in the section with times. */
export const capacityChoices = {
  slot: options(gridChoices, (each) => countOf(each, 'minute')),
  buffer: options(bufferChoices, (each) => (each === 0 ? 'Nothing' : countOf(each, 'minute'))),
  lead: notices,
  notice: notices,
  walkIn: options(walkInChoices, (each) => (each === 0 ? 'Nothing' : `${each}% of the day`)),
} satisfies Record<string, FieldOptions>
