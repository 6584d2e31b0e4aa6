import { rateOf } from '#platform/money.ts'
import { ignored, type IgnoredOffer } from './ignored-offers.ts'
import { excludesOffers, isQuoted, type PriceInput, type TenderOffer } from './price-input.ts'
import { discountLines, sumOf, type PriceLine } from './price-line.ts'

export const TENDER_NAMES: Readonly<Record<TenderOffer['kind'], string>> = {
  'store-card': 'Store card offer',
  'pay-later': 'Pay-later offer',
}

/** Step 5: applies the chosen payment's offer to everything the store sells, rounded once on the whole. */
export function applyTenderOffer(
  lines: readonly PriceLine[],
  input: Pick<PriceInput, 'accountType' | 'tender' | 'tires' | 'terms'>,
): { lines: readonly PriceLine[]; ignored: IgnoredOffer[] } {
  const offer = input.tender
  if (offer === null) return { lines, ignored: [] }
  const isAtLabel = lines.some(({ atAccountPrice }) => atAccountPrice)
  const isExcluded = excludesOffers(input, 'payments', isAtLabel)
  const isOff = isQuoted(input) ? 'quoted-price' : isExcluded ? 'account-price' : null
  if (isOff) return { lines, ignored: [ignored('tender', isOff, TENDER_NAMES[offer.kind], { id: offer.kind })] }
  const cents = rateOf(sumOf(lines, 'netCents'), offer.ratePpm)
  return { lines: discountLines(lines, () => true, 'tenderCents', cents, offer.fundedBy), ignored: [] }
}
