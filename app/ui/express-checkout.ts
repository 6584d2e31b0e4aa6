/**
 * Stripe's Express Checkout Element, which shows the device's wallet buttons. The sandbox simulates the same script, so
 * that only its URL differs.
 */
import { loadStripeScript } from '#app/ui/stripe-script.ts'
import type { WalletMethod } from '#domain/payments/payments/payments.ts'
import { CURRENCY } from '#platform/business-constants.ts'

/** The script's URL, and the account's key. */
export type ExpressCheckoutSetup = { scriptUrl: string; publishableKey: string }

/** What the wallet's sheet shows; the lines add up to the amount. */
export type WalletOrder = { amountCents: number; lines: readonly { name: string; amountCents: number }[] }

/** The wallet's billing name and address. Empty if the wallet doesn't provide it. */
export type WalletOwner = {
  name: string
  phone: string
  line1: string
  line2: string
  city: string
  state: string
  postalCode: string
  country: string
}

/** A sheet in which the shopper approved, to be ended by one of the two. */
export type ApprovedSheet = {
  wallet: WalletMethod
  owner: WalletOwner
  /** Pays the charge for this secret. The result isn't trusted; the server queries the provider. */
  pay(clientSecret: string): Promise<boolean>
  fail(): boolean
}

/** `offered` lists this device's wallets, which may be empty. `missing` means that the script did not load. */
export type ExpressCheckoutEvent =
  | { type: 'offered'; wallets: WalletMethod[] }
  | { type: 'missing' }
  | { type: 'canceled'; wallet: WalletMethod }
  | { type: 'approved'; sheet: ApprovedSheet }

export type ExpressCheckout = { remove(): void }

type WalletType = 'apple_pay' | 'google_pay'

/** The part of Stripe.js used here: https://docs.stripe.com/js/elements_object/create_express_checkout_element */
type ExpressElement = {
  on(event: 'ready', handler: (ready: { availablePaymentMethods?: Available }) => void): void
  on(event: 'loaderror' | 'cancel', handler: () => void): void
  on(event: 'click', handler: (click: Click) => void): void
  on(event: 'confirm', handler: (confirm: Confirm) => void): void
  mount(box: HTMLElement): void
  destroy(): void
}
type Available = { applePay: boolean; googlePay: boolean }
type Click = {
  expressPaymentType: string
  resolve(details: { lineItems: { name: string; amount: number }[] }): void
  reject(): void
}
type Billing = {
  name: string
  phone?: string
  address: Record<'line1' | 'city' | 'state' | 'postal_code' | 'country', string> & { line2: string | null }
}
const nobody: Billing = {
  name: '',
  address: { line1: '', line2: '', city: '', state: '', postal_code: '', country: '' },
}
type Confirm = {
  expressPaymentType: string
  billingDetails?: Billing
  paymentFailed(payload?: { reason: 'fail' }): void
}
type Elements = {
  create(kind: 'expressCheckout', options: object): ExpressElement
  submit(): Promise<{ error?: object }>
}
type StripeWallets = {
  elements(options: object): Elements
  confirmPayment(options: {
    elements: Elements
    clientSecret: string
    confirmParams: { return_url: string }
    redirect: 'if_required'
  }): Promise<{ error?: object }>
}

/** Returns whether this browser may support wallets; others load no script. */
export function mayHaveWallet(): boolean {
  return 'ApplePaySession' in window || 'PaymentRequest' in window
}

/**
 * Shows the device's wallet buttons in `box`, limited to `only` if given. `mayOpen` is called when a button is pressed,
 * before the sheet opens.
 */
export function openExpressCheckout(
  box: HTMLElement,
  {
    setup,
    order,
    only,
    returnUrl,
    mayOpen,
  }: {
    setup: ExpressCheckoutSetup
    order: WalletOrder
    only: WalletMethod | null
    returnUrl: string
    mayOpen: (wallet: WalletMethod) => boolean
  },
  tell: (event: ExpressCheckoutEvent) => void,
): ExpressCheckout {
  let element: ExpressElement | undefined
  let pressed: WalletMethod = only ?? 'apple-pay'
  let isRemoved = false

  function show(stripe: StripeWallets): void {
    if (isRemoved) return
    const elements = stripe.elements({
      mode: 'payment',
      amount: order.amountCents,
      currency: CURRENCY.code.toLowerCase(),
      captureMethod: 'manual',
      allowedPaymentMethodTypes: ['card'],
      locale: 'en',
    })
    const shown = (wallet: WalletMethod) => (only === null || only === wallet ? 'auto' : 'never')
    element = elements.create('expressCheckout', {
      billingAddressRequired: true,
      buttonHeight: 52,
      layout: { maxColumns: 1, overflow: 'never' },
      paymentMethods: {
        applePay: shown('apple-pay'),
        googlePay: shown('google-pay'),
        amazonPay: 'never',
        klarna: 'never',
        link: 'never',
        paypal: 'never',
      },
    })
    element.on('ready', ({ availablePaymentMethods: has }) => tell({ type: 'offered', wallets: walletsOf(has) }))
    element.on('loaderror', () => tell({ type: 'missing' }))
    element.on('click', (click) => {
      pressed = methodOf(click.expressPaymentType)
      if (mayOpen(pressed))
        click.resolve({ lineItems: order.lines.map(({ name, amountCents }) => ({ name, amount: amountCents })) })
      else click.reject()
    })
    element.on('cancel', () => tell({ type: 'canceled', wallet: pressed }))
    element.on('confirm', (confirm) => tell({ type: 'approved', sheet: sheetOf(confirm, stripe, elements, returnUrl) }))
    element.mount(box)
  }

  loadStripeScript(setup.scriptUrl)
    .then(() => {
      const open = window.Stripe as ((publishableKey: string) => unknown) | undefined
      if (!open) throw new Error('Stripe.js loaded without Stripe.')
      show(open(setup.publishableKey) as StripeWallets)
    })
    .catch(() => tell({ type: 'missing' }))
  return {
    remove() {
      isRemoved = true
      element?.destroy()
    },
  }
}

function sheetOf(confirm: Confirm, stripe: StripeWallets, elements: Elements, returnUrl: string): ApprovedSheet {
  const failed = () => {
    confirm.paymentFailed({ reason: 'fail' })
    return false
  }
  return {
    wallet: methodOf(confirm.expressPaymentType),
    owner: ownerOf(confirm.billingDetails),
    async pay(clientSecret) {
      try {
        const { error: unready } = await elements.submit()
        if (unready) return failed()
        const { error } = await stripe.confirmPayment({
          elements,
          clientSecret,
          confirmParams: { return_url: returnUrl },
          redirect: 'if_required',
        })
        return error ? failed() : true
      } catch {
        return failed()
      }
    },
    fail: failed,
  }
}

function methodOf(type: string): WalletMethod {
  return (type as WalletType) === 'google_pay' ? 'google-pay' : 'apple-pay'
}

function walletsOf(has: Available | undefined): WalletMethod[] {
  return [...(has?.applePay ? (['apple-pay'] as const) : []), ...(has?.googlePay ? (['google-pay'] as const) : [])]
}

function ownerOf({ name, phone, address }: Billing = nobody): WalletOwner {
  const { line1, line2, city, state, postal_code: postalCode, country } = address
  return { name, phone: phone ?? '', line1, line2: line2 ?? '', city, state, postalCode, country }
}
