import { expect, test } from 'vitest'
import type { UrbanArea } from '#domain/scheduling/installers/installers.ts'
import { areasNear, mainAreas, mainAreasOfState } from './main-areas.ts'

const area = (slug: string, shopCount: number, latitude: number, longitude: number): UrbanArea => ({
  slug,
  city: slug,
  state: 'IL',
  shopCount,
  latitude,
  longitude,
  places: [],
})
const chicago = area('chicago-il', 9, 41.88, -87.63)
const evanston = area('evanston-il', 8, 42.04, -87.69)
const naperville = area('naperville-il', 3, 41.77, -88.15)
const denver = area('denver-co', 5, 39.74, -104.99)
const slugs = (areas: readonly UrbanArea[]) => areas.map(({ slug }) => slug)

test('the country map shows the largest cities without crowding', () => {
  const honolulu = { ...area('honolulu-hi', 20, 21.31, -157.86), state: 'HI' }
  expect(slugs(mainAreas([denver, evanston, honolulu, chicago, naperville]))).toEqual(['chicago-il', 'denver-co'])
})

test('a state map has its cities, and only the larger of two close ones', () => {
  expect(slugs(mainAreasOfState([naperville, evanston, chicago]))).toEqual([
    'chicago-il',
    'evanston-il',
    'naperville-il',
  ])
  const springfield = area('springfield-il', 2, 39.78, -89.65)
  expect(slugs(mainAreasOfState([naperville, evanston, chicago, springfield]))).toEqual([
    'chicago-il',
    'naperville-il',
    'springfield-il',
  ])
})

test('nearby cities exclude the city itself and come nearest first', () => {
  const near = areasNear([chicago, denver, naperville, evanston], chicago)
  expect(slugs(near)).toEqual(['evanston-il', 'naperville-il'])
  expect(near[0]?.miles).toBeCloseTo(11.5, 0)
})
