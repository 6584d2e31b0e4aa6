/** Resolve's webhooks. They are signed and contain only an object's ID, which is then read. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { ProviderEvent, ProviderMessage, UnreadEvent } from '#domain/payments/payments/payment-provider.port.ts'
import { parseJson } from './stripe-client.ts'
import { someSecret, type Secrets } from '#platform/secrets.ts'

const eventForm = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  data: z.looseObject({ id: z.string().min(1).max(100) }),
})

/**
 * Resolve signs the message in JSON.stringify's format, regardless of the sent format. The message has no timestamp. A
 * replayed message has a known ID and has no effect because the order's own state counts.
 */
export function createResolveWebhooks({ webhookSecret }: { webhookSecret: Secrets }) {
  return (message: ProviderMessage): Promise<{ ok: true; event: ProviderEvent } | UnreadEvent> =>
    Promise.resolve(readEvent(webhookSecret, message))
}

function readEvent(
  secrets: Secrets,
  { body, header }: ProviderMessage,
): { ok: true; event: ProviderEvent } | UnreadEvent {
  const given = Buffer.from(header('x-webhook-signature'))
  const sent = rewritten(body)
  if (sent === undefined) return { ok: false, reason: 'bad-signature' }
  const isSigned = someSecret(secrets, (secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(sent).digest('hex'))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isSigned) return { ok: false, reason: 'bad-signature' }
  const parsed = eventForm.safeParse(parseJson(body))
  return parsed.success
    ? { ok: true, event: eventOf(parsed.data) }
    : { ok: false, reason: 'unreadable', cause: parsed.error }
}

function rewritten(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return undefined
  }
}

function eventOf(event: z.infer<typeof eventForm>): ProviderEvent {
  const news = { id: event.id, kind: event.type, body: event }
  if (!event.type.startsWith('order.')) return { ...news, charge: null, hostedRef: null }
  const ref = event.data.id
  const sums = { amountCents: 0, capturedCents: 0, refundedCents: 0 }
  const charge = {
    ref,
    state: 'processing',
    ...sums,
    clientSecret: null,
    cardFingerprint: null,
    failure: null,
  } as const
  return { ...news, charge, hostedRef: ref }
}
