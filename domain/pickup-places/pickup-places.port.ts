/** A carrier's places that keep a parcel until its receiver comes. */
export interface PickupPlaces {
  /** The carrier by name, as shoppers know it. */
  readonly carrier: string
  /** Lists the places near a ZIP or a point that keep parcels of this weight, nearest first, at most `limit`. */
  near(asked: PlacesAsked): Promise<PlacesAnswer>
}

export type PlacesAsked = {
  at: { zip: string } | { latitude: number; longitude: number }
  radiusMiles: number
  limit: number
  /** The heaviest parcel that is left there. */
  weightLb: number
}

/** `ref` is the carrier's own id. `holdsDays`: how long it keeps a parcel, counted from its arrival. */
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

/** Local time as HH:MM; `weekday` from 1, Monday, to 7. A day may have two rows, or none where the place is closed. */
export type PlaceHours = { weekday: number; opens: string; closes: string }

/** `unavailable` may succeed later; `refused` is about what was asked, or the store's account there. */
export type PlacesAnswer =
  | { ok: true; value: FoundPlace[] }
  | { ok: false; reason: 'unavailable' | 'refused'; cause?: unknown }
