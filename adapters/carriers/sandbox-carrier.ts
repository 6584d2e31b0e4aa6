import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Carrier, CarrierAddress, CarrierAnswer, CarrierEvent } from '#domain/orders/carrier.port.ts'
import type { Clock } from '#platform/clock.ts'
import { requestIdHeader } from '#platform/request-scope.ts'

export type SandboxCarrierConfig = {
  apiOrigin: string
  /** The token for the carrier's API, and the key that signs its callbacks. */
  secret: string
  clock: Clock
}

const timeoutMs = 6000
const signatureToleranceSeconds = 300

const announced = z.object({ trackingNumber: z.string().min(1) })
/** Databases reject null bytes and lone surrogates. */
const storable = z
  .string()
  .max(2_000)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'holds what is no text')
const callback = z.object({
  eventId: storable.min(1),
  trackingNumber: storable.min(1),
  state: z.enum(['pending-carrier-pickup', 'in-transit', 'delayed', 'delivered', 'returned', 'lost']),
  at: z.iso.datetime({ offset: true }),
  note: storable,
})

/** The sandbox carrier, over its HTTP API. */
export function createSandboxCarrier({ apiOrigin, secret, clock }: SandboxCarrierConfig): Carrier {
  function ask(
    path: string,
    { headers, ...init }: { method: string; headers?: Record<string, string>; body?: string },
  ): Promise<CarrierAnswer<unknown>> {
    return call(`${apiOrigin}/carrier/shipments${path}`, {
      ...init,
      headers: { ...headers, ...requestIdHeader(), authorization: `Bearer ${secret}` },
    })
  }

  return {
    async announce({ key, reference, from, to, pieces, weightLb }) {
      const answer = await ask('', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({
          reference,
          from: { name: from.name, city: from.city, state: from.state, zip: from.zip },
          to: label(to),
          pieces,
          weightLb,
        }),
      })
      if (!answer.ok) return answer
      const parsed = announced.safeParse(answer.value)
      if (!parsed.success) return { ok: false, reason: 'unavailable', cause: parsed.error }
      return { ok: true, value: { carrier: 'Sandbox Freight', trackingNumber: parsed.data.trackingNumber } }
    },
    async cancel(trackingNumber) {
      const answer = await ask(`/${encodeURIComponent(trackingNumber)}`, { method: 'DELETE' })
      return answer.ok ? { ok: true, value: null } : answer
    },
    readEvent(rawBody, signature) {
      if (!isSignedWith(secret, rawBody, signature, clock.now())) return { ok: false, reason: 'bad-signature' }
      const parsed = callback.safeParse(parseJson(rawBody))
      return parsed.success
        ? { ok: true, event: carrierEvent(parsed.data) }
        : { ok: false, reason: 'unreadable', cause: parsed.error }
    },
  }
}

const lineLength = 100

/** The address for the label; a street longer than one line continues on a second. */
function label({ name, street, city, state, zip }: CarrierAddress) {
  const street2 = street.slice(lineLength).trim()
  return {
    name,
    street: street.slice(0, lineLength),
    ...(street2 ? { street2: street2.slice(0, lineLength) } : {}),
    city,
    state,
    zip,
  }
}

/** A 4xx is a refusal by the carrier, with its message as cause; any other failure may succeed on retry. */
async function call(url: string, init: RequestInit): Promise<CarrierAnswer<unknown>> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    const body: unknown = await response.json()
    if (response.ok) return { ok: true, value: body }
    const isRefusal =
      response.status >= 400 && response.status < 500 && response.status !== 408 && response.status !== 429
    return { ok: false, reason: isRefusal ? 'refused-input' : 'unavailable', cause: body }
  } catch (cause) {
    return { ok: false, reason: 'unavailable', cause }
  }
}

/** `t=<unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>" in hex>`, made within the last five minutes. */
function isSignedWith(secret: string, rawBody: string, signature: string, now: Temporal.Instant): boolean {
  const [, timestamp = '', given = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  const ageSeconds = Math.floor(now.epochMilliseconds / 1000) - Number(timestamp)
  if (timestamp === '' || Math.abs(ageSeconds) > signatureToleranceSeconds) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest()
  return timingSafeEqual(Buffer.from(given, 'hex'), expected)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The store has no 'delayed' state: such a parcel is still in transit, and the note mentions the delay. */
function carrierEvent({ eventId, trackingNumber, state, at, note }: z.output<typeof callback>): CarrierEvent {
  const known = state === 'pending-carrier-pickup' ? 'pending-pickup' : state === 'delayed' ? 'in-transit' : state
  return { id: eventId, trackingNumber, state: known, at, note }
}
