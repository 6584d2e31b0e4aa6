import { ignored, type IgnoredOffer } from './ignored-offers.ts'
import { type AccountType } from './price-input.ts'
import { standardPriceRates, type PriceRates } from '#domain/kernel/rates/rates.ts'
import { discountLines, sumOf, tireCount, type PriceLine } from './price-line.ts'

/**
 * Step 4: an amount off installation, once, from a number of tires on ($25 from 4, until the store sets others); at most
 * the remaining cost of installation. Stacks with everything else.
 */
export function applyInstallDiscount(
  lines: readonly PriceLine[],
  accountType: AccountType,
  { installDiscountCents, installDiscountTires }: PriceRates = standardPriceRates,
): { lines: readonly PriceLine[]; ignored: IgnoredOffer[] } {
  const installation = lines.filter(isInstallation)
  if (installation.length === 0 || tireCount(lines) < installDiscountTires) return { lines, ignored: [] }
  if (accountType === 'WholeSale' || accountType === 'Special Order') {
    return { lines, ignored: [ignored('install-discount', 'account-price', 'The installation discount')] }
  }
  const cents = Math.min(installDiscountCents, sumOf(installation, 'netCents'))
  return { lines: discountLines(lines, isInstallation, 'installDiscountCents', cents, 'store'), ignored: [] }
}

function isInstallation(line: PriceLine): boolean {
  return line.kind === 'installation'
}
