import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeItem, makeLine, makeRating } from './catalog.testing.ts'
import { attributes, type Tread } from './items.ts'
import { bandOf, scoreOf } from './score.ts'

function rated(stars: number, count = 500) {
  return makeRating({
    count,
    overallHundredths: stars,
    attributes: { dry: stars, wet: stars, winter: stars, comfort: stars, noise: stars, treadwear: stars },
  })
}

test.each([
  [69, 'Fair'],
  [70, 'Good'],
  [79, 'Good'],
  [80, 'Great'],
  [89, 'Great'],
  [90, 'Excellent'],
  [100, 'Excellent'],
])('%d tenths are %s', (tenths, band) => {
  expect(bandOf(tenths)).toBe(band)
})

test('the displayed parts reproduce the sum', () => {
  const score = scoreOf(makeItem())
  expect(score?.parts.map(({ name, weight }) => [name, weight])).toEqual([
    ['reviews', 75],
    ['warranty', 15],
    ['grades', 10],
  ])
  const sum = score?.parts.reduce((all, { points, weight }) => all + points * weight, 0) ?? 0
  expect(score?.tenths).toBe(Math.round(sum / 10))
  // 4.5 stars from 200 reviews, 65,000 of 80,000 miles, 640 A A.
  expect(score).toMatchObject({ tenths: 87, band: 'Great' })
})

test('requires three reviews', () => {
  expect(scoreOf(makeItem({ line: makeLine({ rating: null }) }))).toBeNull()
  expect(scoreOf(makeItem({ line: makeLine({ rating: rated(500, 2) }) }))).toBeNull()
  expect(scoreOf(makeItem({ line: makeLine({ rating: rated(500, 3) }) }))).not.toBeNull()
})

test('a winter tire loses no points for grades and warranty it cannot have', () => {
  const winter = scoreOf(
    makeItem({
      line: makeLine({ tread: 'winter', winter: true, warrantyMiles: null, rating: rated(480) }),
      utqg: null,
    }),
  )
  expect(winter?.parts.map(({ name }) => name)).toEqual(['reviews'])
  expect(winter?.band).toBe('Excellent')
})

test('three glowing reviews do not beat three hundred good ones', () => {
  const few = scoreOf(makeItem({ line: makeLine({ rating: rated(500, 3) }) }))
  const many = scoreOf(makeItem({ line: makeLine({ rating: rated(450, 300) }) }))
  expect(few?.tenths).toBeLessThan(many?.tenths ?? 0)
})

test('better reviews, a longer warranty or a higher grade never lower a score, which stays between 0 and 100', () => {
  const treads: Tread[] = [
    'all-season',
    'summer',
    'winter',
    'all-terrain',
    'mud-terrain',
    'all-weather',
    'highway',
    'trailer',
    'commercial',
  ]
  const stars = fc.integer({ min: 100, max: 490 })
  fc.assert(
    fc.property(
      fc.constantFrom(...treads),
      stars,
      fc.integer({ min: 3, max: 2_000 }),
      fc.integer({ min: 0, max: 90_000 }),
      fc.integer({ min: 40, max: 820 }),
      fc.constantFrom(...attributes),
      (tread, base, count, miles, treadwear, attribute) => {
        const rating = rated(base, count)
        const score = (change: { stars?: number; miles?: number; treadwear?: number }) =>
          scoreOf(
            makeItem({
              line: makeLine({
                tread,
                warrantyMiles: miles + (change.miles ?? 0) || null,
                rating: { ...rating, attributes: { ...rating.attributes, [attribute]: base + (change.stars ?? 0) } },
              }),
              utqg: { treadwear: treadwear + (change.treadwear ?? 0), traction: 'A', temperature: 'B' },
            }),
          )?.tenths ?? Number.NaN
        const before = score({})
        expect(before).toBeGreaterThanOrEqual(0)
        expect(before).toBeLessThanOrEqual(100)
        for (const better of [score({ stars: 10 }), score({ miles: 10_000 }), score({ treadwear: 100 })])
          expect(better).toBeGreaterThanOrEqual(before)
      },
    ),
  )
})
