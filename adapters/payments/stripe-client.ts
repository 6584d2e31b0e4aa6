/** The Stripe library's API URL, timeouts, and error mapping. */
import Stripe from 'stripe'
import type { ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'
import { requestIdHeader } from '#platform/request-scope.ts'
import { someSecret, type Secrets } from '#platform/secrets.ts'

// A shopper is waiting, so it makes two attempts of this length, then returns 'unavailable'.
const timeoutMs = 6000
const signatureToleranceSeconds = 300

/** The library, calling Stripe or a sandbox with the same API. */
export function openStripe({ apiOrigin, secretKey }: { apiOrigin: string; secretKey: string }): Stripe {
  const url = new URL(apiOrigin)
  const protocol = url.protocol === 'http:' ? 'http' : 'https'
  return new Stripe(secretKey, {
    host: url.hostname,
    port: url.port || (protocol === 'http' ? '80' : '443'),
    protocol,
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: underRequestId(Stripe.createNodeHttpClient()),
  })
}

/**
 * Parses JSON with null bytes and lone surrogates, which databases reject, removed from texts. Returns undefined for
 * invalid JSON or if a name contains them.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (name, value: unknown) => {
      if (name.includes('\0') || !name.isWellFormed()) throw new SyntaxError('A field name has a non-text value.')
      return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
    })
  } catch {
    return undefined
  }
}

/** Wraps the library's HTTP client to send the current request id. */
function underRequestId(client: Stripe.HttpClient): Stripe.HttpClient {
  const { makeRequest } = client
  client.makeRequest = (host, port, path, method, headers, ...rest) =>
    makeRequest.call(client, host, port, path, method, { ...headers, ...requestIdHeader() }, ...rest)
  return client
}

/** Runs calls to Stripe and maps its failures to one of the store's three; anything else is rethrown. */
export async function answer<Value>(work: () => Promise<Value>): Promise<ProviderAnswer<Value>> {
  try {
    return { ok: true, value: await work() }
  } catch (cause) {
    if (!(cause instanceof Stripe.errors.StripeError)) throw cause
    return { ok: false, reason: reasonOf(cause), message: cause.message, cause }
  }
}

function reasonOf(error: InstanceType<typeof Stripe.errors.StripeError>): 'declined' | 'unavailable' | 'refused-input' {
  if (error instanceof Stripe.errors.StripeCardError) return 'declined'
  const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = Stripe.errors
  const isPassing = [StripeAPIError, StripeConnectionError, StripeRateLimitError].some((kind) => error instanceof kind)
  return isPassing ? 'unavailable' : 'refused-input'
}

/** Whether Stripe signed the body with one of the secrets within five minutes of `receivedAt`, in milliseconds of the epoch. */
export function isSigned(
  stripe: Stripe,
  message: { rawBody: string; signature: string; secrets: Secrets; receivedAt: number },
): boolean {
  const { signature: signatures } = stripe.webhooks
  if (!signatures) throw new Error('The library of the payment provider checks no signatures.')
  const { rawBody, signature, secrets, receivedAt } = message
  // The library only refuses timestamps that are too old.
  const signedAt = [...signature.matchAll(/(?:^|,)t=(\d+)/g)].map(([, seconds]) => Number(seconds) * 1_000)
  if (signedAt.some((time) => time > receivedAt + signatureToleranceSeconds * 1_000)) return false
  return someSecret(secrets, (secret) => {
    try {
      signatures.verifyHeader(rawBody, signature, secret, signatureToleranceSeconds, undefined, receivedAt)
      return true
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
      throw error
    }
  })
}
