import { expect, test } from 'vitest'
import {
  freeFromCentsIn,
  isSameZone,
  isShippingFree,
  itemizeShipping,
  priceShipping,
  shippingAreas,
  shippingTable,
  type ShippingPlace,
} from './delivery.ts'
import { zipsByRegion } from './regions.ts'
import {
  standardShippingRates as rates,
  type DeliveryRegion,
  type ShippingException,
  type ShippingRates,
} from '#domain/kernel/rates/rates.ts'

const regions = ['CONUS', 'AK', 'HI', 'TERRITORY'] as const satisfies readonly DeliveryRegion[]
const unitCents = 15_000
const carts = [
  [{ quantity: 4, weightLb: 26, unitCents }],
  [
    { quantity: 2, weightLb: 60, unitCents },
    { quantity: 2, weightLb: 61, unitCents },
  ],
  [{ quantity: 6, weightLb: 88, unitCents }],
]

test.for(regions)('the rows of %s come to what is charged', (region) => {
  for (const tires of carts) {
    const rows = itemizeShipping(rates, region, tires)
    expect(rows.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(
      priceShipping(rates, region, tires).totalCents,
    )
    expect(rows.find(({ kind }) => kind === 'shipping')?.units).toBe(
      tires.reduce((sum, { quantity }) => sum + quantity, 0),
    )
  }
})

test('oversize has a separate row where it applies, and every rate has a unit and a reason', () => {
  expect(
    itemizeShipping(rates, 'AK', [{ quantity: 4, weightLb: 70, unitCents }]).map(({ kind, totalCents }) => [
      kind,
      totalCents,
    ]),
  ).toEqual([
    ['shipping', 9_900],
    ['oversize', 6_000],
    ['handling', 0],
  ])
  expect(itemizeShipping(rates, 'HI', [{ quantity: 4, weightLb: 20, unitCents }]).map(({ kind }) => kind)).toEqual([
    'shipping',
    'handling',
  ])
  expect(shippingTable(rates).filter(({ reason }) => reason.length < 10)).toEqual([])
  expect(shippingTable(rates).filter(({ zone, cents }) => zone === 'CONUS' && cents > 0)).toEqual([])
})

test('handling is charged once per order, and only an all-zero contiguous US is free', () => {
  const changed = { ...rates, zones: { ...rates.zones, CONUS: { ...rates.zones.CONUS, handlingCents: 500 } } }
  const tires = [{ quantity: 4, weightLb: 20, unitCents }]
  expect(priceShipping(changed, 'CONUS', tires).totalCents).toBe(500)
  expect(priceShipping(changed, 'CONUS', []).totalCents).toBe(0)
  expect(itemizeShipping(changed, 'CONUS', tires).map(({ totalCents }) => totalCents)).toEqual([0, 500])
  expect(isShippingFree(rates)).toBe(true)
  expect(isShippingFree(changed)).toBe(false)
})

test('a zone ships free from its total on, oversize and handling included, and other zones do not', () => {
  const alaska = { ...rates.zones.AK, handlingCents: 500, freeFromCents: 60_000 }
  const changed = { ...rates, zones: { ...rates.zones, AK: alaska } }
  const four = [{ quantity: 4, weightLb: 70, unitCents }]
  expect(priceShipping(changed, 'AK', four)).toEqual({ totalCents: 0 })
  expect(itemizeShipping(changed, 'AK', four)).toMatchObject([{ kind: 'shipping', cents: 0, totalCents: 0 }])
  const less = [{ quantity: 4, weightLb: 70, unitCents: unitCents - 1 }]
  expect(priceShipping(changed, 'AK', less).totalCents).toBe(4 * (2_475 + 1_500) + 500)
  expect(priceShipping(changed, 'HI', four).totalCents).toBe(4 * (2_975 + 1_500))
  expect(itemizeShipping(changed, 'AK', less)[0]?.reason).toMatch(/Free with tires for \$600 or more$/)
  expect(freeFromCentsIn(changed, 'AK')).toBe(60_000)
  // A zone that always ships free doesn't say when.
  const free = { ...rates.zones.CONUS, freeFromCents: 60_000 }
  expect(freeFromCentsIn({ ...rates, zones: { ...rates.zones, CONUS: free } }, 'CONUS')).toBe(null)
})

const midwest = {
  id: 1,
  name: 'Midwest',
  states: ['IL', 'WI'],
  zips: [],
  perTireCents: 500,
  oversizePerTireCents: 300,
  handlingCents: 100,
  freeFromCents: 60_000,
}

/** The standard rates with the zone Midwest and these exceptions. */
function withPlan(...exceptions: Partial<ShippingException>[]): ShippingRates {
  const standard = { aboveLb: null, where: null, kind: 'rate', cents: 0, until: null } as const
  return {
    ...rates,
    plan: {
      zones: [midwest],
      exceptions: exceptions.map((exception, index) => ({ ...standard, ...exception, id: index + 2 })),
    },
  }
}

const one = (weightLb: number, quantity = 1) => [{ quantity, weightLb, unitCents }]
const inState = (state: string, zip: string | null = null): ShippingPlace => ({ state, zip })
const costOf = (to: ShippingRates, place: ShippingPlace, tires = one(20)) => priceShipping(to, place, tires).totalCents

test('states of a zone have its rates, and other states the rates of their region', () => {
  const changed = withPlan()
  expect(costOf(changed, inState('IL'))).toBe(600)
  expect(costOf(changed, inState('WI'), one(70))).toBe(900)
  expect(costOf(changed, inState('IN'))).toBe(0)
  expect(costOf(changed, 'CONUS')).toBe(0)
  expect(costOf(changed, inState('IL'), one(20, 4))).toBe(0)
  expect(freeFromCentsIn(changed, inState('IL'))).toBe(60_000)
  expect(isShippingFree(changed)).toBe(false)
  expect(shippingTable(changed).filter(({ zone }) => zone === 'Midwest')).toHaveLength(3)
})

test('the heaviest matching exception replaces the rates per tire, even for an order that ships free', () => {
  const changed = withPlan({ aboveLb: 60, cents: 1_000 }, { aboveLb: 100, cents: 1_800 }, { where: 'HI', cents: 2_000 })
  expect(costOf(changed, inState('TX'), one(60))).toBe(0)
  expect(costOf(changed, inState('TX'), one(61))).toBe(1_000)
  expect(costOf(changed, inState('TX'), one(101, 2))).toBe(3_600)
  expect(costOf(changed, 'HI')).toBe(2_000)
  // A weight is more specific than a place.
  expect(costOf(changed, 'HI', one(70))).toBe(1_000)
  expect(itemizeShipping(changed, inState('IL'), [...one(20, 4), ...one(101, 2)])).toMatchObject([
    { kind: 'shipping', units: 4, totalCents: 0 },
    { kind: 'exception', units: 2, cents: 1_800, totalCents: 3_600, reason: 'Tires over 100 lb' },
  ])
})

test('a place is more specific than everywhere at the same weight', () => {
  const changed = withPlan({ cents: 700 }, { where: 'zone-1', cents: 900 })
  expect(costOf(changed, inState('IL'))).toBe(1_000)
  expect(costOf(changed, inState('TX'))).toBe(700)
  expect(isShippingFree(changed)).toBe(false)
  expect(isShippingFree({ ...changed, plan: { zones: [], exceptions: [] } })).toBe(true)
})

test('a discount lowers the rates per tire, first the rate of all tires, and never below zero', () => {
  const changed = withPlan({ kind: 'less', where: 'AK', cents: 1_000 }, { kind: 'less', where: 'zone-1', cents: 700 })
  expect(costOf(changed, 'AK')).toBe(1_475)
  expect(costOf(changed, 'HI')).toBe(2_975)
  expect(costOf(changed, inState('IL'))).toBe(100)
  expect(costOf(changed, inState('IL'), one(70))).toBe(200)
  expect(itemizeShipping(changed, 'AK', one(20))[0]?.reason).toMatch(/All tires, \$10\.00 less per tire$/)
  expect(isShippingFree(withPlan({ kind: 'less', cents: 100 }))).toBe(false)
})

test('areas have every state once, with the states of a zone apart by region', () => {
  const changed = { ...rates, plan: { zones: [{ ...midwest, states: ['AK', 'IL', 'WI'] }], exceptions: [] } }
  const areas = shippingAreas(changed)
  expect(areas.map(({ place }) => place)).toEqual(['CONUS', 'HI', 'zone-1', 'zone-1'])
  const states = areas.flatMap((area) => area.states)
  expect(new Set(states).size).toBe(states.length)
  expect(states).toHaveLength(51)
})

test('the most exact ZIP range applies, then the state, then the region', () => {
  const zone = (id: number, zips: string[], perTireCents: number, states: string[] = []) => ({
    ...midwest,
    id,
    name: `Zone ${id}`,
    states,
    zips,
    perTireCents,
    handlingCents: 0,
    freeFromCents: null,
  })
  const zones = [
    zone(1, ['606', '995-999'], 500),
    zone(2, ['60614', '99501-99524'], 900),
    zone(3, ['006-009'], 700, ['IL']),
  ]
  const changed = { ...rates, plan: { zones, exceptions: [] } }
  expect(costOf(changed, inState('IL', '60614'))).toBe(900)
  expect(costOf(changed, inState('IL', '60615'))).toBe(500)
  expect(costOf(changed, inState('IL', '62701'))).toBe(700)
  expect(costOf(changed, inState('IL'))).toBe(700)
  expect(costOf(changed, inState('AK', '99524'))).toBe(900)
  expect(costOf(changed, inState('AK', '99525'))).toBe(500)
  expect(costOf(changed, inState('PR', '00901'))).toBe(700)
  expect(costOf(changed, inState('GU', '96910'))).toBe(3_475)
  expect(isSameZone(changed, inState('IL', '60614'), inState('IL', '60615'))).toBe(false)
  expect(isSameZone(changed, inState('IL', '60615'), inState('AK', '99999'))).toBe(true)
  expect(isShippingFree(changed)).toBe(false)
  // A zone of Alaska does not count for the contiguous states.
  expect(isShippingFree({ ...changed, plan: { zones: [zone(1, ['995-999'], 500)], exceptions: [] } })).toBe(true)
  expect(shippingAreas(changed).filter(({ zips }) => zips.length > 0)).toEqual([
    { place: 'zone-1', region: 'CONUS', states: [], zips: ['606'] },
    { place: 'zone-1', region: 'AK', states: [], zips: ['995-999'] },
    { place: 'zone-2', region: 'CONUS', states: [], zips: ['60614'] },
    { place: 'zone-2', region: 'AK', states: [], zips: ['99501-99524'] },
    { place: 'zone-3', region: 'TERRITORY', states: [], zips: ['006-009'] },
  ])
})

test('a range across regions is divided, and American Samoa is not in Hawaii', () => {
  expect(zipsByRegion('96650-96899')).toEqual([
    { region: 'CONUS', range: '96650-96699' },
    { region: 'HI', range: '96700-96899' },
  ])
  expect(zipsByRegion('005-010')).toEqual([
    { region: 'CONUS', range: '005' },
    { region: 'TERRITORY', range: '006-009' },
    { region: 'CONUS', range: '010' },
  ])
  expect(zipsByRegion('96799')).toEqual([{ region: 'TERRITORY', range: '96799' }])
})
