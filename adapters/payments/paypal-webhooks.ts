/** PayPal's webhooks. Verifies their signature with PayPal's certificate. */
import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type {
  ChargeState,
  ProviderEvent,
  ProviderMessage,
  UnreadEvent,
} from '#domain/payments/payments/payment-provider.port.ts'
import type { Clock } from '#platform/clock.ts'
import { PayPalAway } from './paypal-client.ts'
import { parseJson } from './stripe-client.ts'

/** The only allowed certificate origins, in addition to the API's own. */
const certificateOrigins = ['https://api.paypal.com', 'https://api-m.paypal.com', 'https://api.sandbox.paypal.com']
const certificatePath = /^(?:\/paypal)?\/v1\/notifications\/certs\/[\w-]{1,100}$/
const timeoutMs = 6_000
/** How far the signed time of a message may be from now, either way. */
const toleranceMs = 5 * 60_000

/**
 * Reads only the charge's ID. The current state is then read from PayPal. A payment's related IDs contain its order.
 */
const eventForm = z.looseObject({
  id: z.string().min(1).max(255),
  event_type: z.string().min(1).max(255),
  resource: z.looseObject({
    dispute_id: z.string().min(1).max(255).optional(),
    supplementary_data: z
      .looseObject({ related_ids: z.looseObject({ order_id: z.string().min(1).max(64).optional() }).optional() })
      .optional(),
  }),
})

/** States by event. A charge starts with its authorization, so approvals aren't included. */
const stateOfEvent: Partial<Record<string, ChargeState>> = {
  'PAYMENT.AUTHORIZATION.CREATED': 'authorized',
  'PAYMENT.AUTHORIZATION.VOIDED': 'voided',
  'PAYMENT.CAPTURE.COMPLETED': 'captured',
  'PAYMENT.CAPTURE.PENDING': 'processing',
  'PAYMENT.CAPTURE.DECLINED': 'failed',
  'PAYMENT.CAPTURE.REFUNDED': 'captured',
  'PAYMENT.CAPTURE.REVERSED': 'captured',
}

export function createPayPalWebhooks({
  apiOrigin,
  webhookId,
  clock,
}: {
  apiOrigin: string
  webhookId: string
  clock: Clock
}): (message: ProviderMessage) => Promise<{ ok: true; event: ProviderEvent } | UnreadEvent> {
  const trusted = new Set([...certificateOrigins, new URL(apiOrigin).origin])
  const certificates = new LRUCache<string, X509Certificate>({ max: 8 })

  /**
   * Returns undefined if the URL isn't trusted or has no certificate. Throws if the certificate is temporarily
   * unavailable.
   */
  async function certificateAt(address: string): Promise<X509Certificate | undefined> {
    const url = URL.parse(address)
    if (!url || !trusted.has(url.origin) || !certificatePath.test(url.pathname)) return undefined
    const kept = certificates.get(url.href)
    if (kept) return kept
    let text: string
    try {
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
      text = await response.text()
      if (response.status === 404) return undefined
      if (!response.ok) throw new Error(`It answered ${response.status}`)
    } catch (cause) {
      // PayPal sends the message again.
      throw new PayPalAway('Can’t download a webhook certificate', { cause })
    }
    const certificate = readCertificate(text)
    if (certificate) certificates.set(url.href, certificate)
    return certificate
  }

  async function isSigned({ body, header }: ProviderMessage): Promise<boolean> {
    const signature = header('paypal-transmission-sig')
    if (header('paypal-auth-algo') !== 'SHA256withRSA' || signature === '' || signature.length > 1_000) return false
    const certificate = await certificateAt(header('paypal-cert-url'))
    if (!certificate) return false
    const now = clock.now().epochMilliseconds
    if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) return false
    const [id, time] = [header('paypal-transmission-id'), header('paypal-transmission-time')]
    // NaN for a time that cannot be read, which is never within the tolerance.
    if (!(Math.abs(now - Date.parse(time)) <= toleranceMs)) return false
    const text = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`)
    return verify('RSA-SHA256', text, certificate.publicKey, Buffer.from(signature, 'base64'))
  }

  return async (message) => {
    if (!(await isSigned(message))) return { ok: false, reason: 'bad-signature' }
    const parsed = eventForm.safeParse(parseJson(message.body))
    if (!parsed.success) return { ok: false, reason: 'unreadable', cause: parsed.error }
    return { ok: true, event: eventOf(parsed.data) }
  }
}

function readCertificate(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text)
  } catch {
    return undefined
  }
}

function eventOf(event: z.infer<typeof eventForm>): ProviderEvent {
  const orderId = event.resource.supplementary_data?.related_ids?.order_id
  const state = stateOfEvent[event.event_type]
  const { dispute_id: dispute } = event.resource
  const isDispute = event.event_type.startsWith('CUSTOMER.DISPUTE.') && dispute !== undefined
  const news = { id: event.id, kind: event.event_type, body: event, ...(isDispute && { disputeRef: dispute }) }
  if (orderId === undefined || state === undefined) return { ...news, charge: null, hostedRef: null }
  const sums = { amountCents: 0, capturedCents: 0, refundedCents: 0 }
  const charge = { ref: orderId, state, ...sums, clientSecret: null, cardFingerprint: null, failure: null }
  return { ...news, charge, hostedRef: orderId }
}
