/** Limits, prices, and service durations for installers. Safe in the browser. */
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { quoteServices, type BookedService, type QuotedService, type ServicePrice } from './service-kinds.ts'
import type { PauseDays } from './shop-pause.ts'

export { shopRoleNames, type PortalRole, type ShopRole } from './shop-roles.ts'
export {
  certificationForm,
  certificationRequirements,
  isCertified,
  leastWarranty,
  revokeCertificationForm,
  type CertificationRequirement,
} from './certifications.ts'
export {
  isSummaryOfNextDay,
  shopEvents,
  type ShopChannel,
  type ShopEvent,
  type ShopNotification,
} from './shop-events.ts'
export { pauseDaysText, type PauseDays } from './shop-pause.ts'
export { openState, type OpenState } from './open-state.ts'
export {
  closedText,
  openingTimes,
  openingWeek,
  typedWeek,
  weekdayNames,
  weekFields,
  weekOfHours,
  weekValues,
} from './opening-week.ts'
export { areaOfShop, type UrbanArea } from './urban-areas.ts'
export {
  offeredServices,
  serviceKinds,
  storageMonthsOf,
  type BookedService,
  type QuotedService,
  type ServicePrice,
} from './service-kinds.ts'

/** Jobs that shops price and time differently. */
export type Job = 'standard' | 'low-profile' | 'run-flat' | 'light-truck'

/**
 * One item's tires to be installed together. A staggered set has two of these. `sizeKind` is the kind in the size
 * table.
 */
export type TireSpec = { quantity: number; rimIn: number; aspect: number; runFlat: boolean; sizeKind: string }

/** The agreement for every shop (specification, section 5), with accepted tires and maximum wait for the check-in. */
export const installerAgreement = { rimMinIn: 12, rimMaxIn: 22, aspectMin: 35, takenInWithinMinutes: 15 } as const

export type ShopLimits = {
  rimMinIn: number
  rimMaxIn: number
  aspectMin: number
  takesRunFlat: boolean
  takesLightTruck: boolean
}
/** Cents and minutes per tire, for rims from `rimFromIn` to `rimToIn` inclusive. */
export type ShopRate = {
  job: Job
  rimFromIn: number
  rimToIn: number
  installCents: number
  serviceKitCents: number
  disposalCents: number
  minutesPerTire: number
}
/**
 * `weekday` is ISO (1 Monday, 7 Sunday); times are minutes after midnight in the shop's time zone. A missing day is
 * closed.
 */
export type OpeningHours = { weekday: number; opens: number; closes: number }

/** Who a shop is, where it is and how to call it. */
export type ShopIdentity = {
  id: number
  code: string
  slug: string
  name: string
  kind: 'shop' | 'van'
  street: string
  city: string
  state: string
  zip: string
  phone: string
  timeZone: string
}
export type Shop = ShopIdentity & {
  latitude: number
  longitude: number
  amenities: string[]
  /** Null without ratings. */
  ratingTenths: number | null
  ratingCount: number
  /** Null until it is known. */
  onTimePercent: number | null
  /** The last day on which it is certified for repairs; null if it is not. */
  certifiedUntil: string | null
  website: string | null
  /** The shop's description, or null. */
  about: string | null
  /** Services by their keys in an application. */
  services: string[]
  /** Days without new bookings; null if not paused. */
  paused: PauseDays | null
  limits: ShopLimits
  hours: OpeningHours[]
  rates: ShopRate[]
  times: JobTimes
}
/** `miles` in a straight line. `quote` is for the given tires, null without any. */
export type NearbyShop = Shop & { miles: number; quote: InstallationQuote | null }
/** A town a mobile installer serves, with the number of its served ZIPs. */
export type VanTown = { city: string; state: string; zipCount: number }
export type ShopClosure = { on: string; reason: string }
/** With its closed days from today on, and its prices for services without new tires. */
export type ShopInFull = Shop & { closures: ShopClosure[]; servicePrices: ServicePrice[] }

/** Why a shop does not take some tires. */
export type CapabilityFault = 'rim' | 'aspect' | 'run-flat' | 'light-truck' | 'no-price' | 'no-service'
export type QuotedTires = TireSpec & { job: Job; installCents: number; serviceKitCents: number; disposalCents: number }
/** Line amounts are cents per tire, quote amounts are for all tires. `minutes` is how long the bay is occupied. */
export type InstallationQuote = {
  lines: QuotedTires[]
  /** Services next to the tires, or without any. */
  services: QuotedService[]
  installCents: number
  serviceKitCents: number
  disposalCents: number
  minutes: number
}

