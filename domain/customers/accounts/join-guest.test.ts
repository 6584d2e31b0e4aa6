import { expect, test } from 'vitest'
import { joinGuest, type Remembered, type RememberedCart } from './join-guest.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'

const nothing: Remembered = { zip: null, compared: [], searches: [], vehicles: [], cart: null }

const vehicle = (change: Partial<ChosenVehicle> = {}): ChosenVehicle => ({
  vehicleId: 1,
  fitmentId: null,
  year: 2019,
  makeSlug: 'honda',
  modelSlug: 'cr-v',
  name: '2019 Honda CR-V',
  confirmed: false,
  label: null,
  ...change,
})

const searches = (...names: string[]) => names.map((name) => ({ label: name, path: `/${name}` }))

test.for<[string, Partial<Remembered>, Partial<Remembered>, Partial<ReturnType<typeof joinGuest>>]>([
  ['the guest’s ZIP stands', { zip: '60614' }, { zip: '10001' }, { zip: '60614' }],
  ['without one the account’s does', {}, { zip: '10001' }, { zip: '10001' }],
  [
    'compared tires of both, the guest’s first',
    { compared: ['3', '1'] },
    { compared: ['1', '2'] },
    { compared: ['3', '1', '2'] },
  ],
  [
    'of more than five the account’s last stay out',
    { compared: ['1', '2', '3'] },
    { compared: ['4', '5', '6'] },
    { compared: ['1', '2', '3', '4', '5'] },
  ],
  [
    'searches of both, each once',
    { searches: searches('b', 'a') },
    { searches: searches('a', 'c') },
    { searches: searches('b', 'a', 'c') },
  ],
  [
    'another car is added, and the guest’s stands first',
    { vehicles: [vehicle({ modelSlug: 'civic' })] },
    { vehicles: [vehicle()] },
    { vehicles: [vehicle({ modelSlug: 'civic' }), vehicle()] },
  ],
  [
    'of one car the better known stays',
    { vehicles: [vehicle({ vehicleId: null })] },
    { vehicles: [vehicle({ confirmed: true })] },
    { vehicles: [vehicle({ confirmed: true })] },
  ],
  [
    'what was read off the label counts more than a yes',
    { vehicles: [vehicle({ confirmed: true, label: { front: '235/65R17', rear: '235/65R17' } })] },
    { vehicles: [vehicle({ confirmed: true, fitmentId: 7 })] },
    { vehicles: [vehicle({ confirmed: true, label: { front: '235/65R17', rear: '235/65R17' } })] },
  ],
  [
    'of two known alike the guest’s stays',
    { vehicles: [vehicle({ fitmentId: 2 })] },
    { vehicles: [vehicle({ fitmentId: 3 })] },
    { vehicles: [vehicle({ fitmentId: 2 })] },
  ],
])('%s', ([, guest, account, expected]) => {
  expect(joinGuest({ ...nothing, ...guest }, { ...nothing, ...account })).toMatchObject(expected)
})

const cart = (id: string, tires: number, isOthers = false): RememberedCart => ({ id, tires, isOthers })

test.for<[string, RememberedCart | null, RememberedCart | null, { cartId: string | null; emptied: string | null }]>([
  ['none at all', null, null, { cartId: null, emptied: null }],
  ['the guest’s becomes the account’s', cart('g', 4), null, { cartId: 'g', emptied: null }],
  ['the account’s comes into this browser', null, cart('a', 4), { cartId: 'a', emptied: null }],
  ['both: the guest’s stays and takes the other’s tires', cart('g', 4), cart('a', 2), { cartId: 'g', emptied: 'a' }],
  ['an empty one gives way', cart('g', 0), cart('a', 2), { cartId: 'a', emptied: null }],
  ['an empty one is not taken in', cart('g', 4), cart('a', 0), { cartId: 'g', emptied: null }],
  ['one and the same', cart('x', 4), cart('x', 4), { cartId: 'x', emptied: null }],
  ['another account’s is left alone', cart('o', 4, true), null, { cartId: null, emptied: null }],
  [
    'another account’s is left alone, and the own one comes',
    cart('o', 4, true),
    cart('a', 2),
    { cartId: 'a', emptied: null },
  ],
])('carts: %s', ([, guest, account, expected]) => {
  expect(joinGuest({ ...nothing, cart: guest }, { ...nothing, cart: account })).toMatchObject(expected)
})

test('joining a cart twice has no effect', () => {
  const guest: Remembered = {
    zip: '60614',
    compared: ['1'],
    searches: searches('a'),
    vehicles: [vehicle()],
    cart: cart('g', 4),
  }
  const account: Remembered = {
    zip: '10001',
    compared: ['2'],
    searches: searches('b'),
    vehicles: [vehicle({ modelSlug: 'civic' })],
    cart: null,
  }
  const { cartId: _, emptied: __, ...joined } = joinGuest(guest, account)
  expect(joinGuest(guest, { ...joined, cart: cart('g', 4) })).toMatchObject(joined)
})
