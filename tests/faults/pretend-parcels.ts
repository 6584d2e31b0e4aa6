/** A carrier and a mail server in memory, which outlive the store's processes. Both know a repeat by its key, as the real ones do. */
import type { Mailer } from '#domain/messages/mail.port.ts'
import type { Carrier, CarrierEvent } from '#domain/orders/carrier.port.ts'

export type PretendCarrier = Carrier & { shipments: ReadonlyMap<string, string> }

/** Its messages are plain JSON, signed "carrier". */
export function createPretendCarrier(): PretendCarrier {
  const shipments = new Map<string, string>()
  return {
    shipments,
    async announce({ key }) {
      if (!shipments.has(key)) shipments.set(key, `TRACK-${key}`)
      return { ok: true, value: { carrier: 'Pretend Freight', trackingNumber: shipments.get(key) ?? '' } }
    },
    cancel: async () => ({ ok: true, value: null }),
    readEvent: (rawBody, signature) => (signature === 'carrier' ? { ok: true, event: JSON.parse(rawBody) as CarrierEvent } : { ok: false }),
  }
}

export type PretendMailbox = Mailer & { keys: ReadonlySet<string> }

export function createPretendMailbox(): PretendMailbox {
  const keys = new Set<string>()
  return {
    keys,
    async send({ key }) {
      keys.add(key)
      return { ok: true }
    },
  }
}
