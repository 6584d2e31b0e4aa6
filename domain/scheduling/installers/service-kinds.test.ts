import { expect, test } from 'vitest'
import { offeredServices, serviceKinds, storageMonthsOf } from './installers.ts'

test('lists offered services in the order of their kinds, without kinds that were removed', () => {
  const price = { priceCents: 3_000, minutes: 30 }
  const offered = offeredServices([
    { service: 'removed-kind', ...price },
    { service: 'alignment', ...price },
    { service: 'rotation', ...price },
  ])
  expect(offered.map(({ name, unit }) => [name, unit])).toEqual([
    ['Rotation and balance', 'vehicle'],
    ['Wheel alignment', 'vehicle'],
  ])
})

test('each kind has a key that the database takes', () => {
  const keys = serviceKinds.map(({ key }) => key)
  expect(keys.filter((key) => !/^[a-z]+(-[a-z]+)*$/.test(key) || key.length > 40)).toEqual([])
  expect(new Set(keys).size).toBe(keys.length)
})

test.for([
  ['changeover-storage', 6],
  ['changeover', null],
  [null, null],
] as const)('the service %s stores a set for %s months', ([service, months]) => {
  expect(storageMonthsOf(service)).toBe(months)
})
