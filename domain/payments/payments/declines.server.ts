/** Declined cards, and whether another card may be tried. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { insertDecline } from './declines.sql.server.ts'
import type { ProviderDecline } from './payment-provider.port.ts'
import { isOfCard, type PaymentMethodType } from '#domain/payments/payment-methods/payment-methods.ts'
import type { Payer } from './payments.ts'
import { findPayment } from './payments.sql.server.ts'
import type { Taken } from '#platform/attempts.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { ok } from '#platform/outcome.ts'

export { forgetOldDeclines } from './declines.sql.server.ts'

/** Writes down which card was declined, for the rules against card testing. */
export async function noteDecline(
  { db, clock }: { db: Database; clock: Clock },
  decline: ProviderDecline,
): Promise<void> {
  const { ref, reference, cardFingerprint } = decline
  // On a page of the provider, the card is declined before the charge is ours.
  const payment =
    (await findPayment(db, { ref })) ??
    (reference !== null && isId(reference) ? await findPayment(db, { id: reference }) : undefined)
  if (payment) await insertDecline(db, { paymentId: payment.id, cardFingerprint, at: clock.now() })
}

/**
 * Whether a charge by `method` may be opened for a cart or term. Only cards are limited, by the declines for the payer and
 * from its network: no stolen number can be tested with a lender or a provider account.
 */
export async function mayTryCard(
  { rateLimits }: { rateLimits: RateLimits },
  payer: Payer,
  from: string,
  method: PaymentMethodType = 'card',
): Promise<Taken> {
  if (!isOfCard(method)) return ok(undefined)
  const key = 'cartId' in payer ? payer.cartId : 'termId' in payer ? payer.termId : payer.changeId
  return rateLimits.look('card-decline', { payer: key, network: from })
}
