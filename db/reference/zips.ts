import type { Row } from '#db/insert-rows.ts'
import { readRows } from './read-data.ts'

export type Zip = Row<'zip'>
/** A ZIP on the map. */
export type Place = Zip & { latitude: number; longitude: number; time_zone: string }

/** Every US ZIP with its place, kind, region and time zone. */
export function readZips(): Zip[] {
  return readRows<'zip' | 'city' | 'state' | 'county' | 'latitude' | 'longitude' | 'zip_type' | 'region' | 'time_zone'>(
    'zips.csv.br',
  ).map((row) => ({
    ...row,
    county: row.county || null,
    latitude: row.latitude ? Number(row.latitude) : null,
    longitude: row.longitude ? Number(row.longitude) : null,
    time_zone: row.time_zone || null,
  }))
}

/** The ZIPs with residents and parcel delivery. */
export function deliveryPlaces(zips: readonly Zip[]): Place[] {
  return zips.filter(
    (zip): zip is Place => zip.zip_type === 'STANDARD' && zip.latitude != null && zip.time_zone != null,
  )
}
