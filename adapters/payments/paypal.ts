import type {
  ChargeView,
  HostedPageInput,
  OrderToPay,
  PagePaymentProvider,
} from '#domain/payments/payments/payment-provider.port.ts'
import { CURRENCY } from '#platform/business-constants.ts'
import type { Clock } from '#platform/clock.ts'
import {
  answer,
  createPayPalClient,
  PayPalAway,
  PayPalRefusal,
  type PayPalAccess,
  type PayPalClient,
} from './paypal-client.ts'
import {
  authorizationForm,
  captureForm,
  chargeView,
  orderForm,
  paymentsOf,
  refundForm,
  voidForm,
  wordsOf,
  type PayPalAuthorization,
  type ReadOrder,
} from './paypal-forms.ts'
import { createPayPalWebhooks } from './paypal-webhooks.ts'

export type PayPalConfig = PayPalAccess & { webhookId: string }

/** PayPal honors an authorization for three days; from then on it can be renewed, and a capture of it may fail. */
const honorHours = 72

/**
 * PayPal and Venmo with Orders v2. A charge is an order. Its ID is the reference because renewed authorizations get new
 * IDs, and the order contains its authorizations, captures, and refunds. A charge already in the requested state is a
 * success, because a job can run again after its key expires.
 */
export function createPayPalPayments(config: PayPalConfig): PagePaymentProvider {
  const client = createPayPalClient(config)
  return {
    ...pageCalls(client),
    ...moneyCalls(client, config.clock),
    readEvent: createPayPalWebhooks(config),
  }
}

function readOrder(client: PayPalClient, id: string): Promise<ReadOrder> {
  return client.get(`/v2/checkout/orders/${encodeURIComponent(id)}`, orderForm)
}

function pageCalls(
  client: PayPalClient,
): Pick<PagePaymentProvider, 'openHostedPage' | 'readHostedPage' | 'closeHostedPage'> {
  return {
    openHostedPage(input) {
      return answer(async () => {
        const order = await client.post('/v2/checkout/orders', orderForm, { body: orderRequest(input), key: input.key })
        const page = order.links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')
        if (!page) throw new PayPalAway(`PayPal opened ${order.id} without an address to approve it`)
        return { hostedRef: order.id, url: page.href }
      })
    },
    readHostedPage(hostedRef) {
      return answer(async () => {
        const order = await readOrder(client, hostedRef)
        return visitOf(order.status === 'APPROVED' ? await authorize(client, order) : chargeView(order))
      })
    },
    // An unused approval expires automatically and can't be closed earlier. Returns any authorization made by then.
    closeHostedPage({ hostedRef }) {
      return answer(async () => visitOf(chargeView(await readOrder(client, hostedRef))))
    },
  }
}

type Visit = { completed: boolean; charge: ChargeView | null }

function visitOf(charge: ChargeView): Visit {
  return { completed: charge.state === 'authorized', charge: charge.state === 'open' ? null : charge }
}

/** Authorizes the shopper's approval. A refusal becomes the charge's failure, with a message for the shopper. */
async function authorize(client: PayPalClient, order: ReadOrder): Promise<ChargeView> {
  try {
    const path = `/v2/checkout/orders/${encodeURIComponent(order.id)}/authorize`
    return chargeView(await client.post(path, orderForm, { body: {}, key: `authorize:${order.id}` }))
  } catch (error) {
    if (!(error instanceof PayPalRefusal)) throw error
    // Another request is at it, or was.
    if (error.status === 409) return { ...chargeView(order), state: 'processing' }
    if (error.issues.includes('ORDER_ALREADY_AUTHORIZED')) return chargeView(await readOrder(client, order.id))
    const failure = wordsOf(error.issues)
    if (failure === undefined) throw error
    return { ...chargeView(order), state: 'failed', failure }
  }
}

