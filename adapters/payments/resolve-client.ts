/**
 * The store's client for Resolve's Merchant API (V5). It uses basic authentication, limits every request's time, and
 * validates responses. Retries only reads, cancellations, and captures with a key, which are idempotent.
 */
import type { z } from 'zod'
import type { ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'
import { financingFailed } from '#content/messages/financing.ts'
import { requestIdHeader } from '#platform/request-scope.ts'
import { parseJson } from './stripe-client.ts'
import { errorForm } from './resolve-forms.ts'

export type ResolveAccess = {
  /** https://app.resolvepay.com/api, or the address of a sandbox with the same API. */
  apiUrl: string
  merchantId: string
  secretKey: string
}

type Call = { waitMs?: number; attempts?: 1 | 2 }

export type ResolveClient = {
  get<Form extends z.ZodType>(path: string, form: Form, call?: Call): Promise<z.infer<Form>>
  post<Form extends z.ZodType>(path: string, form: Form, body: object, call?: Call): Promise<z.infer<Form>>
}

/** A shopper is waiting, so it makes at most two attempts of this length, then returns 'unavailable'. */
const timeoutMs = 6_000
const maxAnswerCharacters = 1_000_000

/** Resolve refused a request. */
export class ResolveRefusal extends Error {
  readonly status: number
  constructor(status: number, type: string, message: string) {
    super(`Resolve refused with ${status} ${type}: ${message}`)
    this.status = status
  }
}

/** Resolve will not let the company buy this. */
export class ResolveDecline extends Error {}

/** Resolve's response is missing or invalid, so the result is unknown. */
export class ResolveAway extends Error {}

export function createResolveClient({ apiUrl, merchantId, secretKey }: ResolveAccess): ResolveClient {
  const authorization = `Basic ${Buffer.from(`${merchantId}:${secretKey}`).toString('base64')}`

  async function send(path: string, init: RequestInit, waitMs: number): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(apiUrl + path, { ...init, redirect: 'error', signal: AbortSignal.timeout(waitMs) })
      const text = await response.text()
      if (response.status >= 500 || response.status === 429 || text.length > maxAnswerCharacters)
        throw new ResolveAway(`Resolve answered ${response.status} to ${path}`)
      return { status: response.status, text }
    } catch (cause) {
      if (cause instanceof ResolveAway) throw cause
      throw new ResolveAway(`Resolve did not answer ${path}`, { cause })
    }
  }

  async function call<Form extends z.ZodType>(
    path: string,
    form: Form,
    { headers: own, ...init }: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
    { waitMs = timeoutMs, attempts = 1 }: Call,
  ): Promise<z.infer<Form>> {
    const headers = { ...requestIdHeader(), accept: 'application/json', ...own, authorization }
    const attempt = () => send(path, { ...init, headers }, waitMs)
    const { status, text } = await attempt().catch((error: unknown) => {
      if (attempts === 1 || !(error instanceof ResolveAway)) throw error
      return attempt()
    })
    const parsed = (status < 400 ? form : errorForm).safeParse(parseJson(text))
    if (!parsed.success) throw new ResolveAway(`Resolve answered ${path} in an unknown form`, { cause: parsed.error })
    if (status < 400) return parsed.data as z.infer<Form>
    const { error } = parsed.data as z.infer<typeof errorForm>
    throw new ResolveRefusal(status, error.type, error.message)
  }

  return {
    get: (path, form, options = { attempts: 2 }) => call(path, form, { method: 'GET', headers: {} }, options),
    post: (path, form, body, options = {}) =>
      call(
        path,
        form,
        { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
        options,
      ),
  }
}

/** Runs calls to Resolve and maps its failures to one of the store's three; anything else is rethrown. */
export async function answer<Value>(work: () => Promise<Value>): Promise<ProviderAnswer<Value>> {
  try {
    return { ok: true, value: await work() }
  } catch (cause) {
    if (cause instanceof ResolveAway) return { ok: false, reason: 'unavailable', message: cause.message, cause }
    if (cause instanceof ResolveDecline) return { ok: false, reason: 'declined', message: financingFailed, cause }
    if (cause instanceof ResolveRefusal) return { ok: false, reason: 'refused-input', message: cause.message, cause }
    throw cause
  }
}
