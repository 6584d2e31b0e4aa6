/** What a set of tires costs, installed, at the shops near a ZIP. */
import { openingValue } from '#app/forms/slot-value.ts'
import { problemText } from '#content/messages/cart.ts'
import { slotText } from '#content/messages/times.ts'
import { summaryRows } from '#app/ui/order-summary.tsx'
import type { Item, Offer, Price } from '#domain/catalog/catalog/catalog.ts'
import type { InstalledOffer } from '#domain/catalog/offers/offers.server.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'
import type { CardView } from '#app/ui/listing-data.ts'
import { cardView } from './listing-cards.server.ts'
import { milesText, readOffersNear, timeAt, type ShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { offeredTires } from '#domain/catalog/offers/offers.ts'
import { dayText } from './listing-messages.server.ts'
import type { NearView } from './product-view.ts'

/** A quantity of one item with its displayed price. */
export type SetPart = { readonly item: Item; readonly price: Price; readonly quantity: number }

const shopsShown = 3

/**
 * The set at the nearest shops that install it, and `similar` offers as cards, each with its price and first time at
 * the nearest shop.
 */
export async function readNear(
  app: Application,
  zip: string,
  parts: readonly SetPart[],
  similar: readonly Offer[],
  shippingTo: ShippingTo | null,
): Promise<{ near: NearView; cards: CardView[] }> {
  const found = await readOffersNear(app, zip)
  if (!found.ok)
    return {
      near: withoutShops(zip, problemText({ kind: found.reason }), null),
      cards: similar.map((offer) => cardView(offer, shippingTo)),
    }
  const { arrivalOf, price } = found.value
  const tires = parts.flatMap((part) => offeredTires([part.item], [part.price], part.quantity))
  const asks = [
    { key: 'set', tires, stock: parts.map(({ item }) => item.stock), shops: shopsShown },
    ...similar.map(({ key, items, prices }) => ({
      key,
      tires: offeredTires(items, prices),
      stock: items.map(({ stock }) => stock),
      shops: 1,
    })),
  ]
  const installed = await price(asks)
  const cards = similar.map((offer) => {
    const [at] = installed.get(offer.key) ?? []
    return cardView({ ...offer, totalCents: at?.totalCents ?? null }, shippingTo, at && timeAt(at)[0])
  })
  const offers = installed.get('set') ?? []
  const [nearest] = offers
  if (nearest) return { near: nearView(zip, nearest, offers), cards }
  // The set has arrived when its last item has; never if one is out of stock.
  const arrival = parts
    .map(({ item, quantity }) => arrivalOf(item.stock, quantity))
    .reduce((late, day) => (late === null || day === null ? null : day > late ? day : late))
  return { near: withoutShops(zip, problemText({ kind: 'no-shop-nearby' }), arrival), cards }
}

function nearView(zip: string, nearest: InstalledOffer, offers: readonly InstalledOffer[]): NearView {
  return {
    zip,
    problem: null,
    shop: nearest.shop.name,
    total: formatCents(nearest.totalCents),
    rows: summaryRows(nearest.breakdown.explain),
    shops: offers.map(({ shop, zone, totalCents, openings }) => ({
      id: shop.id,
      name: shop.name,
      miles: milesText(shop.miles),
      zone,
      total: formatCents(totalCents),
      times: openings.map((opening) => ({
        label: slotText(opening, shop.timeZone),
        value: openingValue(opening),
      })),
    })),
    arrivesOn: nearest.arrivesOn && dayText(nearest.arrivesOn.toString()),
  }
}

function withoutShops(zip: string, problem: string, arrival: string | null): NearView {
  return {
    zip,
    problem,
    shop: null,
    total: null,
    rows: [],
    shops: [],
    arrivesOn: arrival === null ? null : dayText(arrival),
  }
}
