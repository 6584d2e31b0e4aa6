/** Matches a list line to a vehicle in the tire finder, and to its possible tires. */
import {
  listedTireText,
  vehicleName,
  fitmentText,
  type ChosenVehicle,
  type SizedVehicle,
} from '#domain/catalog/vehicles/vehicles.ts'
import { slugOf } from '#platform/slug.ts'

/** A choice of tires among those that the possible trims came with; `key` names it in a form. */
export type TireOption = { key: string; text: string; vehicle: ChosenVehicle; front: string; rear: string }

/** What is known about a line (the vehicle, and its tires once they are unambiguous). */
export type Matched = { vehicle: ChosenVehicle | null; front: string | null; rear: string | null }

/** Returns the distinct tires for these trims, each with its trims. */
export function tireOptions(sized: readonly SizedVehicle[]): TireOption[] {
  const listed = sized.flatMap(({ vehicle, fitments }) => fitments.map((fitment) => ({ vehicle, fitment })))
  return [...Map.groupBy(listed, ({ fitment }) => fitmentText(fitment))].flatMap(([text, same]) => {
    const [first] = same
    if (!first) return []
    const { vehicle, fitment } = first
    const trims = [...new Set(same.map((each) => each.vehicle.trim))]
    const isWhole = trims.length === 1 && trims[0] === 'All'
    const shown = trims.slice(0, 3).join(', ') + (trims.length > 3 ? ` and ${trims.length - 3} more` : '')
    return {
      key: `${vehicle.id}-${fitment.id}`,
      text: isWhole ? text : `${text} (${shown})`,
      front: listedTireText(fitment.front),
      rear: listedTireText(fitment.rear),
      vehicle: {
        ...modelOf(vehicle),
        name: vehicleName(trims.length === 1 ? vehicle : { ...vehicle, trim: undefined }).slice(0, 90),
        vehicleId: vehicle.id,
        fitmentId: fitment.id,
      },
    }
  })
}

/** Settles a line on these trims of one model, on the trim that the VIN names if it is one of them. */
export function settle(sized: readonly SizedVehicle[], trim: string | null): Matched {
  const [first] = sized
  if (!first) return { vehicle: null, front: null, rear: null }
  const named = sized.filter(({ vehicle }) => trim !== null && vehicle.trimSlug === slugOf(trim))
  const [only, ...others] = tireOptions(named.length > 0 ? named : sized)
  if (only && others.length === 0) return { vehicle: only.vehicle, front: only.front, rear: only.rear }
  const name = vehicleName({ ...first.vehicle, trim: undefined }).slice(0, 90)
  return { vehicle: { ...modelOf(first.vehicle), name, vehicleId: null, fitmentId: null }, front: null, rear: null }
}

function modelOf({ year, makeSlug, modelSlug }: SizedVehicle['vehicle']) {
  return { year, makeSlug, modelSlug, confirmed: false, label: null }
}
