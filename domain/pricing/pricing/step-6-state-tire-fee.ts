import { PPM, roundHalfUp } from '#platform/money.ts'
import { isTire, type PriceLine } from './price-line.ts'
import type { TireFeeBand } from './tax-rule.ts'

/** Step 6: adds the state's fee on each new tire, never discounted. */
export function addTireFees(lines: readonly PriceLine[], bands: readonly TireFeeBand[]): PriceLine[] {
  return lines.map((line) => {
    const tireFeeUnitCents = isTire(line) ? feePerTire(line, bands) : 0
    return { ...line, tireFeeUnitCents, tireFeeCents: tireFeeUnitCents * line.quantity }
  })
}

/**
 * A percentage fee is based on the seller's proceeds for one tire after steps 1 to 5, including third-party money, and
 * is rounded half up per tire, so every tire of a line has the same fee.
 */
function feePerTire(line: PriceLine, bands: readonly TireFeeBand[]): number {
  const band = bands.find(({ belowRimInches }) => belowRimInches === null || (line.rimInches ?? 0) < belowRimInches)
  if (!band) return 0
  if ('cents' in band) return band.cents
  const received = BigInt(line.netCents + line.thirdPartyCents)
  const fee = roundHalfUp(received * BigInt(band.ratePpm), BigInt(line.quantity) * BigInt(PPM))
  return Math.min(fee, band.capCents ?? fee)
}
