/** Payment, and placing the order. */
import { z } from 'zod'
import { termsRefusalMessages } from '#content/messages/invoices.ts'
import { noCart, readOwnCart, readOwnCheckout } from '#api/carts.ts'
import type { Caller } from '#api/caller.ts'
import { answer, operation } from '#api/operation.ts'
import { insteadOfLost } from '#api/other-times.ts'
import { problem, type OwnCode } from '#api/problem.ts'
import { bodyOf, cents, day, storePath } from '#api/schemas.ts'
import { cartSentence } from '#content/messages/cart.ts'
import { doesNotFitText, refusePlacing } from '#content/messages/placing.ts'
import { paymentUnavailable, processingMessage, tooManyCards } from '#content/messages/payments.ts'
import { storeClosedMessage } from '#content/messages/store-closed.ts'
import { cookiesFor } from '#http/visitor.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import {
  findTermsCustomer,
  orderToPay,
  payBy,
  payOnTerms,
  placeOrder,
  quoteCart,
  readCreditLine,
  readDetails,
  refuseInstallation,
  type CartQuote,
  type PlaceOrderRefusal,
  type SavedBilling,
  type SavedContact,
} from '#domain/ordering/checkout/checkout.server.ts'
import { creditLeft, dueDay, grantInvoice } from '#domain/payments/invoices/invoices.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  voidPayment,
  mayTryCard,
  openCharge,
  openHostedPage,
  refreshPayment,
  type PaymentTrouble,
} from '#domain/payments/payments/payments.server.ts'
import {
  isWallet,
  methodsFor,
  paymentMethodRules,
  paymentMethodTypes,
  whyNotFinanced,
  type ChargedMethod,
} from '#domain/payments/payments/payments.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

