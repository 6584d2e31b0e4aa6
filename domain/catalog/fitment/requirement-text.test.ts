import { expect, test } from 'vitest'
import { stateRequirement, type AxleRequirement, type Requirement } from './fitment.ts'
import { parseTireSize } from '#domain/kernel/tire-sizes/tire-sizes.ts'

const size = parseTireSize('225/65R17')
const axle: AxleRequirement = { size, loadIndex: 102, speed: 'H', loadClass: 'SL', pressurePsi: 33 }
const requirement: Requirement = {
  source: 'placard',
  vehicleClass: 'suv',
  drive: 'awd',
  configurations: [{ front: axle, rear: axle }],
}

test('size, load, speed and pressure are stated per axle', () => {
  expect(stateRequirement(requirement)).toEqual({
    source: 'placard',
    sourceDate: null,
    rows: [
      { label: 'Size', front: '225/65R17', rear: '225/65R17' },
      { label: 'Load', front: '102: carries 1,874 lb', rear: '102: carries 1,874 lb' },
      { label: 'Speed', front: 'H: up to 130 mph', rear: 'H: up to 130 mph' },
      { label: 'Cold pressure', front: '33 psi', rear: '33 psi' },
    ],
  })
})

test('lists unknown values, and every value of an open trim', () => {
  const other: AxleRequirement = { size, loadRange: 'E', loadClass: 'XL' }
  const { rows } = stateRequirement({
    ...requirement,
    configurations: [
      { front: axle, rear: other },
      { front: axle, rear: {} },
    ],
  })
  expect(rows.map(({ rear }) => rear)).toEqual([
    '225/65R17 or Not known',
    'XL, load range E: 10 ply rating, up to 80 psi or Not known',
    'Not known',
    'Not known',
  ])
  expect(stateRequirement({ ...requirement, configurations: [] }).rows[0]?.front).toBe('Not known')
})
