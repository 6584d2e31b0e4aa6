/** Rule book section 3, the kind of tire by its size. Evaluated first because it needs little data. */
import { ask, isLight, onlyIf, refuse, vehicleWord } from './ruling.ts'
import type { AxleCase, Ruling } from './terms.ts'
import { isSameSize, type TireKind, type TireSize } from '#domain/kernel/tire-sizes/tire-sizes.ts'

/** FR35: a temporary spare only in the spare position, and only in the listed spare size. */
export function temporarySpareIsForSpare({ requirement, tire, context }: AxleCase): Ruling {
  if (tire.size?.kind !== 'spare') return 'silent'
  if (!context.spare)
    return refuse('This is a temporary spare: 50 mph, short distances only.', 'temporary spare, not a road tire')
  if (!requirement.size) return 'silent'
  return isSameSize(requirement.size, tire.size)
    ? 'passed'
    : ask(
        'This temporary spare is not the listed size. What size is printed on your spare?',
        'what size is printed on your spare?',
      )
}

/**
 * The part of FR36 that needs no listed size. Light vehicles get no trailer tires, and trailers get no passenger tires.
 */
export function trailerTireIsForTrailer({ tire, vehicle }: AxleCase): Ruling {
  if (tire.size?.kind === 'st' && isLight(vehicle.vehicleClass)) {
    return refuse('Trailer tires are not made to steer or drive. Never on a car or truck.', 'trailer tire')
  }
  if (tire.size?.kind === 'passenger' && vehicle.vehicleClass === 'trailer') {
    return refuse('Car tires are not for trailers.', 'car tire, not for trailers')
  }
  return 'silent'
}

/** FR36 on a trailer, which allows only the kind and exact size on its placard. */
export function trailerTireIsOnLabel({ match, vehicle, tire }: AxleCase): Ruling {
  if (vehicle.vehicleClass !== 'trailer' || match === 'unknown' || tire.size?.kind === 'spare') return 'silent'
  return match === 'same'
    ? 'passed'
    : refuse('A trailer takes only the kind and size of tire on its label.', 'not the size on the trailer label')
}

/**
 * FR37: commercial sizes never on light vehicles unless listed. On commercial vehicles another commercial size is a
 * question, and every fit is confirmed by phone.
 */
export function heavyTruckTireIsListed({ requirement, tire, vehicle }: AxleCase): Ruling {
  const isHeavyTire = tire.size?.kind === 'commercial'
  if (!tire.size || vehicle.vehicleClass === 'trailer') return 'silent'
  const listed = requirement.size !== undefined && isSameSize(requirement.size, tire.size)
  const text = isHeavyTire
    ? 'Heavy-truck tire. We confirm these by phone.'
    : 'Your vehicle is over 10,000 lb. We confirm its tires by phone.'
  if (isLight(vehicle.vehicleClass))
    return !isHeavyTire ? 'silent' : listed ? 'passed' : refuse(text, 'heavy-truck tire')
  if (isHeavyTire && !listed) return ask(text, 'call us about this heavy-truck size')
  return onlyIf('C-COMM', text, 'if we confirm it with you by phone')
}

/** FR14: no passenger tire where the maker fitted LT or C, whatever its load index. */
export function passengerTireForLightTruck({ requirement, tire, vehicle }: AxleCase): Ruling {
  if (tire.size?.kind !== 'passenger' || !isLightTruckKind(requirement.size)) return 'silent'
  const word = vehicleWord(vehicle.vehicleClass)
  return refuse(
    `Your ${word} was built for light-truck (LT) tires. This is a passenger tire.`,
    `passenger tire, your ${word} needs light-truck (LT)`,
  )
}

/**
 * FR15, for LT or C tires in place of a passenger tire or each other. Never on a car; on other vehicles with the tire's
 * own pressure.
 */
export function lightTruckTireForOther({ requirement, tire, vehicle }: AxleCase): Ruling {
  if (
    !requirement.size ||
    !isLightTruckKind(tire.size) ||
    requirement.size.kind === tire.size?.kind ||
    vehicle.vehicleClass === 'trailer'
  )
    return 'silent'
  const forPassenger = requirement.size.kind === 'passenger'
  if (forPassenger && vehicle.vehicleClass === 'car') {
    return refuse('Your car was built for passenger tires. This is a light-truck tire.', 'light-truck tire on a car')
  }
  if (forPassenger ? vehicle.vehicleClass === 'commercial' : !isLightTruckKind(requirement.size)) return 'silent'
  return onlyIf(
    'C-PRESS-LT',
    'This LT tire needs more pressure than your door label says (often 10-15 psi). The shop sets it from the load table; your warning light is set for the old pressure.',
    'if the shop sets a higher pressure',
  )
}

/** FR38: an inch size is never exactly a metric one. */
export function inchSizeForMetric({ requirement, tire }: AxleCase): Ruling {
  const [listed, offered] = [requirement.size?.form, tire.size?.form]
  const mixed = (listed === 'metric' && offered === 'flotation') || (listed === 'flotation' && offered === 'metric')
  if (!mixed) return 'silent'
  return onlyIf(
    'C-FLOAT',
    'Sized in inches; real width and height differ by brand. The shop checks clearance.',
    'if the shop checks clearance',
  )
}

/**
 * FR30, comparing construction with the listed tire (bias instead of radial, or vice versa). Many radial cars have a
 * bias spare.
 */
export function constructionIsListed({ requirement, tire, context }: AxleCase): Ruling {
  if (context.spare || !requirement.size || !tire.size || isRadial(requirement.size) === isRadial(tire.size))
    return 'silent'
  const [offered, listed] = isRadial(tire.size) ? ['radial', 'bias'] : ['bias', 'radial']
  return refuse(
    `Don't mix radial and bias tires. This is a ${offered} tire; yours are ${listed}.`,
    `${offered} tire, needs ${listed}`,
  )
}

/** FR4: two kinds that no rule of this section compares are a question, never a match. */
export function kindsAreComparable({ requirement, tire, vehicle }: AxleCase): Ruling {
  if (!requirement.size || !tire.size || requirement.size.kind === tire.size.kind || vehicle.vehicleClass === 'trailer')
    return 'silent'
  const offered = tire.size.kind
  const listed = requirement.size.kind
  if (offered === 'spare' || offered === 'commercial' || (offered === 'st' && isLight(vehicle.vehicleClass)))
    return 'silent'
  if (isLightTruckKind(requirement.size) && (offered === 'passenger' || isLightTruckKind(tire.size))) return 'silent'
  if (listed === 'passenger' && isLightTruckKind(tire.size) && vehicle.vehicleClass !== 'commercial') return 'silent'
  return ask(
    `Your label lists ${kindWords[listed]}; this is ${kindWords[offered]}. Please call us.`,
    'another kind of tire than your label lists, call us',
  )
}

/** Whether a size is LT, flotation, or C. Such tires are built and inflated as light-truck tires. */
export function isLightTruckKind(size: TireSize | undefined): boolean {
  return size?.kind === 'lt' || size?.kind === 'c'
}

export function isRadial(size: TireSize): boolean {
  return size.construction === 'radial'
}

const kindWords: Record<TireKind, string> = {
  passenger: 'a passenger tire',
  lt: 'a light-truck tire',
  c: 'a van (C) tire',
  st: 'a trailer tire',
  spare: 'a temporary spare',
  commercial: 'a heavy-truck tire',
}
