import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type Stripe from 'stripe'
import type { z } from 'zod'
import type { Secrets } from '#platform/secrets.ts'
import { bodyRefusal } from '../body.ts'
import { breakConnection } from '../broken-connection.ts'
import { createIdempotencyKeys, fingerprintOf, type SavedAnswer } from '../idempotency.ts'
import { newId } from '../ids.ts'
import { isSameSecret } from '../signature.ts'
import { expanded } from './expand.ts'
import { parseFormBody } from './form-body.ts'
import { whenSettled } from './intents.ts'
import { apiVersion, type Cause, type Ledger } from './ledger.ts'
import { PaymentApiRefusal, refusedParameter, refusedParameters, type ErrorBody } from './refusal.ts'

type Env = { Bindings: Partial<HttpBindings>; Variables: { requestId: string } }
type Expandable = { expand?: string[] | undefined }
/** `account` is the requested connected account, or null for our own. */
type Work<Params> = (params: Params, id: string, cause: Cause, account: string | null) => object

export type Protocol = {
  app: Hono<Env>
  /** Answers GET `path` with what `work` returns for the query and the path's `:id`. */
  get<Params extends Expandable>(path: string, schema: z.ZodType<Params>, work: Work<Params>): void
  /** Answers POST `path` with the result of `work`, once per idempotency key. */
  post<Params extends Expandable>(path: string, schema: z.ZodType<Params>, work: Work<Params>): void
  /** Answers DELETE `path` with what `work` returns for the path's `:id`. */
  remove(path: string, work: (id: string) => object): void
  forgetOldKeys(): void
}

/**
 * Stripe's API conventions for authentication, parameters, errors, expansion, and idempotency keys. The endpoints are
 * in api.ts.
 */
export function createProtocol(ledger: Ledger, secretKey: Secrets): Protocol {
  const keys = createIdempotencyKeys(ledger.store, 'payment-idempotency-key', ledger.now)
  const app = new Hono<Env>()

  app.use(async (c, next) => {
    const requestId = newId('req_', 14)
    c.set('requestId', requestId)
    c.header('Request-Id', requestId)
    c.header('Stripe-Version', c.req.header('stripe-version') ?? apiVersion)
    c.header('Cache-Control', 'no-store')
    if (isSameSecret(keyOf(c.req.header('authorization') ?? ''), secretKey)) return next()
    throw new PaymentApiRefusal(401, {
      type: 'invalid_request_error',
      message: 'The API key is missing or is not the one of this sandbox.',
    })
  })
  app.use((c, next) => {
    // Files are the one thing that is large.
    const status = bodyRefusal(c, c.req.path.endsWith('/files') ? 6 * 1024 * 1024 : 256 * 1024)
    if (status === null) return next()
    throw new PaymentApiRefusal(status, {
      type: 'invalid_request_error',
      message: 'The request is too large, or does not say how large it is.',
    })
  })
  app.onError((error, c) => {
    if (error instanceof PaymentApiRefusal) return c.json({ error: error.body }, error.status)
    console.error(error)
    return c.json(
      { error: { type: 'api_error', message: 'The sandbox failed. See its log.' } satisfies ErrorBody },
      500,
    )
  })

  return {
    app,
    get(path, schema, work) {
      app.get(path, (c) => {
        const params = checked(schema, new URL(c.req.url).search.slice(1))
        return c.json(expanded(ledger, work(params, c.req.param('id') ?? '', null, accountOf(c)), params.expand))
      })
    },
    post(path, schema, work) {
      app.post(path, async (c) => {
        const body = await c.req.text()
        const requestId = c.get('requestId')
        const key = c.req.header('idempotency-key')?.slice(0, 255) || null
        const fingerprint = fingerprintOf('POST', c.req.path, body)
        if (key) {
          c.header('Idempotency-Key', key)
          const found = keys.find(key, fingerprint)
          if (typeof found === 'object') return replay(c, found)
          if (found !== 'fresh') throw keyRefusal(found)
        }
        // Invalid parameters are not recorded, so the key stays free.
        const params = checked(schema, body)
        const remember = (answer: SavedAnswer | null) => key && keys.put(key, fingerprint, answer)

        const done = execute(ledger, requestId, remember, params.expand, () =>
          work(params, c.req.param('id') ?? '', { requestId, idempotencyKey: key }, accountOf(c)),
        )
        const answer = 'stalled' in done ? await done.stalled : done
        return breaksConnection(ledger, c.req.path, answer) ? breakConnection(c) : send(c, answer)
      })
    },
    remove(path, work) {
      app.delete(path, (c) => c.json(ledger.store.transaction(() => work(c.req.param('id') ?? ''))))
    },
    forgetOldKeys: keys.forgetOld,
  }
}

