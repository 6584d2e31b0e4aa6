import { createAttachmentLimits } from '#adapters/limits/attachment-limits.ts'
import { createCardLimits } from '#adapters/limits/card-limits.ts'
import { createFeedLimits } from '#adapters/limits/feed-limits.ts'
import { createFleetQuoteLimits } from '#adapters/limits/fleet-quote-limits.ts'
import { createLookUpLimits } from '#adapters/limits/look-up-limits.ts'
import { createOrderCodeLimits } from '#adapters/limits/order-code-limits.ts'
import { createQuoteLimits } from '#adapters/limits/quote-limits.ts'
import { createReviewLimits } from '#adapters/limits/review-limits.ts'
import { createSignInLimits } from '#adapters/limits/sign-in-limits.ts'
import { createTextLimits } from '#adapters/limits/text-limits.ts'
import { createVinLimits } from '#adapters/limits/vin-limits.ts'
import type { LimitSettings } from '#adapters/limits/shared-limiter.ts'

/** Creates the limits on requests of visitors and accounts. */
export function createAccountLimits(limits: LimitSettings) {
  return {
    signInLimits: createSignInLimits(limits),
    feedLimits: createFeedLimits(limits),
    lookUpLimits: createLookUpLimits(limits),
    orderCodeLimits: createOrderCodeLimits(limits),
    reviewLimits: createReviewLimits(limits),
    cardLimits: createCardLimits(limits),
    attachmentLimits: createAttachmentLimits(limits),
    textLimits: createTextLimits(limits),
    quoteLimits: createQuoteLimits(limits),
    fleetQuoteLimits: createFleetQuoteLimits(limits),
    vinLimits: createVinLimits(limits),
  }
}
