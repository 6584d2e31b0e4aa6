import type { SavedBilling, SavedContact } from './checkout.sql.server.ts'
import type { CartQuote } from './quote.server.ts'
import type { OrderToPay } from '#domain/payments/payments/payment-provider.port.ts'
import { lineName, salesTaxText, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'

/**
 * Converts an order for a payment provider, in cents. Lines are at full price, statutory fees are separate lines, and
 * discounts and store credit are one amount, so the total equals the amount due. Tires for a shop or pickup location
 * ship there in the shopper's name.
 */
export function orderToPay(
  quote: Pick<CartQuote, 'shop' | 'carrierLocation' | 'creditCents'> & { breakdown: PriceBreakdown },
  contact: SavedContact,
  billing: SavedBilling,
  payer: Pick<OrderToPay, 'isBusiness' | 'terms'>,
): OrderToPay {
  const { lines, totals, tax } = quote.breakdown
  const name = `${contact.firstName} ${contact.lastName}`
  const place = quote.shop ?? quote.carrierLocation
  return {
    lines: [
      ...lines
        .filter(({ kind }) => kind !== 'shipping')
        .map((line) => ({
          sku: line.id,
          name: lineName(line),
          unitCents: line.unitCents,
          quantity: line.quantity,
          // Parts are goods, too.
          kind: line.kind === 'tire' || line.kind === 'part' ? ('tire' as const) : ('service' as const),
        })),
      ...feeLine('tire-fee', 'State tire fee', totals.tireFeeCents),
      ...feeLine('excise-tax', 'Federal excise tax', totals.fetCents),
    ],
    taxCents: totals.taxCents,
    taxText: salesTaxText(tax),
    shippingCents: lines.reduce((sum, line) => sum + (line.kind === 'shipping' ? line.grossCents : 0), 0),
    discountCents: totals.grossCents - totals.netCents + quote.creditCents,
    shipTo: place
      ? { name, address1: place.street, address2: place.name, city: place.city, state: place.state, zip: place.zip }
      : {
          name,
          address1: contact.address1,
          address2: contact.address2,
          city: contact.city,
          state: contact.state,
          zip: contact.zip,
        },
    billTo: {
      name: billing.name,
      address1: billing.address1,
      address2: billing.address2,
      city: billing.city,
      state: billing.state,
      zip: billing.zip,
    },
    phone: contact.phone.digits,
    ...payer,
  }
}

function feeLine(sku: string, name: string, cents: number): OrderToPay['lines'] {
  return cents > 0 ? [{ sku, name, unitCents: cents, quantity: 1, kind: 'fee' }] : []
}
