/** The delivery region of states, territories, and ZIP codes. Safe in the browser. */
import type { DeliveryRegion } from '#domain/kernel/rates/rates.ts'
import { zipRangeEnds } from '#platform/zip-ranges.ts'

/** Returns the region of a state or territory by postal code, which applies to all its ZIP codes. */
export function regionOf(stateCode: string): DeliveryRegion {
  if (stateCode === 'AK' || stateCode === 'HI') return stateCode
  return territories.has(stateCode) ? 'TERRITORY' : 'CONUS'
}

/** Postal codes in the CONUS region (the 48 states and the District of Columbia). */
export const contiguousStates: readonly string[] =
  'AL AR AZ CA CO CT DC DE FL GA IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY'.split(
    ' ',
  )

const territories = new Set(['AS', 'FM', 'GU', 'MH', 'MP', 'PR', 'PW', 'VI'])

/** Regions by the first three digits of ZIP codes. Others are in the contiguous states. */
const zipRegions: Readonly<Record<string, DeliveryRegion>> = {
  '006': 'TERRITORY',
  '007': 'TERRITORY',
  '008': 'TERRITORY',
  '009': 'TERRITORY',
  '967': 'HI',
  '968': 'HI',
  '969': 'TERRITORY',
  '995': 'AK',
  '996': 'AK',
  '997': 'AK',
  '998': 'AK',
  '999': 'AK',
}

/** American Samoa has a single ZIP code, among those of Hawaii. */
const americanSamoa = '96799'

/** Returns the region of the ZIP codes with this beginning of at least three digits. */
export function regionOfZip(zip: string): DeliveryRegion {
  return zip === americanSamoa ? 'TERRITORY' : (zipRegions[zip.slice(0, 3)] ?? 'CONUS')
}

/** Splits a range of ZIP codes into ranges that are each in one region. */
export function zipsByRegion(range: string): { region: DeliveryRegion; range: string }[] {
  const { first, last } = zipRangeEnds(range)
  const more = first.length - 3
  const parts: { region: DeliveryRegion; first: string; last: string }[] = []
  for (let three = Number(first.slice(0, 3)); three <= Number(last.slice(0, 3)); three += 1) {
    const prefix = String(three).padStart(3, '0')
    const from = first.startsWith(prefix) ? first : prefix + '0'.repeat(more)
    const to = last.startsWith(prefix) ? last : prefix + '9'.repeat(more)
    const region = from === to ? regionOfZip(from) : regionOfZip(prefix)
    const before = parts.at(-1)
    if (before?.region === region) before.last = to
    else parts.push({ region, first: from, last: to })
  }
  return parts.map((part) => ({
    region: part.region,
    range: part.first === part.last ? part.first : `${part.first}-${part.last}`,
  }))
}
