/** Finds alternatives for a lost time. Offers the next times at its shop and at nearby shops. */
import { earliestTimes, offerTimes, type Calendars } from '#domain/scheduling/booking/booking.server.ts'
import type { OfferedDay, Opening } from '#domain/scheduling/booking/booking.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import type { Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import { installationFor, listShopChoices, type ShopChoice } from './shop-choices.server.ts'
import type { QuoteDeps } from './quote.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { pointOf } from '#domain/kernel/places/places.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'

/** `here` is null if the original shop has no times left or no longer takes orders. */
export type OtherTimes = {
  fulfillment: 'shop' | 'mobile'
  here: { shop: { id: number; name: string; timeZone: string }; openings: readonly Opening[] } | null
  /** Nearest first, each with free times. */
  elsewhere: ShopChoice[]
}

const mostShops = 3
const mostTimes = 4

/**
 * Finds alternatives to a time lost at `shopId`. Returns the shop's next times (`next` if a refusal included them) and
 * the next times at up to three shops near the cart's ZIP code that accept its tires. A van's alternatives are other
 * vans. The number of queries doesn't depend on the number of shops.
 */
export async function findOtherTimes(
  deps: QuoteDeps & { calendars: Calendars; catalog: Catalog },
  cart: Cart,
  lost: { shopId: number; next?: readonly Opening[] },
): Promise<OtherTimes> {
  const shop = await findShop(deps, { id: lost.shopId })
  const kind = shop?.kind ?? 'shop'
  const [openings, choices] = await Promise.all([
    shop ? (lost.next ?? nextTimesAt(deps, cart, shop.id)) : [],
    // A service is booked at the shop that was chosen for it.
    cart.zip && cart.services.length === 0 ? listShopChoices(deps, cart, { zip: cart.zip, kind }) : undefined,
  ])
  return {
    fulfillment: kind === 'van' ? 'mobile' : 'shop',
    here:
      shop && openings.length > 0
        ? {
            shop: { id: shop.id, name: shop.name, timeZone: shop.timeZone },
            openings: openings.slice(0, mostTimes),
          }
        : null,
    elsewhere: (choices?.ok ? choices.value : [])
      .filter((choice) => choice.shop.id !== lost.shopId && choice.openings.length > 0)
      .slice(0, mostShops),
  }
}

/** The free times of a day, to wait at the shop. */
function freeTimesOf({ date, times }: OfferedDay): Opening[] {
  return times.flatMap(({ start, end, free }) => (free ? [{ kind: 'wait', date, start, end }] : []))
}

async function nextTimesAt(
  deps: QuoteDeps & { calendars: Calendars; catalog: Catalog },
  cart: Cart,
  shopId: number,
): Promise<readonly Opening[]> {
  const work = await installationFor(deps, cart, shopId)
  if (!work.ok) return []
  if (cart.services.length > 0) {
    const offered = await offerTimes(deps, { shopId, ...work.value })
    return offered.ok ? offered.value.days.flatMap(freeTimesOf).slice(0, mostTimes) : []
  }
  const to = pointOf(cart.zip ? await findPlace(deps.db, cart.zip) : undefined)
  const [openings] = await earliestTimes(deps, { asks: [{ shopId, ...work.value }], limit: mostTimes, to })
  return openings ?? []
}
