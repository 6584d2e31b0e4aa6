/**
 * Converts items for fitment, and evaluates them with a cache, because a size's items have few distinct specifications.
 */
import {
  judgeFitment,
  summarizeVerdict,
  tooOldText,
  type FitmentVerdict,
  type Level,
  type Requirement,
  type OfferedTire,
} from '#domain/catalog/fitment/fitment.ts'
import { isLoadRange, isSpeedSymbol, parseTireSize } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { unitsOf, type Item } from './items.ts'

/**
 * A fitment result for a card, with the card's closing text. `factorySize` is the shorter text for pages that request
 * the placard check once, if everything else is confirmed. `isBelowRequirement` means allowed only by the speed
 * exceptions of rules FR19 and FR19b, so it is never recommended.
 */
export type Judged = {
  readonly verdict: Level
  readonly text: string
  readonly factorySize: string | undefined
  readonly isBelowRequirement: boolean
}

/** Evaluates one item on every wheel, or a front and a rear item, as a full set. */
export type Judge = (items: readonly Item[]) => Judged

/** The time of a fitment result and the store's maximum tire age then, in years (`tire-age-years`). */
export type FitAt = { readonly now: Temporal.Instant; readonly maxAgeYears: number }

/** Creates a judge for one vehicle, called "your `vehicleName`". */
export function judging(requirement: Requirement, at: FitAt, vehicleName?: string): Judge {
  const known = new Map<string, Judged>()
  return (items) => {
    // Brands list items, not specifications.
    const isListed = items.some(({ id }) => requirement.brandListings?.byItem.has(id))
    const key = isListed ? items.map(({ id }) => id).join(' ') : items.map(specKey).join(' / ')
    const verdict = known.get(key) ?? carried(verdictOn(items, requirement, at), vehicleName)
    known.set(key, verdict)
    return verdict
  }
}

/** Returns the full fitment result for a set of one item on every wheel, or of front and rear items. */
export function verdictOn(
  items: readonly Item[],
  requirement: Requirement,
  { now, maxAgeYears }: FitAt,
): FitmentVerdict {
  const [front, rear] = items.map((item) => offeredTire(item, now))
  return judgeFitment({
    requirement,
    candidate: { front, rear },
    context: { quantity: requirement.dualRearWheels ? 6 : 4, maxAgeYears },
  })
}

/** What of an item decides whether it fits. */
export type FittedItem = Pick<
  Item,
  | 'loadIndex'
  | 'dualLoadIndex'
  | 'speed'
  | 'loadClass'
  | 'loadRange'
  | 'runFlat'
  | 'oeMark'
  | 'rimWidthMinIn'
  | 'rimWidthMaxIn'
  | 'maxPsi'
  | 'measuredDiameterMm'
  | 'oldestDotWeek'
> & { id?: number; size: Pick<Item['size'], 'designation'>; line: Pick<Item['line'], 'winter' | 'threePeak'> }

/** Converts an item for `judgeFitment`. Facts the item lacks stay unknown. */
export function offeredTire(item: FittedItem, now: Temporal.Instant): OfferedTire {
  return {
    itemId: item.id,
    size: parseTireSize(item.size.designation),
    loadIndex: item.loadIndex ?? undefined,
    dualLoadIndex: item.dualLoadIndex ?? undefined,
    speed: item.speed !== null && (item.speed === 'ZR' || isSpeedSymbol(item.speed)) ? item.speed : undefined,
    loadClass: item.loadClass ?? undefined,
    loadRange: item.loadRange !== null && isLoadRange(item.loadRange) ? item.loadRange : undefined,
    runFlat: item.runFlat,
    mark: item.oeMark ?? undefined,
    winter: item.line.winter,
    snowflake: item.line.threePeak,
    rimWidthsIn: { min: item.rimWidthMinIn, max: item.rimWidthMaxIn },
    maxPsi: item.maxPsi,
    measuredDiameterMm: item.measuredDiameterMm,
    ...ageOf(item.oldestDotWeek, now),
  }
}

/** Explains why a tire can't be bought because of its oldest DOT week, with or without a vehicle; null if it can. */
export function ageRefusalOf({ oldestDotWeek }: Pick<Item, 'oldestDotWeek'>, at: FitAt): string | null {
  return tooOldText(ageOf(oldestDotWeek, at.now), at.maxAgeYears)
}

/** Counts the units that can be bought; 0 if the tire is too old. */
export function unitsForSale(item: Pick<Item, 'stock' | 'oldestDotWeek'>, at: FitAt): number {
  return ageRefusalOf(item, at) === null ? unitsOf(item) : 0
}

/** Returns the part of a cache key that depends on tire age. */
export function ageKey({ now, maxAgeYears }: FitAt): string {
  return `age ${maxAgeYears} ${now.toZonedDateTimeISO('UTC').toPlainDate().toString()}`
}

function ageOf(oldestMonday: string | null, now: Temporal.Instant): Pick<OfferedTire, 'ageYears' | 'made'> {
  if (oldestMonday === null) return {}
  const made = Temporal.PlainDate.from(oldestMonday)
  const days = made.until(now.toZonedDateTimeISO('UTC').toPlainDate(), { largestUnit: 'day' }).days
  return { ageYears: days / 365.25, made: { week: made.weekOfYear ?? 1, year: made.yearOfWeek ?? made.year } }
}

function specKey(item: Item): string {
  return [
    item.size.slug,
    item.loadIndex,
    item.dualLoadIndex,
    item.speed,
    item.loadClass,
    item.loadRange,
    item.runFlat,
    item.oeMark,
    item.line.winter,
    item.line.threePeak,
    item.rimWidthMinIn,
    item.rimWidthMaxIn,
    item.maxPsi,
    item.measuredDiameterMm,
    item.oldestDotWeek,
  ].join('|')
}

function carried(verdict: FitmentVerdict, vehicleName: string | undefined): Judged {
  const { card, factorySize } = summarizeVerdict(verdict, { vehicleName })
  return {
    verdict: verdict.verdict,
    text: card,
    factorySize,
    isBelowRequirement: verdict.conditions.some(({ code }) => code === 'C-SPEED'),
  }
}
