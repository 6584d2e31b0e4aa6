/**
 * PayPal's HTTP API: OAuth, Orders v2, Payments v2, Disputes v1, Transaction Search v1, and webhook signature
 * verification.
 */
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type { Secrets } from '#platform/secrets.ts'
import { breakConnection } from '../broken-connection.ts'
import { createIdempotencyKeys, fingerprintOf, type IdempotencyKeys } from '../idempotency.ts'
import { newId } from '../ids.ts'
import { isBasicOf } from '../signature.ts'
import type { WebhookSigner } from './certificate.ts'
import { paypalTime, type PayPalLedger } from './ledger.ts'
import { decideDispute, disputeView, getDispute, linksOf, listDisputes, provideEvidence } from './disputes.ts'
import { authorizeOrder, createOrder, getOrder } from './orders.ts'
import {
  captureAuthorization,
  getAuthorization,
  getCapture,
  reauthorize,
  refundCapture,
  voidAuthorization,
} from './payments.ts'
import { notFound, PayPalRefusal } from './refusal.ts'
import {
  acceptClaimRequest,
  captureRequest,
  orderRequest,
  readRequest,
  reauthorizeRequest,
  refundRequest,
  verifyRequest,
} from './requests.ts'
import { searchTransactions } from './transactions.ts'
import { authorizationView, captureView, orderView, refundView } from './views.ts'

type Bindings = { Bindings: Partial<HttpBindings> }
type Access = { clientId: string; clientSecret: Secrets }

const tokenSeconds = 32_400
/** The hours that PayPal stores a request's key (six for orders and 45 days for payments). */
const keptHours = { orders: 6, payments: 45 * 24 }

export type PayPalApi = { app: Hono<Bindings>; forgetOldKeys(): void }

export function createPayPalApi(ledger: PayPalLedger, access: Access, signer: WebhookSigner): PayPalApi {
  const app = new Hono<Bindings>()
  const keys = {
    orders: createIdempotencyKeys(ledger.store, 'paypal-order-key', () => ledger.now(), keptHours.orders),
    payments: createIdempotencyKeys(ledger.store, 'paypal-payment-key', () => ledger.now(), keptHours.payments),
  }
  addTokens(app, ledger, access)
  app.get('/v1/notifications/certs/:name', (c) => {
    const { name, pem } = signer.certificate()
    return c.req.param('name') === name ? c.text(pem) : c.text('', 404)
  })
  addOrders(app, ledger, keys.orders)
  addPayments(app, ledger, keys.payments)
  addDisputes(app, ledger)
  app.get('/v1/reporting/transactions', (c) => c.json(searchTransactions(ledger, c.req.query())))
  app.post('/v1/notifications/verify-webhook-signature', async (c) => {
    const text = await c.req.text()
    const given = readRequest(verifyRequest, text)
    const isSigned = signer.isSigned({
      id: given.transmission_id,
      time: given.transmission_time,
      signature: given.transmission_sig,
      webhookId: given.webhook_id,
      body: JSON.stringify(given.webhook_event),
    })
    return c.json({ verification_status: isSigned ? 'SUCCESS' : 'FAILURE' })
  })
  app.onError((error, c) => {
    if (error instanceof PayPalRefusal) return c.json(error.body, error.status)
    throw error
  })
  return {
    app,
    forgetOldKeys() {
      keys.orders.forgetOld()
      keys.payments.forgetOld()
    },
  }
}

/** Access tokens for the client's ID and secret. All calls below /v1 and /v2 except certificates require one. */
function addTokens(app: Hono<Bindings>, ledger: PayPalLedger, { clientId, clientSecret }: Access): void {
  const tokens = ledger.store.collection<{ endsAt: string }>('paypal-token')

  app.post('/v1/oauth2/token', async (c) => {
    if (!isBasicOf(c.req.header('authorization'), clientId, clientSecret))
      return c.json({ error: 'invalid_client', error_description: 'Client Authentication failed' }, 401)
    const fields = new URLSearchParams(await c.req.text())
    if (fields.get('grant_type') !== 'client_credentials')
      return c.json({ error: 'unsupported_grant_type', error_description: 'Grant Type is NULL' }, 400)
    const token = newId('A21AA', 92)
    tokens.put(token, { endsAt: paypalTime(ledger.now().add({ seconds: tokenSeconds })) })
    return c.json({
      scope: 'https://uri.paypal.com/services/checkout/one-click-with-merchant-issued-token',
      access_token: token,
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: tokenSeconds,
      nonce: `${paypalTime(ledger.now())}${newId('', 43)}`,
    })
  })

  app.use('/:version{v[12]}/*', async (c, next) => {
    if (c.req.path.includes('/v1/notifications/certs/')) return next()
    const [scheme, token = ''] = (c.req.header('authorization') ?? '').split(' ')
    const kept = scheme === 'Bearer' ? tokens.get(token) : undefined
    const isGood = kept !== undefined && Temporal.Instant.compare(ledger.now(), Temporal.Instant.from(kept.endsAt)) < 0
    if (isGood) return next()
    return c.json({ error: 'invalid_token', error_description: 'Token signature verification failed' }, 401)
  })
}

