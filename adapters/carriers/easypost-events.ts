/**
 * Reads EasyPost's webhooks `tracker.updated` and `tracker.created`, which report a package's location.
 * https://docs.easypost.com/docs/trackers
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ITrackerStatus } from '@easypost/api'
import { z } from 'zod'
import type { CarrierEvent } from '#domain/ordering/orders/carrier.port.ts'
import { someSecret, type Secrets } from '#platform/secrets.ts'
import { jsonIn } from '#platform/json-text.ts'

/**
 * The state of a parcel for every status of a tracker. A parcel kept at a counter is still on its way to the
 * shopper; a failed delivery does not arrive; a voided label and a tracker in error need a look by staff.
 */
export const statesOfStatuses = [
  ['unknown', 'unknown'],
  ['pre_transit', 'pending-pickup'],
  ['in_transit', 'in-transit'],
  ['out_for_delivery', 'in-transit'],
  ['available_for_pickup', 'held'],
  ['delivered', 'delivered'],
  ['return_to_sender', 'returned'],
  ['failure', 'lost'],
  ['cancelled', 'trouble'],
  ['error', 'trouble'],
] as const satisfies readonly (readonly [ITrackerStatus, CarrierEvent['state']])[]

const stateOfStatus = new Map<string, CarrierEvent['state']>(statesOfStatuses)

/** Databases reject null bytes and lone surrogates. */
const storable = z
  .string()
  .max(2_000)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'holds what is no text')
const instant = z.iso.datetime({ offset: true })
const anyEvent = z.object({ id: storable.min(1).max(100), description: storable })
const trackerEvent = z.object({
  id: storable.min(1).max(100),
  created_at: instant,
  result: z.object({
    object: z.literal('Tracker'),
    tracking_code: storable.min(1).max(100),
    status: z.string().transform((status, issue) => {
      const state = stateOfStatus.get(status)
      if (state !== undefined) return state
      issue.addIssue({ code: 'custom', message: 'is no status of a tracker' })
      return z.NEVER
    }),
    updated_at: instant,
    est_delivery_date: instant.nullable(),
    tracking_details: z.array(z.object({ message: storable.nullable() })).max(1_000),
    carrier_detail: z.object({ est_delivery_date_local: z.iso.date().nullable() }).nullish(),
  }),
})

/**
 * Reads a webhook. The signature is `hmac-sha256-hex=` and the HMAC of the raw body under one of the secrets, which
 * EasyPost normalizes (NFKD). The signature has no timestamp, so messages can be replayed. Each is stored once, and
 * package states only move forward.
 */
export function readTrackerEvent(
  rawBody: string,
  signature: string,
  secrets: Secrets,
):
  | { ok: true; event: CarrierEvent | null }
  | { ok: false; reason: 'bad-signature' }
  | { ok: false; reason: 'unreadable'; cause: unknown } {
  if (!someSecret(secrets, (secret) => isSigned(rawBody, signature, secret)))
    return { ok: false, reason: 'bad-signature' }
  const body = jsonIn(rawBody)
  const some = anyEvent.safeParse(body)
  if (!some.success) return { ok: false, reason: 'unreadable', cause: some.error }
  if (!/^tracker\.(created|updated)$/.test(some.data.description)) return { ok: true, event: null }
  const parsed = trackerEvent.safeParse(body)
  if (!parsed.success) return { ok: false, reason: 'unreadable', cause: parsed.error }
  const { id, result } = parsed.data
  return {
    ok: true,
    event: {
      id,
      trackingNumber: result.tracking_code,
      state: result.status,
      at: result.updated_at,
      note: result.tracking_details.at(-1)?.message ?? null,
      // The local date is the day at the door; the other is a moment that may be another day there.
      expectedOn: result.carrier_detail?.est_delivery_date_local ?? result.est_delivery_date?.slice(0, 10) ?? null,
    },
  }
}

function isSigned(rawBody: string, signature: string, secret: string): boolean {
  const [, given = ''] = /^hmac-sha256-hex=([0-9a-f]{64})$/.exec(signature) ?? []
  if (given === '') return false
  const expected = createHmac('sha256', secret.normalize('NFKD')).update(rawBody).digest()
  return timingSafeEqual(Buffer.from(given, 'hex'), expected)
}
