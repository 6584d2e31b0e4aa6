/** Catalog labels for forms and lists in the back office. */

export const tierLabels: Readonly<Record<string, string>> = { value: 'Value', mid: 'Mid', premium: 'Premium' }

export const treadLabels: Readonly<Record<string, string>> = {
  'all-season': 'All-season',
  summer: 'Summer',
  winter: 'Winter',
  'all-terrain': 'All-terrain',
  'mud-terrain': 'Mud-terrain',
  'all-weather': 'All-weather',
  highway: 'Highway',
  trailer: 'Trailer',
  commercial: 'Commercial',
}

export const yesNoLabels = { no: 'No', yes: 'Yes' } as const
