/** Rule book sections 2 and 4, required facts and size. */
import {
  loadOf,
  speedOf,
  hasSameDimensions,
  isSameSize,
  overallDiameterOf,
  sizeDesignation,
  type TireSize,
} from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { ask, onlyIf, refuse } from './ruling.ts'
import type { AxleCase, AxleRequirement, Requirement, OfferedTire, Ruling, SetCase, SizeMatch } from './terms.ts'

/** Compares the offered size with the listed one; see `SizeMatch`. */
export function matchSize(requirement: AxleRequirement, tire: OfferedTire, vehicle: Requirement): SizeMatch {
  const listed = requirement.size
  const offered = tire.size
  if (!listed || !offered) return 'unknown'
  if (isSameSize(listed, offered)) return 'same'
  if (offered.rimIn === listed.rimIn && vehicle.alternativeSizes?.some((size) => isSameSize(size, offered)))
    return 'alternative'
  return hasSameDimensions(listed, offered) ? 'other-kind' : 'other'
}

/** FR1: a fit needs a size on both sides. */
export function offeredSizeIsKnown({ tire }: AxleCase): Ruling {
  return tire.size ? 'passed' : notInData('its size')
}

export function listedSizeIsKnown({ requirement }: AxleCase): Ruling {
  return requirement.size ? 'passed' : notOnLabel('the size', howToReadSize)
}

export function offeredLoadIsKnown({ tire }: AxleCase): Ruling {
  return loadOf(tire.loadIndex) ? 'passed' : notInData('its load index')
}

/** FR1: an axle rating may replace the label's load index (FR12), but not for the spare. */
export function listedLoadIsKnown({ requirement, context }: AxleCase): Ruling {
  const ratingStandsIn = requirement.axleRatingLb !== undefined && !context.spare
  return loadOf(requirement.loadIndex) || ratingStandsIn ? 'passed' : notOnLabel('the load index', howToReadService)
}

/** FR1: trailer tires need no speed symbol. A bare ZR is rule FR20's. */
export function offeredSpeedIsKnown({ tire }: AxleCase): Ruling {
  return speedOf(tire.speed) || tire.speed === 'ZR' || tire.size?.kind === 'st'
    ? 'passed'
    : notInData('its speed rating')
}

export function listedSpeedIsKnown({ requirement }: AxleCase): Ruling {
  return speedOf(requirement.speed) || requirement.speed === 'ZR' || requirement.size?.kind === 'st'
    ? 'passed'
    : notOnLabel('the speed rating', howToReadService)
}

/** FR44: wheels other than the factory's must be described. */
export function aftermarketWheelIsDescribed({ vehicle, requirement }: AxleCase): Ruling {
  if (!vehicle.aftermarketWheels || (requirement.wheelRimIn !== undefined && requirement.wheelWidthIn !== undefined))
    return 'silent'
  return ask('Tell us the size of your wheels (cast inside the spoke, like 19x8.5).', 'what size are your wheels?')
}

/** FR5: the tire's rim diameter is the wheel's, to the half inch. */
export function rimIsWheelRim({ tire, wheelRimIn }: AxleCase): Ruling {
  if (!tire.size || wheelRimIn === undefined) return 'silent'
  if (tire.size.rimIn === wheelRimIn) return 'passed'
  return refuse(
    `This tire is for ${tire.size.rimIn} inch wheels; yours are ${wheelRimIn}.`,
    `for ${tire.size.rimIn} inch wheels, yours are ${wheelRimIn}`,
  )
}

/** FR6: the exact size of that axle. */
export function sizeIsListed({ match }: AxleCase): Ruling {
  return match === 'same' ? 'passed' : 'silent'
}

/** FR7: listed for another trim of the model, on the same rim. */
export function sizeIsAlternative({ match }: AxleCase): Ruling {
  if (match !== 'alternative') return 'silent'
  return onlyIf(
    'C-ALT',
    'Fitted to other versions of your model. Check your label first.',
    'if your label lists this size too',
  )
}

/** FR8: any other size is within 3% of the listed overall diameter; a measured diameter, if stated, must be as well. */
export function diameterIsNear(at: AxleCase): Ruling {
  const { requirement, tire } = at
  if (!isOtherRoadSize(at) || !requirement.size || !tire.size) return 'silent'
  const listed = overallDiameterOf(requirement.size)
  const nominal = overallDiameterOf(tire.size)
  if (listed === undefined || nominal === undefined) {
    return ask(
      "We can't compare the height of this tire with the listed one. Please call us.",
      'its height is not in our data',
    )
  }
  const measured = tire.measuredDiameterMm
  const offered =
    measured !== undefined && Math.abs(measured - listed) > Math.abs(nominal - listed) ? measured : nominal
  const tenths = Math.abs(offered / listed - 1) * 1000
  const [direction, reads] = offered > listed ? ['taller', 'low'] : ['shorter', 'high']
  if (isMoreThanPercentApart(offered, listed, mostDiameterPercent)) {
    const difference = `${Math.ceil(tenths) / 10} % ${direction}`
    return refuse(
      `${difference} than the listed ${sizeDesignation(requirement.size)}. The limit is ${mostDiameterPercent} %.`,
      `${difference} than the listed size`,
    )
  }
  const percent = Math.round(tenths) / 10
  const difference =
    percent === 0
      ? 'Another size of the same height.'
      : `${percent} % ${direction}: your speedometer reads ${percent} % ${reads}.`
  return onlyIf('C-CLEAR', `${difference} Clearance must be checked.`, 'if the shop checks clearance')
}

