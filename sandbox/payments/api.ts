import type Stripe from 'stripe'
import type { z } from 'zod'
import type { ConnectLedger } from './connect-ledger.ts'
import { addConnect } from './connect.ts'
import { listBalance } from './balance.ts'
import { decideDispute, getDispute, updateDispute } from './disputes.ts'
import { keepFile } from './files.ts'
import { cancelIntent, captureIntent, confirmIntent, createIntent, getIntent, updateIntent } from './intents.ts'
import type { Cause, Ledger } from './ledger.ts'
import * as parameters from './parameters.ts'
import { createProtocol, type Protocol } from './protocol.ts'
import { createRefund, getRefund } from './refunds.ts'
import { notFound, PaymentApiRefusal, refusedParameter } from './refusal.ts'
import { createSession, expireSession, getSession, sessionsOfIntent, type NewSession } from './sessions.ts'
import { addTax } from './tax.ts'
import { namedCard } from './test-cards.ts'

/** The part of Stripe's HTTP API that the store uses, to be mounted at /v1. */
export function createPaymentApi(
  ledger: Ledger,
  connect: ConnectLedger,
  secretKey: string,
): Pick<Protocol, 'app' | 'forgetOldKeys'> {
  const { app, get, post, forgetOldKeys } = createProtocol(ledger, secretKey)
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
    })
    return params.confirm ? confirm(ledger, params, intent.id, cause) : intent
  })
  post('/payment_intents/:id', parameters.intentUpdate, (params, id) => {
    const { amount, metadata, description, receipt_email: receiptEmail } = params
    return updateIntent(ledger, id, { amount, metadata, description, receiptEmail }).intent
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
  addFiles(app, ledger)

  get('/checkout/sessions', parameters.sessionList, (params) => {
    return {
      object: 'list',
      url: '/v1/checkout/sessions',
      has_more: false,
      data: sessionsOfIntent(ledger, params.payment_intent),
    }
  })
  get('/checkout/sessions/:id', parameters.onlyExpand, (_, id) => getSession(ledger, id).session)
  post('/checkout/sessions', parameters.sessionCreate, (params) => createSession(ledger, newSession(params)).session)
  post(
    '/checkout/sessions/:id/expire',
    parameters.onlyExpand,
    (_, id, cause) => expireSession(ledger, cause, id).session,
  )

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

/** Disputes, and the balance that they and all else move. */
function addDisputes({ get, post }: Pick<Protocol, 'get' | 'post'>, ledger: Ledger): void {
  get('/disputes/:id', parameters.onlyExpand, (_, id) => getDispute(ledger, id))
  post('/disputes/:id', parameters.disputeUpdate, ({ evidence, submit }, id, cause) =>
    updateDispute(ledger, cause, id, { evidence, submit }),
  )
  post('/disputes/:id/close', parameters.onlyExpand, (_, id, cause) => decideDispute(ledger, cause, id, 'lost'))
  get('/balance_transactions', parameters.balanceList, (params) => listBalance(ledger, params))
}

/** Uploads of evidence: the form is multipart, unlike every other call's. */
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
  params: { payment_method?: string | undefined; return_url?: string | undefined },
  id: string,
  cause: Cause,
): Stripe.PaymentIntent {
  const { payment_method: paymentMethod } = params
  if (paymentMethod === undefined)
    throw refusedParameter('payment_method', 'parameter_missing', 'There is no payment method to confirm with.')
  const card = namedCard(paymentMethod, ledger.now())
  if (!card) throw notFound('payment method', paymentMethod)
  return confirmIntent(ledger, cause, id, card, params.return_url ?? null).intent
}

function newSession(params: z.output<typeof parameters.sessionCreate>): NewSession {
  const { payment_intent_data: intentData } = params
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
    metadata: params.metadata,
    expiresAt: params.expires_at,
    intentParams: {
      captureMethod: intentData.capture_method,
      metadata: intentData.metadata,
      description: intentData.description ?? null,
      receiptEmail: intentData.receipt_email ?? null,
      methods: params.allowed_payment_method_types ?? ['card'],
      shipping: shippingOf(intentData.shipping),
    },
  }
}

function shippingOf(
  given: z.output<typeof parameters.sessionCreate>['payment_intent_data']['shipping'],
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
