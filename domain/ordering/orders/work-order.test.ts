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
  placedAt: Temporal.Instant.from('2026-11-20T18:00:00Z'),
  verdict: {
    vehicleName: '2021 BMW X5',
    verdict: 'fits_with_conditions',
    sets: [
      {
        verdict: 'fits_with_conditions',
        headline: 'Fits your X5 if the shop sets the pressure',
        lines: ['Extra-load tire: the shop must set the pressure.'],
        ruleBook: '2026.11.2',
        rules: ['FR16', 'FR10'],
        requirement: {
          source: 'placard',
          sourceDate: null,
          rows: [{ label: 'Size', front: '275/40R21', rear: '315/35R21' }],
        },
      },
    ],
  },
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

test('shows items, location, local time, and that no payment is collected', () => {
  expect(workOrderOf(order, config)).toMatchObject({
    poNumber: '104915-1',
    stop: null,
    appointment: 'Tue, Nov 24, 10:00 AM MST, wait at the shop',
    customer: ['Iris V.', '(312) 555-0142'],
    vehicle: '2021 BMW X5',
    torque: 'See manual',
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

test('states the torque of the vehicle with its source, if all results of the order agree', () => {
  const wheels = (torqueLbFt: number | null) => ({
    frontPsi: null,
    rearPsi: null,
    frontOffsetMm: null,
    rearOffsetMm: null,
    boltPattern: '5x112',
    hubBoreMm: null,
    tpms: null,
    torqueLbFt,
    sources: [{ name: 'Wheel-Size', date: '2026-11-02' }],
  })
  const torque = (...all: (number | null | undefined)[]) => {
    const sets = all.map((each) => ({
      verdict: 'fits' as const,
      headline: 'Fits',
      lines: [],
      ruleBook: '2026.11.2',
      requirement: {
        source: 'catalog' as const,
        sourceDate: null,
        rows: [],
        ...(each !== undefined && { wheels: wheels(each) }),
      },
    }))
    return workOrderOf({ ...order, verdict: { vehicleName: '2021 BMW X5', verdict: 'fits', sets } }, config)?.torque
  }
  expect(torque(103)).toBe('103 lb-ft (Wheel-Size, November 2, 2026)')
  expect(torque(103, 103)).toBe('103 lb-ft (Wheel-Size, November 2, 2026)')
  for (const all of [[], [null], [undefined], [103, 98], [103, null], [103, undefined]])
    expect(torque(...all)).toBe('See manual')
})

test('prints what the vehicle requires and the verdict with its rules', () => {
  expect(workOrderOf(order, config)?.fitment).toEqual({
    toCheck: null,
    sets: [
      {
        verdict: 'Fits with conditions',
        lines: ['Extra-load tire: the shop must set the pressure.'],
        basis: 'Rules FR16, FR10 of rule book 2026.11.2, checked Nov 20, 2026.',
        source: 'From the door label, confirmed by the customer.',
        rows: [{ label: 'Size', front: '275/40R21', rear: '315/35R21' }],
      },
    ],
  })
})

test('an order without a fitment result or stored requirement lists the checks to make', () => {
  const check = 'Check size, load, speed and pressure on the door label before the car goes up.'
  expect(workOrderOf({ ...order, verdict: null }, config)?.fitment).toEqual({ toCheck: check, sets: [] })
  const before = { verdict: 'fits' as const, headline: 'Fits', lines: [], ruleBook: '2026.10' }
  const verdict = { vehicleName: '2021 BMW X5', verdict: 'fits' as const, sets: [before] }
  expect(workOrderOf({ ...order, verdict }, config)?.fitment).toMatchObject({
    toCheck: check,
    sets: [{ rows: [], source: null, basis: 'Result of rule book 2026.10, checked Nov 20, 2026.' }],
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

test('an order without installation has no work order', () => {
  expect(workOrderOf({ ...order, shop: null }, config)).toBeUndefined()
})