/**
 * FR9: the wheel width is within the tire maker's range. A given width must match. The shopper must enter it unless a
 * listed size goes on factory wheels.
 */
export function wheelWidthIsApproved(at: AxleCase): Ruling {
  const { requirement, tire, vehicle } = at
  const width = requirement.wheelWidthIn
  const approved = tire.rimWidthsIn
  if (width !== undefined && approved) {
    if (width >= approved.min && width <= approved.max) return 'passed'
    const range = `${approved.min}-${approved.max}`
    const article = spokenWithVowel.has(Math.trunc(approved.min)) ? 'an' : 'a'
    return refuse(
      `This tire needs ${article} ${range} inch wide wheel; yours is ${width}.`,
      `needs ${range} inch wide wheels, yours are ${width}`,
    )
  }
  if (at.match === 'unknown') return 'silent'
  if (width !== undefined) return notInData('the wheel width it needs')
  // FR44 already requests the full description of an aftermarket wheel.
  return vehicle.aftermarketWheels || !isOtherRoadSize(at)
    ? 'silent'
    : ask('How wide are your wheels? It is cast inside the spoke, like 18x7.5.', 'how wide are your wheels?')
}

/** FR28: on awd and 4wd another size may change the ratio of rear to front diameter by at most 1%. */
export function axlesTurnTogether({ front, rear, configuration, vehicle, partial }: SetCase): Ruling {
  if (vehicle.drive !== 'awd' && vehicle.drive !== '4wd') return 'silent'
  const listedFront = configuration.front.size
  const listedRear = configuration.rear.size
  if (!listedFront || !listedRear || !(isAnotherSize(front) || isAnotherSize(rear))) return 'silent'
  // If front and rear are listed alike and some tires stay, rule FR23 requests their size first.
  if (partial && isSameSize(listedFront, listedRear)) return 'silent'
  const isMoved = isDiameterRatioMoved(
    { front: listedFront, rear: listedRear },
    { front: front?.tire.size ?? listedFront, rear: rear?.tire.size ?? listedRear },
  )
  if (isMoved === undefined) return 'silent'
  if (!isMoved) return 'passed'
  return refuse(
    'Front and rear would turn at different speeds and wear out your all-wheel drive.',
    'front and rear would turn at different speeds',
  )
}

type AxleSizes = { readonly front: TireSize; readonly rear: TireSize }

/**
 * FR28: whether the ratio of rear to front diameter changes by more than 1%. Undefined if a size does not state its
 * diameter.
 */
function isDiameterRatioMoved(listed: AxleSizes, fitted: AxleSizes): boolean | undefined {
  const wasFront = overallDiameterOf(listed.front)
  const wasRear = overallDiameterOf(listed.rear)
  const nowFront = overallDiameterOf(fitted.front)
  const nowRear = overallDiameterOf(fitted.rear)
  if (nowFront === undefined || nowRear === undefined || wasFront === undefined || wasRear === undefined)
    return undefined
  const now = nowRear * wasFront
  const was = nowFront * wasRear
  return isMoreThanPercentApart(Math.max(now, was), Math.min(now, was), 1)
}

/** FR23: a vehicle listed with one size does not get two, nor a pair of another size next to tires that stay. */
export function sizesAreAsListed({ front, rear, configuration, partial, context }: SetCase): Ruling {
  if (
    !configuration.front.size ||
    !configuration.rear.size ||
    !isSameSize(configuration.front.size, configuration.rear.size)
  )
    return 'silent'
  const offered = [front?.tire.size, rear?.tire.size]
  const two = offered[0] && offered[1] && !isSameSize(offered[0], offered[1])
  const besideListed = partial && context.remainingLine !== 'same' && (isAnotherSize(front) || isAnotherSize(rear))
  return two || besideListed
    ? ask('Your car was not listed with two sizes. Please call us.', 'not listed with two sizes, call us')
    : 'silent'
}

/** "an 8.5-11 inch wide wheel" */
const spokenWithVowel: ReadonlySet<number> = new Set([8, 11, 18])

/** Sizes not covered by another rule. Temporary spares are under FR35, trailers FR36, commercial sizes FR37. */
function isOtherRoadSize({ match, tire, requirement, vehicle }: AxleCase): boolean {
  if (match !== 'other' || vehicle.vehicleClass === 'trailer') return false
  return tire.size?.kind !== 'spare' && tire.size?.kind !== 'commercial' && requirement.size?.kind !== 'commercial'
}

function isAnotherSize(at: AxleCase | undefined): boolean {
  return at?.match === 'other' || at?.match === 'alternative'
}

/** FR8: the maximum difference from the listed overall diameter, in percent. */
export const mostDiameterPercent = 3

/** The limit is inclusive; the tolerance only covers floating-point error. */
export function isMoreThanPercentApart(offered: number, listed: number, percent: number): boolean {
  return Math.abs(offered - listed) * 100 > percent * listed * (1 + 1e-9)
}

function notInData(what: string): Ruling {
  return ask(`We can't confirm this tire: ${what} is not in our data.`, `${what} is not in our data`)
}

/** Section 9 of the rule book lists what to enter. The placard must show the size, but not everything else. */
function notOnLabel(what: string, how: string): Ruling {
  return ask(
    `We can't confirm this tire: ${what} your vehicle needs is not in our data. ${how}`,
    `${what} your vehicle needs is not in our data`,
  )
}

const howToReadSize = "Open the driver's door and read it on the label."
const howToReadService =
  'If the label shows numbers like 103H, enter them. If not, read them on your present tires only if they are the originals, or in the manual.'