function addOrders(app: Hono<Bindings>, ledger: PayPalLedger, keys: IdempotencyKeys): void {
  app.post('/v2/checkout/orders', (c) =>
    once(c, ledger, keys, (body) => {
      const order = createOrder(ledger, readRequest(orderRequest, body))
      return { status: 200, body: orderView(ledger, order, !isWhole(c)) }
    }),
  )
  app.get('/v2/checkout/orders/:id', (c) => c.json(orderView(ledger, getOrder(ledger, c.req.param('id')))))
  app.post('/v2/checkout/orders/:id/authorize', async (c) => {
    const id = c.req.param('id')
    const wasAuthorized = ledger.orders.get(id)?.status === 'COMPLETED'
    const answer = await once(c, ledger, keys, () => {
      const order = authorizeOrder(ledger, id)
      return { status: 201, body: orderView(ledger, order, !isWhole(c)) }
    })
    return ledger.orders.get(id)?.funding === 'drops' && !wasAuthorized ? breakConnection(c) : answer
  })
}

function addPayments(app: Hono<Bindings>, ledger: PayPalLedger, keys: IdempotencyKeys): void {
  const minimal = (view: object) => {
    const { id, status, links } = view as { id: string; status: string; links: object[] }
    return { id, status, links }
  }
  const shown = (c: Context<Bindings>, view: object) => (isWhole(c) ? view : minimal(view))
  app.get('/v2/payments/authorizations/:id', (c) =>
    c.json(authorizationView(ledger, getAuthorization(ledger, c.req.param('id')))),
  )
  app.post('/v2/payments/authorizations/:id/capture', (c) =>
    once(c, ledger, keys, (body) => {
      const capture = captureAuthorization(ledger, c.req.param('id'), readRequest(captureRequest, body))
      return { status: 201, body: shown(c, captureView(ledger, capture)) }
    }),
  )
  app.post('/v2/payments/authorizations/:id/reauthorize', (c) =>
    once(c, ledger, keys, (body) => {
      const renewed = reauthorize(ledger, c.req.param('id'), readRequest(reauthorizeRequest, body))
      return { status: 201, body: shown(c, authorizationView(ledger, renewed)) }
    }),
  )
  app.post('/v2/payments/authorizations/:id/void', (c) => {
    ledger.store.transaction(() => voidAuthorization(ledger, c.req.param('id')))
    return isWhole(c)
      ? c.json(authorizationView(ledger, getAuthorization(ledger, c.req.param('id'))))
      : c.body(null, 204)
  })
  app.get('/v2/payments/captures/:id', (c) => c.json(captureView(ledger, getCapture(ledger, c.req.param('id')))))
  app.post('/v2/payments/captures/:id/refund', (c) =>
    once(c, ledger, keys, (body) => {
      const refund = refundCapture(ledger, c.req.param('id'), readRequest(refundRequest, body))
      return { status: 201, body: shown(c, refundView(ledger, refund)) }
    }),
  )
  app.get('/v2/payments/refunds/:id', (c) => {
    const refund = ledger.refunds.get(c.req.param('id'))
    if (!refund) throw notFound()
    return c.json(refundView(ledger, refund))
  })
}

/** Customer Disputes v1. Its calls have no idempotency keys. A dispute can be answered once. */
function addDisputes(app: Hono<Bindings>, ledger: PayPalLedger): void {
  app.get('/v1/customer/disputes', (c) => c.json(listDisputes(ledger, c.req.query('disputed_transaction_id') ?? '')))
  app.get('/v1/customer/disputes/:id', (c) => c.json(disputeView(ledger, getDispute(ledger, c.req.param('id')))))
  app.post('/v1/customer/disputes/:id/provide-evidence', async (c) => {
    const form = await c.req.formData()
    const input = form.get('input')
    const parts = [...form.values()].filter((part): part is File => part instanceof File && part !== input)
    const files = parts.map(({ name, type, size }) => ({ name, type, size }))
    const json = input instanceof File ? await input.text() : (input ?? '')
    const answered = ledger.store.transaction(() => provideEvidence(ledger, c.req.param('id'), { input: json, files }))
    return c.json({ links: linksOf(ledger, answered) })
  })
  app.post('/v1/customer/disputes/:id/accept-claim', async (c) => {
    readRequest(acceptClaimRequest, await c.req.text())
    const accepted = ledger.store.transaction(() => decideDispute(ledger, c.req.param('id'), 'ACCEPTED'))
    return c.json({ links: linksOf(ledger, accepted) })
  })
}

function isWhole(c: Context): boolean {
  return c.req.header('prefer') === 'return=representation'
}

/**
 * Handles a request with its PayPal-Request-Id. Returns the first response again while it is stored. A refused request
 * can be repeated with the same key.
 */
async function once(
  c: Context<Bindings>,
  ledger: PayPalLedger,
  keys: IdempotencyKeys,
  work: (body: string) => { status: 200 | 201; body: object },
): Promise<Response> {
  const body = await c.req.text()
  const key = c.req.header('paypal-request-id')
  if (key === undefined || key === '') {
    const answer = ledger.store.transaction(() => work(body))
    return c.json(answer.body, answer.status)
  }
  if (key.length > 108) throw new PayPalRefusal(400, 'INVALID_STRING_LENGTH', 'PayPal-Request-Id is too long.')
  const found = keys.find(key, fingerprintOf('POST', c.req.path, body))
  if (found === 'other-request')
    throw new PayPalRefusal(422, 'DUPLICATE_REQUEST_ID', 'This PayPal-Request-Id was used for another request.')
  if (found === 'in-use')
    throw new PayPalRefusal(409, 'PREVIOUS_REQUEST_IN_PROGRESS', 'A previous request is currently in progress.')
  if (found !== 'fresh') return c.json(found.body, found.status)
  return ledger.store.transaction(() => {
    const answer = work(body)
    keys.put(key, fingerprintOf('POST', c.req.path, body), { ...answer, requestId: key })
    return c.json(answer.body, answer.status)
  })
}
