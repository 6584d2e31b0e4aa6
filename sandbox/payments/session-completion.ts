import type Stripe from 'stripe'
import { record, type Ledger } from './ledger.ts'
import type { CardOnFile } from './test-cards.ts'

/** Completes the hosted page of a paid intent. Skips an intent without a page or with a closed one. */
export function completeSession(
  ledger: Ledger,
  sessionId: string | null,
  intent: Stripe.PaymentIntent,
  card: CardOnFile | null,
): void {
  const stored = sessionId === null ? undefined : ledger.sessions.get(sessionId)
  if (stored?.session.status !== 'open') return
  const session: Stripe.Checkout.Session = {
    ...stored.session,
    status: 'complete',
    url: null,
    // Stripe calls a page 'unpaid' until its payment is captured.
    payment_status: intent.status === 'succeeded' ? 'paid' : 'unpaid',
  }
  ledger.sessions.put(session.id, { ...stored, session }, null)
  record(ledger, null, card, [['checkout.session.completed', session]])
}
