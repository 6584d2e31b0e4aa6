/** What a set of tires costs, installed, at the shops near a ZIP. */
import { problemText } from '#app/http/checkout.server.ts'
import { openingLabel, openingValue } from '#app/http/slot-words.ts'
import { summaryRows } from '#app/ui/order-summary.tsx'
import { serviceOf, type Item, type Offer, type Price } from '#domain/catalog/catalog.ts'
import { offersNear, type InstalledOffer, type OfferAsk } from '#domain/offers/offers.server.ts'
import { formatCents } from '#platform/money.ts'
import type { Shop } from '#shop'
import { dayText } from './listing-words.server.ts'
import type { NearView } from './product-view.ts'

/** So many tires of one article, with its price tag. */
export type SetPart = { readonly item: Item; readonly price: Price; readonly quantity: number }

const shopsShown = 3

/** The set at the nearest shops that install it, and each of `similar` out the door at its nearest one. */
export async function readNear(shop: Shop, zip: string, parts: readonly SetPart[], similar: readonly Offer[]): Promise<{ near: NearView; similar: Offer[] }> {
  const found = await offersNear(shop, zip)
  if (!found.ok) return { near: withoutShops(zip, problemText({ kind: found.reason }), null), similar: [...similar] }
  const { arrivalOf, price, priceAtShops } = found.value
  const [offers, totals] = await Promise.all([priceAtShops(askFor('set', parts), shopsShown), price(similar.map((offer) => askFor(offer.key, partsOf(offer))))])
  const priced = similar.map((offer) => ({ ...offer, totalCents: totals.get(offer.key)?.totalCents ?? null }))
  const [nearest] = offers
  if (nearest) return { near: nearView(zip, nearest, offers, shop.clock.now()), similar: priced }
  const arrivals = parts.map(({ item, quantity }) => arrivalOf(item.stock, quantity))
  return { near: withoutShops(zip, problemText({ kind: 'no-shop-nearby' }), arrivals.includes(null) ? null : (arrivals.sort().at(-1) ?? null)), similar: priced }
}

function nearView(zip: string, nearest: InstalledOffer, offers: readonly InstalledOffer[], now: Temporal.Instant): NearView {
  return {
    zip,
    problem: null,
    shop: nearest.shop.name,
    total: formatCents(nearest.totalCents),
    rows: summaryRows(nearest.breakdown.explain),
    shops: offers.map(({ shop, totalCents, openings }) => ({
      id: shop.id,
      name: shop.name,
      miles: shop.miles < 10 ? shop.miles.toFixed(1) : String(Math.round(shop.miles)),
      total: formatCents(totalCents),
      times: openings.map((opening) => ({ label: openingLabel(opening, shop.timeZone, now), value: openingValue(opening) })),
    })),
    arrivesOn: nearest.arrivesOn && dayText(nearest.arrivesOn.toString()),
  }
}

function withoutShops(zip: string, problem: string, arrival: string | null): NearView {
  return { zip, problem, shop: null, total: null, rows: [], shops: [], arrivesOn: arrival === null ? null : dayText(arrival) }
}

function askFor(key: string, parts: readonly SetPart[]): OfferAsk {
  return {
    key,
    stock: parts.map(({ item }) => item.stock),
    tires: parts.map(({ item, price, quantity }) => ({
      itemId: item.id,
      name: [item.line.brand.name, item.line.name, item.size.designation, serviceOf(item)].filter(Boolean).join(' '),
      quantity,
      // The engine takes promotions off by itself, so it is given the price before them.
      unitCents: item.retailCents,
      fetUnitCents: item.fetCents,
      weightLb: item.weightLb,
      coveredQuantity: 0,
      spec: { rimIn: item.size.rimIn, aspect: item.size.aspect, runFlat: item.runFlat, sizeKind: item.size.kind },
      promotions: price.promotions,
    })),
  }
}

function partsOf({ items, prices }: Offer): SetPart[] {
  return items.flatMap((item, index) => {
    const price = prices[index]
    return price ? [{ item, price, quantity: 4 / items.length }] : []
  })
}
