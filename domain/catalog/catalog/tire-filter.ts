/** Filters that limit a promotion, coupon, or rebate to some tires of its brand or model. Safe in the browser. */

/** The seasons of a filter, which are treads of models, with their names. */
export const filterSeasons = {
  'all-season': 'All-season',
  'all-weather': 'All-weather',
  summer: 'Summer',
  winter: 'Winter',
} as const

/** The vehicle classes of a filter, which follow from the kind of a size (`tires_of_filter`), with their names. */
export const filterVehicleClasses = {
  passenger: 'Passenger',
  'light-truck': 'Light truck',
  trailer: 'Trailer',
  commercial: 'Commercial',
} as const

/** A filter by the slugs of a type and a category, a size such as "225/65R17", and a supplier code. */
export type TireFilter = {
  readonly type: string | null
  readonly category: string | null
  readonly size: string | null
  readonly season: keyof typeof filterSeasons | null
  readonly vehicleClass: keyof typeof filterVehicleClasses | null
  readonly supplier: string | null
}

/** The parts of a filter by field name. */
export const filterParts = ['type', 'category', 'size', 'season', 'vehicleClass', 'supplier'] as const
export type FilterPart = (typeof filterParts)[number]
