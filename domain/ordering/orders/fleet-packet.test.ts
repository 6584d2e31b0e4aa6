/** What a fleet's people type about a vehicle. */
import { expect, test } from 'vitest'
import { missingInPacket, readAnyVin, readPacket } from './orders.ts'

const read = (fields: Record<string, string>) => readPacket(new URLSearchParams(fields))

test.for([
  ['unit', ' 11  7 ', '11 7'],
  ['unit', 'U-7/b', 'U-7/b'],
  ['unit', '', null],
  ['unit', 'x'.repeat(21), undefined],
  ['unit', '<b>', undefined],
  ['unit', 'a\0b', undefined],
  ['driver', 'Ray Ortiz', 'Ray Ortiz'],
  ['driver', 'x'.repeat(61), undefined],
  ['driver', `Ray${' '.repeat(300)}Ortiz`, undefined],
  ['plate', 'p44-90 21', 'P449021'],
  ['plate', '123456789', undefined],
  ['plate', 'É1', undefined],
  ['plateState', ' il ', 'IL'],
  ['plateState', 'Illinois', undefined],
] as const)('%s %j is read as %j', ([name, typed, expected]) => {
  const { value, errors } = read({ [name]: typed })
  expect(value[name]).toEqual(expected ?? null)
  expect(Object.keys(errors)).toEqual(expected === undefined ? [name] : [])
})

test('a fleet packet lists its missing fields', () => {
  expect(missingInPacket({ ...read({}).value, vin: null }).map(({ name }) => name)).toEqual([
    'unit',
    'driver',
    'vin',
    'plate',
    'plateState',
  ])
  const { value } = read({ unit: '1', driver: 'Ray', plate: 'P1', plateState: 'IL' })
  expect(missingInPacket({ ...value, vin: '3A004352' })).toEqual([])
})

test.for([
  ['', null, false],
  ['3a00 4352', '3A004352', false],
  ['1hgcm82633a004352', '1HGCM82633A004352', false],
  ['1HGCM82633A004353', null, true],
  ['IOQ00000', null, true],
  ['x'.repeat(5_000), null, true],
] as const)('the VIN %j is read as %j', ([typed, value, isWrong]) => {
  const vin = readAnyVin(typed)
  expect(vin.value).toEqual(value)
  expect(vin.error !== undefined).toBe(isWrong)
})
