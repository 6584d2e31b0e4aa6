/** An order of a company for Resolve, as tests use it. */
import type { HostedPageInput } from '#domain/payments/payments/payment-provider.port.ts'
import { fourTires, fourTiresCents } from './order.testing.ts'

/** An order for a customer at Resolve. */
export function termsPage(customerId: string, reference = '0198c2f4-8d5e-7c10-a1b2-000000000001'): HostedPageInput {
  return {
    method: 'resolve',
    amountCents: fourTiresCents,
    reference,
    email: 'gil@example.com',
    description: 'Four tires',
    returnUrl: 'https://store.example/checkout/payments/return?payment=1',
    cancelUrl: 'https://store.example/checkout/payments?canceled=resolve',
    key: `hosted:${reference}`,
    order: {
      ...fourTires({ name: 'Grant Delivery', phone: '3125550136' }),
      isBusiness: true,
      terms: { customerId, poNumber: 'PO-7001' },
    },
  }
}
