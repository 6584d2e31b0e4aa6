/**
 * Rule book section 7, covering quantity, axles, and the tires that stay on the vehicle. The spare is not part of a
 * set.
 */
import { ask, onlyIf, refuse } from './ruling.ts'
import { isLightTruckKind, isRadial } from './rules-kind.ts'
import type { AxleCase, Ruling, SetCase } from './terms.ts'
import { isSameSize } from '#domain/kernel/tire-sizes/tire-sizes.ts'

/** FR1: the quantity is known and covers the judged axles. Six wheels are rule FR39's. */
export function quantityCoversAxles({ front, rear, vehicle, context }: SetCase): Ruling {
  const quantity = context.quantity
  if (!isCount(quantity))
    return ask("We can't confirm this yet: how many tires do you need?", 'how many tires do you need?')
  if (vehicle.dualRearWheels || context.spare) return 'passed'
  const twoArticles = front !== undefined && rear !== undefined && front.tire !== rear.tire
  if (twoArticles && quantity < 3)
    return ask('Set of four: 2 front, 2 rear. How many of each do you need?', 'how many of each do you need?')
  if ((!front || !rear) && quantity > 2)
    return ask('One axle takes two tires. Where do the others go?', 'where do the other tires go?')
  return 'passed'
}

/** FR39: dual rear wheels take six tires, or four if only the rear axle is replaced, or two if only the front. */
export function quantityCoversDualWheels({ front, rear, vehicle, context }: SetCase): Ruling {
  if (!vehicle.dualRearWheels || context.spare || !isCount(context.quantity)) return 'silent'
  const covered = front && rear ? context.quantity >= 6 : context.quantity === (rear ? 4 : 2)
  return covered
    ? 'passed'
    : ask('Your vehicle has six wheels. Which of them are these tires for?', 'which of the six wheels are these for?')
}

/** FR24: left and right have the same line, size, load index and speed. */
export function axleIsMatched({ partial, context }: SetCase): Ruling {
  const mateIsOther = partial && isOdd(context.quantity) && context.remainingLine === 'other'
  if (!context.leftAndRightDiffer && !mateIsOther) return 'silent'
  return refuse('Both tires on an axle must be the same.', 'both tires on an axle must be the same')
}

/** FR25: a single tire goes next to a mate of the same line. */
export function singleTireHasMate({ partial, context }: SetCase): Ruling {
  if (!partial || !isOdd(context.quantity) || context.remainingLine === 'other') return 'silent'
  if (context.remainingLine === undefined)
    return ask('Is the other tire on that axle the same model?', 'is the other tire on that axle the same model?')
  return onlyIf(
    'C-MATE',
    'The new tire goes on the rear axle, beside the one of the same model with the deepest tread.',
    'beside the deepest tread of the same model, on the rear',
  )
}

/**
 * FR26: a new pair goes on the rear axle, with front-wheel drive, too. A front pair in a different size must not
 * outlast worn rear tires. On a trailer, a pair goes on one axle.
 */
export function newPairGoesOnRear({ front, rear, configuration, vehicle, partial, context }: SetCase): Ruling {
  if (!partial || context.quantity !== 2) return 'silent'
  const sizesDiffer =
    configuration.front.size &&
    configuration.rear.size &&
    !isSameSize(configuration.front.size, configuration.rear.size)
  if (front && !rear && (sizesDiffer || vehicle.dualRearWheels)) {
    return onlyIf(
      'C-FRONTPAIR',
      'Your two new tires go on the front axle; the rear tires must have at least as much tread.',
      'if the rear tires have at least as much tread',
    )
  }
  if (vehicle.vehicleClass === 'trailer') {
    return onlyIf(
      'C-REAR',
      'If your trailer has two axles, both new tires go on one of them.',
      'with both new tires on one axle',
    )
  }
  // Different front and rear sizes cannot be swapped.
  const others = sizesDiffer ? '' : '; the best of the old ones move to the front'
  return onlyIf('C-REAR', `Your two new tires go on the rear axle${others}.`, 'with the new pair on the rear axle')
}

/**
 * FR27: fewer than four new tires on all-wheel drive: the same line, and tread within the maker's limit, else within
 * 2/32. Never over 4/32.
 */
