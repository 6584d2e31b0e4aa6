/** The carrier that ships the parcels. */
export interface Carrier {
  /** Announces a shipment; the same key never makes two. The carrier knows our warehouses by name and location. */
  announce(input: {
    key: string
    reference: string
    from: Omit<CarrierAddress, 'street'>
    to: CarrierAddress
    pieces: number
    weightLb: number
  }): Promise<CarrierAnswer<{ carrier: string; trackingNumber: string }>>
  /** Cancels a shipment that has not been picked up yet. */
  cancel(trackingNumber: string): Promise<CarrierAnswer<null>>
  /** Reads a webhook from the carrier. Refuses one with an invalid or expired signature, or of an unknown form. */
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
