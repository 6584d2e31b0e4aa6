/** The secrets of endpoints, and signatures as Standard Webhooks writes them. */
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { secretOverlapHours } from './webhooks.ts'
import { acceptedSecrets, makingSecret, type Secrets } from '#platform/secrets.ts'

/** The secret of an endpoint with this number: from the store's own, so that nothing in the database opens it. */
export function secretOf(storeSecret: Secrets, endpointId: string, no: number): string {
  return `whsec_${createHmac('sha256', makingSecret(storeSecret)).update(`webhook-secret\n${endpointId}\n${no}`).digest('base64')}`
}

/**
 * The secrets that sign at an instant: the present one, and for a day the one before. While the store has several secrets
 * of its own, those of each: a receiver may have been shown either.
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

/** The headers of a message: its id, the time of this try, and a signature by each secret. */
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