export const placingOperations = [
  operation({
    id: 'listPaymentMethods',
    method: 'get',
    path: '/payment-methods',
    area: 'Checkout',
    summary: 'List payment methods',
    description: 'Company members with net terms can also order on invoice.',
    audience: 'anyone',
    sharedSeconds: 300,
    result: z.strictObject({
      methods: z.array(z.strictObject({ type: z.string(), name: z.string(), detail: z.string() })),
      provider: z.enum(['sandbox', 'stripe']),
      publishableKey: z.string().meta({ description: 'For the provider’s card fields' }),
    }),
    async handle({ app }) {
      const { config } = app
      const [line, customerId] = await Promise.all([readCreditLine(app), findTermsCustomer(app)])
      const terms = line && {
        type: 'net-terms',
        name: `Net ${line.netDays}`,
        detail: `Due ${countOf(line.netDays, 'day')} after the order. Your company has ${formatCents(creditLeft(line))} of ${formatCents(line.limitCents)} left.`,
      }
      return answer({
        methods: [
          ...paymentMethodRules
            .filter(({ type }) => app.paymentMethods.has(type) && !isWallet(type))
            .filter(({ type }) => type !== 'resolve' || customerId !== null)
            .map(({ type, name, detail }) => ({ type, name, detail })),
          ...(terms ? [terms] : []),
        ],
        provider: config.payments.kind,
        publishableKey: config.payments.publishableKey,
      })
    },
  }),
  operation({
    id: 'openPayment',
    method: 'post',
    path: '/cart/payment',
    area: 'Checkout',
    summary: 'Create a payment',
    description:
      'With `fields`, returns a `clientSecret` for the provider’s card fields. With `hosted`, returns the address of the provider’s own page. With `net-terms`, the order is invoiced to the account’s company, due on `dueOn`. A cart has one payment at a time; the card is charged only once the order can no longer be canceled.',
    audience: 'cart',
    status: 201,
    once: { isRequired: true, by: 'again' },
    body: bodyOf({
      flow: z.enum(['fields', 'hosted', 'net-terms']).meta({ examples: ['hosted'] }),
      method: z
        .enum(paymentMethodTypes)
        .exclude(['net-terms'])
        .default('card')
        .meta({ description: 'One of the payment methods; others than cards need the flow `hosted`' }),
      returnPath: storePath
        .default('/checkout/payments/return')
        .meta({ description: 'Where the provider’s page returns the shopper, a path in this store' }),
      cancelPath: storePath.default('/checkout/payments/card?canceled=1'),
    }),
    result: z.strictObject({
      amountCents: cents,
      clientSecret: z.string().nullable(),
      url: z.string().nullable(),
      dueOn: day.nullable().meta({ description: 'When the invoice is due' }),
    }),
    refuses: [
      'NoCart',
      'CartIncomplete',
      'CartNotForSale',
      'DoesNotFit',
      'TooManyAttempts',
      'PaymentNotAuthorized',
      'PaymentUnavailable',
    ],
    async handle({ app, caller, body }) {
      const checkout = await readOwnCheckout(app, caller)
      if (!checkout) return noCart()
      const { cart, contact, billing } = checkout
      if (!contact) return problem('CartIncomplete', 'There are no contact details yet.', { data: { step: 'contact' } })
      const unfit = await refuseInstallation(app, cart)
      if (unfit) return problem('DoesNotFit', doesNotFitText(unfit))
      const paymentMethod = body.flow === 'net-terms' ? 'net-terms' : body.method
      const quote = await quoteCart(app, cart, contact, { shop: checkout.shop, method: paymentMethod })
      const amountCents = quote.dueCents
      if (quote.problems.length > 0 || amountCents === 0)
        return problem('CartNotForSale', 'Read the cart’s price for details about the problem.', {
          data: { problems: quote.problems.map(({ kind }) => kind) },
        })
      if (body.flow === 'net-terms') {
        const granted = await payOnTerms(app, cart, amountCents)
        if (!granted.ok)
          return problem('PaymentNotAuthorized', termsRefusalMessages(granted), { data: { ...granted.detail } })
        const dueOn = dueDay(storeDay(app.clock.now()), granted.value.netDays).toString()
        return answer({ amountCents, clientSecret: null, url: null, dueOn })
      }
      return openCharged({ app, caller, body }, { cart, quote, contact, billing })
    },
  }),
  operation({
    id: 'readPayment',
    method: 'get',
    path: '/cart/payment',
    area: 'Checkout',
    summary: 'Get the payment’s status',
    audience: 'cart',
    result: z
      .strictObject({
        by: z.enum(paymentMethodTypes),
        state: z.enum(['pending', 'authorized', 'captured', 'voided', 'failed']),
        amountCents: cents,
        isProcessing: z.boolean(),
        message: z.string().nullable().meta({
          description: 'The provider’s message for a failed payment, or why the company’s terms do not cover it',
        }),
      })
      .nullable(),
    refuses: ['NoCart', 'PaymentUnavailable'],
    async handle({ app, caller }) {
      const cart = await readOwnCart(app, caller)
      if (!cart) return noCart()
      if (cart.paymentMethod === 'net-terms') return answer(await readTermsStatus(app, cart))
      const status = await refreshPayment(app, { cartId: cart.id })
      if (!status.ok) return problem('PaymentUnavailable', paymentUnavailable, { headers: { 'retry-after': '5' } })
      if (!status.value) return answer(null)
      const { payment, failure, isProcessing } = status.value
      return answer({
        by: payment.method,
        state: payment.state,
        amountCents: payment.amountCents,
        isProcessing,
        message: isProcessing ? processingMessage : failure,
      })
    },
  }),
  operation({
    id: 'dropPayment',
    method: 'delete',
    path: '/cart/payment',
    area: 'Checkout',
    summary: 'Cancel the payment',
    audience: 'cart',
    status: 204,
    refuses: ['NoCart'],
    async handle({ app, caller }) {
      const cart = await readOwnCart(app, caller)
      if (!cart) return noCart()
      await voidPayment(app, { cartId: cart.id })
      await payBy(app, cart, 'card')
      return answer(null)
    },
  }),
  operation({
    id: 'placeOrder',
    method: 'post',
    path: '/orders',
    area: 'Checkout',
    summary: 'Place the order',
    description:
      'Order, stock, appointment, and payment are saved in one transaction. A cart becomes only one order, however often it is placed. If anything changed since the shopper agreed, the order isn’t placed or charged, and `data` says where to fix it. `OrderChanged` lists in `data.changed` what differs from `agreedPrice`: `tires`, `delivery`, `contact` or `appointment`. If the time was taken, it has the shop’s next available times in `data.next`, and nearby shops’ times in `data.elsewhere`. A company member with an order above their limit gets `ApprovalNeeded` with `data.limitCents`. The order is requested on the website, where a company approver approves it.',
    audience: 'cart',
    status: 201,
    once: { isRequired: true, by: 'again' },
    body: bodyOf({
      agreedPrice: z
        .string()
        .min(1)
        .max(200)
        .meta({ description: '`agreedPrice` from the price the shopper agreed to, read after the last change' }),
      termsAccepted: z
        .boolean()
        .meta({ description: 'Whether the shopper accepted the terms of sale', examples: [true] }),
      conditionsAccepted: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether the shopper accepted the fitment conditions; required only if there are any' }),
    }),
    result: z.strictObject({
      orderId: z.int(),
      orderNumber: z.string(),
      isNew: z.boolean().meta({ description: 'Whether this request placed it' }),
    }),
    answerHeaders: { Location: 'The order' },
    refuses: [
      'NoCart',
      'CartIncomplete',
      'CartNotForSale',
      'TermsNotAccepted',
      'ConditionsNotAccepted',
      'DoesNotFit',
      'PriceChanged',
      'OrderChanged',
      'SlotLost',
      'PaymentNotAuthorized',
      'PaymentUnavailable',
      'RefusedOnline',
      'StoreClosed',
      'ApprovalNeeded',
    ],
    async handle({ app, caller, body }) {
      const { cartId } = caller
      if (cartId === undefined) return noCart()
      const placed = await placeOrder(app, { cartId, ...body })
      if (!placed.ok) {
        const { title, words, errors, remedy } = refusePlacing(placed, app.config.store)
        const message = [title, words, ...Object.values(errors)].filter(Boolean).join('. ').replaceAll('..', '.')
        const cart = placed.reason === 'slot-lost' ? await readOwnCart(app, caller) : undefined
        const data = {
          ...((placed.reason === 'incomplete' ||
            placed.reason === 'needs-approval' ||
            placed.reason === 'order-changed') &&
            placed.detail),
          ...(remedy && { remedy: remedy.href }),
          ...(cart && (await insteadOfLost(app, cart))),
        }
        return problem(placingCodes[placed.reason], message, {
          data,
          ...(placed.reason === 'payment-unavailable' && { headers: { 'retry-after': '5' } }),
        })
      }
      const { orderId, isNew } = placed.value
      return answer(
        { orderId, orderNumber: orderNumber(orderId), isNew },
        { location: `${app.config.web.origin}/api/orders/${orderId}`, ...keptOrder(app, caller, orderId) },
      )
    },
  }),
]

