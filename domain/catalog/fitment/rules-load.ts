/** Rule book section 5, load and pressure, per axle. Even one load index below is too low. */
import {
  compareLoadClass,
  compareLoadRange,
  grouped,
  loadOf,
  type LoadClass,
  type TireKind,
} from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { ask, onlyIf, refuse, vehicleWord } from './ruling.ts'
import type { AxleCase, Ruling, VehicleClass } from './terms.ts'

/** FR10: the tire carries at least what this axle requires. */
export function carriesListedLoad(at: AxleCase): Ruling {
  const loads = loadsOf(at)
  if (!loads || loads.onlyOneIsDerated) return 'silent'
  if (loads.offered.kg >= loads.needed.kg) return 'passed'
  return refuse(
    `Carries ${grouped(loads.offered.lb)} lb; your ${at.tiresWord} must carry ${grouped(loads.needed.lb)} lb.`,
    `carries ${grouped(loads.offered.lb)} lb, needs ${grouped(loads.needed.lb)} lb`,
  )
}

/** FR11: on a truck, SUV, van or trailer a passenger tire, listed or offered, counts for its rating / 1.10. */
export function carriesListedLoadAcrossKinds(at: AxleCase): Ruling {
  const loads = loadsOf(at)
  if (!loads?.onlyOneIsDerated) return 'silent'
  const short = loads.needed.kg - loads.offered.kg
  if (short <= 0) return 'passed'
  const word = vehicleWord(at.vehicle.vehicleClass)
  const missing = grouped(Math.ceil(short * lbPerKg))
  const text =
    at.tire.size?.kind === 'passenger'
      ? `On ${word === 'SUV' ? 'an' : 'a'} ${word} a passenger tire counts for 10 % less. It falls short by ${missing} lb.`
      : `Even with 10 % taken off your listed passenger tires it falls short by ${missing} lb.`
  return refuse(text, `falls ${missing} lb short of the load your ${word} needs`)
}

/**
 * FR12: an axle's tires together carry its rating, if known. This can replace a missing load index, but never lower a
 * known one.
 */
export function carriesAxleRating({ axle, requirement, tire, vehicle, context }: AxleCase): Ruling {
  const ratingLb = requirement.axleRatingLb
  if (ratingLb === undefined || context.spare) return 'silent'
  const dual = axle === 'rear' && vehicle.dualRearWheels === true
  const each = loadOf(dual ? tire.dualLoadIndex : tire.loadIndex)
  if (!each || !tire.size) return 'silent'
  const togetherKg = (dual ? 4 : 2) * effectiveKg(each.kg, tire.size.kind, vehicle.vehicleClass)
  if (togetherKg < ratingLb * kgPerLb) {
    const togetherLb = Math.min(Math.round(togetherKg * lbPerKg), Math.ceil(ratingLb) - 1)
    return refuse(
      `Together these carry less than your axle rating: ${grouped(togetherLb)} lb against ${grouped(ratingLb)} lb.`,
      `together carry ${grouped(togetherLb)} lb, the axle is rated ${grouped(ratingLb)} lb`,
    )
  }
  if (loadOf(requirement.loadIndex)) return 'passed'
  return onlyIf(
    'C-LI',
    'Your label gives no load index, so we used the axle rating. Check it on the certification label.',
    'if the axle rating you gave is right',
  )
}

/** FR13: the load range is not below the listed one. */
export function loadRangeIsListed({ requirement, tire, vehicle }: AxleCase): Ruling {
  if (!tire.size || !rangedKinds.has(tire.size.kind)) return 'silent'
  if (!tire.loadRange)
    return ask("We can't confirm this tire: its load range is not in our data.", 'its load range is not in our data')
  if (!requirement.loadRange) return 'silent'
  if (compareLoadRange(tire.loadRange, requirement.loadRange) >= 0) return 'passed'
  return refuse(
    `Load range ${tire.loadRange} is below the ${requirement.loadRange} your ${vehicleWord(vehicle.vehicleClass)} needs.`,
    `load range ${tire.loadRange}, needs ${requirement.loadRange}`,
  )
}

