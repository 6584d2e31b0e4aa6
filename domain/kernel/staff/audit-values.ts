/** How the values of audited fields read. */
import { countOf, countText } from '#platform/count-text.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { minuteText, timeText } from '#platform/time-text.ts'
import { dayNames, hoursFields } from '#platform/week-hours.ts'

export type Value = string | number | boolean

/** A field's label and reading. `entry` has the entry's other values. */
export type AuditedField = {
  label: string
  read: (value: Value, entry: Readonly<Record<string, unknown>>) => string
  /** Splits a list into values with labels. */
  parts?: (value: Value) => [label: string, text: string][]
  /** Shown even if it stays. */
  isContext?: true
}

type Reading = AuditedField['read']

const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/
const isDay = /^\d{4}-\d{2}-\d{2}$/
const isClock = /^\d{2}:\d{2}$/

/** Returns text as it is, days and times in words, and times in the store's time zone. */
export function plainText(value: Value): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = String(value)
  try {
    if (isInstant.test(text)) return timeText(Temporal.Instant.from(text), storeZone)
    return isDay.test(text) ? dateText(text) : text
  } catch {
    // A text that staff entered can look like a time.
    return text
  }
}

/** "14:00" → "2:00 PM" */
function clockOf(value: Value): string {
  const text = String(value)
  if (!isClock.test(text)) return text
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return minuteText(hours * 60 + minutes)
}

const numeric =
  (format: (value: number) => string): Reading =>
  (value) =>
    typeof value === 'number' ? format(value) : plainText(value)

const listOf =
  (read: (value: string) => string): Reading =>
  (value) =>
    String(value).split(/, ?/).map(read).join(', ')

export const text = (label: string): AuditedField => ({ label, read: plainText })
export const cents = (label: string): AuditedField => ({ label, read: numeric(formatCents) })
export const rate = (label: string): AuditedField => ({ label, read: numeric(formatRate) })
export const basisPoints = (label: string): AuditedField => ({
  label,
  read: numeric((value) => formatRate(value * 100)),
})
export const percent = (label: string): AuditedField => ({ label, read: (value) => `${value}%` })
export const count = (label: string): AuditedField => ({ label, read: numeric(countText) })
export const counted = (label: string, one: string): AuditedField => ({
  label,
  read: (value) => (Number.isSafeInteger(Number(value)) ? countOf(Number(value), one) : plainText(value)),
})
export const inches = (label: string): AuditedField => ({ label, read: (value) => `${value} in` })
export const dollars = (label: string): AuditedField => ({ label, read: (value) => `$${value}` })
export const clock = (label: string): AuditedField => ({ label, read: clockOf })
export const hour = (label: string): AuditedField => ({ label, read: numeric((value) => minuteText(value * 60)) })
export const phone = (label: string): AuditedField => ({ label, read: (value) => phoneText(String(value)) })
export const list = (label: string): AuditedField => ({ label, read: listOf(plainText) })
/** Codes with their words. */
export const named = (label: string, names: Readonly<Record<string, { readonly words: string }>>): AuditedField => ({
  label,
  read: (value) =>
    String(value)
      .split(', ')
      .map((name) => names[name]?.words ?? name)
      .join(' · '),
})
export const weekdays = (label: string): AuditedField => ({
  label,
  read: listOf((day) => dayNames[Number(day)] ?? day),
})

/** "needs-confirmation" → "needs confirmation". Other texts stay. */
export const code = (label: string): AuditedField => ({
  label,
  read: (value) =>
    /^[a-z]+(?:[-.][a-z\d]+)+$/.test(String(value)) ? String(value).replaceAll('-', ' ') : plainText(value),
})

/** A list's address, such as "state=cancel-window" → "state cancel window". */
export const query = (label: string): AuditedField => ({
  label,
  read: (value) =>
    [...new URLSearchParams(String(value))].map((pair) => pair.join(' ').replaceAll('-', ' ').trim()).join(', '),
})

/** The discount of a promotion or coupon, which depends on its kind. */
export const discount = (label: string): AuditedField => ({
  label,
  read: (value, { kind }) => {
    if (kind === 'Percentage') return `${value}%`
    if (kind === 'Free') return countOf(Number(value), 'tire')
    return numeric(formatCents)(value, {})
  },
})

/** The same field, shown even if it stays. */
export const context = (field: AuditedField): AuditedField => ({ ...field, isContext: true })

const dayOf = (short: string) => hoursFields[dayNames.indexOf(short) - 1]?.day ?? short

/** Times by weekday, recorded as "Mon 14:00, Fri 12:00". */
export const dayClocks = (label: string): AuditedField => ({
  label,
  read: plainText,
  parts: (value) =>
    String(value)
      .split(', ')
      .map((part) => {
        const [day = '', time = ''] = part.split(' ')
        return [`${label} on ${dayOf(day)}`, clockOf(time)]
      }),
})

/** Hours by weekday, recorded as "1 09:00-17:00, 2 09:00-17:00". */
export const weekHours = (label: string): AuditedField => ({
  label,
  read: plainText,
  parts: (value) =>
    String(value)
      .split(', ')
      .map((part) => {
        const [weekday = '', hours = ''] = part.split(' ')
        const text = hours.split('-').map(clockOf).join(' to ')
        return [`${label} on ${hoursFields[Number(weekday) - 1]?.day ?? weekday}`, text]
      }),
})

/** Numbers in the order of `labels`, recorded as "2, 3". */
export const counts = (label: string, labels: readonly string[], one: string): AuditedField => ({
  label,
  read: plainText,
  parts: (value) =>
    String(value)
      .split(', ')
      .map((part, index) => [`${label} ${labels[index] ?? ''}`.trim(), countOf(Number(part), one)]),
})
