/**
 * The store's client for PayPal's REST API. It caches the access token, limits every request's time, and validates
 * responses. It retries a POST only with the same PayPal-Request-Id.
 */
import type { z } from 'zod'
import type { ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'
import type { Clock } from '#platform/clock.ts'
import { requestIdHeader } from '#platform/request-scope.ts'
import { errorForm, tokenForm, wordsOf } from './paypal-forms.ts'

export type PayPalAccess = {
  /** https://api-m.paypal.com, or the address of a sandbox with the same API. */
  apiOrigin: string
  clientId: string
  clientSecret: string
  clock: Clock
}

export type PayPalClient = {
  get<Form extends z.ZodType>(path: string, form: Form): Promise<z.infer<Form>>
  /** `key` is the PayPal-Request-Id. */
  post<Form extends z.ZodType>(path: string, form: Form, request: { body: object; key: string }): Promise<z.infer<Form>>
  /** Sends JSON with files. PayPal requires the JSON as the part `input`. */
  upload<Form extends z.ZodType>(
    path: string,
    form: Form,
    request: { input: object; files: readonly { name: string; type: string; bytes: Uint8Array }[] },
  ): Promise<z.infer<Form>>
}

/** A shopper is waiting, so it makes at most two attempts of this length, then returns 'unavailable'. */
const timeoutMs = 6_000
/** Files take longer, and only staff wait for them. */
const uploadTimeoutMs = 60_000
const maxAnswerCharacters = 1_000_000
/** A token is not used in its last minute. */
const tokenMarginSeconds = 60

/** PayPal refused a request; `issues` are its names for why. */
export class PayPalRefusal extends Error {
  readonly status: number
  readonly issues: readonly string[]
  constructor(status: number, issues: readonly string[], debugId: string) {
    super(`PayPal refused with ${status}: ${issues.join(', ') || 'no issue'} (debug id ${debugId})`)
    this.status = status
    this.issues = issues
  }
}

/** PayPal's response is missing or invalid, so the result is unknown. */
export class PayPalAway extends Error {}

export function createPayPalClient({ apiOrigin, clientId, clientSecret, clock }: PayPalAccess): PayPalClient {
  let token: { value: string; endsAt: Temporal.Instant } | undefined

  async function send(path: string, init: RequestInit): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(apiOrigin + path, {
        ...init,
        redirect: 'error',
        signal: init.signal ?? AbortSignal.timeout(timeoutMs),
      })
      const text = await response.text()
      if (response.status >= 500 || response.status === 429 || text.length > maxAnswerCharacters)
        throw new PayPalAway(`PayPal answered ${response.status} to ${path}`)
      return { status: response.status, text }
    } catch (cause) {
      if (cause instanceof PayPalAway) throw cause
      throw new PayPalAway(`PayPal did not answer ${path}`, { cause })
    }
  }

  async function currentToken(): Promise<string> {
    if (token && Temporal.Instant.compare(clock.now(), token.endsAt) < 0) return token.value
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const sent = clock.now()
    const answer = await twice(() =>
      send('/v1/oauth2/token', {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      }),
    )
    if (answer.status !== 200) throw new PayPalRefusal(answer.status, ['NO_TOKEN'], 'none')
    const { access_token: value, expires_in: seconds } = read(tokenForm, answer.text)
    token = { value, endsAt: sent.add({ seconds: seconds - tokenMarginSeconds }) }
    return value
  }

  async function call<Form extends z.ZodType>(
    path: string,
    form: Form,
    { headers, ...init }: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
  ): Promise<z.infer<Form>> {
    const attempt = async () => {
      const authorization = `Bearer ${await currentToken()}`
      return send(path, { ...init, headers: { ...requestIdHeader(), ...headers, authorization } })
    }
    let answer = await twice(attempt)
    if (answer.status === 401) {
      // Ended early, or revoked.
      token = undefined
      answer = await twice(attempt)
    }
    if (answer.status < 400) return read(form, answer.text)
    const { details, debug_id: debugId } = read(errorForm, answer.text)
    throw new PayPalRefusal(
      answer.status,
      details.map(({ issue }) => issue),
      debugId,
    )
  }

  return {
    get: (path, form) => call(path, form, { method: 'GET', headers: { accept: 'application/json' } }),
    post: (path, form, { body, key }) =>
      call(path, form, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          prefer: 'return=representation',
          'paypal-request-id': key,
        },
      }),
    upload: (path, form, parts) => call(path, form, uploadOf(parts)),
  }
}

/** A form of the JSON and its files. */
function uploadOf({ input, files }: Parameters<PayPalClient['upload']>[2]): {
  method: string
  body: FormData
  headers: Record<string, string>
  signal: AbortSignal
} {
  const body = new FormData()
  body.append('input', new Blob([JSON.stringify(input)], { type: 'application/json' }), 'input.json')
  for (const [index, { name, type, bytes }] of files.entries())
    body.append(`evidence-file${index + 1}`, new Blob([new Uint8Array(bytes)], { type }), name)
  const signal = AbortSignal.timeout(uploadTimeoutMs)
  return { method: 'POST', body, headers: { accept: 'application/json' }, signal }
}

/** Tries again once where there was no answer. */
async function twice<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof PayPalAway)) throw error
    return attempt()
  }
}

function read<Form extends z.ZodType>(form: Form, text: string): z.infer<Form> {
  let body: unknown
  try {
    body = text === '' ? {} : JSON.parse(text)
  } catch (cause) {
    throw new PayPalAway('PayPal answered with something else than JSON', { cause })
  }
  const parsed = form.safeParse(body)
  if (!parsed.success) throw new PayPalAway('PayPal answered in an unknown form', { cause: parsed.error })
  return parsed.data
}

/** Runs calls to PayPal and maps its failures to one of the store's three; anything else is rethrown. */
export async function answer<Value>(work: () => Promise<Value>): Promise<ProviderAnswer<Value>> {
  try {
    return { ok: true, value: await work() }
  } catch (cause) {
    if (cause instanceof PayPalAway) return { ok: false, reason: 'unavailable', message: cause.message, cause }
    if (!(cause instanceof PayPalRefusal)) throw cause
    const words = wordsOf(cause.issues)
    if (cause.status === 409) return { ok: false, reason: 'unavailable', message: cause.message, cause }
    return words === undefined
      ? { ok: false, reason: 'refused-input', message: cause.message, cause }
      : { ok: false, reason: 'declined', message: words, cause }
  }
}
