import { expect, test } from 'vitest'
import { makeItem, makeSize } from './catalog.testing.ts'
import { type Requirement } from '#domain/catalog/fitment/fitment.ts'
import { parseTire } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { otherSize, pickLikeSizes, sizeBasis } from './other-sizes.ts'

const sold = (...designations: string[]) =>
  designations.map((designation) => ({ designation, slug: designation.toLowerCase().replace('/', '-') }))
const picked = (...designations: string[]) =>
  pickLikeSizes('225/65R17', sold(...designations)).map(({ designation }) => designation)

test('picks the two closest in height per wheel, from two inches smaller to two larger', () => {
  expect(picked('225/60R18', '235/60R18', '235/55R18', '215/70R16', '235/55R19', '255/45R20', '225/65R17')).toEqual([
    '215/70R16',
    '225/60R18',
    '235/55R18',
    '235/55R19',
  ])
  expect(picked('245/65R17', 'LT225/65R17')).toEqual([])
})

test('counts sufficiently rated tires, and gives their wheel widths', () => {
  const [like] = pickLikeSizes('225/65R17', sold('225/60R18'))
  const size = makeSize({ slug: '225-60r18', designation: '225/60R18', aspect: 60, rimIn: 18 })
  const there = [
    makeItem({ size, loadIndex: 104, speed: 'H', rimWidthMinIn: 6, rimWidthMaxIn: 8 }),
    makeItem({ size, loadIndex: 102, speed: 'V', rimWidthMinIn: 6.5, rimWidthMaxIn: 8.5 }),
    makeItem({ size, loadIndex: 100, speed: 'H', rimWidthMinIn: 5, rimWidthMaxIn: 9 }),
  ]
  const { requirements } = sizeBasis(makeItem(), undefined)
  expect(like && otherSize(like, requirements, there)).toEqual({
    slug: '225-60r18',
    designation: '225/60R18',
    rimIn: 18,
    rimStepIn: 1,
    diameterTenths: 4,
    trueAtSixtyTenths: 602,
    widerMm: 0,
    articles: 3,
    ratedAsHigh: 2,
    rimWidthsIn: { min: 6, max: 8.5 },
  })
  expect(like && otherSize(like, requirements, there.slice(2))).toMatchObject({ ratedAsHigh: 0, rimWidthsIn: null })
})

test("compares with the vehicle's listed size or, if there is more than one, the tire's own", () => {
  const requirementOf = (source: Requirement['source'], ...labels: string[]): Requirement => ({
    source,
    vehicleClass: 'suv',
    drive: 'na',
    configurations: labels.map((label) => {
      const axle = parseTire(label) ?? expect.fail(label)
      return { front: axle, rear: axle }
    }),
  })
  const basis = (requirement?: Requirement) => sizeBasis(makeItem(), requirement)
  expect(basis(requirementOf('catalog', '235/60R18 103V'))).toMatchObject({
    designation: '235/60R18',
    isOfVehicle: true,
    requirements: [{ loadIndex: 103, speed: 'V' }, {}],
  })
  const own = { designation: '225/65R17', isOfVehicle: false, requirements: [{ loadIndex: 102, speed: 'H' }] }
  expect(basis()).toMatchObject(own)
  expect(basis(requirementOf('weak', '235/60R18 103V'))).toMatchObject(own)
  expect(basis(requirementOf('catalog', '235/60R18 103V', '225/60R18 100H'))).toMatchObject(own)
  expect(basis(requirementOf('placard', '235/60R18'))).toMatchObject(own)
  // Two trims with one size require different speeds, and both must be met.
  const [like] = pickLikeSizes('235/60R18', sold('225/65R17'))
  const both = basis(requirementOf('catalog', '235/60R18 100H', '235/60R18 100V')).requirements
  const there = [makeItem({ loadIndex: 102, speed: 'H' }), makeItem({ loadIndex: 102, speed: 'V' })]
  expect(like && otherSize(like, both, there).ratedAsHigh).toBe(1)
})
