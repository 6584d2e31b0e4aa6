/** The store's paid membership as the protocol's loyalty, visible only to its linked account. */
import type { Message } from '#ucp/answers.ts'
import { has, type UcpContext } from '#ucp/context.ts'
import { capabilityNames, membershipClaim } from '#ucp/profile.ts'
import { memberOffersText } from '#content/messages/programs.ts'
import { memberOffersOf } from '#domain/kernel/settings/settings.ts'
import { readMembership } from '#domain/customers/programs/programs.server.ts'
import { accountPriceNames, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'

const member = 'Retail Member'

export type LoyaltyView = { readonly loyalty: object; readonly messages: readonly Message[] }

/** The membership of the buyer who linked their account; undefined without one. */
export async function loyaltyView(
  context: UcpContext,
  breakdown: Pick<PriceBreakdown, 'accountType'> | null,
): Promise<LoyaltyView | undefined> {
  const { app, account } = context
  if (!account || !has(context, capabilityNames.loyalty)) return undefined
  if ((await app.buyer.priceTier()).accountType !== member) return undefined
  const bought = await readMembership(app, account.accountId)
  const term = bought && !bought.isOver ? bought.term : undefined
  const claim = membershipClaim(app.config.web.origin)
  const path = `$.loyalty['${claim}']`
  const applies = breakdown?.accountType === member
  return {
    loyalty: {
      [claim]: {
        id: 'membership',
        name: `${app.config.store.name} membership`,
        // Identifies the membership to its owner without identifying the member to others.
        ...(term && { display_id: `****${term.id.slice(-4)}` }),
        tiers: [
          {
            id: 'member',
            name: 'Member',
            benefits: [
              { id: 'prices', description: `${accountPriceNames[member]} on tires` },
              { id: 'offers', description: memberOffersText(memberOffersOf(app.businessTerms.current)) },
            ],
          },
        ],
        provisional: false,
      },
    },
    messages: !breakdown
      ? []
      : applies
        ? [{ type: 'info', code: 'membership_benefit_eligible', content: 'The tires have member prices.', path }]
        : [
            {
              type: 'warning',
              code: 'membership_benefit_ineligible',
              content: 'A public offer is lower than the member prices, and was taken instead.',
              path,
            },
          ],
  }
}
