/** The names of fields in a draft's form. Apart from the form, so that a page loads them without its schemas. */

/** The name of a vehicle's field in a draft's form, such as "vehicle-2". The first has no number. */
export function vehicleField(position: number): string {
  return position === 1 ? 'vehicle' : ['vehicle', position].join('-')
}

/** What a tire's fields end with in a draft's form, such as "2-100001" for the second vehicle. The first has no number. */
export function lineKey(position: number, itemId: number | string): string {
  return position === 1 ? String(itemId) : [position, itemId].join('-')
}
