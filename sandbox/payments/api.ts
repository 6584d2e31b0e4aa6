import type Stripe from 'stripe'
import type { z } from 'zod'
import type { Secrets } from '#platform/secrets.ts'
import type { ConnectLedger } from './connect-ledger.ts'
import { addConnect } from './connect.ts'
import { listBalance } from './balance.ts'
import { addDomains } from './domains.ts'
import { decideDispute, getDispute, updateDispute } from './disputes.ts'
import { keepFile } from './files.ts'
import { cancelIntent, captureIntent, confirmIntent, createIntent, getIntent, updateIntent } from './intents.ts'
import type { Cause, Ledger } from './ledger.ts'
import * as parameters from './parameters.ts'
import { createProtocol, type Protocol } from './protocol.ts'
import { createRefund, getRefund } from './refunds.ts'
import { notFound, PaymentApiRefusal, refusedParameter } from './refusal.ts'
import {
  attachMethod,
  createCustomer,
  deleteCustomer,
  detachMethod,
  getCustomer,
  getMethod,
  methodsOf,
} from './saved-methods.ts'
import { createSession, expireSession, getSession, sessionsOfIntent, type NewSession } from './sessions.ts'
import { createCardSession, getSetup } from './setups.ts'
import { addTax } from './tax.ts'
import { namedCard } from './test-cards.ts'

/** The part of Stripe's HTTP API that the store uses, to be mounted at /v1. */
export function createPaymentApi(
  ledger: Ledger,
  connect: ConnectLedger,
  secretKey: Secrets,
): Pick<Protocol, 'app' | 'forgetOldKeys'> {
  const { app, get, post, remove, forgetOldKeys } = createProtocol(ledger, secretKey)
  addConnect({ get, post }, connect)
  addTax({ post }, ledger)

  get('/payment_intents/:id', parameters.onlyExpand, (_, id) => getIntent(ledger, id).intent)
  post('/payment_intents', parameters.intentCreate, (params, _, cause) => {
    if (!params.confirm && params.payment_method !== undefined) {
      throw refusedParameter(
        'payment_method',
        'parameter_invalid',
        "A payment method is taken here only together with 'confirm'.",
      )
    }
    const { intent } = createIntent(ledger, cause, {
      amount: params.amount,
      captureMethod: params.capture_method,
      metadata: params.metadata,
      description: params.description ?? null,
      receiptEmail: params.receipt_email ?? null,
      customer: params.customer === undefined ? null : getCustomer(ledger, params.customer).id,
      savesCard: params.setup_future_usage !== undefined,
    })
    return params.confirm ? confirm(ledger, params, intent.id, cause) : intent
  })
  post('/payment_intents/:id', parameters.intentUpdate, (params, id) => {
    const { amount, metadata, description, receipt_email: receiptEmail, setup_future_usage: usage } = params
    const customer = params.customer === undefined ? undefined : getCustomer(ledger, params.customer).id
    const savesCard = usage === undefined ? undefined : usage !== ''
    return updateIntent(ledger, id, { amount, metadata, description, receiptEmail, customer, savesCard }).intent
  })
  post('/payment_intents/:id/confirm', parameters.intentConfirm, (params, id, cause) =>
    confirm(ledger, params, id, cause),
  )
  post(
    '/payment_intents/:id/capture',
    parameters.intentCapture,
    (params, id, cause) => captureIntent(ledger, cause, id, params.amount_to_capture).intent,
  )
  post(
    '/payment_intents/:id/cancel',
    parameters.intentCancel,
    (params, id, cause) => cancelIntent(ledger, cause, id, params.cancellation_reason ?? null).intent,
  )

  get('/refunds/:id', parameters.onlyExpand, (_, id) => getRefund(ledger, id))
  post('/refunds', parameters.refundCreate, (params, _, cause) => {
    const { payment_intent: intentId, amount, metadata } = params
    return createRefund(ledger, cause, { intentId, amount, metadata, reason: params.reason ?? null })
  })

  addDisputes({ get, post }, ledger)
  addDomains({ get, post }, ledger)
  addSavedMethods({ get, post, remove }, ledger)
  addFiles(app, ledger)

  addSessions({ get, post }, ledger)

  get('/events', parameters.listPage, (params) => listEvents(ledger, params))
  get('/events/:id', parameters.onlyExpand, (_, id) => {
    const event = ledger.events.get(id)
    if (!event) throw notFound('event', id)
    return event
  })
  app.all('*', (c) => {
    throw new PaymentApiRefusal(404, {
      type: 'invalid_request_error',
      message: `The sandbox does not play ${c.req.method} ${c.req.path}.`,
    })
  })
  return { app, forgetOldKeys }
}

/** The pages on which shoppers pay, or save a card. */
function addSessions({ get, post }: Pick<Protocol, 'get' | 'post'>, ledger: Ledger): void {
  get('/checkout/sessions', parameters.sessionList, (params) => {
    return {
      object: 'list',
      url: '/v1/checkout/sessions',
      has_more: false,
      data: sessionsOfIntent(ledger, params.payment_intent),
    }
  })
  get('/checkout/sessions/:id', parameters.onlyExpand, (_, id) => getSession(ledger, id).session)
  post('/checkout/sessions', parameters.sessionCreate, (params) =>
    params.mode === 'setup'
      ? createCardSession(ledger, params).session
      : createSession(ledger, newSession(ledger, params)).session,
  )
  post(
    '/checkout/sessions/:id/expire',
    parameters.onlyExpand,
    (_, id, cause) => expireSession(ledger, cause, id).session,
  )
}

