/**
 * Test fixtures for a guest who looked up an order by number and ZIP code in a separate browser, and for parcels in
 * transit.
 */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { newId } from '#platform/ids.ts'
import type { TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import type { Database, Tx } from '#platform/db.ts'
import { trackingToken } from './order-access.server.ts'
import { moveShipment } from './order-life.sql.server.ts'

const session = { secret: 'a secret of the store' }

/** What a guest has who looked this order up, and what their request for a code needs. */
export function codeDeps(store: Pick<TestStore, 'db' | 'clock'>, orderId: number) {
  return {
    browserId: newId(),
    look: trackingToken(session.secret, orderId, store.clock.now()),
    deps: {
      db: store.db,
      clock: store.clock,
      config: { session },
      rateLimits: createRateLimits(store),
    },
  }
}

const road = ['pending-pickup', 'in-transit', 'delivered'] as const

/** Advances an order's parcels to `to` through the preceding states, as a carrier reports at `at`. */
export async function moveParcels(
  { db }: { db: Database },
  orderId: number,
  to: (typeof road)[number],
  at: Temporal.Instant = Temporal.Instant.from('2026-11-20T15:00:00Z'),
): Promise<void> {
  await db.transaction().execute((tx) => moveParcelsIn(tx, orderId, to, at))
}

/** Does the same in a transaction of the test. */
export async function moveParcelsIn(
  tx: Tx,
  orderId: number,
  to: (typeof road)[number],
  at: Temporal.Instant,
): Promise<void> {
  const parcels = await tx.selectFrom('shipment').select('id').where('order_id', '=', orderId).execute()
  for (const { id } of parcels)
    for (const step of road.slice(0, road.indexOf(to) + 1))
      await moveShipment(tx, id, step, {
        actor: 'carrier',
        at,
        note: null,
        tracking: { carrier: 'Test', trackingNumber: `T-${id}` },
      })
}
