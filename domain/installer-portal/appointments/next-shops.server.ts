/** The shops where an order can be installed instead, as its page and the API offer them. */
import type { Choice } from '#domain/scheduling/booking/booking.ts'
import {
  changeOrderAsShopper,
  listPlaces,
  previewChange,
  type AskedChange,
  type ChangePreview,
} from '#domain/ordering/order-changes/order-changes.server.ts'
import type { AskedPlace } from '#domain/ordering/order-changes/order-changes.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { isShopStopped, selectRefusers } from '#domain/installer-portal/work-orders/work-orders.server.ts'

type NextShopDeps = Parameters<typeof previewChange>[0]

/** `preview`: what installing there comes to, with its free times. */
export type NextShop = { shopId: number; name: string; city: string; miles: number; preview: ChangePreview }

const mostShops = 3

/**
 * Previews a shopper's edit. After the store stopped the shop, it bears a higher price within its limits.
 */
export async function previewAsShopper(deps: NextShopDeps, order: OrderView, asked: AskedPlace) {
  return previewChange(deps, order, asked, await isShopStopped(deps.db, order.id))
}

/** Makes a shopper's edit, with the same rule. */
export function changeAsShopper(
  deps: NextShopDeps,
  asked: Omit<AskedChange, 'waives'>,
): ReturnType<typeof changeOrderAsShopper> {
  return changeOrderAsShopper(deps, asked, isShopStopped)
}

/**
 * Returns the nearest other shops that accept the tires, didn't refuse the job, and have an available time, nearest
 * first. `isStopping` previews the prices after the store stops the shop. Read-only.
 */
export async function nextShops(deps: NextShopDeps, order: OrderView, isStopping = false): Promise<NextShop[]> {
  const [places, refusers, isOnStore] = await Promise.all([
    listPlaces(deps, order, order.address.zip),
    selectRefusers(deps.db, order.id),
    isStopping || isShopStopped(deps.db, order.id),
  ])
  const shops = (places.ok ? places.value : []).flatMap(({ fulfillment, shopId, name, city, miles }) =>
    fulfillment === 'shop' && shopId !== null && !refusers.includes(shopId) ? [{ shopId, name, city, miles }] : [],
  )
  const found = await Promise.all(
    shops.slice(0, mostShops).map(async (shop) => {
      const preview = await previewChange(deps, order, placeAt(shop.shopId), isOnStore)
      return preview.ok && preview.value.days.some(({ state }) => state === 'free')
        ? [{ ...shop, preview: preview.value }]
        : []
    }),
  )
  return found.flat()
}

/** Has an order installed at another shop, at the price that was shown. The customer pays a difference first. */
export function takeNextShop(
  deps: NextShopDeps,
  { shopId, ...asked }: { orderId: number; shopId: number; choice: Choice; key: string; agreedPrice: string },
): ReturnType<typeof changeOrderAsShopper> {
  return changeAsShopper(deps, { ...asked, ...placeAt(shopId), reason: 'The customer chose another shop.' })
}

function placeAt(shopId: number) {
  return { fulfillment: 'shop', shopId, carrierLocationId: null } as const
}
