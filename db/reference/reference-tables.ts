/** The names of the sets, for `npm run verify`. */
export const referenceTables = {
  'ZIP codes': 'zip',
  vehicles: 'vehicle',
  'original tire sizes': 'oe_fitment',
  'models without listed sizes': 'known_model',
  'other names of models': 'model_alias',
  'tire brands': 'other_brand',
  'tire types': 'tire_type',
  categories: 'category',
} as const
