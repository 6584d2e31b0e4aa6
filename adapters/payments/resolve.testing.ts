/** An order of a company for Resolve, as tests use it. */
import type { HostedPageInput } from '#domain/payments/payment-provider.port.ts'

const home = {
  name: 'Grant Delivery',
  address1: '1 Main St',
  address2: null,
  city: 'Chicago',
  state: 'IL',
  zip: '60601',
}

/** An order over $766.14 for a customer at Resolve. */
export function termsPage(customerId: string, reference = '0198c2f4-8d5e-7c10-a1b2-000000000001'): HostedPageInput {
  return {
    method: 'resolve',
    amountCents: 76_614,
    reference,
    email: 'gil@example.com',
    description: 'Four tires',
    returnUrl: 'https://store.example/checkout/payments/return?payment=1',
    cancelUrl: 'https://store.example/checkout/payments?canceled=resolve',
    key: `hosted:${reference}`,
    order: {
      lines: [
        { sku: 'T-1', name: 'Michelin Defender2 225/65R17', unitCents: 17_999, quantity: 4, kind: 'tire' },
        { sku: 'install', name: 'Installation', unitCents: 2_000, quantity: 1, kind: 'service' },
      ],
      taxCents: 5_118,
      shippingCents: 0,
      discountCents: 2_500,
      shipTo: home,
      billTo: home,
      phone: '3125550136',
      isBusiness: true,
      terms: { customerId, poNumber: 'PO-7001' },
    },
  }
}
