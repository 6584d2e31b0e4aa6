/** States and texts for shop applications. Safe in the browser. */
import { weekdayNames, type OpeningHours } from '#domain/scheduling/installers/installers.ts'
import { INSTALLER_PAY_PER_TIRE_CENTS } from '#platform/business-constants.ts'
import { minuteText } from '#platform/time-text.ts'
import type { Transitions } from '#platform/transitions.ts'
import { countOf } from '#platform/count-text.ts'

export {
  answerForm,
  longestWords,
  otherServices,
  questionForm,
  refusalForm,
  shopApplicationForm,
  shopPhoneField,
  shopWebsiteField,
  tireServices,
  type OtherService,
  type ShopApplicationAsked,
  type TireService,
} from './application-form.ts'

export const shopApplicationStates = ['submitted', 'asked', 'approved', 'refused', 'withdrawn'] as const
export type ShopApplicationState = (typeof shopApplicationStates)[number]

export const shopApplicationStateWords: Readonly<Record<ShopApplicationState, string>> = {
  submitted: 'To decide',
  asked: 'Question open',
  approved: 'Approved',
  refused: 'Refused',
  withdrawn: 'Withdrawn',
}

/** Returns the list's state from the URL, or the pending ones by default. */
export function shopApplicationTab(asked: string | null): ShopApplicationState {
  return shopApplicationStates.find((each) => each === asked) ?? 'submitted'
}

/** `asked` means that the office has a question. The answer returns the application to `submitted`. */
export const shopApplicationLife: Transitions<ShopApplicationState> = {
  submitted: ['asked', 'approved', 'refused', 'withdrawn'],
  asked: ['submitted', 'approved', 'refused', 'withdrawn'],
  approved: [],
  refused: [],
  withdrawn: [],
}

/** The version of the agreement an owner accepts, kept with the application. */
export const agreementVersion = '2026-11'

/** What a shop earns, in words: "$15 to $24". */
export const payPerTireText = `${dollarsText(INSTALLER_PAY_PER_TIRE_CENTS.min)} to ${dollarsText(INSTALLER_PAY_PER_TIRE_CENTS.max)}`

function dollarsText(cents: number): string {
  return `$${cents / 100}`
}

/** The office decides within this many business days. */
export const decidedWithinDays = 2

/** "A-2001", as displayed and typed. */
export function shopApplicationNumber(id: number): string {
  return `A-${id}`
}

/** Parses an application number in any common form; undefined if invalid. */
export function parseShopApplicationNumber(text: string): number | undefined {
  const digits = /^(?:A-)?(\d{1,12})$/i.exec(text.trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** A line per day: "Monday 7:30 AM to 6:00 PM", "Sunday closed". */
export function hoursLines(hours: readonly OpeningHours[]): string[] {
  return weekdayNames.map((name, index) => {
    const day = hours.find(({ weekday }) => weekday === index + 1)
    return day ? `${name} ${minuteText(day.opens)} to ${minuteText(day.closes)}` : `${name} closed`
  })
}

/** "58.5 h a week on 6 days". */
export function weekText(hours: readonly OpeningHours[]): string {
  const open = hours.reduce((sum, { opens, closes }) => sum + closes - opens, 0) / 60
  return `${open} h a week on ${countOf(hours.length, 'day')}`
}

/**
 * Returns when an application submitted on `sentOn` must be decided, `decidedWithinDays` business days later. Ignores
 * holidays.
 */
export function decidedBy(sentOn: Temporal.PlainDate): Temporal.PlainDate {
  let day = sentOn
  for (let left = decidedWithinDays; left > 0;) {
    day = day.add({ days: 1 })
    if (day.dayOfWeek <= 5) left--
  }
  return day
}