/** Disputes, and the balance that they and all else move. */
function addDisputes({ get, post }: Pick<Protocol, 'get' | 'post'>, ledger: Ledger): void {
  get('/disputes/:id', parameters.onlyExpand, (_, id) => getDispute(ledger, id))
  post('/disputes/:id', parameters.disputeUpdate, ({ evidence, submit }, id, cause) =>
    updateDispute(ledger, cause, id, { evidence, submit }),
  )
  post('/disputes/:id/close', parameters.onlyExpand, (_, id, cause) => decideDispute(ledger, cause, id, 'lost'))
  get('/balance_transactions', parameters.balanceList, (params) => listBalance(ledger, params))
}

/** Customers, and the cards they keep. */
function addSavedMethods({ get, post, remove }: Pick<Protocol, 'get' | 'post' | 'remove'>, ledger: Ledger): void {
  get('/customers/:id', parameters.onlyExpand, (_, id) => getCustomer(ledger, id))
  post('/customers', parameters.customerCreate, ({ email = null, metadata }, _, cause) =>
    createCustomer(ledger, cause, { email, metadata }),
  )
  remove('/customers/:id', (id) => deleteCustomer(ledger, id))
  get('/payment_methods', parameters.methodList, ({ customer, limit }) => {
    const found = methodsOf(ledger, getCustomer(ledger, customer).id).map(({ method }) => method)
    return {
      object: 'list',
      url: '/v1/payment_methods',
      has_more: found.length > limit,
      data: found.slice(0, limit),
    }
  })
  get('/payment_methods/:id', parameters.onlyExpand, (_, id) => getMethod(ledger, id).method)
  post(
    '/payment_methods/:id/attach',
    parameters.methodAttach,
    ({ customer }, id, cause) => attachMethod(ledger, cause, id, customer).method,
  )
  post('/payment_methods/:id/detach', parameters.onlyExpand, (_, id, cause) => detachMethod(ledger, cause, id))
  get('/setup_intents/:id', parameters.onlyExpand, (_, id) => getSetup(ledger, id))
}

/** Evidence uploads. The form is multipart, unlike other calls. */
function addFiles(app: Protocol['app'], ledger: Ledger): void {
  app.post('/files', async (c) => {
    const form = await c.req.formData()
    const file = form.get('file')
    const given = file instanceof File ? { name: file.name, type: file.type, size: file.size } : null
    const key = c.req.header('idempotency-key') ?? null
    return c.json(ledger.store.transaction(() => keepFile(ledger, { purpose: form.get('purpose'), file: given, key })))
  })
}

function confirm(
  ledger: Ledger,
  params: {
    payment_method?: string | undefined
    return_url?: string | undefined
    off_session?: boolean | undefined
  },
  id: string,
  cause: Cause,
): Stripe.PaymentIntent {
  const { payment_method: paymentMethod } = params
  if (paymentMethod === undefined)
    throw refusedParameter('payment_method', 'parameter_missing', 'There is no payment method to confirm with.')
  const named = namedCard(paymentMethod, ledger.now())
  const returnUrl = params.return_url ?? null
  if (named) return confirmIntent(ledger, cause, id, named, returnUrl).intent
  const { method, card } = getMethod(ledger, paymentMethod)
  const { customer } = getIntent(ledger, id).intent
  if (method.customer === null || method.customer !== customer)
    throw refusedParameter(
      'payment_method',
      'resource_missing',
      'The payment method is not attached to the customer of the payment.',
    )
  const saved = { methodId: method.id, offSession: params.off_session ?? false }
  return confirmIntent(ledger, cause, id, card, returnUrl, saved).intent
}

function newSession(ledger: Ledger, params: parameters.SessionOfPayment): NewSession {
  const { payment_intent_data: intentData, customer } = params
  if (customer !== undefined && params.customer_email !== undefined)
    throw refusedParameter('customer_email', 'parameter_invalid', "Either 'customer' or 'customer_email', not both.")
  return {
    lines: params.line_items.map(({ quantity, price_data: { unit_amount: unitAmount, product_data: product } }) => ({
      name: product.name,
      description: product.description ?? null,
      unitAmount,
      quantity,
    })),
    successUrl: params.success_url,
    cancelUrl: params.cancel_url ?? null,
    clientReferenceId: params.client_reference_id ?? null,
    customerEmail: params.customer_email ?? null,
    customer: customer === undefined ? null : getCustomer(ledger, customer).id,
    metadata: params.metadata,
    expiresAt: params.expires_at,
    intentParams: {
      captureMethod: intentData.capture_method,
      metadata: intentData.metadata,
      description: intentData.description ?? null,
      receiptEmail: intentData.receipt_email ?? null,
      methods: params.allowed_payment_method_types ?? ['card'],
      shipping: shippingOf(intentData.shipping),
      savesCard: intentData.setup_future_usage !== undefined,
    },
  }
}

function shippingOf(
  given: parameters.SessionOfPayment['payment_intent_data']['shipping'],
): Stripe.PaymentIntent.Shipping | null {
  if (!given) return null
  const { line1, line2 = null, city = null, state = null, postal_code = null, country = null } = given.address
  return { name: given.name, phone: given.phone ?? null, address: { line1, line2, city, state, postal_code, country } }
}

function listEvents(ledger: Ledger, params: z.output<typeof parameters.listPage>): object {
  const { limit, type, starting_after: before, ending_before: after } = params
  const all = ledger.events
    .list({ limit: 10_000, before, after })
    .filter((event) => type === undefined || event.type === type)
  const page = after === undefined ? all.slice(0, limit) : all.slice(-limit)
  return { object: 'list', url: '/v1/events', has_more: all.length > page.length, data: page }
}
