import { expect, test } from 'vitest'
import { unreachableStates } from '#platform/transitions.ts'
import { canCancel, holdText, orderLife, parseOrderNumber, shipmentLife } from './orders.ts'

test('every state of an order and of a shipment can be reached', () => {
  expect(unreachableStates(orderLife, 'needs-confirmation')).toEqual([])
  expect(unreachableStates(shipmentLife, 'processed')).toEqual([])
})

test('a table with a state nobody enters is found out', () => {
  expect(unreachableStates<'a' | 'b' | 'c'>({ a: ['b'], b: [], c: ['a'] }, 'a')).toEqual(['c'])
})

const placedAt = Temporal.Instant.from('2026-11-20T15:00:00Z')
const order = { state: 'confirmed' as const, cancelUntil: placedAt.add({ minutes: 30 }), releasedAt: null }

test('an order can be canceled until the thirtieth minute is over, to the second', () => {
  expect(canCancel(order, placedAt.add({ minutes: 29, seconds: 59 }))).toEqual({ can: true })
  expect(canCancel(order, placedAt.add({ minutes: 30 })).can).toBe(false)
  expect(canCancel({ ...order, state: 'canceled' }, placedAt).can).toBe(false)
  expect(canCancel({ ...order, releasedAt: placedAt.add({ minutes: 30 }) }, placedAt.add({ minutes: 20 })).can).toBe(
    false,
  )
})

test.for([
  ['S-104001', 104001],
  ['s104001', 104001],
  [' 104001 ', 104001],
  ['S-', undefined],
  ['104001; drop', undefined],
  ['9'.repeat(30), undefined],
] as const)('order number %s reads as %s', ([text, id]) => {
  expect(parseOrderNumber(text)).toBe(id)
})

test('a car left in the evening is spoken of as such, with its window and code, from the moment it is held', () => {
  const at = (text: string) => Temporal.ZonedDateTime.from(`${text}[America/Chicago]`).toInstant()
  const hold = { start: at('2026-11-25T16:00'), end: at('2026-11-25T18:00'), timeZone: 'America/Chicago' }
  expect(holdText({ ...hold, kind: 'drop-off', dropOff: { window: 'EVE', code: '20261125-EVE' } })).toBe(
    'Wed, Nov 25: leave the car in the evening, from 4:00 PM to 6:00 PM CST (code 20261125-EVE)',
  )
  expect(holdText({ ...hold, kind: 'wait', dropOff: null })).toBe('Wed, Nov 25, 4:00 PM CST, wait at the shop')
})
