/** Rule book section 6, speed, per axle. Compared in km/h, never by letter. */
import {
  compareLoadRange,
  isAsFast,
  speedOf,
  type Speed,
  type SpeedSymbol,
} from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { ask, onlyIf, refuse, vehicleWord } from './ruling.ts'
import type { AxleCase, Ruling } from './terms.ts'

/** FR18: the tire is at least as fast as the listed one. */
export function isAsFastAsListed(at: AxleCase): Ruling {
  const outcome = compareSpeeds(at)
  if (outcome === 'meets') return 'passed'
  if (outcome !== 'below') return 'silent'
  return refuse(ratedTo(at), `rated ${at.tire.speed}, needs ${at.requirement.speed}`)
}

/**
 * FR19 and FR19b: a winter tire one step lower, or a light-truck tire for symbols up to T, is a conditional fit. A
 * larger difference depends on the owner's manual.
 */
export function slowerTireIsAllowed(at: AxleCase): Ruling {
  const outcome = compareSpeeds(at)
  const mph = speedOf(at.tire.speed)?.mph
  switch (outcome) {
    case 'one-winter-step':
      return onlyIf(
        'C-SPEED',
        `Winter tires: never above ${mph} mph. Put the sticker on the dash. Fit all four.`,
        `in winter: keep under ${mph} mph`,
      )
    case 'more-winter-steps':
      return ask(
        `${ratedTo(at)} Does your owner's manual allow that for winter tires?`,
        `does your manual allow winter tires rated ${at.tire.speed}?`,
      )
    case 'light-truck': {
      const listed = speedOf(at.requirement.speed)?.mph
      const text = `Rated to ${mph} mph; your ${vehicleWord(at.vehicle.vehicleClass)}'s original tires were rated ${listed}. Do not go faster than ${mph}.`
      return onlyIf('C-SPEED', text, `if you keep under ${mph} mph`)
    }
    case 'light-truck-of-unknown-range':
      return ask(
        `${ratedTo(at)} We can't confirm this tire: its load range is not in our data.`,
        'its load range is not in our data',
      )
    default:
      return 'silent'
  }
}

/**
 * FR20: a bare ZR only means "over 149 mph". It meets requirements up to V; as a requirement it is not enough to judge
 * by.
 */
export function zrHasItsLetter(at: AxleCase): Ruling {
  return compareSpeeds(at) === 'bare-zr'
    ? ask('The label says only ZR (over 149 mph). We need the letter.', 'only ZR is known, we need the speed letter')
    : 'silent'
}

type Outcome =
  | 'not-known'
  | 'meets'
  | 'below'
  | 'bare-zr'
  | 'one-winter-step'
  | 'more-winter-steps'
  | 'light-truck'
  | 'light-truck-of-unknown-range'

function compareSpeeds(at: AxleCase): Outcome {
  const offeredSymbol = at.tire.speed
  const requiredSymbol = at.requirement.speed
  if (requiredSymbol === 'ZR') return speedOf(offeredSymbol) || offeredSymbol === 'ZR' ? 'bare-zr' : 'not-known'
  const needed = speedOf(requiredSymbol)
  if (!needed || !requiredSymbol || !offeredSymbol) return 'not-known'
  if (offeredSymbol === 'ZR') return needed.kmh <= zrKmh ? 'meets' : 'bare-zr'
  const offered = speedOf(offeredSymbol)
  if (!offered) return 'not-known'
  return isAsFast(offered, needed) ? 'meets' : exceptionFor(at, offered, offeredSymbol, needed, requiredSymbol)
}

function exceptionFor(
  { tire, vehicle }: AxleCase,
  offered: Speed,
  offeredSymbol: SpeedSymbol,
  needed: Speed,
  requiredSymbol: SpeedSymbol,
): Outcome {
  if (offered.kmh < slowestExceptionKmh) return 'below'
  const truckLike = vehicle.vehicleClass === 'suv' || vehicle.vehicleClass === 'truck' || vehicle.vehicleClass === 'van'
  const lightTruck = truckLike && tire.size?.kind === 'lt' && needed.kmh <= fastestTruckRequirementKmh
  if (lightTruck && tire.loadRange && compareLoadRange(tire.loadRange, 'C') >= 0) return 'light-truck'
  if (tire.winter && tire.snowflake)
    return stepsBetween(offeredSymbol, requiredSymbol) > 1 ? 'more-winter-steps' : 'one-winter-step'
  return lightTruck && !tire.loadRange ? 'light-truck-of-unknown-range' : 'below'
}

function stepsBetween(offered: SpeedSymbol, needed: SpeedSymbol): number {
  return winterSteps.indexOf(asStep(needed)) - winterSteps.indexOf(asStep(offered))
}

/** U is rare and counts as T. */
function asStep(symbol: SpeedSymbol): SpeedSymbol {
  return symbol === 'U' ? 'T' : symbol
}

function ratedTo({ tire, requirement, vehicle }: AxleCase): string {
  const needed = speedOf(requirement.speed)
  return `Rated to ${speedOf(tire.speed)?.mph} mph; your ${vehicleWord(vehicle.vehicleClass)} needs ${needed?.over ? 'more than ' : ''}${needed?.mph} mph.`
}

const winterSteps: readonly SpeedSymbol[] = ['Q', 'R', 'S', 'T', 'H', 'V', 'W', 'Y', '(Y)']
/** V, the highest requirement a bare ZR is sure to meet. */
const zrKmh = 240
/** Q: no exception below it. */
const slowestExceptionKmh = 160
/** T: above it trucks are driven like cars. */
const fastestTruckRequirementKmh = 190