function moneyCalls(
  client: PayPalClient,
  clock: Clock,
): Pick<PagePaymentProvider, 'readCharge' | 'captureCharge' | 'voidCharge' | 'refundCharge'> {
  const current = async (ref: string) => chargeView(await readOrder(client, ref))

  return {
    readCharge: (ref) => answer(() => current(ref)),
    captureCharge({ ref, amountCents, key }) {
      return answer(async () => {
        const order = await readOrder(client, ref)
        const before = chargeView(order)
        if (before.state === 'captured' && before.capturedCents === amountCents) return before
        if (before.state === 'processing') throw new PayPalAway(`PayPal is still reviewing ${ref}`)
        const held = await honored(client, order, clock)
        try {
          const capture = await client.post(`/v2/payments/authorizations/${held.id}/capture`, captureForm, {
            body: { amount: usd(amountCents), final_capture: true },
            key: `${key}:${held.id}`,
          })
          if (capture.status === 'PENDING') throw new PayPalAway(`PayPal reviews the capture of ${ref}`)
          return await current(ref)
        } catch (error) {
          return unlessAlready(error, await current(ref), (charge) => charge.capturedCents === amountCents)
        }
      })
    },
    voidCharge({ ref, key }) {
      return answer(async () => {
        const { authorizations } = paymentsOf(await readOrder(client, ref))
        // Voiding the first one ends its renewal, too, which cannot be voided itself.
        const [held] = authorizations
        if (!held) return { ...(await current(ref)), state: 'voided' }
        if (held.status === 'VOIDED') return current(ref)
        try {
          await client.post(`/v2/payments/authorizations/${held.id}/void`, voidForm, { body: {}, key })
          return await current(ref)
        } catch (error) {
          return unlessAlready(error, await current(ref), (charge) => charge.state === 'voided')
        }
      })
    },
    refundCharge({ ref, amountCents, key }) {
      return answer(async () => {
        const [capture] = paymentsOf(await readOrder(client, ref)).captures
        if (!capture) throw new PayPalRefusal(422, ['NOTHING_CAPTURED'], ref)
        const refund = await client.post(`/v2/payments/captures/${capture.id}/refund`, refundForm, {
          body: { amount: usd(amountCents) },
          key,
        })
        if (refund.status === 'FAILED' || refund.status === 'CANCELLED')
          throw new PayPalRefusal(422, [`REFUND_${refund.status}`], refund.id)
        return { refundRef: refund.id }
      })
    },
  }
}

/**
 * Returns the newest authorization for capture. Renews it if PayPal no longer honors it. The idempotency key contains
 * its ID, so a repeated job gets the same renewal. If PayPal doesn't renew it, the capture decides.
 */
async function honored(client: PayPalClient, order: ReadOrder, clock: Clock): Promise<PayPalAuthorization> {
  const newest = paymentsOf(order).authorizations.at(-1)
  if (!newest) throw new PayPalRefusal(422, ['NOTHING_AUTHORIZED'], order.id)
  if (clock.now().since(newest.create_time).total('hours') < honorHours) return newest
  try {
    return await client.post(`/v2/payments/authorizations/${newest.id}/reauthorize`, authorizationForm, {
      body: {},
      key: `reauthorize:${newest.id}`,
    })
  } catch (error) {
    if (error instanceof PayPalRefusal && error.status !== 409) return newest
    throw error
  }
}

/** Accepts a refusal if the charge is as wanted all the same. Throws any other error, and for any other state. */
function unlessAlready(error: unknown, charge: ChargeView, isWanted: (charge: ChargeView) => boolean): ChargeView {
  if (!(error instanceof PayPalRefusal) || !isWanted(charge)) throw error
  return charge
}

type Money = { currency_code: string; value: string }

/** 1230 → "12.30" */
function usd(cents: number): Money {
  const text = String(cents).padStart(3, '0')
  return { currency_code: CURRENCY.code, value: `${text.slice(0, -2)}.${text.slice(-2)}` }
}

/**
 * Returns the order to create. PayPal's button reads "Continue" because the shopper reviews the order with us before
 * paying. Venmo's own context has no return URLs, so this uses those of the older context.
 */
function orderRequest({ method, amountCents, reference, description, returnUrl, cancelUrl, order }: HostedPageInput) {
  const context = { shipping_preference: order ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING' }
  const addresses = { return_url: returnUrl, cancel_url: cancelUrl, user_action: 'CONTINUE' }
  return {
    intent: 'AUTHORIZE',
    purchase_units: [
      {
        custom_id: reference,
        invoice_id: reference,
        description: description.slice(0, 127),
        amount: { ...usd(amountCents), ...(order && { breakdown: breakdownOf(order) }) },
        ...(order && { items: order.lines.map(itemOf), shipping: shippingOf(order) }),
      },
    ],
    ...(method === 'venmo'
      ? { payment_source: { venmo: { experience_context: context } }, application_context: addresses }
      : { payment_source: { paypal: { experience_context: { ...context, ...addresses } } } }),
  }
}

function breakdownOf({ lines, taxCents, shippingCents, discountCents }: OrderToPay): Record<string, Money> {
  const itemCents = lines.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0)
  return {
    item_total: usd(itemCents),
    tax_total: usd(taxCents),
    shipping: usd(shippingCents),
    discount: usd(discountCents),
  }
}

function itemOf({ sku, name, unitCents, quantity, kind }: OrderToPay['lines'][number]) {
  return {
    name: name.slice(0, 127),
    sku: sku.slice(0, 127),
    unit_amount: usd(unitCents),
    quantity: String(quantity),
    // Services are part of the tires because PayPal's seller protection covers physical goods.
    ...(kind === 'tire' && { category: 'PHYSICAL_GOODS' }),
  }
}

function shippingOf({ shipTo }: OrderToPay) {
  return {
    type: 'SHIPPING',
    name: { full_name: shipTo.name },
    address: {
      address_line_1: shipTo.address1,
      ...(shipTo.address2 !== null && { address_line_2: shipTo.address2 }),
      admin_area_2: shipTo.city,
      admin_area_1: shipTo.state,
      postal_code: shipTo.zip,
      country_code: 'US',
    },
  }
}
