/** The carrier that ships the parcels. */
export interface Carrier {
  /**
   * Registers a parcel with the carrier. Buys no label. Store the returned reference before buying, so that a crash in
   * between never buys a second label. `isReturn` swaps the two addresses, so the parcel goes from `to` to `from`.
   */
  prepare(parcel: {
    reference: string
    from: CarrierAddress
    to: CarrierAddress
    weightLb: number
    isReturn?: boolean
    /** Whether `to` is a place that holds the parcel for its recipient. */
    isHeld?: boolean
  }): Promise<CarrierAnswer<{ parcelRef: string }>>
  /**
   * Buys the label for a prepared parcel. Checks with the carrier first, and returns the existing label if it was
   * already bought. `carriers`, if any, are the only ones allowed, and the first with a rate sells it. Refused without
   * such a rate.
   */
  buyLabel(parcelRef: string, carriers?: readonly string[]): Promise<CarrierAnswer<CarrierLabel>>
  /** What `buyLabel` pays for a prepared parcel. Buys no label. */
  quoteLabel(
    parcelRef: string,
    carriers?: readonly string[],
  ): Promise<CarrierAnswer<Pick<CarrierLabel, 'carrier' | 'costCents'>>>
  /**
   * Prepares and buys the label with which `from` sends tires back to `to`. `keep` stores the reference before anything
   * is bought; with a reference kept earlier (`parcelRef`), only the label is bought or found.
   */
  buyReturnLabel(input: {
    reference: string
    from: CarrierAddress
    to: CarrierAddress
    weightLb: number
    parcelRef: string | null
    keep(parcelRef: string): Promise<void>
  }): Promise<CarrierAnswer<CarrierLabel>>
  /**
   * The file of a bought label, 4 by 6 inches, at most `maxLabelFileBytes`. Refused for a parcel without a label. Asking
   * again returns the same label.
   */
  readLabelFile(parcelRef: string, format: LabelFormat): Promise<CarrierAnswer<Uint8Array>>
  /** Gives back a label that was not used. Refused once the carrier has the parcel; asking again is no mistake. */
  refundLabel(parcelRef: string): Promise<CarrierAnswer<null>>
  /** Checks an address and spells it as the carrier does; `suggestions` say what to correct. */
  verifyAddress(address: CarrierAddress): Promise<CarrierAnswer<AddressCheck>>
  /** Schedules the carrier's pickup of a labeled parcel between two instants. */
  schedulePickup(input: {
    parcelRef: string
    at: CarrierAddress
    from: Temporal.Instant
    to: Temporal.Instant
  }): Promise<CarrierAnswer<{ pickupRef: string; confirmation: string }>>
  /** Cancels a scheduled pickup. */
  cancelPickup(pickupRef: string): Promise<CarrierAnswer<null>>
  /**
   * Whether a carrier, named as on its labels, accepts one form for all parcels of a day.
   */
  takesManifests(carrier: string): Promise<CarrierAnswer<boolean>>
  /**
   * Requests the form of labeled parcels from one carrier and origin. A parcel can be on one form only, so ask
   * `findManifest` before repeating a request. Refused with `parcelRefs`, the request succeeds without those.
   */
  createManifest(parcelRefs: readonly string[]): Promise<ManifestAnswer>
  /** Returns a parcel's form, or null. */
  findManifest(parcelRef: string): Promise<CarrierAnswer<CarrierManifest | null>>
  /** Returns a form, which can take the carrier a while to create. */
  readManifest(manifestRef: string): Promise<CarrierAnswer<CarrierManifest>>
  /** The PDF of a created form, at most `maxLabelFileBytes`. */
  readManifestFile(manifestRef: string): Promise<CarrierAnswer<Uint8Array>>
  /**
   * Reads a webhook from the carrier; `event` is null for one that is not about a parcel's way. Refuses one with an
   * invalid signature or of an unknown form.
   */
  readEvent(
    rawBody: string,
    signature: string,
  ):
    | { ok: true; event: CarrierEvent | null }
    | { ok: false; reason: 'bad-signature' }
    | { ok: false; reason: 'unreadable'; cause: unknown }
}

/** `phone` has digits only; the carrier calls it about the delivery. */
export type CarrierAddress = {
  name: string
  /** The place, where `name` is a person's. */
  company?: string
  street: string
  city: string
  state: string
  zip: string
  phone?: string
}
/** `costCents` is the carrier's charge. `trackingUrl` is its tracking page, or null if it has no page. */
export type CarrierLabel = {
  carrier: string
  trackingNumber: string
  labelUrl: string
  costCents: number
  trackingUrl: string | null
}
/** `pdf` for an office printer, `zpl` for a label printer. */
export const labelFormats = ['pdf', 'zpl'] as const
export type LabelFormat = (typeof labelFormats)[number]
/** 1 MB, as for every stored file. A label has a few dozen KB. */
export const maxLabelFileBytes = 1_048_576
export type AddressCheck =
  | { isDeliverable: true; address: CarrierAddress; isResidential: boolean | null }
  | { isDeliverable: false; suggestions: string[] }

/**
 * A carrier's tracking event for a parcel. `trouble` needs staff attention; `unknown` has no transit status. `held`
 * means that the parcel is at a pickup location for its recipient. `expectedOn` is the day it expects to deliver, as of
 * `at`.
 */
export type CarrierEvent = {
  id: string
  trackingNumber: string
  state: 'pending-pickup' | 'in-transit' | 'held' | 'delivered' | 'returned' | 'lost' | 'trouble' | 'unknown'
  at: string
  note: string | null
  expectedOn: string | null
}
/** A carrier's form for many parcels. `message` is the carrier's reason for a failed one. */
export type CarrierManifest = {
  manifestRef: string
  state: 'creating' | 'created' | 'failed'
  trackingNumbers: readonly string[]
  message: string | null
}
export type ManifestAnswer =
  | CarrierAnswer<CarrierManifest>
  | { ok: false; reason: 'refused-parcels'; parcelRefs: readonly string[]; cause?: unknown }
export type CarrierAnswer<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: 'unavailable' | 'refused-input'; cause?: unknown }
