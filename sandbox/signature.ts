import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { someSecret, type Secrets } from '#platform/secrets.ts'

/**
 * The signature header of a webhook, in Stripe's format: `t=<unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>" in hex>`.
 * https://docs.stripe.com/webhooks/signature
 */
export function signatureHeader(body: string, secret: string, now: Temporal.Instant): string {
  const timestamp = Math.floor(now.epochMilliseconds / 1000)
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

/**
 * Returns a webhook's signature header in EasyPost's format (the body's HMAC-SHA256 in hex, with the NFKD form of the
 * secret).
 */
export function bodySignature(body: string, secret: string): string {
  return `hmac-sha256-hex=${createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')}`
}

/**
 * Returns a webhook's signature in Resolve's format (the HMAC-SHA256 in hex of the body as serialized by
 * JSON.stringify).
 */
export function plainSignature(body: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(JSON.parse(body)))
    .digest('hex')
}

/**
 * Whether a secret is the accepted one, or one of them while one replaces another; in constant time. All of the sandbox
 * decides so.
 */
export function isSameSecret(given: string, accepted: Secrets): boolean {
  const hash = (secret: string) => createHash('sha256').update(secret).digest()
  return someSecret(accepted, (one) => timingSafeEqual(hash(given), hash(one)))
}

/** Whether a header is HTTP's basic authentication of the user with the secret, or one of them. */
export function isBasicOf(header: string | undefined, user: string, secrets: Secrets): boolean {
  const given = /^basic (.+)$/i.exec(header ?? '')?.[1] ?? ''
  const separator = `${user}:`
  const text = Buffer.from(given, 'base64').toString('utf8')
  return text.startsWith(separator) && isSameSecret(text.slice(separator.length), secrets)
}
