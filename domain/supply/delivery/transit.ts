/** Days in transit and handling. Pure. */
import type { DeliveryRegion } from '#domain/kernel/rates/rates.ts'
import { DELIVERY_BUSINESS_DAYS } from '#platform/business-constants.ts'

/**
 * Business days in transit from a warehouse by great-circle distance in the contiguous states. Parcels elsewhere go by
 * sea or air and take longer, regardless of distance.
 */
export type TransitDays = Readonly<Record<'near' | 'mid' | 'far' | Exclude<DeliveryRegion, 'CONUS'>, number>>

/** A distance or region that a warehouse has transit days for, and can be set not to ship to. */
export type TransitZone = keyof TransitDays

/** Every zone, in display order. */
export const transitZones: readonly TransitZone[] = ['near', 'mid', 'far', 'AK', 'HI', 'TERRITORY']

/** The transit days of a warehouse that didn't change them. The specification allows 2 to 4 business days. */
export const standardTransit: TransitDays = {
  near: DELIVERY_BUSINESS_DAYS.min,
  mid: 3,
  far: DELIVERY_BUSINESS_DAYS.max,
  AK: 7,
  HI: 7,
  TERRITORY: 10,
}

/** The longest distance of `near` and `mid` in miles. */
export const transitMiles = { near: 500, mid: 1_200 } as const

/** Returns the business days between leaving a warehouse with these `days` and arriving. */
export function transitDays(region: DeliveryRegion, miles: number, days: TransitDays): number {
  return days[transitZone(region, miles)]
}

/** Returns the zone of a destination at this distance. */
export function transitZone(region: DeliveryRegion, miles: number): TransitZone {
  if (region !== 'CONUS') return region
  return miles <= transitMiles.near ? 'near' : miles <= transitMiles.mid ? 'mid' : 'far'
}

/** Business days. */
export type DayRange = { min: number; max: number }

/** The business days that deliveries take from the store's open warehouses. */
export type DeliveryTimes = {
  /** Before a warehouse ships an order that is released before its cutoff. */
  handling: DayRange
  /** From leaving a warehouse to arriving. */
  transit: Readonly<Record<DeliveryRegion, DayRange>>
  /** Handling and transit together, in the contiguous states. */
  arrival: DayRange
}

/** The times of a store that didn't change them. */
export const standardDeliveryTimes: DeliveryTimes = {
  handling: { min: 0, max: 0 },
  transit: {
    CONUS: { min: standardTransit.near, max: standardTransit.far },
    AK: { min: standardTransit.AK, max: standardTransit.AK },
    HI: { min: standardTransit.HI, max: standardTransit.HI },
    TERRITORY: { min: standardTransit.TERRITORY, max: standardTransit.TERRITORY },
  },
  arrival: { min: standardTransit.near, max: standardTransit.far },
}

/** Returns a range as "7" or "2-4". */
export function rangeText({ min, max }: DayRange): string {
  return min === max ? String(min) : `${min}-${max}`
}