/** FR16: passenger load class. If either side does not state it, only rule FR10 decides. */
export function loadClassIsListed({ requirement, tire }: AxleCase): Ruling {
  if (
    requirement.size?.kind !== 'passenger' ||
    tire.size?.kind !== 'passenger' ||
    !requirement.loadClass ||
    !tire.loadClass
  )
    return 'silent'
  const higher = compareLoadClass(tire.loadClass, requirement.loadClass)
  if (higher === 0) return 'passed'
  if (higher < 0) {
    return refuse(
      `Your label asks for ${classWords[requirement.loadClass]} tires. This one is ${classWords[tire.loadClass]}.`,
      `${classWords[tire.loadClass]}, needs ${classWords[requirement.loadClass]}`,
    )
  }
  const name = tire.loadClass === 'HL' ? 'High-load' : 'Extra-load'
  return onlyIf(
    'C-PRESS',
    `${name} tire: the shop must set the pressure so it carries what your label asks; never below the label.`,
    'if the shop sets the pressure',
  )
}

/** FR17: the tire's maximum pressure allows the pressure on the label. */
export function allowsLabelPressure({ requirement, tire }: AxleCase): Ruling {
  if (requirement.pressurePsi === undefined || tire.maxPsi === undefined) return 'silent'
  if (tire.maxPsi >= requirement.pressurePsi) return 'passed'
  return refuse(
    `Your label asks for ${requirement.pressurePsi} psi; this tire allows ${tire.maxPsi}.`,
    `allows ${tire.maxPsi} psi, needs ${requirement.pressurePsi}`,
  )
}

/**
 * FR39: only the listed size preserves the gap between dual wheels. The front axle takes it too, because it shares the
 * tires.
 */
export function dualWheelsTakeListedSize({ match, vehicle, requirement }: AxleCase): Ruling {
  if (!vehicle.dualRearWheels || match === 'unknown' || match === 'same') return 'silent'
  return requirement.size?.kind === 'spare'
    ? 'silent'
    : refuse(
        'With dual rear wheels only the listed size keeps the tires apart.',
        'dual rear wheels take only the listed size',
      )
}

/** FR39: the dual load index is at least the listed one. */
export function carriesListedLoadSideBySide({ axle, requirement, tire, vehicle, context }: AxleCase): Ruling {
  if (!vehicle.dualRearWheels || axle !== 'rear' || context.spare) return 'silent'
  const offered = loadOf(tire.dualLoadIndex)
  const needed = loadOf(requirement.dualLoadIndex)
  if (!offered) return ask('This tire has no rating for side-by-side use.', 'no rating for side-by-side use')
  if (!needed) {
    return ask(
      "We can't confirm this tire: the second load index on your label (after the slash) is not in our data.",
      'what is the second load index on your label?',
    )
  }
  if (offered.kg >= needed.kg) return 'passed'
  return refuse(
    `Side by side it carries ${grouped(offered.lb)} lb; your rear tires must carry ${grouped(needed.lb)} lb.`,
    `side by side carries ${grouped(offered.lb)} lb, needs ${grouped(needed.lb)} lb`,
  )
}

/** The loads both tires count for, in kg, and the printed ones, in lb. Undefined unless both are known. */
function loadsOf({
  requirement,
  tire,
  vehicle,
}: AxleCase): { offered: Weight; needed: Weight; onlyOneIsDerated: boolean } | undefined {
  const offered = loadOf(tire.loadIndex)
  const needed = loadOf(requirement.loadIndex)
  if (!offered || !needed || !tire.size || !requirement.size) return undefined
  return {
    offered: { lb: offered.lb, kg: effectiveKg(offered.kg, tire.size.kind, vehicle.vehicleClass) },
    needed: { lb: needed.lb, kg: effectiveKg(needed.kg, requirement.size.kind, vehicle.vehicleClass) },
    onlyOneIsDerated:
      isDerated(tire.size.kind, vehicle.vehicleClass) !== isDerated(requirement.size.kind, vehicle.vehicleClass),
  }
}

type Weight = { readonly kg: number; readonly lb: number }

function effectiveKg(kg: number, kind: TireKind, vehicleClass: VehicleClass): number {
  return isDerated(kind, vehicleClass) ? (kg * 10) / 11 : kg
}

function isDerated(kind: TireKind, vehicleClass: VehicleClass): boolean {
  return kind === 'passenger' && vehicleClass !== 'car' && vehicleClass !== 'commercial'
}

const lbPerKg = 2.204_622_6
const kgPerLb = 0.453_592_37
const rangedKinds: ReadonlySet<TireKind> = new Set<TireKind>(['lt', 'c', 'st', 'commercial'])
const classWords: Record<LoadClass, string> = { SL: 'standard-load (SL)', XL: 'extra-load (XL)', HL: 'high-load (HL)' }
