import { expect, test } from 'vitest'
import { workOrderOf } from './work-order.server.ts'

const config = { store: { name: 'Sidewall', phone: '(312) 555-0100' }, demo: false } as Parameters<
  typeof workOrderOf
>[1]
const parcel = {
  id: 'a',
  state: 'in-transit',
  carrier: 'Freight',
  trackingNumber: 'T-1',
  promisedOn: '2026-11-23',
  deliveredAt: null,
  warehouse: { id: 1, name: 'Joliet', city: 'Joliet', state: 'IL', zip: '60431' },
  items: [{ description: 'Front tire', quantity: 2, weightLb: 25 }],
  events: [],
} as const
const line = { itemId: 1, canceled: 0, unitCents: 1, netCents: 1, line: null }
const order = {
  id: 104915,
  state: 'confirmed',
  firstName: 'Iris',
  lastName: 'Vance',
  phone: '3125550142',
  timeZone: 'America/Denver',
  address: { line1: '1 Elm St', line2: null, city: 'Denver', state: 'CO', zip: '80202' },
  vehicleNote: null,
  verdict: { vehicleName: '2021 BMW X5', verdict: 'fits', sets: [] },
  shop: {
    name: 'Ridge Tire',
    street: '5 Main St',
    city: 'Denver',
    state: 'CO',
    zip: '80202',
    phone: '3035550100',
    kind: 'shop',
  },
  booking: {
    kind: 'wait',
    state: 'confirmed',
    start: Temporal.Instant.from('2026-11-24T17:00:00Z'),
    end: Temporal.Instant.from('2026-11-24T18:30:00Z'),
    dropOffWindow: null,
    dropOffCode: null,
  },
  lines: [
    { ...line, lineNo: 1, kind: 'tire', axle: 'front', description: 'Front tire', quantity: 2 },
    { ...line, lineNo: 2, kind: 'tire', axle: 'rear', description: 'Rear tire', quantity: 2 },
    { ...line, lineNo: 3, kind: 'installation', axle: null, description: 'Installation', quantity: 4 },
    { ...line, lineNo: 4, kind: 'coverage', axle: null, description: 'Replacement coverage', quantity: 4 },
  ],
  shipments: [
    parcel,
    {
      ...parcel,
      id: 'b',
      state: 'processed',
      carrier: null,
      trackingNumber: null,
      items: [{ description: 'Rear tire', quantity: 2, weightLb: 27 }],
    },
  ],
} as unknown as Parameters<typeof workOrderOf>[0]

test('says what the shop installs, where, when on its clock, and that nothing is to be collected', () => {
  expect(workOrderOf(order, config)).toMatchObject({
    poNumber: '104915-1',
    stop: null,
    appointment: 'Tue, Nov 24, 10:00 AM MST, wait at the shop',
    customer: ['Iris V.', '(312) 555-0142'],
    vehicle: '2021 BMW X5',
    torque: "See the vehicle's manual",
    isStaggered: true,
    positions: [
      { position: 'Front', tire: 'Front tire', quantity: 2 },
      { position: 'Rear', tire: 'Rear tire', quantity: 2 },
    ],
    money: 'Prepaid. Do not collect.',
    // Coverage is not the shop's work.
    prepaid: ['Installation, 4'],
    parcels: [
      { title: 'Parcel 1 of 2', pieces: '2 of 4 pieces', tracking: 'Freight T-1', arrival: 'Promised by Mon, Nov 23' },
      { title: 'Parcel 2 of 2', pieces: '2 of 4 pieces', tracking: 'Not announced yet' },
    ],
  })
})

test('a van gets the address it comes to, a shop does not', () => {
  const van = { ...order, shop: { ...order.shop, kind: 'van' } } as typeof order
  expect(workOrderOf(van, config)?.customer).toEqual(['Iris V.', '(312) 555-0142', '1 Elm St', 'Denver, CO 80202'])
})

test.for([
  ['canceled', 'Do not install'],
  ['returned', 'Do not install'],
  ['needs-confirmation', 'not confirmed yet'],
] as const)('an order that is %s says so first', ([state, words]) => {
  expect(workOrderOf({ ...order, state }, config)?.stop).toContain(words)
})

test('an order that nobody installs has none', () => {
  expect(workOrderOf({ ...order, shop: null }, config)).toBeUndefined()
})
