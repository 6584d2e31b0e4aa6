import { z } from 'zod'

/** The ZIP form of the header. */
export const zipForm = z.object({
  zip: z
    .string('Oops. Please enter a valid ZIP code.')
    .trim()
    .regex(/^\d{5}(-?\d{4})?$/, 'Oops. Please enter a valid ZIP code.')
    .transform((value) => value.slice(0, 5)),
})

export type Place = {
  zip: string
  city: string
  state: string
  latitude: number | null
  longitude: number | null
  region: 'CONUS' | 'AK' | 'HI' | 'TERRITORY' | 'MILITARY'
  zipType: 'STANDARD' | 'PO_BOX' | 'UNIQUE' | 'MILITARY' | 'UNKNOWN'
}
