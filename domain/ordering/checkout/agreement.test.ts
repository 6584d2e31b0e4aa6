import { expect, test } from 'vitest'
import type { Cart } from '#domain/payments/cart/cart.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { agreementKey, changedParts, type AgreedPart } from './agreement.server.ts'

const line = { itemId: 1, axle: 'all', quantity: 4, coverage: false }
const cart = {
  lines: [line],
  services: [],
  roadside: false,
  vehicle: null,
  fulfillment: 'shop',
  shopId: 7,
  carrierLocationId: null,
  pickupWarehouseId: null,
} as unknown as Cart
const contact = {
  firstName: 'Dana',
  lastName: 'Ruiz',
  company: null,
  address1: '1 Main St',
  address2: null,
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
  instructions: null,
  email: 'dana@example.com',
  phone: { digits: '3125550142', extension: null },
  phoneType: 'mobile' as const,
  vehicleNote: null,
}
const breakdown = { explain: [{ key: 'tires', cents: 10_000, units: [] }] } as unknown as PriceBreakdown
const time = { shopId: 7, start: Temporal.Instant.from('2026-12-01T15:00:00Z') }
const agreed = { cart, contact, breakdown, time }
const key = agreementKey(agreed)

const rows: [string, Partial<typeof agreed>, AgreedPart[]][] = [
  ['nothing', {}, []],
  ['a quantity', { cart: { ...cart, lines: [{ ...line, quantity: 2 }] } as unknown as Cart }, ['tires']],
  ['an axle', { cart: { ...cart, lines: [{ ...line, axle: 'front' }] } as unknown as Cart }, ['tires']],
  ['a service', { cart: { ...cart, services: [{ service: 'flat-repair', units: 1 }] } }, ['tires']],
  ['roadside assistance', { cart: { ...cart, roadside: true } }, ['tires']],
  ['the shop', { cart: { ...cart, shopId: 8 } }, ['delivery']],
  ['the fulfillment method', { cart: { ...cart, fulfillment: 'home' } }, ['delivery']],
  ['the street', { contact: { ...contact, address1: '2 Main St' } }, ['delivery']],
  ['the second address line', { contact: { ...contact, address2: 'Apt 2' as never } }, ['delivery']],
  [
    'delivery instructions',
    { contact: { ...contact, instructions: 'Leave with the neighbor' as never } },
    ['delivery'],
  ],
  ['the name', { contact: { ...contact, lastName: 'Reyes' } }, ['contact']],
  ['the email', { contact: { ...contact, email: 'stranger@example.com' } }, ['contact']],
  ['the phone', { contact: { ...contact, phone: { digits: '3125550143', extension: null } } }, ['contact']],
  ['the time', { time: { ...time, start: time.start.add({ hours: 1 }) } }, ['appointment']],
  [
    'an amount',
    { breakdown: { explain: [{ key: 'tires', cents: 10_001, units: [] }] } as unknown as PriceBreakdown },
    ['price'],
  ],
]

test.each(rows)('a change of %s changes its part of the key', (_what, change, parts) => {
  expect(changedParts(key, agreementKey({ ...agreed, ...change }))).toEqual(parts)
})

test('an order without an appointment has one key, whether its time is null or undefined', () => {
  expect(agreementKey({ ...agreed, time: undefined })).toBe(agreementKey({ ...agreed, time: null }))
  expect(changedParts(key, agreementKey({ ...agreed, time: undefined }))).toEqual(['appointment'])
})

test('lines in another order are the same tires', () => {
  const [first, second] = [line, { ...line, itemId: 2 }].map((each) => each as unknown as Cart['lines'][number])
  if (!first || !second) throw new Error('no lines')
  const keyOf = (lines: Cart['lines']) => agreementKey({ ...agreed, cart: { ...cart, lines } })
  expect(keyOf([first, second])).toBe(keyOf([second, first]))
})

test('a text that is no key differs in all parts', () => {
  expect(changedParts('', key)).toEqual(['price', 'tires', 'delivery', 'contact', 'appointment'])
  expect(key.length).toBeLessThanOrEqual(200)
})
