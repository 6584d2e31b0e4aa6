import { badZipMessage } from '#content/messages/places.ts'
import { z } from 'zod'

/** The ZIP form of the header. */
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
  /** IANA name; null where nothing is known of the ZIP's clock, as at military post offices. */
  timeZone: string | null
  zipType: 'STANDARD' | 'PO_BOX' | 'UNIQUE' | 'MILITARY' | 'UNKNOWN'
}
