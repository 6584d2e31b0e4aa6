/** A carrier's places that keep a parcel until its receiver comes. */
export interface PickupPlaces {
  /** The carrier by name, as shoppers know it. */
  readonly carrier: string
  /** Lists places near a ZIP code or point that hold parcels with this weight, nearest first, at most `limit`. */
  near(asked: PlacesAsked): Promise<PlacesAnswer>
}

export type PlacesAsked = {
  at: { zip: string } | { latitude: number; longitude: number }
  radiusMiles: number
  limit: number
  /** The heaviest parcel that is left there. */
  weightLb: number
}

/** `ref` is the carrier's own id. `holdsDays` is the number of days it holds a parcel after arrival. */
export type FoundPlace = {
  ref: string
  name: string
  street: string
  city: string
  state: string
  zip: string
  latitude: number
  longitude: number
  week: PlaceHours[]
  holdsDays: number
  miles: number
}

/**
 * Local time as HH:MM; `weekday` from 1, Monday, to 7. A day may have two rows, or be omitted if the place is closed.
 */
export type PlaceHours = { weekday: number; opens: string; closes: string }

/** `unavailable` may succeed later; `refused` concerns the request, or the store's account there. */
export type PlacesAnswer =
  | { ok: true; value: FoundPlace[] }
  | { ok: false; reason: 'unavailable' | 'refused'; cause?: unknown }
