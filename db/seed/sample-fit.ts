/** Evaluates the fitment of sample orders with the store's own rules, as checkout does. */
import { offeredTire } from '#domain/catalog/catalog/catalog.server.ts'
import { summarizeSets, type CartVerdict } from '#domain/ordering/checkout/checkout.server.ts'
import { judgeFitment } from '#domain/catalog/fitment/fitment.ts'
import { requirementFor, toSizedVehicle, vehicleName } from '#domain/catalog/vehicles/vehicles.ts'
import type { Item } from './items.ts'
import type { Line } from './lines.ts'
import type { Size } from './sizes.ts'
import type { Fitment, Vehicle } from '#db/reference/vehicles.ts'

type Fit = { vehicle: Vehicle; fitment: Fitment; item: Item; size: Size; line: Line }

/** Returns the fitment result of four of the item on the vehicle, with the listed size confirmed. */
export type FitFinder = (fit: Fit) => CartVerdict

/** Returns a function that evaluates tires for these vehicles. */
export function fitFinder(
  vehicles: readonly Vehicle[],
  fitments: readonly Fitment[],
  now: Temporal.Instant,
): FitFinder {
  const fitmentsOf = Map.groupBy(fitments, ({ vehicle_id }) => vehicle_id)
  const trimsOf = Map.groupBy(vehicles, modelYear)
  const sized = (vehicle: Vehicle) => toSizedVehicle(vehicle, fitmentsOf.get(vehicle.id) ?? [])
  return ({ vehicle, fitment, item, size, line }) => {
    const others = (trimsOf.get(modelYear(vehicle)) ?? []).filter(({ id }) => id !== vehicle.id)
    const settled = { fitmentId: fitment.id, confirmed: true, label: null }
    const requirement = requirementFor([sized(vehicle)], settled, others.map(sized))
    const tire = offeredTire(facts(item, size, line), now)
    const verdict = judgeFitment({ requirement, candidate: { front: tire, rear: undefined }, context: { quantity: 4 } })
    const itemId = item.id ?? 0
    const sets = [{ itemIds: [itemId], verdict, itemOn: { front: itemId, rear: itemId } }]
    return summarizeSets({ vehicleName: vehicleName(vehicle), sets })
  }
}

function modelYear({ year, make_slug, model_slug }: Vehicle): string {
  return `${year} ${make_slug} ${model_slug}`
}

/** What of an item decides whether it fits. */
function facts(item: Item, size: Size, { winter, three_peak: threePeak }: Line): Parameters<typeof offeredTire>[0] {
  return {
    size,
    loadIndex: item.load_index,
    dualLoadIndex: item.dual_load_index ?? null,
    speed: item.speed,
    loadClass: (item.load_class ?? null) as 'SL' | 'XL' | null,
    loadRange: item.load_range ?? null,
    runFlat: item.run_flat === true,
    oeMark: item.oe_mark ?? null,
    line: { winter, threePeak },
    rimWidthMinIn: item.rim_width_min_in,
    rimWidthMaxIn: item.rim_width_max_in,
    maxPsi: item.max_psi,
    measuredDiameterMm: item.measured_diameter_mm,
    oldestDotWeek: item.oldest_dot_week ?? null,
  }
}
