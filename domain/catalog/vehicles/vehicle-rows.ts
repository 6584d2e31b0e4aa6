/** Converts rows of vehicles and original sizes. The schema's checks justify the narrower string types used here. */
import type { FitmentOption, SizedVehicle, Vehicle } from './vehicle.ts'

type VehicleRow = {
  readonly id: number
  readonly year: number
  readonly make: string
  readonly model: string
  readonly trim: string
  readonly make_slug: string
  readonly model_slug: string
  readonly trim_slug: string
  readonly vclass: string
  readonly drive?: string | undefined
}

type FitmentRow = {
  readonly id: number
  readonly front_size: string
  readonly front_load_index?: number | null | undefined
  readonly front_speed?: string | null | undefined
  readonly rear_size: string
  readonly rear_load_index?: number | null | undefined
  readonly rear_speed?: string | null | undefined
  readonly source: string
}

/** The vehicle with its original sizes. */
export function toSizedVehicle(row: VehicleRow, fitments: readonly FitmentRow[]): SizedVehicle {
  return { vehicle: toVehicle(row), fitments: fitments.map(toFitment) }
}

/** The vehicle in a row. */
export function toVehicle(row: VehicleRow): Vehicle {
  const { id, year, make, model, trim, make_slug: makeSlug, model_slug: modelSlug, trim_slug: trimSlug } = row
  const vehicleClass = row.vclass as Vehicle['vehicleClass']
  return {
    id,
    year,
    make,
    model,
    trim,
    makeSlug,
    modelSlug,
    trimSlug,
    vehicleClass,
    drive: row.drive as Vehicle['drive'],
  }
}

/** The choice of original sizes in a row. */
export function toFitment(row: FitmentRow): FitmentOption {
  return {
    id: row.id,
    front: { size: row.front_size, loadIndex: row.front_load_index ?? null, speed: row.front_speed ?? null },
    rear: { size: row.rear_size, loadIndex: row.rear_load_index ?? null, speed: row.rear_speed ?? null },
    isStaggered: row.front_size !== row.rear_size,
    source: row.source as FitmentOption['source'],
  }
}
