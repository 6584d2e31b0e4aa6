/** A shop's capacity by date, with the change form, and texts for a version. Safe in the browser. */
import { dropOffWindowNames, dropOffWindows, noticeText } from '#domain/scheduling/booking/booking.ts'
import type { CapacityPlan, HurtBooking } from '#domain/scheduling/booking/booking.server.ts'
import {
  openingTimes,
  typedWeek,
  weekdayNames,
  weekOfHours,
  weekValues,
} from '#domain/scheduling/installers/installers.ts'
import { minuteText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import { z } from 'zod'
import { readDay } from './own-job-form.ts'
import { mostBays } from './set-up.ts'

/** How far ahead a change may be planned. */
export const capacityDaysAhead = 366
/** The most versions to come of one shop. */
export const mostPlans = 12

export const bufferChoices = [0, 5, 10, 15, 20, 30, 45, 60] as const
export const noticeChoices = [0, 30, 60, 90, 120, 180, 240, 480, 720, 1_440, 2_880] as const
export const walkInChoices = [0, 10, 20, 30, 40, 50, 60, 70, 80] as const
export const gridChoices = [15, 20, 30, 45, 60, 75, 90, 120] as const

function whole(from: number, message: string) {
  return z
    .string(message)
    .transform((text, issue) => {
      const given = /^\d{1,2}$/.test(text.trim()) ? Number(text) : Number.NaN
      if (given >= from && given <= mostBays) return given
      issue.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({ formUnit: 'number' })
}

function chosen(choices: readonly number[], message: string) {
  return z
    .string(message)
    .transform((text, issue) => {
      const found = choices.find((choice) => String(choice) === text)
      if (found !== undefined) return found
      issue.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({ formUnit: 'number', description: `One of ${choices.join(', ')}` })
}

const day = z.string('Choose a day.').transform((text, issue) => {
  const found = readDay(text)
  if (found) return found
  issue.addIssue({ code: 'custom', message: 'Choose a day.' })
  return z.NEVER
})

const lunchTime = z.string().optional().meta({ formUnit: 'number', description: 'In minutes after midnight' })
const isOn = z
  .string()
  .optional()
  .transform((text) => text === 'on' || text === '1')
  .meta({ formUnit: 'checkbox' })
/** Names the bookings that a preview showed. */
const seen = z
  .string()
  .max(100)
  .optional()
  .transform((text) => text || null)
  .meta({ description: 'The value of a refusal, to make the change although appointments do not fit' })

/** The form of a new version. */
export const capacityForm = z.preprocess(
  (fields) => ({
    ...(fields as Record<string, string | undefined>),
    hours: typedWeek(fields as Record<string, string | undefined>),
  }),
  z
    .object({
      from: day,
      hours: weekOfHours('Enter your hours for at least one day.').meta({
        formRows: { key: 'weekday', fields: { opens: 'number', closes: 'number' } },
      }),
      lunchFrom: lunchTime,
      lunchTo: lunchTime,
      bays: whole(1, `Enter the number of bays, from 1 to ${mostBays}.`),
      technicians: whole(1, `Enter how many cars you service in parallel, from 1 to ${mostBays}.`),
      dropOffs: whole(0, `Enter the number of cars you can keep, from 0 to ${mostBays}.`),
      AM: isOn,
      PM: isOn,
      EVE: isOn,
      buffer: chosen(bufferChoices, 'Choose the minutes after each job.'),
      lead: chosen(noticeChoices, 'Choose the notice before a car arrives.'),
      notice: chosen(noticeChoices, 'Choose the notice for changes.'),
      walkIn: chosen(walkInChoices, 'Choose the part for walk-ins.'),
      slot: chosen(gridChoices, 'Choose how often a car may start.'),
      seen,
    })
    .transform(({ lunchFrom, lunchTo, technicians, ...typed }, issues) => {
      const lunch = readLunch(lunchFrom ?? '', lunchTo ?? '')
      if (lunch === undefined)
        issues.addIssue({ code: 'custom', path: ['lunchFrom'], message: 'Choose when lunch starts and ends.' })
      return {
        from: typed.from,
        seen: typed.seen,
        bays: typed.bays,
        dropOffs: typed.dropOffs,
        terms: {
          hours: typed.hours,
          lunch: lunch ?? null,
          slotMinutes: typed.slot,
          // A value equal to the number of bays isn't a limit.
          technicians: technicians >= typed.bays ? null : technicians,
          bufferMinutes: typed.buffer,
          leadMinutes: typed.lead,
          noticeMinutes: typed.notice,
          walkInPercent: typed.walkIn,
          dropOffWindows: dropOffWindowNames.filter((name) => typed[name]),
        },
      }
    }),
)
export type CapacityInput = z.output<typeof capacityForm>

/** The form that takes a version back, or opens a closed day again. */
export const capacityDayForm = z.object({ day, seen })

function readLunch(from: string, to: string): { from: number; to: number } | null | undefined {
  if (from === '' && to === '') return null
  const [begins, ends] = [Number(from || Number.NaN), Number(to || Number.NaN)]
  if (!openingTimes.includes(begins) || !openingTimes.includes(ends) || begins >= ends) return undefined
  return { from: begins, to: ends }
}

/** What the form has for a version. */
export function capacityValues(plan: CapacityPlan): Record<string, string> {
  const lunch = plan.hours.find((each) => each.lunch)?.lunch
  return {
    ...weekValues(plan.hours),
    lunchFrom: lunch ? String(lunch[0]) : '',
    lunchTo: lunch ? String(lunch[1]) : '',
    bays: String(plan.bays),
    technicians: String(Math.min(plan.technicians ?? plan.bays, plan.bays)),
    dropOffs: String(plan.dropOffs),
    buffer: String(plan.bufferMinutes),
    lead: String(plan.leadMinutes),
    notice: String(plan.noticeMinutes),
    walkIn: String(plan.walkInPercent),
    slot: String(plan.slotMinutes),
    ...Object.fromEntries(plan.dropOffWindows.map((name) => [name, 'on'])),
  }
}

/** Returns the version's value for each differing form field, such as "Now 2." */
export function capacityDifferences(
  plan: CapacityPlan,
  typed: Readonly<Record<string, string>>,
): Record<string, string> {
  const values = capacityValues(plan)
  const differs = (name: string) => (values[name] ?? '') !== (typed[name] ?? '').trim()
  const lunch = plan.hours.find((each) => each.lunch)?.lunch
  const windows = plan.dropOffWindows.map((name) => dropOffWindows[name].name.toLowerCase()).join(', ')
  const words: Record<string, string> = {
    hours: hoursLines(plan.hours).join('; '),
    lunchFrom: lunch ? minuteText(lunch[0]) : 'none',
    lunchTo: lunch ? minuteText(lunch[1]) : 'none',
    dropOffs: `${plan.dropOffs}, ${windows || 'at no time'}`,
    buffer: countOf(plan.bufferMinutes, 'minute'),
    lead: countOf(plan.leadMinutes, 'minute'),
    notice: countOf(plan.noticeMinutes, 'minute'),
    walkIn: `${plan.walkInPercent}%`,
    slot: countOf(plan.slotMinutes, 'minute'),
  }
  const differing = new Set(
    ['lunchFrom', 'lunchTo', 'bays', 'technicians', 'dropOffs', 'buffer', 'lead', 'notice', 'walkIn', 'slot'].filter(
      differs,
    ),
  )
  if (dropOffWindowNames.some(differs)) differing.add('dropOffs')
  if ([1, 2, 3, 4, 5, 6, 7].some((day) => differs(`opens-${day}`) || differs(`closes-${day}`))) differing.add('hours')
  return Object.fromEntries([...differing].map((name) => [name, `Now ${words[name] ?? values[name] ?? ''}.`]))
}

/** "Mon to Fri 8am to 6pm, lunch 12pm to 1pm": the hours of a version, days alike together. */
export function hoursLines(hours: CapacityPlan['hours']): string[] {
  const lines: { from: number; to: number; words: string }[] = []
  for (const { weekday, opens, closes, lunch } of hours) {
    const words = `${minuteText(opens)} to ${minuteText(closes)}${lunch ? `, lunch ${minuteText(lunch[0])} to ${minuteText(lunch[1])}` : ''}`
    const last = lines.at(-1)
    if (last && last.to === weekday - 1 && last.words === words) last.to = weekday
    else lines.push({ from: weekday, to: weekday, words })
  }
  const name = (weekday: number) => weekdayNames[weekday - 1]?.slice(0, 3) ?? ''
  return lines.map(({ from, to, words }) => `${from === to ? name(from) : `${name(from)} to ${name(to)}`} ${words}`)
}

/** Returns a version's terms by name, excluding its hours. */
export function capacityFacts(plan: CapacityPlan): { name: string; words: string }[] {
  const atOnce = Math.min(plan.bays, plan.technicians ?? plan.bays)
  const windows = plan.dropOffWindows.map((name) => dropOffWindows[name].name.toLowerCase())
  return [
    {
      name: 'Bays',
      words: atOnce === plan.bays ? `${plan.bays}` : `${plan.bays}, ${countOf(atOnce, 'car')} in parallel`,
    },
    {
      name: 'Drop-off',
      words:
        plan.dropOffs === 0 || windows.length === 0
          ? 'None'
          : `${countOf(plan.dropOffs, 'car')}, ${windows.join(', ')}`,
    },
    { name: 'A car may start every', words: countOf(plan.slotMinutes, 'minute') },
    {
      name: 'Buffer after job',
      words: plan.bufferMinutes === 0 ? 'None' : countOf(plan.bufferMinutes, 'minute'),
    },
    { name: 'Notice to book', words: plan.leadMinutes === 0 ? 'None' : noticeText(plan.leadMinutes) },
    { name: 'Notice to move or cancel', words: plan.noticeMinutes === 0 ? 'None' : noticeText(plan.noticeMinutes) },
    { name: 'Kept for walk-ins', words: plan.walkInPercent === 0 ? 'None' : `${plan.walkInPercent}% of each day` },
  ]
}

/** A term before and after a change. */
export type CapacityDifference = { name: string; before: string; after: string }

/** Returns the terms that a new version changes. */
export function changedTerms(
  plan: CapacityPlan,
  { terms: { lunch, ...terms }, bays, dropOffs }: Pick<CapacityInput, 'terms' | 'bays' | 'dropOffs'>,
): CapacityDifference[] {
  const hours = terms.hours.map((day) => ({
    ...day,
    lunch: lunch && day.opens < lunch.from && lunch.to < day.closes ? ([lunch.from, lunch.to] as const) : null,
  }))
  const factsOf = (of: CapacityPlan) => [
    { name: 'Hours', words: hoursLines(of.hours).join('; ') },
    ...capacityFacts(of),
  ]
  const after = factsOf({ ...plan, ...terms, hours, bays, dropOffs })
  return factsOf(plan).flatMap(({ name, words }, index) => {
    const next = after[index]?.words ?? ''
    return next === words ? [] : [{ name, before: words, after: next }]
  })
}

export const misfitWords: Readonly<Record<HurtBooking['reason'], string>> = {
  'closed-day': 'on a blackout day',
  hours: 'outside your hours',
  lunch: 'during lunch',
  bay: 'on a bay you would not have',
  'drop-off': 'in a drop-off place or window you would not have',
  technicians: 'one job more than you can work on at once',
}
