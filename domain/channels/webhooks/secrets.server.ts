/** Endpoint secrets, and signatures in the Standard Webhooks format. */
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { secretOverlapHours } from './webhooks.ts'
import { acceptedSecrets, makingSecret, type Secrets } from '#platform/secrets.ts'

/** Derives an endpoint's secret with this number from the store's, so that database contents don't reveal it. */
export function secretOf(storeSecret: Secrets, endpointId: string, no: number): string {
  return `whsec_${createHmac('sha256', makingSecret(storeSecret)).update(`webhook-secret\n${endpointId}\n${no}`).digest('base64')}`
}

/**
 * Returns the secrets that sign at an instant. The previous one also signs for a day. While
 * the store's own secret is being rotated, includes those derived from each, because receivers may have either.
 */
export function signingSecrets(
  storeSecret: Secrets,
  endpoint: { id: string; secretNo: number; rotatedAt: Temporal.Instant | null },
  at: Temporal.Instant,
): string[] {
  const { id, secretNo, rotatedAt } = endpoint
  const overlaps =
    rotatedAt !== null && Temporal.Instant.compare(at, rotatedAt.add({ hours: secretOverlapHours })) < 0 && secretNo > 1
  return acceptedSecrets(storeSecret).flatMap((each) =>
    [secretNo, ...(overlaps ? [secretNo - 1] : [])].map((no) => secretOf(each, id, no)),
  )
}

/** Returns a message's headers, with id, attempt time, and a signature per secret. */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, at }: { id: string; body: string; at: Temporal.Instant },
): Record<string, string> {
  const seconds = Math.floor(at.epochMilliseconds / 1_000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret).sign(id, new Date(seconds * 1_000), body))
      .join(' '),
  }
}
