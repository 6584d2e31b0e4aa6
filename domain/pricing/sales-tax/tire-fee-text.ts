/** Tire fees as text, for the form and the file: "$2.50", "1% up to $2.00", "$1.00 below 24 in; $2.00". Browser-safe. */
import type { TireFeeBand } from '#domain/pricing/pricing/pricing.ts'
import { formatCents, formatRate } from '#platform/money.ts'

/** The longest text that is read, in characters. */
export const maxTireFeeText = 120
const maxBands = 4

/** Formats a fee, smallest rim first; "None" without one. */
export function tireFeeText(bands: readonly TireFeeBand[]): string {
  return bands.length === 0 ? 'None' : bands.map(bandText).join('; ')
}

function bandText(band: TireFeeBand): string {
  const cap = 'cents' in band || band.capCents === null ? '' : ` up to ${formatCents(band.capCents)}`
  const amount = 'cents' in band ? formatCents(band.cents) : `${formatRate(band.ratePpm)}${cap}`
  return band.belowRimInches === null ? amount : `${amount} below ${band.belowRimInches} in`
}

const part =
  /^(?:\$?(?<dollars>\d{1,3}(?:\.\d{1,2})?)|(?<percent>\d{1,2}(?:\.\d{1,3})?) ?%(?: up to \$?(?<cap>\d{1,3}(?:\.\d{1,2})?))?)(?: below (?<rim>\d{2}(?:\.5)?) ?(?:in|inches)?)?$/i

/**
 * Parses a fee. Empty, "0" and "None" are no fee. Returns null for anything other than up to four bands ordered by rim,
 * where only the last applies to every rim.
 */
export function parseTireFee(text: string): TireFeeBand[] | null {
  const typed = text.trim()
  if (typed.length > maxTireFeeText) return null
  if (/^(?:|none|\$?0(?:\.0{1,2})?)$/i.test(typed)) return []
  const bands = typed.split(';').map((each) => parseBand(each.trim()))
  const known = bands.filter((band) => band !== null)
  if (known.length !== bands.length || known.length > maxBands) return null
  const rims = known.map(({ belowRimInches }) => belowRimInches ?? Infinity)
  return rims.every((rim, index) => index === 0 || rim > (rims[index - 1] ?? 0)) ? known : null
}

function parseBand(text: string): TireFeeBand | null {
  const found = part.exec(text)?.groups
  if (!found) return null
  const { dollars, percent, cap, rim } = found
  const belowRimInches = rim === undefined ? null : Number(rim)
  const centsOf = (amount: string) => Math.round(Number(amount) * 100)
  if (dollars !== undefined) return { belowRimInches, cents: centsOf(dollars) }
  return {
    belowRimInches,
    ratePpm: Math.round(Number(percent) * 10_000),
    capCents: cap === undefined ? null : centsOf(cap),
  }
}
