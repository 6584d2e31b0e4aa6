/** Shoppers who order over HTTP one after the other while something happens to the database. */
import { setTimeout as later } from 'node:timers/promises'
import { eventually } from '#tests/support/eventually.ts'
import { placeHomeOrder } from '#tests/support/order-by-api.ts'
import type { RunningStore } from '#tests/support/store.ts'
import { createVisitor } from '#tests/support/visitor.ts'

export type Acknowledged = { orderId: number; at: Temporal.Instant }

/** All shoppers of a drill come from one network. */
export const oneNetwork = { NETWORK_ATTEMPTS_FACTOR: '1000', API_CALLS_PER_MINUTE: '1000000' }

/** Orders until `stop`; what a shopper was told is in `orders`, what failed in `failures`. */
export function orderMeanwhile(store: RunningStore) {
  const orders: Acknowledged[] = []
  const failures: { at: Temporal.Instant; why: string }[] = []
  const over = new AbortController()
  const running = (async () => {
    for (let no = 1; !over.signal.aborted; no += 1) {
      try {
        const orderId = await placeHomeOrder(store, createVisitor(), { email: `drill${no}@example.com` })
        orders.push({ orderId, at: Temporal.Now.instant() })
      } catch (error) {
        failures.push({ at: Temporal.Now.instant(), why: String(error).slice(0, 200) })
      }
      // The demo's stock is small.
      await later(1_000)
    }
  })()
  return {
    orders,
    failures,
    /** Settles once shoppers have `count` orders. */
    async reach(count: number) {
      await eventually(`${count} orders`, async () => {
        if (failures.length > 20) throw new Error(`Orders fail: ${failures.at(-1)?.why}`)
        return orders.length >= count
      })
    },
    async stop() {
      over.abort()
      await running
    },
  }
}

/** Seconds from one instant to another, with a decimal. */
export function secondsBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  return Math.round(to.since(from).total('seconds') * 10) / 10
}
