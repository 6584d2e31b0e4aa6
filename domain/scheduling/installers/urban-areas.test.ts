import { expect, test } from 'vitest'
import { areaOfShop, urbanAreasOf, type ShopsOfZip } from './urban-areas.ts'

const chicago = { city: 'Chicago', state: 'IL', zip: '60614', shopCount: 2, latitude: 41.92, longitude: -87.65 }
const franklin = { city: 'Franklin', state: 'PA', zip: '16323', shopCount: 1, latitude: 41.39, longitude: -79.83 }
/** The same name in the same state, 150 miles to the southeast. */
const otherFranklin = { ...franklin, zip: '17401', latitude: 39.96, longitude: -77.6 }
const slugs = (found: readonly ShopsOfZip[]) => urbanAreasOf(found).map(({ slug }) => slug)

test.for([
  ['Chicago', 'IL', 'chicago-il'],
  ['St. Louis', 'MO', 'st-louis-mo'],
  ['Winston-Salem', 'NC', 'winston-salem-nc'],
  ['Cañon City', 'CO', 'canon-city-co'],
] as const)('%s, %s has the slug %s', ([city, state, slug]) => {
  expect(slugs([{ ...chicago, city, state }])).toEqual([slug])
})

test('the ZIPs of a city are one area with all its shops, centered among them', () => {
  const south = { ...chicago, zip: '60637', shopCount: 3, latitude: 41.78 }
  const [area] = urbanAreasOf([chicago, south])
  expect(area).toMatchObject({
    slug: 'chicago-il',
    city: 'Chicago',
    shopCount: 5,
    places: [{ zip: '60614' }, { zip: '60637' }],
  })
  expect(area?.latitude).toBeCloseTo(41.85, 5)
})

test('one name in two states gives two slugs', () => {
  expect(slugs([franklin, { ...franklin, state: 'TN', latitude: 35.93, longitude: -86.87 }])).toEqual([
    'franklin-pa',
    'franklin-tn',
  ])
})

test('two cities with the same name in a state have different slugs, and the first one doesn’t change', () => {
  expect(slugs([franklin])).toEqual(['franklin-pa'])
  expect(slugs([franklin, otherFranklin])).toEqual(['franklin-pa', 'franklin-pa-17401'])
  expect(slugs([otherFranklin, franklin])).toEqual(['franklin-pa', 'franklin-pa-16323'])
  // Its only shop closed, but the later city does not take over its slug.
  const areas = urbanAreasOf([{ ...franklin, shopCount: 0 }, otherFranklin])
  expect(areas.map(({ slug, city }) => [slug, city])).toEqual([['franklin-pa-17401', 'Franklin (17401)']])
})

test('two spellings of a city are one area', () => {
  const [area, ...others] = urbanAreasOf([
    { ...chicago, city: 'St. Louis', state: 'MO' },
    { ...chicago, city: 'St Louis', state: 'MO' },
  ])
  expect(others).toEqual([])
  expect(area).toMatchObject({ city: 'St. Louis', shopCount: 4, places: [{ city: 'St. Louis' }, { city: 'St Louis' }] })
})

test('a shop is in the area of its ZIP and city, and a mobile installer in its city’s area, if any', () => {
  const areas = urbanAreasOf([chicago, franklin, otherFranklin])
  expect(areaOfShop(areas, otherFranklin)?.slug).toBe('franklin-pa-17401')
  expect(areaOfShop(areas, { ...chicago, zip: '60601' })?.slug).toBe('chicago-il')
  expect(areaOfShop(areas, { ...franklin, zip: '19001', latitude: 40.1, longitude: -75.1 })).toBeUndefined()
  expect(areaOfShop(areas, { ...chicago, city: 'Skokie' })).toBeUndefined()
})
