import { loadStripeScript, stripeScriptUrl } from '#app/ui/stripe-script.ts'
import type { CardResult, FieldsBilling, OpenPaymentFields } from '#app/ui/payment-fields.port.ts'

/**
 * The part of Stripe.js used here: https://docs.stripe.com/js. Its script must be loaded from Stripe and is not
 * bundled.
 */
type Stripe = {
  elements(options: { clientSecret: string; appearance?: object; locale?: string }): StripeElements
  confirmPayment(options: {
    elements: StripeElements
    confirmParams: object
    redirect: 'if_required'
  }): Promise<{ paymentIntent?: { status: string }; error?: { type: string; message?: string } }>
}
type StripeElements = { create(kind: 'payment', options: object): StripeElement }
type StripeElement = {
  on(event: 'ready' | 'loaderror', handler: () => void): void
  on(event: 'change', handler: (change: { complete: boolean }) => void): void
  mount(box: HTMLElement): void
  destroy(): void
}
declare global {
  interface Window {
    Stripe?: (publishableKey: string) => Stripe
  }
}

/** Stripe's payment element. Name and address come from the previous page, so it has only card fields. */
export const openStripeFields: OpenPaymentFields<{ kind: 'stripe'; publishableKey: string }> = (
  box,
  { publishableKey },
  charge,
  tell,
) => {
  let element: StripeElement | undefined
  let confirm: (() => Promise<CardResult>) | undefined
  let isRemoved = false

  loadStripe(publishableKey)
    .then((stripe) => {
      if (isRemoved) return
      const elements = stripe.elements({
        clientSecret: charge.clientSecret,
        appearance: readAppearance(),
        locale: 'en',
      })
      element = elements.create('payment', {
        layout: { type: 'accordion', radios: 'never' },
        wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
        fields: { billingDetails: 'never' },
      })
      element.on('ready', () => tell({ type: 'ready' }))
      element.on('loaderror', () => tell({ type: 'missing' }))
      element.on('change', ({ complete }) => tell({ type: 'changed', isComplete: complete }))
      element.mount(box)
      confirm = async () => {
        // Bank approval opens over the page; the rare bank that needs its own page returns to the return address.
        const { paymentIntent, error } = await stripe.confirmPayment({
          elements,
          confirmParams: {
            return_url: charge.returnUrl,
            payment_method_data: { billing_details: billingDetails(charge.billing) },
          },
          redirect: 'if_required',
        })
        if (error)
          return error.type === 'card_error' || error.type === 'validation_error'
            ? { status: 'failed', message: error.message ?? '' }
            : { status: 'unknown' }
        return {
          status:
            paymentIntent?.status === 'requires_capture' || paymentIntent?.status === 'succeeded'
              ? 'authorized'
              : 'unknown',
        }
      }
    })
    .catch(() => tell({ type: 'missing' }))

  return {
    confirm() {
      const answer = confirm?.().catch((): CardResult => ({ status: 'unknown' }))
      void answer?.then((result) => tell({ type: 'finished', result }))
    },
    remove() {
      isRemoved = true
      element?.destroy()
    },
  }
}

async function loadStripe(publishableKey: string): Promise<Stripe> {
  await loadStripeScript(stripeScriptUrl)
  if (!window.Stripe) throw new Error('Stripe.js loaded without Stripe.')
  return window.Stripe(publishableKey)
}

/** Everything the element does not ask for must be passed here. */
function billingDetails({ name, email, phone, address }: FieldsBilling) {
  return {
    name,
    email,
    phone,
    address: {
      line1: address.line1,
      line2: address.line2,
      city: address.city,
      state: address.state,
      postal_code: address.postalCode,
      country: 'US',
    },
  }
}

/** Returns the fields' styles, from our style sheet's tokens. */
function readAppearance(): object {
  const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  return {
    theme: 'stripe',
    variables: {
      colorPrimary: token('--focus'),
      colorText: token('--ink'),
      colorTextSecondary: token('--asphalt'),
      colorDanger: token('--stop'),
      colorBackground: token('--chalk'),
      borderRadius: token('--r'),
      fontSizeBase: '16px',
    },
  }
}
