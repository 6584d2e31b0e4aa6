import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The signature header of a webhook, in Stripe's format: `t=<unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>" in hex>`.
 * https://docs.stripe.com/webhooks/signature
 */
export function signatureHeader(body: string, secret: string, now: Temporal.Instant): string {
  const timestamp = Math.floor(now.epochMilliseconds / 1000)
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

/** The signature header of a webhook, in EasyPost's format: the HMAC-SHA256 of the body in hex, under the NFKD form of the secret. */
export function bodySignature(body: string, secret: string): string {
  return `hmac-sha256-hex=${createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')}`
}

/** The signature of a webhook in Resolve's format: the HMAC-SHA256 of the body, as JSON.stringify writes it, in hex. */
export function plainSignature(body: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(JSON.parse(body)))
    .digest('hex')
}

/** Compares two secrets in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest())
}
