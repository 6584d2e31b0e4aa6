import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { unreachableStates } from '#platform/transitions.testing.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  canCancel,
  lastToCancel,
  holdText,
  mayShipmentMove,
  nextOrderState,
  orderLife,
  orderStatesFor,
  shipmentLife,
  type OrderAct,
  type OrderState,
  type ShipmentState,
} from './orders.ts'

const orderStates = Object.keys(orderLife) as OrderState[]
const orderActs: OrderAct[] = ['confirm', 'question', 'release', 'ship', 'cancel', 'return']
const shipmentStates = Object.keys(shipmentLife) as ShipmentState[]

/** Every pair of states, with what leads from the one to the other; pairs without a way are left out. */
function waysBetween<State extends string>(states: readonly State[], ways: (from: State, to: State) => string[]) {
  return Object.fromEntries(
    states.flatMap((from) =>
      states.flatMap((to) => (ways(from, to).length > 0 ? [[`${from} > ${to}`, ways(from, to)]] : [])),
    ),
  )
}

test('of all pairs of states of an order, these have a way, and no others', () => {
  const ways = (from: OrderState, to: OrderState) => orderActs.filter((act) => nextOrderState(from, act) === to)
  expect(waysBetween(orderStates, ways)).toEqual({
    'needs-confirmation > confirmed': ['confirm'],
    'needs-confirmation > canceled': ['cancel'],
    'confirmed > needs-confirmation': ['question'],
    'confirmed > confirmed': ['release', 'ship'],
    'confirmed > canceled': ['cancel'],
    'confirmed > returned': ['return'],
  })
})

test('of all pairs of states of a parcel, these have a way, and no others', () => {
  const ways = (from: ShipmentState, to: ShipmentState) => (mayShipmentMove(from, to) ? ['moves'] : [])
  expect(Object.keys(waysBetween(shipmentStates, ways))).toEqual([
    'processed > pending-pickup',
    'processed > canceled',
    'pending-pickup > in-transit',
    'pending-pickup > canceled',
    'in-transit > delivered',
    'in-transit > returned',
    'delivered > returned',
  ])
})

test('the statement that does something to an order looks for the states that allow it', () => {
  expect(Object.fromEntries(orderActs.map((act) => [act, orderStatesFor(act)]))).toEqual({
    confirm: ['needs-confirmation'],
    question: ['confirmed'],
    release: ['confirmed'],
    ship: ['confirmed'],
    cancel: ['needs-confirmation', 'confirmed'],
    return: ['confirmed'],
  })
})

test('the README tables match the code', async () => {
  const readme = await readFile(new URL('README.md', import.meta.url), 'utf8')
  const table = (title: string, columns: readonly string[], rows: string[][]) =>
    [`${title}:`, '', row(['state', ...columns]), `|${'---|'.repeat(columns.length + 1)}`, ...rows.map(row), ''].join(
      '\n',
    )
  const row = (cells: string[]) => `|${cells.map((cell) => (cell === '' ? ' |' : ` ${cell} |`)).join('')}`
  expect(readme).toContain(
    table(
      '(`orderLife`)',
      orderActs,
      orderStates.map((from) => [from, ...orderActs.map((act) => nextOrderState(from, act) ?? '')]),
    ),
  )
  expect(readme).toContain(
    table(
      '(`shipmentLife`)',
      shipmentStates,
      shipmentStates.map((from) => [from, ...shipmentStates.map((to) => (mayShipmentMove(from, to) ? 'yes' : ''))]),
    ),
  )
})

test('every state of an order and of a parcel can be reached', () => {
  const orderMoves = Object.fromEntries(orderStates.map((from) => [from, Object.values(orderLife[from])]))
  expect(unreachableStates(orderMoves as Record<OrderState, OrderState[]>, 'needs-confirmation')).toEqual([])
  expect(unreachableStates(shipmentLife, 'processed')).toEqual([])
})

test('detects a transition table with an unreachable state', () => {
  expect(unreachableStates<'a' | 'b' | 'c'>({ a: ['b'], b: [], c: ['a'] }, 'a')).toEqual(['c'])
})

const placedAt = Temporal.Instant.from('2026-11-20T15:00:00Z')
const order = {
  state: 'confirmed' as const,
  cancelUntil: placedAt.add({ minutes: 30 }),
  releasedAt: null,
  isService: false,
  booking: null,
}

test('a service can be canceled until the notice before its appointment, and not once it is over', () => {
  const start = placedAt.add({ hours: 48 })
  const booking = { state: 'confirmed' as const, start, noticeMinutes: 60 }
  const service = { ...order, isService: true, releasedAt: placedAt.add({ minutes: 30 }), booking }
  const last = start.subtract({ minutes: 60 })
  expect(lastToCancel(service)).toEqual(last)
  expect(canCancel(service, last)).toEqual({ can: true })
  expect(canCancel(service, last.add({ seconds: 1 }))).toMatchObject({ can: false })
  for (const state of ['done', 'no-show'] as const)
    expect(canCancel({ ...service, booking: { ...booking, state } }, placedAt)).toMatchObject({ can: false })
  // The shop refused the job.
  expect(canCancel({ ...service, booking: { ...booking, state: 'canceled' } }, start)).toEqual({ can: true })
})

test('an order can be canceled until the end of the thirtieth minute, to the second', () => {
  expect(canCancel(order, placedAt.add({ minutes: 29, seconds: 59 }))).toEqual({ can: true })
  expect(canCancel(order, placedAt.add({ minutes: 30 })).can).toBe(false)
  expect(canCancel({ ...order, state: 'needs-confirmation' }, placedAt)).toEqual({ can: true })
  expect(canCancel({ ...order, state: 'canceled' }, placedAt)).toEqual({
    can: false,
    reason: 'This order is canceled already.',
  })
  expect(canCancel({ ...order, state: 'returned' }, placedAt)).toEqual({
    can: false,
    reason: 'This order was returned.',
  })
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
] as const)('parses order number %s as %s', ([text, id]) => {
  expect(parseOrderNumber(text)).toBe(id)
})

test('an evening drop-off is worded with its window and code from the hold on', () => {
  const at = (text: string) => Temporal.ZonedDateTime.from(`${text}[America/Chicago]`).toInstant()
  const hold = { start: at('2026-11-25T16:00'), end: at('2026-11-25T18:00'), timeZone: 'America/Chicago' }
  expect(holdText({ ...hold, kind: 'drop-off', dropOff: { window: 'EVE', code: '20261125-EVE' } })).toBe(
    'Wed, Nov 25: leave the car in the evening, from 4:00 PM to 6:00 PM CST (code 20261125-EVE)',
  )
  expect(holdText({ ...hold, kind: 'wait', dropOff: null })).toBe('Wed, Nov 25, 4:00 PM CST, wait at the shop')
})
