import { expect, test } from 'vitest'
import { orderCard } from '#app/routes/account/order-card.ts'
import type { OrderInList } from '#domain/ordering/orders/orders.server.ts'

const placedAt = Temporal.Instant.from('2026-11-20T15:00:00Z')
const booking = {
  kind: 'wait',
  start: Temporal.Instant.from('2026-11-27T20:30:00Z'),
  end: Temporal.Instant.from('2026-11-27T21:30:00Z'),
  dropOffWindow: null,
  dropOffCode: null,
  noticeMinutes: 60,
  state: 'confirmed',
} as const
const order: OrderInList = {
  id: 104_001,
  state: 'confirmed',
  placedAt,
  cancelUntil: placedAt.add({ minutes: 30 }),
  releasedAt: null,
  totalCents: 118_208,
  poNumber: null,
  placedBy: null,
  tires: ['4 Kestrel Tour 225/65R17 102H'],
  isService: false,
  shipments: [{ state: 'processed', promisedOn: '2026-11-24' }],
  timeZone: 'America/Chicago',
  shop: { name: 'Halsted Tire' },
  booking,
}

test('a new order shows its contents, its appointment, and until when it can be canceled', () => {
  expect(orderCard(order, placedAt.add({ minutes: 29 }))).toMatchObject({
    number: 'S-104001',
    total: '$1,182.08',
    state: 'Order Processed, promised by Tue, Nov 24',
    appointment: 'To be installed at Halsted Tire Fri, Nov 27, 2:30 PM CST, wait at the shop',
    cancelHref: '/track-your-order/result?order=104001#cancel',
    cancelUntil: '9:30 AM CST',
  })
})

test('half an hour later, or once released, it can no longer be canceled', () => {
  expect(orderCard(order, placedAt.add({ minutes: 30 })).cancelHref).toBeNull()
  expect(orderCard({ ...order, releasedAt: placedAt }, placedAt).cancelHref).toBeNull()
})

test.for<[string, Partial<OrderInList>, string]>([
  ['canceled', { state: 'canceled' }, 'Canceled'],
  ['returned', { state: 'returned' }, 'Returned'],
  ['not confirmed yet', { state: 'needs-confirmation' }, 'Please confirm your order'],
  [
    'two parcels: as far as the one behind, promised by the later day',
    {
      shipments: [
        { state: 'delivered', promisedOn: '2026-11-24' },
        { state: 'in-transit', promisedOn: '2026-11-25' },
      ],
    },
    'In Transit, promised by Wed, Nov 25',
  ],
  ['all there', { shipments: [{ state: 'delivered', promisedOn: '2026-11-24' }] }, 'Delivered'],
])('%s', ([, change, state]) => {
  expect(orderCard({ ...order, ...change }, placedAt).state).toBe(state)
})

test('a canceled order has no appointment, and a completed one has', () => {
  const canceled = { ...booking, state: 'canceled' } as const
  expect(orderCard({ ...order, state: 'canceled', booking: canceled }, placedAt).appointment).toBeNull()
  expect(orderCard({ ...order, booking: canceled }, placedAt).appointment).toBe('Halsted Tire: No time is booked.')
  expect(orderCard({ ...order, booking: { ...booking, state: 'done' } }, placedAt).appointment).toMatch(
    /^Installed Fri/,
  )
  expect(orderCard({ ...order, booking: null, shop: null }, placedAt).appointment).toBeNull()
})
