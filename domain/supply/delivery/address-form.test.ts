import { expect, test } from 'vitest'
import { addressText, isSameAddress, isSameCity, hasHouseNumber, isStreet, plainStreet } from './address-form.ts'

test.for([
  ['1430 North Halsted Street, Suite 2', '1430 N. Halsted St'],
  ['55 Saint Mary’s Blvd.', '55 saint marys boulevard'],
  ['9 Calle Peña', '9 CALLE PENA Unit 4'],
] as const)('%s and %s are one building', ([one, other]) => {
  expect(plainStreet(one)).toBe(plainStreet(other))
})

test('what looks like a unit in front is the name of the street', () => {
  expect(plainStreet('12 Bay St')).toBe('12 BAY ST')
  expect(plainStreet('12 Unit Rd')).toContain('12 UNIT')
})

test.for([
  ['St. Louis', 'saint louis', true],
  ['Ft Worth', 'Fort Worth', true],
  ['N. Hollywood', 'North Hollywood', true],
  ['Springfield', 'Chicago', false],
] as const)('%s is %s: %s', ([one, other, expected]) => {
  expect(isSameCity(one, other)).toBe(expected)
})

test.for([
  '1430 N Halsted St',
  'One Main Street',
  'N6W23001 Bluemound Rd',
  'RR 2 Box 18',
  '742 Évergreen',
  'County Road 12',
  'Km 4.2 Carretera 3',
  '12 5th Avenue',
])('"%s" could be found by a driver', (line) => {
  expect(isStreet([line])).toBe(true)
})

test.for(['asdf', 'Main Street', '5th Avenue', '1234', '-', '', '12 3 B'])('"%s" could not', (line) => {
  expect(isStreet([line])).toBe(false)
})

test('addresses are compared whole, and written in one line', () => {
  expect(isStreet(['Oak Plaza', 'Unit 4'])).toBe(true)
  expect(hasHouseNumber(['Oak Plaza', null])).toBe(false)
  const home = { address1: '1430 N Halsted St', address2: 'Apt 2', city: 'Chicago', state: 'IL', zip: '60614' }
  expect(
    isSameAddress(home, { ...home, address1: '1430 NORTH HALSTED STREET APT 2', address2: null, zip: '60614-1234' }),
  ).toBe(true)
  for (const change of [{ address2: 'Apt 3' }, { city: 'Cicero' }, { state: 'IN' }, { zip: '60613' }])
    expect(isSameAddress(home, { ...home, ...change })).toBe(false)
  expect(addressText({ ...home, address2: null })).toBe('1430 N Halsted St, Chicago, IL 60614')
})

test('a long hostile line does not stall anything', () => {
  expect(isStreet(['a1 '.repeat(200_000)])).toBe(false)
  expect(plainStreet('-'.repeat(1_000_000))).toBe('')
})
