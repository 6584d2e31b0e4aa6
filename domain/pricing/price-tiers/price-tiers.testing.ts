/** Buyers for tests. */
import type { AccountType } from '#domain/pricing/pricing/pricing.ts'
import { priceListAt, type Formula, type RuleScope } from './price-list.ts'
import { retailPriceTier, type Buyer } from './price-tiers.ts'

/** A buyer with these price rules. */
export function buyerBy(type: AccountType, rules: readonly [RuleScope, Formula][]): Buyer {
  const since = Temporal.Instant.from('2026-01-01T00:00:00Z')
  const list = priceListAt(
    rules.map(([scope, formula], index) => ({ id: index + 1, scope, formula, since, until: null })),
    since,
  )
  const buyer: Buyer = {
    accountId: async () => null,
    priceTier: async () => ({ ...retailPriceTier, accountType: type, priceListId: 1, priceListVersion: 1 }),
    pricing: async () => ({ type, list }),
    isMilitary: async () => false,
    afresh: () => buyer,
  }
  return buyer
}

/** A buyer who pays `unitCents` for every tire where that is below retail. */
export function buyerAt(type: AccountType, unitCents: number): Buyer {
  return buyerBy(type, [[{ kind: 'every-tire' }, { kind: 'fixed', amountCents: unitCents }]])
}
