/** Service level objectives, and the remaining error budgets. Safe in the browser. */
import { CANCEL_WITHIN_MINUTES, INSTALLER_PAID_WITHIN_HOURS } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'

/** The names of the objectives, as metrics and tables have them. */
export const objectiveNames = ['orders', 'times', 'mails', 'payouts', 'purchases'] as const
export type ObjectiveName = (typeof objectiveNames)[number]

/** Those that requests and purchases are counted for; the others are read from their tables. */
export type CountedObjective = Extract<ObjectiveName, 'orders' | 'times' | 'purchases'>

/** A mail sent within this many minutes of its cause is in time. */
export const MAIL_WITHIN_MINUTES = 5
/** Times are offered within this many milliseconds. */
export const TIMES_WITHIN_MS = 2_000
/** The days that an error budget is for. */
export const BUDGET_DAYS = 30
/** A process that was not seen for this long has ended or hangs. */
export const UNSEEN_SECONDS = 90

type Objective = {
  title: string
  /** What counts as kept. */
  promise: string
  /** The part that must be kept, in parts per million. */
  targetPpm: number
}

export const objectives: Readonly<Record<ObjectiveName, Objective>> = {
  orders: {
    title: 'Orders are taken',
    promise: 'Orders aren’t lost to errors in our systems',
    targetPpm: 999_000,
  },
  times: {
    title: 'Times are offered',
    promise: `A shop’s free times are there within ${countOf(TIMES_WITHIN_MS / 1_000, 'second')}`,
    targetPpm: 995_000,
  },
  mails: {
    title: 'Mails are sent',
    promise: `Within ${countOf(MAIL_WITHIN_MINUTES, 'minute')} of what they are about`,
    targetPpm: 990_000,
  },
  payouts: {
    title: 'Shops are paid on time',
    promise: `Within ${countOf(INSTALLER_PAID_WITHIN_HOURS, 'hour')} of the job, or of when the shop’s account for pay was ready`,
    targetPpm: 990_000,
  },
  purchases: {
    title: 'A stranger can buy',
    promise: `The synthetic buyer’s order is placed, and canceled within the ${countOf(CANCEL_WITHIN_MINUTES, 'minute')}`,
    targetPpm: 990_000,
  },
}

export type Kept = { good: number; bad: number }

/** Returns the attainment in parts per million; null without events. */
export function keptPpm({ good, bad }: Kept): number | null {
  const events = good + bad
  return events === 0 ? null : Math.floor((good * 1_000_000) / events)
}

/**
 * Returns the remaining error budget in percent: 100 without misses, 0 at the target, and negative beyond it. Null
 * without events.
 */
export function budgetLeftPercent({ good, bad }: Kept, targetPpm: number): number | null {
  const events = good + bad
  if (events === 0) return null
  const allowed = (events * (1_000_000 - targetPpm)) / 1_000_000
  return Math.round(100 * (1 - bad / allowed))
}

/** Parts per million in percent with as many digits as it takes to tell it from the target: `99.95%`. */
export function percentText(ppm: number): string {
  return `${Number((ppm / 10_000).toFixed(2))}%`
}
