import type { ProviderAnswer } from '#domain/payments/payment-provider.port.ts'

/** What the store asks the provider of net terms about a company, beside charging it. Amounts are in US cents. */
export interface NetTermsProvider {
  /** The company by the provider's id of it. A shopper waits: it is asked once, for a short time. */
  readCustomer(customerId: string): Promise<ProviderAnswer<NetTermsCustomer>>
}

/** Whether the provider lets a company buy: `pending` while it decides, `none` where there is no such customer. */
export type NetTermsStatus = 'approved' | 'pending' | 'hold' | 'declined' | 'none'

export type NetTermsCustomer = {
  status: NetTermsStatus
  availableCents: number
  /** Days to pay; null where they are set with each invoice. */
  netDays: number | null
}
