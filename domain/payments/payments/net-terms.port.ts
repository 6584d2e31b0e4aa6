import type { ProviderAnswer } from './payment-provider.port.ts'

/** Company information from the net terms provider, apart from charges. Amounts are in US cents. */
export interface NetTermsProvider {
  /** The company by the provider's id of it. Called once with a short timeout, because a shopper is waiting. */
  readCustomer(customerId: string): Promise<ProviderAnswer<NetTermsCustomer>>
}

/** Whether the provider allows a company to buy. `pending` means undecided, `none` means an unknown customer. */
export type NetTermsStatus = 'approved' | 'pending' | 'hold' | 'declined' | 'none'

export type NetTermsCustomer = {
  status: NetTermsStatus
  availableCents: number
  /** Days to pay; null where they are set with each invoice. */
  netDays: number | null
}