/**
 * Four of the most common tires, which every shop accepts by agreement. Used for times and prices before tires are
 * chosen.
 */
export const usualSet: readonly TireSpec[] = [{ quantity: 4, rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P' }]

/**
 * A job's minutes in addition to its tires. They are for check-in and lifting the car, each tire's pressure sensor, the
 * inner wheels of a car with six, and an alignment (sold only by shops).
 */
export type JobTimes = { takeInMinutes: number; sensorMinutes: number; dualMinutes: number; alignmentMinutes: number }
export const usualTimes: JobTimes = { takeInMinutes: 10, sensorMinutes: 0, dualMinutes: 0, alignmentMinutes: 60 }
/** The number of tires per job that indicates dual rear wheels. */
export const dualTires = 6
/** Sidewalls this low need more care on the machine. */
export const lowProfileAspect = 40

const lightTruckKinds = ['LT', 'FLOTATION', 'C', 'COMMERCIAL']

/**
 * Returns a tire's job. If a tire fits several categories, the longest job applies (run-flat, then light truck, then
 * low profile).
 */
export function jobOf(tire: Pick<TireSpec, 'aspect' | 'runFlat' | 'sizeKind'>): Job {
  if (tire.runFlat) return 'run-flat'
  if (lightTruckKinds.includes(tire.sizeKind)) return 'light-truck'
  return tire.aspect <= lowProfileAspect ? 'low-profile' : 'standard'
}

/**
 * Quotes price and duration of installing `tires` at a shop. The duration is the rate's minutes per tire plus the
 * additional minutes (`JobTimes`), rounded up to five. Refuses tires outside the shop's limits (by agreement rims 12 to
 * 22 inch and aspect ratio 35 and above) or without a price, and services that the shop doesn't offer.
 */
export function quoteInstallation(
  shop: { limits: ShopLimits; rates: readonly ShopRate[]; times?: JobTimes; servicePrices?: readonly ServicePrice[] },
  tires: readonly TireSpec[],
  services: readonly BookedService[] = [],
): Outcome<InstallationQuote, Refused<'shop-not-capable', CapabilityFault[]>> {
  const priced = tires.map((tire) => ({
    tire,
    rate: shop.rates.find(
      (rate) => rate.job === jobOf(tire) && rate.rimFromIn <= tire.rimIn && tire.rimIn <= rate.rimToIn,
    ),
  }))
  const faults = new Set(priced.flatMap(({ tire, rate }) => faultsOf(shop.limits, tire, rate)))
  const quotedServices = quoteServices(shop.servicePrices ?? [], services)
  if (!quotedServices) faults.add('no-service')
  if (!quotedServices || faults.size > 0) return refused('shop-not-capable', [...faults])

  const { takeInMinutes, sensorMinutes, dualMinutes } = shop.times ?? usualTimes
  const isDual = tires.reduce((sum, { quantity }) => sum + quantity, 0) >= dualTires
  const quote: InstallationQuote = {
    lines: [],
    services: quotedServices,
    installCents: 0,
    serviceKitCents: 0,
    disposalCents: 0,
    minutes:
      takeInMinutes +
      (isDual ? dualMinutes : 0) +
      quotedServices.reduce((sum, { units, minutes }) => sum + units * minutes, 0),
  }
  for (const { tire, rate } of priced) {
    if (!rate) continue
    quote.lines.push({
      ...tire,
      job: rate.job,
      installCents: rate.installCents,
      serviceKitCents: rate.serviceKitCents,
      disposalCents: rate.disposalCents,
    })
    quote.installCents += tire.quantity * rate.installCents
    quote.serviceKitCents += tire.quantity * rate.serviceKitCents
    quote.disposalCents += tire.quantity * rate.disposalCents
    quote.minutes += tire.quantity * (rate.minutesPerTire + sensorMinutes)
  }
  return ok({ ...quote, minutes: Math.ceil(quote.minutes / 5) * 5 })
}

function faultsOf(limits: ShopLimits, tire: TireSpec, rate: ShopRate | undefined): CapabilityFault[] {
  const faults: CapabilityFault[] = []
  if (tire.rimIn < limits.rimMinIn || tire.rimIn > limits.rimMaxIn) faults.push('rim')
  if (tire.aspect < limits.aspectMin) faults.push('aspect')
  if (tire.runFlat && !limits.takesRunFlat) faults.push('run-flat')
  if (lightTruckKinds.includes(tire.sizeKind) && !limits.takesLightTruck) faults.push('light-truck')
  if (faults.length === 0 && !rate) faults.push('no-price')
  return faults
}
