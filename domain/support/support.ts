import { ROTATION_ADVICE, SUPPORT_HOURS, UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Transitions } from '#platform/transitions.ts'

/** Phone hours: Mon-Fri 8am-7pm ET, Sat 9am-5pm ET (specification, section 9). */
export const supportZone = storeZone

/** How often to rotate tires, whichever comes first (specification, section 9). */
export const rotationAdvice = ROTATION_ADVICE

const hours: Record<number, { opens: number; closes: number } | undefined> = Object.fromEntries(
  SUPPORT_HOURS.flatMap(({ weekdays, opensHour: opens, closesHour: closes }) =>
    weekdays.map((weekday) => [weekday, { opens, closes }]),
  ),
)

const dayNames = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** "Mon–Fri 8am–7pm ET · Sat 9am–5pm ET" */
export const supportHoursText = SUPPORT_HOURS.map(({ weekdays, opensHour, closesHour }) => {
  const days = [...new Set([weekdays[0], weekdays.at(-1)])].map((weekday) => dayNames[weekday ?? 0]).join('–')
  return `${days} ${hourText(opensHour)}–${hourText(closesHour)} ET`
}).join(' · ')

/** Returns the hours of each open weekday: 1 is Monday, times are 'HH:MM' in `supportZone`. */
export function supportWeek(): { weekday: number; opens: string; closes: string }[] {
  const clockText = (hour: number) => `${String(hour).padStart(2, '0')}:00`
  return Object.entries(hours).flatMap(([weekday, day]) =>
    day ? [{ weekday: Number(weekday), opens: clockText(day.opens), closes: clockText(day.closes) }] : [],
  )
}

/** How soon messages are answered. */
export const answerWithinText = 'one business day'

/** The subjects on the contact page. */
export const contactSubjects = [
  'An order I placed',
  'Does it fit?',
  'Installation or appointment',
  'A return or refund',
  'Coverage or roadside',
  'Price guarantee',
  'A program or partnership',
  'My data',
  'Something else',
] as const

/** 1MB, the maximum size of an attached file. */
export const maxAttachmentBytes = UPLOAD_MAX_BYTES

/** 12 megapixels as phone cameras count them: 4032 × 3024, or 4080 × 3072. */
export const maxAttachmentPixels = 12 * 1024 * 1024

export type RequestState = 'open' | 'closed'
export const requestLife: Transitions<RequestState> = { open: ['closed'], closed: [] }

/** "R-12", as displayed and typed. */
export function requestNumber(id: number): string {
  return `R-${id}`
}

/**
 * Returns whether support is open at `now`, and until or from when, in words: `{ open: true, until: '7pm ET' }` or `{
 * open: false, from: 'Mon 8am ET' }`.
 */
export function supportStatus(now: Temporal.Instant): { open: true; until: string } | { open: false; from: string } {
  const local = now.toZonedDateTimeISO(supportZone)
  const today = hours[local.dayOfWeek]
  if (today && local.hour >= today.opens && local.hour < today.closes)
    return { open: true, until: `${hourText(today.closes)} ET` }
  if (today && local.hour < today.opens) return { open: false, from: `today ${hourText(today.opens)} ET` }
  for (let ahead = 1; ahead <= 7; ahead++) {
    const day = local.add({ days: ahead })
    const next = hours[day.dayOfWeek]
    if (next) return { open: false, from: `${dayNames[day.dayOfWeek] ?? ''} ${hourText(next.opens)} ET` }
  }
  throw new Error('Support has no hours at all.')
}

function hourText(hour: number): string {
  return hour > 12 ? `${hour - 12}pm` : `${hour}am`
}
