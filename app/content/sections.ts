/** The categories of editorial pages. Their slugs are the folders of content/learn and content/press. */
export type Section = { readonly slug: string; readonly name: string; readonly description: string }

export const learnSections = [
  {
    slug: 'tire-basics',
    name: 'Tire basics',
    description:
      'What the numbers and letters on a tire mean, which of them must match your car, and how to work out a size yourself.',
  },
  {
    slug: 'choosing-tires',
    name: 'Choosing tires',
    description:
      'Snow marks, winter and all-weather, run-flats, staggered sets, electric cars, trucks and trailers: what suits what you drive.',
  },
  {
    slug: 'care-and-safety',
    name: 'Care and safety',
    description:
      'Pressure, rotation, repair, age, and tread depth. The few habits that keep tires safe and make them last.',
  },
  {
    slug: 'tire-news-information',
    name: 'Prices, warranties and words',
    description:
      'What four tires cost out the door, what a mileage warranty pays, how recalls reach you, and a dictionary of tire words.',
  },
] as const satisfies readonly Section[]

export const pressSections = [
  {
    slug: 'announcements',
    name: 'Announcements',
    description: 'Store news and the reasons behind our decisions.',
  },
  { slug: 'company', name: 'Company', description: 'About us, the store, and our values.' },
] as const satisfies readonly Section[]
