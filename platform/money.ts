/**
 * Money is integer cents, US dollars, in a plain `number` that must be a safe integer. Rates are integer parts per
 * million. Everything that rounds, splits or formats an amount is here; fractional cents are never held in a float.
 */

/** Parts per million in one whole: 5 % is 50,000 ppm. */
export const PPM = 1_000_000

const MINUS = '\u2212'

/** 123456 → "$1,234.56". A negative amount carries the true minus sign (U+2212) in front: "−$25.00". */
export function formatCents(cents: number): string {
  const amount = BigInt(safe(cents))
  const absolute = amount < 0n ? -amount : amount
  const dollars = (absolute / 100n).toString()
  const rest = (absolute % 100n).toString().padStart(2, '0')
  return `${amount < 0n ? MINUS : ''}$${inThousands(dollars)}.${rest}`
}

/** 108250 → "1082.50", as a field shows it. */
export function typedDollars(cents: number): string {
  return (safe(cents) / 100).toFixed(2)
}

/** Reads typed dollars: "82", "82.5", "$1,082.50" → 108250. Undefined for anything else, or over $9,999,999.99. */
export function parseDollars(text: string): number | undefined {
  const found = /^\$? ?(\d{1,3}(?:,\d{3}){1,2}|\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim().slice(0, 20))
  if (!found?.[1]) return undefined
  return Number(found[1].replaceAll(',', '')) * 100 + Number((found[2] ?? '').padEnd(2, '0'))
}

/** "1234567" → "1,234,567" */
function inThousands(digits: string): string {
  return digits.length <= 3 ? digits : `${inThousands(digits.slice(0, -3))},${digits.slice(-3)}`
}

/** A discount in cents as printed on a receipt: 2500 → "−$25.00", 0 → "$0.00". */
export function formatDiscount(cents: number): string {
  return formatCents(safe(cents) === 0 ? 0 : -cents)
}

/** 102500 ppm → "10.25%", 66250 → "6.625%", 50000 → "5%". */
export function formatRate(ratePpm: number): string {
  const absolute = Math.abs(safe(ratePpm))
  const decimals = (absolute % 10_000)
    .toString()
    .padStart(4, '0')
    .replace(/(?<!0)0+$/, '')
  return `${ratePpm < 0 ? MINUS : ''}${Math.floor(absolute / 10_000)}${decimals && `.${decimals}`}%`
}

/**
 * Rounds a fraction to the nearest whole cent, exact halves up (toward positive infinity): 1/2 → 1, −1/2 → 0. Pass
 * `bigint` where the product of two amounts could exceed 2^53.
 */
export function roundHalfUp(numerator: number | bigint, denominator: number | bigint): number {
  const below = exact(denominator)
  if (below <= 0n) throw new RangeError(`A fraction needs a denominator above zero, got ${denominator}`)
  return cents(floorDivide(2n * exact(numerator) + below, 2n * below))
}

/** A rate of an amount, rounded half up once: 66,296 cents at 50,000 ppm → 3,315. */
export function rateOf(amountCents: number, ratePpm: number): number {
  return roundHalfUp(exact(amountCents) * exact(ratePpm), PPM)
}

/** The lowest price with a margin of `marginPpm` of it: 9,000 cents at 100,000 ppm → 10,000. */
export function priceWithMargin(costCents: number, marginPpm: number): number {
  return Math.ceil((costCents * PPM) / (PPM - marginPpm))
}

/**
 * Splits an amount by weights so that the parts sum to it. Rounds every part toward zero, then distributes the
 * remaining cents to the largest remainders, and to the earlier part for ties. Parts with weight zero get zero, unless
 * all weights are zero, in which case all count equally. A negative amount is split like its opposite. Throws for
 * negative weights, and for a nonzero amount without weights.
 */
export function allocate(totalCents: number, weights: readonly number[]): number[] {
  if (weights.some((weight) => exact(weight) < 0n)) throw new RangeError('A weight is never negative')
  if (weights.length === 0) {
    if (totalCents !== 0) throw new RangeError(`No value to carry ${formatCents(totalCents)}`)
    return []
  }
  if (totalCents < 0) return allocate(-totalCents, weights).map((part) => (part === 0 ? 0 : -part))

  const total = exact(totalCents)
  const sum = weights.reduce((all, weight) => all + exact(weight), 0n)
  const shares = sum === 0n ? weights.map(() => 1n) : weights.map(exact)
  const whole = sum === 0n ? BigInt(weights.length) : sum
  const parts = shares.map((share, index) => ({
    index,
    cents: (total * share) / whole,
    remainder: (total * share) % whole,
  }))
  const left = Number(total - parts.reduce((all, part) => all + part.cents, 0n))
  const byRemainder = parts.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  )
  for (const part of byRemainder.slice(0, left)) part.cents += 1n
  return parts.map((part) => cents(part.cents))
}

/**
 * The share of a line's amount that falls to unit `unit` (counted from 0) of `units`, or to `count` units from there.
 * The shares telescope, so returning the units in order, in any grouping, refunds exactly the amount.
 */
export function unitShare(amountCents: number, units: number, unit: number, count = 1): number {
  if (
    !Number.isSafeInteger(units) ||
    !Number.isSafeInteger(unit) ||
    !Number.isSafeInteger(count) ||
    unit < 0 ||
    count < 0 ||
    unit + count > units
  ) {
    throw new RangeError(`Units ${unit} to ${unit + count} are not among ${units}`)
  }
  if (count === 0) return 0
  const upTo = (end: number) => floorDivide(exact(amountCents) * BigInt(end), BigInt(units))
  return cents(upTo(unit + count) - upTo(unit))
}

function safe(amount: number): number {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`Expected a whole number, got ${amount}`)
  return amount
}

function exact(amount: number | bigint): bigint {
  return typeof amount === 'bigint' ? amount : BigInt(safe(amount))
}

function cents(amount: bigint): number {
  return safe(Number(amount))
}

/** Division that rounds toward negative infinity, for a positive divisor (BigInt's own rounds toward zero). */
function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator % denominator < 0n ? quotient - 1n : quotient
}
