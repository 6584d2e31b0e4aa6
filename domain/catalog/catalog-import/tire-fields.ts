/** The fields of brands, models and tires in feeds and forms. Safe in the browser. */

export const brandTiers = ['value', 'mid', 'premium'] as const

export const treads = [
  'all-season',
  'summer',
  'winter',
  'all-terrain',
  'mud-terrain',
  'all-weather',
  'highway',
  'trailer',
  'commercial',
] as const

/** The fields of a tire's form, named like the columns of feeds. `cost` and `map` are dollars. */
export const tireFields = [
  'sku',
  'size',
  'load_index',
  'dual_load_index',
  'speed',
  'load_class',
  'load_range',
  'ply_rating',
  'max_load_lb',
  'max_psi',
  'rim_width_min_in',
  'rim_width_max_in',
  'measured_width_mm',
  'measured_diameter_mm',
  'tread_depth_32nds',
  'weight_lb',
  'utqg_treadwear',
  'utqg_traction',
  'utqg_temperature',
  'warranty_miles',
  'sidewall',
  'run_flat',
  'oe_mark',
  'oldest_dot',
  'price',
  'cost',
  'map',
  'fet',
  'gtin',
  'mpn',
  'origin_country',
] as const
export type TireField = (typeof tireFields)[number]

/** The fields of a model's form. */
export const lineFields = ['line', 'category', 'tread', 'line_warranty_miles', 'm_plus_s', 'three_peak', 'ev'] as const
export type LineField = (typeof lineFields)[number]

/** The text of each form field, '' if empty. */
export type Cells<Field extends string> = Readonly<Record<Field, string>>