export function treadsMatchOnAllWheelDrive({ vehicle, partial, context }: SetCase): Ruling {
  if (vehicle.drive !== 'awd' || !partial) return 'silent'
  const figure = context.makerTreadTolerance32
  const gap = context.treadGap32 === undefined ? undefined : Math.abs(context.treadGap32)
  const allowed = figure ?? usualTolerance32
  const text = `All-wheel drive: the four tires must match within ${allowed}/32 inch of tread.`
  if (context.remainingLine === 'other') {
    return refuse(
      'All-wheel drive: all four tires must be the same model.',
      'all-wheel drive needs four tires of one model',
    )
  }
  if (gap !== undefined && (gap > mostTolerance32 || (figure !== undefined && gap > figure))) {
    return refuse(text, `tread differs by ${gap}/32 inch, all-wheel drive takes ${allowed}/32`)
  }
  if (gap === undefined || context.remainingLine === undefined) {
    return ask(`${text} What are the others, and how deep is their tread?`, 'how deep is the tread of the others?')
  }
  if (gap <= allowed) return onlyIf('C-AWD', text, `if all four match within ${allowed}/32 inch of tread`)
  return ask(`${text} What does your owner's manual allow?`, 'what tread difference does your manual allow?')
}

/** FR29: winter tires go on all wheels or not at all. */
export function winterTiresAreFour({ front, rear, partial, context }: SetCase): Ruling {
  const offered = new Set([front, rear].filter((at) => at !== undefined).map((at) => at.tire.winter === true))
  const winter = offered.has(true)
  const remaining = partial
    ? (context.remainingWinter ?? (context.remainingLine === 'same' ? winter : undefined))
    : winter
  if (offered.has(!winter) || (remaining !== undefined && remaining !== winter)) {
    return refuse('Use winter tires only as a set of four.', 'winter tires only as a set of four')
  }
  if (!winter || remaining !== undefined) return 'silent'
  return ask(
    'Use winter tires only as a set of four. Are your other tires winter tires?',
    'are your other tires winter tires?',
  )
}

/**
 * FR30: never light-truck with passenger tires, or radial with bias, on one vehicle; so no LT pair with the listed
 * passenger tires.
 */
export function kindsAreNotMixed({ front, rear, configuration, partial }: SetCase): Ruling {
  const fitted = [front, rear].filter((at) => at !== undefined)
  const sizes = fitted.flatMap((at) => at.tire.size ?? [])
  const staying = partial ? [configuration.front.size, configuration.rear.size].flatMap((size) => size ?? []) : []
  const lightTruck = sizes.some(isLightTruckKind)
  if (lightTruck && [...sizes, ...staying].some((size) => size.kind === 'passenger')) {
    return refuse(
      "Don't mix light-truck and passenger tires on one vehicle.",
      "light-truck and passenger tires don't mix",
    )
  }
  const radial = sizes.filter(isRadial).length
  return radial > 0 && radial < sizes.length
    ? refuse("Don't mix radial and bias tires on one vehicle.", "radial and bias tires don't mix")
    : 'silent'
}

/** FR31: never run-flat with conventional tires. */
export function runFlatsAreNotMixed({ front, rear, partial, context }: SetCase): Ruling {
  const fitted = [front, rear].filter((at) => at !== undefined)
  const offered = new Set(fitted.map((at) => at.tire.runFlat === true))
  const runFlat = offered.has(true)
  const remaining = partial ? context.remainingRunFlat : undefined
  const text = "Don't mix run-flat and regular tires."
  if (offered.has(!runFlat) || (remaining !== undefined && remaining !== runFlat))
    return refuse(text, "run-flat and regular tires don't mix")
  const asks = partial && remaining === undefined && (runFlat || fitted.some(isListedRunFlat))
  return asks ? ask(`${text} Are your other tires run-flats?`, 'are your other tires run-flats?') : 'silent'
}

/**
 * The tread difference makers allow on all-wheel drive, in 1/32 inch. Subaru states 1/4 inch of circumference = 1.27/32
 * of tread.
 */
export const makerTreadTolerance32: Readonly<Record<string, number>> = { Subaru: 1.27, Audi: 4 }

const usualTolerance32 = 2
const mostTolerance32 = 4

function isListedRunFlat({ requirement }: AxleCase): boolean {
  return requirement.runFlat === true
}

function isCount(quantity: number | undefined): quantity is number {
  return quantity !== undefined && Number.isInteger(quantity) && quantity > 0
}

function isOdd(quantity: number | undefined): boolean {
  return quantity !== undefined && quantity % 2 === 1
}
