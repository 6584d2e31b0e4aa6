/** Whoever brings the parcels. */
export interface Carrier {
  /** Announces a shipment. The same key never makes two. Our warehouses are known to the carrier by name and place. */
  announce(input: {
    key: string
    reference: string
    from: Omit<CarrierAddress, 'street'>
    to: CarrierAddress
    pieces: number
    weightLb: number
  }): Promise<CarrierAnswer<{ carrier: string; trackingNumber: string }>>
  /** Takes a shipment back that was not picked up yet. */
  cancel(trackingNumber: string): Promise<CarrierAnswer<null>>
  /**
   * Reads a message the carrier posted to us. Refuses it when the signature is not the carrier's or is too old, and
   * when it is of no known form.
   */
  readEvent(
    rawBody: string,
    signature: string,
  ):
    | { ok: true; event: CarrierEvent }
    | { ok: false; reason: 'bad-signature' }
    | { ok: false; reason: 'unreadable'; cause: unknown }
}

export type CarrierAddress = { name: string; street: string; city: string; state: string; zip: string }
export type CarrierEvent = {
  id: string
  trackingNumber: string
  state: 'pending-pickup' | 'in-transit' | 'delivered' | 'returned' | 'lost'
  at: string
  note: string | null
}
export type CarrierAnswer<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: 'unavailable' | 'refused-input'; cause?: unknown }
