/** Installer payout rates per tire. Safe in the browser. */
import type { Job } from '#domain/scheduling/installers/installers.ts'

/**
 * Rim bands with equal rates, in inches, from and to inclusive. The first and last bands extend beyond the agreement.
 */
export const payBands = [
  [8, 14.9],
  [15, 16.9],
  [17, 18.9],
  [19, 20.9],
  [21, 40],
] as const

/** "17 to 18", "up to 14" or "21 and up". */
export function payBandText(band: readonly [number, number]): string {
  const [from, to] = band
  if (from === payBands[0][0]) return `up to ${Math.floor(to)}`
  return to === 40 ? `${from} and up` : `${from} to ${Math.floor(to)}`
}

/** The kinds of work in the order in which they are shown. */
export const payJobs: readonly { job: Job; name: string }[] = [
  { job: 'standard', name: 'Standard' },
  { job: 'low-profile', name: 'Low profile' },
  { job: 'run-flat', name: 'Run-flat' },
  { job: 'light-truck', name: 'Light truck' },
]

/** The least and most that a tire is paid, in cents; the database holds it, too. */
export const payBounds = { from: 1_500, to: 2_400 } as const

export type PayRate = {
  id: string
  job: Job
  /** Null for states without a specific rate. */
  state: string | null
  rimFromIn: number
  rimToIn: number
  cents: number
  startsOn: string
  /** The day on which it no longer applies; null while no end is known. */
  endsOn: string | null
}

/** Returns a tire's rate on a day. The state's rate overrides the national one. */
export function rateFor(
  rates: readonly PayRate[],
  { job, rimIn, state, day }: { job: Job; rimIn: number; state: string; day: Temporal.PlainDate },
): PayRate | undefined {
  const on = day.toString()
  const fits = rates.filter(
    (rate) =>
      rate.job === job &&
      rate.rimFromIn <= rimIn &&
      rimIn <= rate.rimToIn &&
      rate.startsOn <= on &&
      (rate.endsOn === null || on < rate.endsOn),
  )
  return fits.find((rate) => rate.state === state) ?? fits.find((rate) => rate.state === null)
}
