/** How tires get to their buyer, as a program chooses it over the API. */
import { callApi, succeed } from '#tests/support/order-by-api.ts'
import type { RunningStore } from '#tests/support/store.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import type { Random } from '../../faults/random.ts'

export type Delivery = {
  name: 'home' | 'shop' | 'van' | 'carrier-pickup' | 'warehouse-pickup'
  share: number
  /** Returns false if no time is available for this cart. Its buyer then chooses home delivery. */
  choose(store: RunningStore, visitor: Visitor, random: Random): Promise<boolean>
}

type Time = { start: string; free: boolean }
type Times = { days: { date: string; times: Time[]; dropOffs: { window: string; free: boolean }[] }[] }

/**
 * Chooses a free time at one of the closest installers and holds it. If another buyer books it first, chooses another
 * time.
 */
const installedBy =
  (kind: 'shop' | 'van'): Delivery['choose'] =>
  async (store, visitor, random) => {
    const choices = (await succeed(store, visitor, 'GET', `/cart/shops?kind=${kind}`)) as { shop: { id: number } }[]
    for (let attempt = 0; attempt < 3 && choices.length > 0; attempt += 1) {
      const { id: shopId } = random.pick(choices.slice(0, 12)).shop
      const { days } = (await succeed(store, visitor, 'GET', `/cart/shops/${shopId}/times`)) as Times
      const free = days.flatMap(({ date, times, dropOffs }) => [
        ...times.filter((time) => time.free).map(({ start }) => ({ start })),
        ...dropOffs.filter((window) => window.free).map(({ window }) => ({ date, window })),
      ])
      if (free.length === 0) continue
      const time = random.pick(free.slice(0, 60))
      const held = await callApi(store, visitor, 'POST', '/cart/hold', { shopId, ...time })
      if (held.status < 300) return true
    }
    return false
  }

async function put(store: RunningStore, visitor: Visitor, body: Record<string, string | number>): Promise<boolean> {
  return (await callApi(store, visitor, 'PUT', '/cart/delivery', body)).status < 300
}

export const deliveries: readonly Delivery[] = [
  { name: 'home', share: 64, choose: (store, visitor) => put(store, visitor, { fulfillment: 'home' }) },
  { name: 'shop', share: 20, choose: installedBy('shop') },
  { name: 'van', share: 6, choose: installedBy('van') },
  {
    name: 'carrier-pickup',
    share: 5,
    async choose(store, visitor, random) {
      const answer = await callApi(store, visitor, 'GET', '/cart/pickup-locations')
      const places = answer.status < 300 ? (answer.body as { id: number }[]) : []
      if (places.length === 0) return false
      return put(store, visitor, { fulfillment: 'carrier-pickup', carrierLocationId: random.pick(places).id })
    },
  },
  {
    name: 'warehouse-pickup',
    share: 5,
    async choose(store, visitor, random) {
      const places = (await succeed(store, visitor, 'GET', '/cart/pickup-warehouses')) as {
        id: number
        readyAt: string | null
      }[]
      const ready = places.filter(({ readyAt }) => readyAt !== null)
      if (ready.length === 0) return false
      return put(store, visitor, { fulfillment: 'warehouse-pickup', pickupWarehouseId: random.pick(ready).id })
    },
  },
]
