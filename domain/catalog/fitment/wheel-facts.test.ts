/** Rule FR50, with two sources or two possible vehicles in each case. */
import { expect, test } from 'vitest'
import {
  combineSourced,
  commonWheelFacts,
  stateRequirement,
  wheelFactRows,
  wheelSourceText,
  type Requirement,
  type SourcedWheelFacts,
  type WheelFacts,
} from './fitment.ts'

const unknown: WheelFacts = {
  frontPsi: null,
  rearPsi: null,
  frontOffsetMm: null,
  rearOffsetMm: null,
  boltPattern: null,
  hubBoreMm: null,
  tpms: null,
  torqueLbFt: null,
}
const sizeData = { name: 'SizeData', date: '2026-10-05' }
const wheelSize = { name: 'Wheel-Size', date: '2026-11-02' }
const sourced = (facts: Partial<WheelFacts>, source = wheelSize): SourcedWheelFacts => ({
  ...unknown,
  ...facts,
  sources: [source],
})

const offset = (min: number, max: number) => ({ frontOffsetMm: { min, max } })
const vectors: readonly [string, Partial<WheelFacts>, Partial<WheelFacts>, Partial<WheelFacts>, Partial<WheelFacts>][] =
  [
    // case, one, other, combined sources, both vehicles are possible
    ['the same torque', { torqueLbFt: 80 }, { torqueLbFt: 80 }, { torqueLbFt: 80 }, { torqueLbFt: 80 }],
    ['another torque', { torqueLbFt: 80 }, { torqueLbFt: 98 }, {}, {}],
    ['a torque that one lacks', { torqueLbFt: 80 }, {}, { torqueLbFt: 80 }, {}],
    [
      'the same pressures',
      { frontPsi: 35, rearPsi: 33 },
      { frontPsi: 35, rearPsi: 33 },
      { frontPsi: 35, rearPsi: 33 },
      { frontPsi: 35, rearPsi: 33 },
    ],
    [
      'another rear pressure',
      { frontPsi: 35, rearPsi: 33 },
      { frontPsi: 35, rearPsi: 38 },
      { frontPsi: 35 },
      { frontPsi: 35 },
    ],
    ['another bolt pattern', { boltPattern: '5x114.3' }, { boltPattern: '5x112' }, {}, {}],
    ['another bore', { hubBoreMm: 67.1 }, { hubBoreMm: 66.6 }, {}, {}],
    ['offsets that overlap', offset(40, 50), offset(45, 55), offset(45, 50), offset(45, 50)],
    ['offsets that don’t overlap', offset(40, 44), offset(45, 55), {}, {}],
    ['an offset that one lacks', offset(40, 44), {}, offset(40, 44), {}],
    ['another monitor', { tpms: 'direct' }, { tpms: 'indirect' }, {}, {}],
  ]

test.each(vectors)('%s', (_case, one, other, combined, common) => {
  const found = combineSourced([sourced(one, sizeData), sourced(other)])
  expect(found ?? unknown).toEqual(
    Object.keys(combined).length === 0 ? unknown : { ...unknown, ...combined, sources: [sizeData, wheelSize] },
  )
  expect(commonWheelFacts([one, other].map((facts) => ({ ...unknown, ...facts })))).toEqual({ ...unknown, ...common })
})

test('known facts are shown by axle, and the work order names the source of a pressure', () => {
  const facts = sourced({
    frontPsi: 35,
    rearPsi: 38,
    frontOffsetMm: { min: 40, max: 45 },
    rearOffsetMm: { min: 40, max: 45 },
    boltPattern: '5x114.3',
    hubBoreMm: 67.1,
    tpms: 'direct',
    torqueLbFt: 80,
  })
  expect(wheelFactRows(facts).map(({ term, value }) => `${term}: ${value}`)).toEqual([
    'Cold pressure: 35 psi front, 38 psi rear',
    'Lug torque: 80 lb-ft',
    'Bolt pattern: 5x114.3',
    'Hub bore: 67.1 mm',
    'Wheel offset: 40 to 45 mm',
    'Tire pressure monitor: Direct',
  ])
  expect(wheelFactRows(sourced({ frontPsi: 35 }))).toEqual([])
  expect(wheelSourceText([sizeData, wheelSize])).toBe('SizeData, October 5, 2026 and Wheel-Size, November 2, 2026')
  const requirement: Requirement = {
    source: 'catalog',
    vehicleClass: 'suv',
    drive: 'awd',
    configurations: [{ front: {}, rear: {} }],
  }
  const pressure = (wheels?: SourcedWheelFacts) =>
    stateRequirement({ ...requirement, wheels }).rows.find(({ label }) => label === 'Cold pressure')
  expect(pressure(facts)).toMatchObject({
    front: '35 psi (Wheel-Size, November 2, 2026)',
    rear: '38 psi (Wheel-Size, November 2, 2026)',
  })
  for (const wheels of [undefined, sourced({ frontPsi: 35 })])
    expect(pressure(wheels)).toMatchObject({ front: 'Not known', rear: 'Not known' })
})
