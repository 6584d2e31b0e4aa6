import { INSTALL_DISCOUNT_CENTS, INSTALL_DISCOUNT_FROM_TIRES } from '#platform/business-constants.ts'
import { ignored, type IgnoredOffer } from './ignored-offers.ts'
import type { AccountType } from './price-input.ts'
import { discountLines, sumOf, tireCount, type PriceLine } from './price-line.ts'

/**
 * Step 4: $25 off installation, once, with 4 or more tires; at most the remaining cost of installation. Stacks with
 * everything else.
 */
export function applyInstallDiscount(
  lines: readonly PriceLine[],
  accountType: AccountType,
): { lines: readonly PriceLine[]; ignored: IgnoredOffer[] } {
  const installation = lines.filter(isInstallation)
  if (installation.length === 0 || tireCount(lines) < INSTALL_DISCOUNT_FROM_TIRES) return { lines, ignored: [] }
  if (accountType === 'WholeSale' || accountType === 'Special Order') {
    return { lines, ignored: [ignored('install-discount', 'account-price', 'The installation discount')] }
  }
  const cents = Math.min(INSTALL_DISCOUNT_CENTS, sumOf(installation, 'netCents'))
  return { lines: discountLines(lines, isInstallation, 'installDiscountCents', cents, 'store'), ignored: [] }
}

function isInstallation(line: PriceLine): boolean {
  return line.kind === 'installation'
}
