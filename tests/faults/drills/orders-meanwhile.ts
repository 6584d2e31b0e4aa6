/** Shoppers who order over HTTP one after the other while something happens to the database. */
import { setTimeout as later } from 'node:timers/promises'
import { eventually } from '#tests/support/eventually.ts'
import { placeHomeOrder, RefusedCall } from '#tests/support/order-by-api.ts'
import type { RunningStore } from '#tests/support/store.ts'
import { createVisitor } from '#tests/support/visitor.ts'

export type Acknowledged = { orderId: number; at: Temporal.Instant }

/** All shoppers of a drill come from one network. */
export const oneNetwork = { NETWORK_ATTEMPTS_FACTOR: '1000', API_CALLS_PER_MINUTE: '1000000' }

/** A failed order and the store's response. Without a status, the failure wasn't the store's. */
export type Failure = { at: Temporal.Instant; why: string; status: number | undefined; retryAfter: string | null }

type Crowd = {
  /** The number of concurrent shoppers, and their pause in milliseconds between orders. */
  shoppers?: number
  pauseMs?: number
  /** What they buy; by default the first tire that is for sale. */
  itemId?: number
  /** Stops waiting after this many failures. */
  mostFailures?: number
}

/** Places orders until `stop`. Confirmed orders are in `orders`, failures in `failures`. */
export function orderMeanwhile(
  store: RunningStore,
  // The demo's stock is small.
  { shoppers = 1, pauseMs = 1_000, itemId, mostFailures = 20 }: Crowd = {},
) {
  const orders: Acknowledged[] = []
  const failures: Failure[] = []
  const over = new AbortController()
  let no = 0
  async function goOn(): Promise<void> {
    while (!over.signal.aborted) {
      no += 1
      const contact = { email: `drill${no}@example.com`, address1: `${no} Halsted Street` }
      try {
        const orderId = await placeHomeOrder(store, createVisitor(), contact, { itemId })
        orders.push({ orderId, at: Temporal.Now.instant() })
      } catch (error) {
        failures.push(failureOf(error))
      }
      await later(pauseMs)
    }
  }
  const running = Promise.all(Array.from({ length: shoppers }, goOn))
  return {
    orders,
    failures,
    /** Settles once shoppers have `count` orders. */
    async reach(count: number) {
      const failing = () => new Error(`${failures.length} orders fail, at last: ${failures.at(-1)?.why}`)
      const reached = eventually(`${count} orders`, () => failures.length > mostFailures || orders.length >= count)
      await reached.catch((error: unknown) => {
        throw failures.length > 0 ? failing() : error
      })
      if (failures.length > mostFailures) throw failing()
    },
    async stop() {
      over.abort()
      await running
    },
  }
}

function failureOf(error: unknown): Failure {
  const reply = error instanceof RefusedCall ? error.reply : undefined
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
  const why = `${String(error)} ${cause}`.slice(0, 300)
  return {
    at: Temporal.Now.instant(),
    why,
    status: reply?.status,
    retryAfter: reply?.headers.get('retry-after') ?? null,
  }
}

/** Seconds from one instant to another, with a decimal. */
export function secondsBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  return Math.round(to.since(from).total('seconds') * 10) / 10
}