const placingCodes = {
  incomplete: 'CartIncomplete',
  'terms-not-accepted': 'TermsNotAccepted',
  'conditions-not-accepted': 'ConditionsNotAccepted',
  'does-not-fit': 'DoesNotFit',
  problem: 'CartNotForSale',
  'price-changed': 'PriceChanged',
  'order-changed': 'OrderChanged',
  'slot-lost': 'SlotLost',
  'payment-not-authorized': 'PaymentNotAuthorized',
  'payment-unavailable': 'PaymentUnavailable',
  'refused-online': 'RefusedOnline',
  'store-closed': 'StoreClosed',
  'needs-approval': 'ApprovalNeeded',
  'approval-waits': 'ApprovalNeeded',
  'net-terms-refused': 'PaymentNotAuthorized',
} as const satisfies Record<PlaceOrderRefusal['reason'], OwnCode>

function trouble(found: PaymentTrouble) {
  if (found.reason === 'store-closed') return problem('StoreClosed', storeClosedMessage)
  return found.reason === 'declined'
    ? problem('PaymentNotAuthorized', found.detail.message)
    : problem('PaymentUnavailable', paymentUnavailable, { headers: { 'retry-after': '5' } })
}

/** Net terms that cover the cart's price count as much as an authorized card. */
async function readTermsStatus(app: Application, cart: Cart) {
  const { dueCents } = await quoteCart(app, cart, (await readDetails(app, cart.id)).contact, { method: 'net-terms' })
  const granted = grantInvoice(await readCreditLine(app), dueCents)
  return {
    by: 'net-terms' as const,
    state: granted.ok ? ('authorized' as const) : ('failed' as const),
    amountCents: dueCents,
    isProcessing: false,
    message: granted.ok ? null : termsRefusalMessages(granted),
  }
}

