import type { OrderToPay } from '#domain/payments/payments/payment-provider.port.ts'

/** Four tires with their installation for someone in Chicago: $766.14. */
export function fourTires({ name, phone }: { name: string; phone: string }): OrderToPay {
  const home = { name, address1: '1 Main St', address2: null, city: 'Chicago', state: 'IL', zip: '60601' }
  return {
    lines: [
      { sku: 'T-1', name: 'Michelin Defender2 225/65R17', unitCents: 17_999, quantity: 4, kind: 'tire' },
      { sku: 'install', name: 'Installation', unitCents: 2_000, quantity: 1, kind: 'service' },
    ],
    taxCents: 5_118,
    taxText: 'Sales tax',
    shippingCents: 0,
    discountCents: 2_500,
    shipTo: home,
    billTo: home,
    phone,
    isBusiness: false,
  }
}

/** What it comes to. */
export const fourTiresCents = 76_614
