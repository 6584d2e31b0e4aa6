import { badZipMessage } from '#content/messages/places.ts'
import { z } from 'zod'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

const zipPattern = /^(\d{5})(-?\d{4})?$/

/** The ZIP form in the header. */
export const zipForm = z.object({
  zip: z
    .string(badZipMessage)
    .trim()
    .regex(zipPattern, badZipMessage)
    .transform((value) => value.slice(0, 5)),
})

/**
 * Parses a five-digit ZIP code, or a ZIP+4 with or without its hyphen, and returns the five digits; undefined for other
 * text.
 */
export function parseZip(text: string): string | undefined {
  return zipPattern.exec(text)?.[1]
}

/**
 * Why a ZIP code has neither installation nor delivery. `zip-not-found` is an unknown one. `military` is a military
 * post office (APO, FPO, DPO), which has no coordinates and accepts no freight.
 */
export type ZipRefusal = Refused<'zip-not-found'> | Refused<'military'>

/** The place with its coordinates, or why there is no service at it: the one rule for every form, page and API. */
export function servedPlace<Known extends { region: string; latitude: number | null; longitude: number | null }>(
  place: Known | undefined,
): Outcome<Known & { latitude: number; longitude: number }, ZipRefusal> {
  if (place?.region === 'MILITARY') return refused('military')
  if (!place || place.latitude === null || place.longitude === null) return refused('zip-not-found')
  return ok({ ...place, latitude: place.latitude, longitude: place.longitude })
}

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
