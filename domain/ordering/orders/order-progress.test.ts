import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { orderLife, shipmentLife, type OrderState, type ShipmentState } from './orders.ts'
import { orderProgress, progressWords, type ProgressFacts } from './order-progress.ts'

const at = Temporal.Instant.from('2026-11-20T15:00:00Z')
const placed: ProgressFacts = {
  state: 'confirmed',
  confirmBy: null,
  releasedAt: null,
  shipments: [{ state: 'processed' }],
  booking: { state: 'confirmed' },
  payment: { capturedCents: 0, refundedCents: 0 },
}
const released = { ...placed, releasedAt: at, payment: { capturedCents: 100, refundedCents: 0 } }
const parcels = (...states: ShipmentState[]) => ({ ...released, shipments: states.map((state) => ({ state })) })
const paidBack = { capturedCents: 100, refundedCents: 100 }

/** One example for each step. */
const examples = {
  placed,
  'needs-confirmation': { ...placed, state: 'needs-confirmation', confirmBy: at },
  confirmed: { ...placed, confirmBy: at },
  processing: released,
  'pending-pickup': parcels('pending-pickup'),
  'in-transit': parcels('in-transit'),
  delivered: parcels('delivered'),
  booked: { ...released, shipments: [], isService: true },
  done: { ...released, shipments: [], isService: true, booking: { state: 'done' } },
  installed: { ...parcels('delivered'), booking: { state: 'done' } },
  canceled: { ...placed, state: 'canceled', shipments: [{ state: 'canceled' }] },
  'return-requested': { ...parcels('delivered'), isReturnRequested: true },
  returned: { ...parcels('returned'), state: 'returned' },
  refunded: { ...parcels('returned'), state: 'returned', payment: paidBack },
} as const satisfies Record<keyof typeof progressWords, ProgressFacts>

test.for(Object.entries(examples))('an order is %s', ([step, facts]) => {
  expect(orderProgress(facts)).toBe(step)
})

describe('with several parcels', () => {
  test.for([
    [['delivered', 'in-transit'], 'in-transit'],
    [['in-transit', 'processed'], 'processing'],
    [['delivered', 'pending-pickup'], 'pending-pickup'],
    [['delivered', 'returned'], 'delivered'],
    [['delivered', 'canceled'], 'delivered'],
    [['returned', 'canceled'], 'returned'],
    [['canceled', 'canceled'], 'canceled'],
  ] as [ShipmentState[], string][])('%s: %s', ([states, step]) => {
    expect(orderProgress(parcels(...states))).toBe(step)
  })
})

test('an order canceled after its charge is refunded once all of it went back', () => {
  const canceled = { ...parcels('canceled'), state: 'canceled' as const }
  expect(orderProgress({ ...canceled, payment: { capturedCents: 100, refundedCents: 99 } })).toBe('canceled')
  expect(orderProgress({ ...canceled, payment: paidBack })).toBe('refunded')
})

test('every stored state of an order and a parcel leads to a step', () => {
  for (const state of Object.keys(orderLife) as OrderState[])
    for (const parcel of Object.keys(shipmentLife) as ShipmentState[])
      for (const releasedAt of [null, at])
        expect(Object.keys(progressWords)).toContain(
          orderProgress({ ...placed, state, releasedAt, shipments: [{ state: parcel }] }),
        )
})

test('the README explains every step', async () => {
  const readme = await readFile(new URL('README.md', import.meta.url), 'utf8')
  for (const step of Object.keys(progressWords)) expect(readme).toContain(`| ${step} |`)
})
