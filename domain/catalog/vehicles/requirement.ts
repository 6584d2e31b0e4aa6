/** Derives the requirement for `judgeFitment` from the known vehicle data. */
import {
  commonWheelFacts,
  factsOf,
  hasPressureMonitorByLaw,
  sourcedFacts,
  sourcesOf,
  type AxleRequirement,
  type Drive,
  type Requirement,
  type SourcedWheelFacts,
  type VehicleConfiguration,
} from '#domain/catalog/fitment/fitment.ts'
import { isSpeedSymbol, parseTire, parseTireSize, sizeDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { ChosenVehicle } from './chosen-vehicle.ts'
import type { FitmentOption, KnownModel, ListedTire, SizedVehicle, Vehicle } from './vehicle.ts'

/** When the list of original sizes was compiled; shown with every verdict based on it. */
export const sizesListedIn = 'November 2026'

/** What the shopper has settled about the vehicle: see `ChosenVehicle`. */
export type Settled = Pick<ChosenVehicle, 'fitmentId' | 'confirmed' | 'label' | 'allWheelDrive'>

/**
 * Returns a vehicle's fitment requirement. `vehicles` are the possible trims (one if chosen). `others` are the model's
 * other trims, with sizes that count as alternatives. Several possible original sizes become configurations. The source
 * is the placard only if the shopper confirmed one listed choice or entered the placard's values. One weak row among
 * the possible ones makes the whole requirement weak.
 */
export function requirementFor(
  vehicles: readonly [SizedVehicle, ...SizedVehicle[]],
  settled: Settled,
  others: readonly SizedVehicle[] = [],
): Requirement {
  const { vehicle } = vehicles[0]
  const listed = vehicles.flatMap(({ fitments }) => fitments)
  const possible = listed.filter(({ id }) => settled.fitmentId === null || id === settled.fitmentId)
  const alternatives = new Set(
    [...vehicles, ...others].flatMap(({ fitments }) => fitments.flatMap(({ front, rear }) => [front.size, rear.size])),
  )
  const wheels = wheelsOf(possible, settled.label !== null)
  const about = {
    ...identity(vehicle),
    ...(wheels && { wheels }),
    ...equipmentOf(vehicle, dualRearWheelsOf(vehicles)),
    sourceDate: sourceOf(possible.length > 0 ? possible : listed),
    drive: driveOf(vehicles.every((each) => each.vehicle.drive === vehicle.drive) ? vehicle.drive : 'na', settled),
    alternativeSizes: [...alternatives].flatMap((size) => parseTireSize(size) ?? []),
  }
  if (settled.label) return { ...about, source: 'placard', configurations: labelConfigurations(settled.label, listed) }
  const isConfirmed = settled.confirmed && possible.length === 1
  return {
    ...about,
    source: isConfirmed
      ? 'placard'
      : possible.length === 0
        ? 'none'
        : possible.some(({ source }) => source === 'weak')
          ? 'weak'
          : 'catalog',
    configurations: possible.map(({ front, rear }) => ({ front: axleRequirement(front), rear: axleRequirement(rear) })),
  }
}

/**
 * Returns the wheel facts that apply to all possible choices. Pressures and offsets belong to listed sizes, so they don't
 * apply to a label with other ones.
 */
function wheelsOf(possible: readonly FitmentOption[], isFromLabel: boolean): SourcedWheelFacts | undefined {
  const stated = possible.flatMap(({ wheels }) => wheels ?? [])
  if (stated.length === 0 || stated.length < possible.length) return undefined
  const bySize = { frontPsi: null, rearPsi: null, frontOffsetMm: null, rearOffsetMm: null }
  const facts = { ...commonWheelFacts(stated.map(factsOf)), ...(isFromLabel && bySize) }
  return sourcedFacts(facts, sourcesOf(stated))
}

/** Returns the requirement of a model without listed sizes. It has the placard's values, or is empty. */
export function requirementForKnownModel(model: KnownModel, settled: Settled): Requirement {
  return {
    ...identity(model),
    ...equipmentOf(model, false),
    drive: driveOf('na', settled),
    source: settled.label ? 'placard' : 'none',
    configurations: settled.label ? labelConfigurations(settled.label, []) : [],
  }
}

/** "SizeData, October 5, 2026" if all options come from one licensed list, else when the open one was compiled. */
function sourceOf(options: readonly FitmentOption[]): string {
  const [list, ...others] = new Map(options.map((option) => [option.list?.name, option.list])).values()
  if (!list || others.length > 0) return sizesListedIn
  return `${list.name}, ${Temporal.PlainDate.from(list.date).toLocaleString('en-US', { dateStyle: 'long' })}`
}

function identity({
  vehicleClass,
  make,
  year,
}: Pick<Vehicle, 'vehicleClass' | 'make' | 'year'>): Pick<Requirement, 'vehicleClass' | 'make' | 'modelYear'> {
  return { vehicleClass, make, modelYear: year }
}

/**
 * The pressure monitor follows from the law for the class and year. It is unknown if the law doesn't require one, or
 * the rear wheels are unknown.
 */
function equipmentOf(
  { vehicleClass, year }: Pick<Vehicle, 'vehicleClass' | 'year'>,
  dualRearWheels: boolean | undefined,
) {
  const byLaw =
    dualRearWheels !== undefined && hasPressureMonitorByLaw({ vehicleClass, modelYear: year, dualRearWheels })
  return { dualRearWheels, pressureMonitor: byLaw || undefined }
}

/**
 * Only a trim's name reveals dual rear wheels ("350 HD Dual Rear Wheel"). Undefined while only some of the possible
 * trims have them.
 */
function dualRearWheelsOf(vehicles: readonly SizedVehicle[]): boolean | undefined {
  const dual = vehicles.filter(({ vehicle }) => /\b(?:dual rear wheels?|drw|dually)\b/i.test(vehicle.trim)).length
  return dual === vehicles.length ? true : dual === 0 ? false : undefined
}

/** The shopper's answer decides an unlisted drive. If they disagree, the stricter all-wheel drive is used. */
function driveOf(listed: Drive, { allWheelDrive }: Settled): Drive {
  return allWheelDrive ? 'awd' : listed
}

function axleRequirement(listed: ListedTire): AxleRequirement {
  return {
    size: parseTireSize(listed.size),
    loadIndex: listed.loadIndex ?? undefined,
    speed: listed.speed !== null && (listed.speed === 'ZR' || isSpeedSymbol(listed.speed)) ? listed.speed : undefined,
  }
}

/**
 * A label need not state load index and speed. If it does not, those listed with the same sizes are used, each listed
 * pair as a configuration.
 */
function labelConfigurations(
  label: { front: string; rear: string },
  listed: readonly FitmentOption[],
): VehicleConfiguration[] {
  const [front, rear] = [parseTire(label.front), parseTire(label.rear)]
  if (!front || !rear) return []
  const sameSizes = listed.filter(
    (option) =>
      spelling(option.front) === sizeDesignation(front.size) && spelling(option.rear) === sizeDesignation(rear.size),
  )
  if (sameSizes.length === 0) return [{ front, rear }]
  return sameSizes.map((option) => ({
    front: filled(front, axleRequirement(option.front)),
    rear: filled(rear, axleRequirement(option.rear)),
  }))
}

function filled(read: AxleRequirement, listed: AxleRequirement): AxleRequirement {
  return { ...read, loadIndex: read.loadIndex ?? listed.loadIndex, speed: read.speed ?? listed.speed }
}

function spelling(listed: ListedTire): string | undefined {
  const size = parseTireSize(listed.size)
  return size && sizeDesignation(size)
}