/** Allows the browser that placed an order to open it. */
function keptOrder(app: Application, { isBrowser, visitor }: Caller, orderId: number): Record<string, string> {
  if (!isBrowser) return {}
  const keep = cookiesFor(app.config)
  return { 'set-cookie': keep.orders([...new Set([...visitor.orderIds, orderId])]) }
}

/** Who a company is to the provider of net terms, with its PO number. */
async function termsOf(app: Application, billing: SavedBilling | null) {
  const customerId = await findTermsCustomer(app)
  return customerId === null ? undefined : { customerId, poNumber: billing?.poNumber ?? null }
}

/** A cart with what its charge needs. */
type Charged = { cart: Cart; quote: CartQuote; contact: SavedContact; billing: SavedBilling | null }

/** Returns whether the payment method is allowed for this cart and buyer. Wallets work only in browsers. */
function canPayBy(
  app: Application,
  buyer: Pick<Charged, 'cart' | 'quote'> & { isBusiness: boolean; hasProviderTerms: boolean },
  { method, flow }: { method: ChargedMethod; flow: string },
): boolean {
  if (isWallet(method) || (flow === 'fields' && method !== 'card')) return false
  const { cart, quote, ...by } = buyer
  const offered = methodsFor({ amountCents: quote.dueCents, offered: app.paymentMethods, ...by })
  const kinds = quote.breakdown?.lines.map(({ kind }) => kind) ?? []
  return offered.some(
    (rule) => rule.type === method && whyNotFinanced(rule, { kinds, fulfillment: cart.fulfillment }) === null,
  )
}

/** Creates a charge for the cart's price, in the card fields or on the provider's page. */
async function openCharged(
  {
    app,
    caller,
    body,
  }: {
    app: Application
    caller: Caller
    body: { flow: string; method: ChargedMethod; returnPath: string; cancelPath: string }
  },
  { cart, quote, contact, billing }: Charged,
) {
  const { method } = body
  const { dueCents: amountCents, breakdown } = quote
  const { companyId } = await app.buyer.priceTier()
  const isBusiness = companyId !== null
  const terms = method === 'resolve' ? await termsOf(app, billing) : undefined
  if (!canPayBy(app, { cart, quote, isBusiness, hasProviderTerms: terms !== undefined }, body))
    return problem('CartNotForSale', 'This order cannot be paid that way.', { data: { problems: ['payment-method'] } })
  const from = caller.visitor.networkKey
  const allowed = await mayTryCard(app, { cartId: cart.id }, from, method)
  if (!allowed.ok)
    return problem('TooManyAttempts', tooManyCards, {
      headers: { 'retry-after': String(allowed.detail.retryAfterSeconds) },
    })
  if (cart.paymentMethod !== method) await payBy(app, cart, method)
  const charge = { cartId: cart.id, amountCents, email: contact.email, from }
  if (body.flow === 'fields') {
    const opened = await openCharge(app, charge)
    return opened.ok
      ? answer({ amountCents, clientSecret: opened.value.clientSecret, url: null, dueOn: null })
      : trouble(opened)
  }
  const { origin } = app.config.web
  const payer = { isBusiness, ...(terms && { terms }) }
  const returnUrl = `${origin}${body.returnPath}${body.returnPath.includes('?') ? '&' : '?'}payment={payment}`
  const page = await openHostedPage(app, {
    ...charge,
    method,
    ...(breakdown && billing && { order: orderToPay({ ...quote, breakdown }, contact, billing, payer) }),
    description: cartSentence(cart, null),
    returnUrl,
    cancelUrl: origin + body.cancelPath,
  })
  return page.ok ? answer({ amountCents, clientSecret: null, url: page.value.url, dueOn: null }) : trouble(page)
}
