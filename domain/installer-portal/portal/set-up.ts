/** Shop onboarding steps, and the missing ones before shoppers see it. Safe in the browser. */
import {
  installerAgreement,
  type Job,
  type OpeningHours,
  type ShopClosure,
  type ShopRate,
} from '#domain/scheduling/installers/installers.ts'

/** In the order in which they are easiest; each may be saved at any time, except lengths, which need prices. */
export const setUpSteps = ['hours', 'bays', 'prices', 'lengths', 'blackout-days'] as const
export type SetUpStep = (typeof setUpSteps)[number]

export const setUpStepNames: Readonly<Record<SetUpStep, string>> = {
  hours: 'Hours',
  bays: 'Bays and drop-off',
  prices: 'Prices',
  lengths: 'Job lengths',
  'blackout-days': 'Blackout days',
}

/** Rims priced together, in inches, from and to inclusive, half inches too. Together they cover the agreement. */
export const rimBands = [
  [installerAgreement.rimMinIn, 16.9],
  [17, 18.9],
  [19, 20.9],
  [21, installerAgreement.rimMaxIn],
] as const

/** "17 to 18" for the rims that are priced together. */
export function rimBandText([from, to]: (typeof rimBands)[number]): string {
  return `${from} to ${Math.floor(to)}`
}

/** The kinds of work in the order in which they are priced. */
export const pricedJobs: readonly { job: Job; name: string; isRequired: boolean; minutes: number }[] = [
  { job: 'standard', name: 'Standard', isRequired: true, minutes: 12 },
  { job: 'low-profile', name: 'Low profile, aspect 40 and below', isRequired: true, minutes: 15 },
  { job: 'run-flat', name: 'Run-flat', isRequired: false, minutes: 20 },
  { job: 'light-truck', name: 'Light truck', isRequired: false, minutes: 18 },
]

export const mostBays = 20
export const mostBlackoutDays = 60
/** Minutes between two start times that shoppers are offered. */
export const slotLengths = [30, 45, 60, 90, 120] as const
/** Minutes per tire that can be chosen. */
export const tireMinutes = [8, 10, 12, 15, 18, 20, 25, 30, 40, 50, 60] as const

/** What a shop has entered so far. `saved`: the steps its owner saved. */
export type SetUp = {
  isOpen: boolean
  hours: OpeningHours[]
  bays: number
  dropOffs: number
  rates: ShopRate[]
  slotMinutes: number
  closures: ShopClosure[]
  saved: readonly string[]
}

/** Lists the steps that are missing before the shop can be opened, in their order. */
export function missingSteps(setUp: SetUp): SetUpStep[] {
  const isFilled: Record<SetUpStep, boolean> = {
    hours: setUp.hours.length > 0,
    bays: setUp.bays > 0,
    prices: coversAgreement(setUp.rates),
    lengths: setUp.rates.length > 0,
    'blackout-days': true,
  }
  return setUpSteps.filter((step) => !isFilled[step] || !setUp.saved.includes(step))
}

/** Whether every kind of work of the agreement has a price for every rim of it. */
function coversAgreement(rates: readonly ShopRate[]): boolean {
  return pricedJobs
    .filter(({ isRequired }) => isRequired)
    .every(({ job }) =>
      rimBands.every(([from, to]) =>
        rates.some((rate) => rate.job === job && rate.rimFromIn <= from && to <= rate.rimToIn),
      ),
    )
}
