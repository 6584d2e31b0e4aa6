/** Vehicles in the finder with their listed tires, and how both are written. */
import type { Drive, SourcedWheelFacts, VehicleClass } from '#domain/catalog/fitment/fitment.ts'

/** One year, make, model and trim. */
export type Vehicle = {
  readonly id: number
  readonly year: number
  readonly make: string
  readonly model: string
  readonly trim: string
  readonly makeSlug: string
  readonly modelSlug: string
  readonly trimSlug: string
  readonly vehicleClass: VehicleClass
  readonly drive: Drive
}

/** The listed tire for one axle, with the printed size, and load and speed if known. */
export type ListedTire = { readonly size: string; readonly loadIndex: number | null; readonly speed: string | null }

/**
 * One original choice of sizes of a vehicle. `weak` rows failed the data checks and never lead to a plain "fits". `list` is
 * a licensed list with its date, such as 2026-10-05; undefined for the store's open list.
 */
export type FitmentOption = {
  readonly id: number
  readonly front: ListedTire
  readonly rear: ListedTire
  readonly isStaggered: boolean
  readonly source: 'catalog' | 'weak'
  readonly list?: { readonly name: string; readonly date: string } | undefined
  /** Undefined if no list has any. */
  readonly wheels?: SourcedWheelFacts | undefined
}

export type SizedVehicle = { readonly vehicle: Vehicle; readonly fitments: readonly FitmentOption[] }

/** A model that exists in that year, but without listed sizes. */
export type KnownModel = {
  readonly year: number
  readonly make: string
  readonly model: string
  readonly makeSlug: string
  readonly modelSlug: string
  readonly vehicleClass: VehicleClass
}

/** The finder's message if only the model is known. */
export const sizesNotListed = 'We know this vehicle but not its sizes: enter the size from the door label'

/** A make, model or trim to choose; one without listed sizes leads to the door label. */
export type Choice = { readonly slug: string; readonly name: string; readonly hasSizes: boolean }

/**
 * "2019 Honda CR-V EX", "2019 Honda CR-V", "Honda CR-V"; a make that is part of the model's name is not repeated: "2019
 * Mazda3".
 */
export function vehicleName(vehicle: {
  readonly year?: number | undefined
  readonly make: string
  readonly model: string
  readonly trim?: string | undefined
}): string {
  const { year, make, model, trim } = vehicle
  return [year, model.startsWith(make) ? undefined : make, model, trim === everyTrim ? undefined : trim]
    .filter(Boolean)
    .join(' ')
}

/** The size lists' name for a model listed as a whole, not a trim. */
const everyTrim = 'All'

/** A trim as an option: "EX", or "All trims" if the model is listed as a whole. */
export function trimText(trim: string): string {
  return trim === everyTrim ? 'All trims' : trim
}

/** "235/60R18 103H". */
export function listedTireText({ size, loadIndex, speed }: ListedTire): string {
  const service = `${loadIndex ?? ''}${speed ?? ''}`
  return service === '' ? size : `${size} ${service}`
}

/** "235/60R18 103H", or "245/35R19 89Y front, 305/30R20 99Y rear". */
export function fitmentText({
  front,
  rear,
  isStaggered,
}: Pick<FitmentOption, 'front' | 'rear' | 'isStaggered'>): string {
  return isStaggered ? `${listedTireText(front)} front, ${listedTireText(rear)} rear` : listedTireText(front)
}