function accountOf(c: Context<Env>): string | null {
  return c.req.header('stripe-account') ?? null
}

/** `Bearer sk_…`, or `Basic` with the key as the user name. */
function keyOf(authorization: string): string {
  const [scheme = '', credentials = ''] = authorization.split(' ', 2)
  if (/^bearer$/i.test(scheme)) return credentials
  return /^basic$/i.test(scheme) ? (Buffer.from(credentials, 'base64').toString('utf8').split(':')[0] ?? '') : ''
}

function checked<Params>(schema: z.ZodType<Params>, form: string): Params {
  const given = parseFormBody(form)
  if (!given) throw refusedParameter('', 'parameter_invalid', 'The form-encoded parameters could not be read.')
  // Since 2026-09-30.endive, for all calls with that parameter.
  if ('payment_method_types' in given) {
    const instead = "The parameter 'payment_method_types' is no longer supported: say 'allowed_payment_method_types'."
    throw refusedParameter('payment_method_types', 'payment_method_types_no_longer_supported', instead)
  }
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw refusedParameters(parsed.error, given)
  return parsed.data
}

/**
 * Does the work and stores its response in one transaction, so that a repeated request can never do it again. A refusal
 * because of an object's state is stored too. Only the stalling card answers later; until then its key is in use.
 */
function execute(
  ledger: Ledger,
  requestId: string,
  remember: (answer: SavedAnswer | null) => void,
  expand: string[] | undefined,
  work: () => object,
): SavedAnswer | { stalled: Promise<SavedAnswer> } {
  const answerFor = (result: object): SavedAnswer => {
    const error = isIntent(result) ? declineOf(result) : null
    return error
      ? { status: 402, body: { error }, requestId }
      : { status: 200, body: expanded(ledger, result, expand), requestId }
  }
  try {
    return ledger.store.transaction(() => {
      const result = work()
      const answer = answerFor(result)
      if (!isIntent(result) || result.status !== 'processing') {
        remember(answer)
        return answer
      }
      remember(null)
      return {
        stalled: whenSettled(ledger, result.id).then((settled) => {
          const late = answerFor(settled)
          remember(late)
          return late
        }),
      }
    })
  } catch (error) {
    if (!(error instanceof PaymentApiRefusal)) throw error
    const refusal: SavedAnswer = { status: error.status, body: { error: error.body }, requestId }
    remember(refusal)
    return refusal
  }
}

function isIntent(object: object): object is Stripe.PaymentIntent {
  return 'object' in object && object.object === 'payment_intent'
}

/** Stripe answers a declined confirmation with an error that contains the intent. */
function declineOf(intent: Stripe.PaymentIntent): ErrorBody | null {
  const error = intent.last_payment_error
  if (intent.status !== 'requires_payment_method' || !error) return null
  return {
    type: 'card_error',
    message: error.message ?? '',
    ...(error.code && { code: error.code }),
    ...(error.decline_code && { decline_code: error.decline_code }),
    ...(error.charge && { charge: error.charge }),
    payment_intent: intent,
  }
}

function breaksConnection(ledger: Ledger, path: string, { status, body }: SavedAnswer): boolean {
  const isPaying = path === '/v1/payment_intents' || path.endsWith('/confirm')
  if (!isPaying || status !== 200 || typeof body !== 'object' || body === null || !isIntent(body)) return false
  return ledger.intents.get(body.id)?.card?.behavior.kind === 'drops-response'
}

function send(c: Context<Env>, answer: SavedAnswer): Response {
  return c.json(answer.body, answer.status)
}

function replay(c: Context<Env>, answer: SavedAnswer): Response {
  c.header('Idempotent-Replayed', 'true')
  c.header('Original-Request', answer.requestId)
  return send(c, answer)
}

function keyRefusal(found: 'other-request' | 'in-use'): PaymentApiRefusal {
  return found === 'in-use'
    ? new PaymentApiRefusal(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: 'A request with this key is still at work.',
      })
    : new PaymentApiRefusal(400, {
        type: 'idempotency_error',
        message: 'This idempotency key has been used for another request.',
      })
}
