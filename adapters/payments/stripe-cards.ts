import Stripe from 'stripe'
import type { CardVault, SavedCharge, VaultedCard } from '#domain/payments/saved-cards/card-vault.port.ts'
import { CURRENCY } from '#platform/business-constants.ts'
import { unlessAlready } from './stripe.ts'
import { chargeView } from './stripe-views.ts'
import { answer, openStripe } from './stripe-client.ts'

/**
 * Saved cards with Stripe, which use a customer per account, its payment methods, and manual-capture intents. The
 * intent is created first and confirmed later, so a repeated job finds the same intent.
 */
export function createStripeCards(config: { apiOrigin: string; secretKey: string }): CardVault {
  const stripe = openStripe(config)
  return { ...vaultCalls(stripe), ...chargeCalls(stripe) }
}

function vaultCalls(stripe: Stripe): Omit<CardVault, 'openSavedCharge' | 'confirmSavedCharge'> {
  return {
    createCustomer({ accountId, email, key }) {
      return answer(async () => {
        const customer = await stripe.customers.create(
          { metadata: { reference: accountId }, ...(email !== null && { email }) },
          { idempotencyKey: key },
        )
        return customer.id
      })
    },
    deleteCustomer(customerRef) {
      return answer(() => unlessMissing(() => stripe.customers.del(customerRef)))
    },
    openCardPage({ customerRef, reference, returnUrl, cancelUrl, key }) {
      return answer(async () => {
        const { id, url } = await stripe.checkout.sessions.create(
          {
            mode: 'setup',
            customer: customerRef,
            allowed_payment_method_types: ['card'],
            client_reference_id: reference,
            metadata: { reference },
            success_url: returnUrl,
            cancel_url: cancelUrl,
          },
          { idempotencyKey: key },
        )
        if (url === null) throw new Error(`Stripe opened ${id} without an address`)
        return { hostedRef: id, url }
      })
    },
    readCardPage(hostedRef) {
      return answer(async () => {
        const session = await stripe.checkout.sessions.retrieve(hostedRef, {
          expand: ['setup_intent.payment_method'],
        })
        const setup = session.setup_intent
        if (setup === null || typeof setup === 'string' || setup.status !== 'succeeded') return null
        return cardOf(setup.payment_method)
      })
    },
    readCardOfCharge(ref) {
      return answer(async () => {
        const intent = await stripe.paymentIntents.retrieve(ref, { expand: ['payment_method'] })
        return intent.setup_future_usage === null ? null : cardOf(intent.payment_method)
      })
    },
    saveCardOfCharge({ ref, customerRef, key }) {
      return answer(async () => {
        await stripe.paymentIntents.update(
          ref,
          customerRef === null
            ? { setup_future_usage: '' }
            : { customer: customerRef, setup_future_usage: 'off_session' },
          { idempotencyKey: key },
        )
        return null
      })
    },
    detachCard({ cardRef, key }) {
      return answer(async () => {
        try {
          await stripe.paymentMethods.detach(cardRef, {}, { idempotencyKey: key })
        } catch (error) {
          const read = () => stripe.paymentMethods.retrieve(cardRef)
          await unlessAlready(error, read, ({ customer }) => customer === null)
        }
        return null
      })
    },
  }
}

function chargeCalls(stripe: Stripe): Pick<CardVault, 'openSavedCharge' | 'confirmSavedCharge'> {
  async function current(ref: string): Promise<Stripe.PaymentIntent> {
    return stripe.paymentIntents.retrieve(ref, { expand: ['latest_charge'] })
  }

  return {
    openSavedCharge({ customerRef, amountCents, reference, key }) {
      return answer(async () => {
        const intent = await stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency: CURRENCY.code.toLowerCase(),
            capture_method: 'manual',
            allowed_payment_method_types: ['card'],
            customer: customerRef,
            metadata: { reference },
          },
          { idempotencyKey: key },
        )
        return intent.id
      })
    },
    confirmSavedCharge({ ref, cardRef, returnUrl, key }) {
      return answer(async () => {
        try {
          const who = returnUrl === null ? { off_session: true } : { return_url: returnUrl }
          return savedCharge(
            await stripe.paymentIntents.confirm(
              ref,
              { payment_method: cardRef, ...who, expand: ['latest_charge'] },
              { idempotencyKey: key },
            ),
          )
        } catch (error) {
          // The intent has more detail about a decline than the error, and a confirmed intent can't be confirmed again.
          if (error instanceof Stripe.errors.StripeCardError) return savedCharge(await current(ref))
          const isDone = ({ status }: Stripe.PaymentIntent) => status === 'requires_capture' || status === 'succeeded'
          return savedCharge(await unlessAlready(error, () => current(ref), isDone))
        }
      })
    },
  }
}

function savedCharge(intent: Stripe.PaymentIntent): SavedCharge {
  return {
    charge: chargeView(intent),
    approvalUrl: intent.status === 'requires_action' ? (intent.next_action?.redirect_to_url?.url ?? null) : null,
    isUnapproved: intent.last_payment_error?.code === 'authentication_required',
  }
}

function cardOf(method: Stripe.PaymentMethod | string | null): VaultedCard | null {
  if (method === null || typeof method === 'string' || !method.card || method.customer === null) return null
  const { brand, last4, exp_month: expMonth, exp_year: expYear, fingerprint } = method.card
  return { cardRef: method.id, fingerprint: fingerprint ?? method.id, brand, last4, expMonth, expYear }
}

async function unlessMissing(work: () => Promise<unknown>): Promise<null> {
  try {
    await work()
  } catch (error) {
    const isGone = error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
    if (!isGone) throw error
  }
  return null
}
