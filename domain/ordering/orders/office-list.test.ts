import { expect, test } from 'vitest'
import { orderStatus, type OrderProgress } from './office-list.ts'

const now = Temporal.Instant.from('2026-11-20T15:00:00Z')
const order = (change: Partial<OrderProgress>): OrderProgress => ({
  state: 'confirmed',
  cancelUntil: now.subtract({ hours: 5 }),
  confirmBy: null,
  releasedAt: now.subtract({ hours: 4 }),
  shipments: [],
  appointmentEnd: null,
  ...change,
})
const parcel = (state: 'processed' | 'in-transit' | 'delivered', promisedOn: string) => ({ state, promisedOn })

test.for<[string, Partial<OrderProgress>, object]>([
  ['canceled', { state: 'canceled' }, { at: 'canceled' }],
  ['to be confirmed', { state: 'needs-confirmation', confirmBy: now.add({ hours: 3 }) }, { at: 'to-confirm' }],
  ['can be canceled', { releasedAt: null, cancelUntil: now.add({ minutes: 1 }) }, { at: 'cancel-window' }],
  ['not charged yet', { releasedAt: null, cancelUntil: now }, { at: 'to-charge' }],
  ['to ship', { shipments: [parcel('processed', '2026-11-20')] }, { at: 'to-ship', promisedOn: '2026-11-20' }],
  [
    'a fit check until it ships',
    { awaitsFitCheck: true, shipments: [parcel('processed', '2026-11-20')] },
    { at: 'fit-check' },
  ],
  [
    'on its way without one',
    { awaitsFitCheck: true, shipments: [parcel('in-transit', '2026-11-23')] },
    { at: 'in-transit' },
  ],
  ['in transit', { shipments: [parcel('in-transit', '2026-11-23')] }, { at: 'in-transit' }],
  [
    'to ship while any parcel is',
    { shipments: [parcel('in-transit', '2026-11-23'), parcel('processed', '2026-11-24')] },
    { at: 'to-ship', promisedOn: '2026-11-23' },
  ],
  ['late by its first parcel', { shipments: [parcel('in-transit', '2026-11-18')] }, { at: 'late', days: 2 }],
  ['delivered', { shipments: [parcel('delivered', '2026-11-18')] }, { at: 'delivered' }],
  [
    'at the shop until its appointment is over',
    { shipments: [parcel('delivered', '2026-11-18')], appointmentEnd: now.add({ minutes: 1 }) },
    { at: 'at-shop' },
  ],
  [
    'a service at the shop until its appointment is over',
    { isService: true, appointmentEnd: now.add({ minutes: 1 }) },
    { at: 'at-shop' },
  ],
  ['a service that is done', { isService: true, appointmentEnd: now }, { at: 'done' }],
  ['a service without an appointment', { isService: true, appointmentEnd: null }, { at: 'unbooked' }],
  [
    'delivered once its appointment is over',
    { shipments: [parcel('delivered', '2026-11-18')], appointmentEnd: now },
    { at: 'delivered' },
  ],
])('an order is %s', ([, change, status]) => {
  expect(orderStatus(order(change), now)).toMatchObject(status)
})
