/** The delivery region of states and territories. Safe in the browser. */
import type { DeliveryRegion } from '#domain/kernel/rates/rates.ts'

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
