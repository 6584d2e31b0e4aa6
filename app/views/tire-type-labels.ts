/** Labels for tire types and categories in the office. Safe in the browser. */
type Level = { noun: string; retire: string; retired: string }

export const tireTypeLevels: Readonly<Record<'types' | 'categories', Level>> = {
  types: {
    noun: 'tire type',
    retire: 'A retired type takes no new categories. Its own must be retired or moved first.',
    retired: 'This type is retired and takes no new categories.',
  },
  categories: {
    noun: 'category',
    retire: 'A retired category takes no new models. It must have no tires for sale.',
    retired: 'This category is retired and takes no new models.',
  },
}
