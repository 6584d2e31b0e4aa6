import { badZipMessage } from '#content/messages/places.ts'
import { z } from 'zod'

/** The ZIP form in the header. */
export const zipForm = z.object({
  zip: z
    .string(badZipMessage)
    .trim()
    .regex(/^\d{5}(-?\d{4})?$/, badZipMessage)
    .transform((value) => value.slice(0, 5)),
})

export type Place = {
  zip: string
  city: string
  state: string
  latitude: number | null
  longitude: number | null
  region: 'CONUS' | 'AK' | 'HI' | 'TERRITORY' | 'MILITARY'
  /** IANA name; null if the ZIP's time zone is not known, as for military post offices. */
  timeZone: string | null
  zipType: 'STANDARD' | 'PO_BOX' | 'UNIQUE' | 'MILITARY' | 'UNKNOWN'
}

/** Where a place is; null for one that is on no map. */
export function pointOf(place: Place | undefined): { latitude: number; longitude: number } | null {
  return place?.latitude != null && place.longitude != null
    ? { latitude: place.latitude, longitude: place.longitude }
    : null
}
