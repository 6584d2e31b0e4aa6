/**
 * The terms on which a visitor's cart is priced, for prices shown outside the cart: on listings, product pages,
 * comparisons and in the API. `readCartOffers` and `quoteCart` decide the same for a cart.
 */
import { listExemptionsByState } from '#domain/customers/companies/companies.server.ts'
import type { VisitorTerms } from '#domain/catalog/offers/offers.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { offerVisitorReferral } from '#domain/customers/programs/programs.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

/** A browser stores the cart's key and the referral link that the visitor opened. */
type VisitorSigns = {
  readonly cartId?: string | undefined
  readonly referral?: { readonly code: string; readonly openedAt: Temporal.Instant } | undefined
}

/**
 * Returns a function that reads a visitor's terms, on first use and once: the verified military discount, a friend's
 * referral, the sales channel, and the company's tax certificates.
 */
export function createVisitorTerms(
  {
    db,
    clock,
    buyer,
    businessTerms,
  }: { db: Database; clock: Clock; buyer: Buyer; businessTerms: Pick<LiveTerms, 'at'> },
  { cartId, referral: opened }: VisitorSigns,
): () => Promise<VisitorTerms> {
  let reading: Promise<VisitorTerms> | undefined
  async function read(): Promise<VisitorTerms> {
    const [accountId, { channel, companyId }, isMilitary] = await Promise.all([
      buyer.accountId(),
      buyer.priceTier(),
      buyer.isMilitary(),
    ])
    const [referral, exemptions] = await Promise.all([
      offerVisitorReferral({ db, clock, businessTerms }, { cartId, accountId, opened }),
      companyId === null ? [] : listExemptionsByState({ db }, companyId),
    ])
    return {
      programs: [...(isMilitary ? [{ kind: 'military' } as const] : []), ...(referral ? [referral] : [])],
      channel,
      exemptions,
    }
  }
  return () => (reading ??= read())
}
