/** Test fixtures: a guest who looked an order up by number and ZIP, in a browser of theirs. */
import { createOrderCodeLimits } from '#adapters/limits/order-code-limits.ts'
import { newId } from '#platform/ids.ts'
import type { TestStore } from '#domain/checkout/checkout.testing.ts'
import { trackingToken } from './order-access.server.ts'

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
      orderCodeLimits: createOrderCodeLimits({ db: store.db, networkFactor: 1 }),
    },
  }
}
