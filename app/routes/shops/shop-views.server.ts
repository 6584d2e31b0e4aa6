/** Shops as plain text and numbers, for the cards and the maps. */
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { slotText, slotZone } from '#content/messages/times.ts'
import { paths } from '#content/paths.ts'
import type { Pin } from '#app/ui/draw-map.client.ts'
import { isCertified, quoteInstallation, usualSet, type Shop } from '#domain/scheduling/installers/installers.ts'
import { firstTimesAt } from '#domain/catalog/offers/offers.server.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import type { Application as Store } from '#application'

export type ShopCard = {
  id: number
  /** Empty for a mobile installer. They aren't on the map. */
  letter: string
  name: string
  path: string
  address: string
  miles: string | null
  rating: number | null
  ratingCount: number
  onTime: number | null
  amenities: string
  isCertified: boolean
  /** "$22.00", or null if the shop does not install common tires. */
  perTire: string | null
  /** "Tue 9:30" */
  firstTime: string | null
}
export type ShopList = {
  shops: ShopCard[]
  vans: ShopCard[]
  pins: Pin[]
  /** For example "Tue, Nov 24". Null if there's no delivery. */
  arrivesOn: string | null
}

type ListedShops = {
  shops: readonly (Shop & { miles?: number })[]
  vans: readonly Shop[]
  /** Where tires are delivered for the first available times. */
  zip: string
  /** The ZIP that all of `vans` serve; null if each serves part of the area. */
  vansComeTo: string | null
}

/** With more markers than that, labels with times would overlap. */
const mostTimesOnMap = 8

/** Loads the cards and pins of shops and vans. Runs three queries, or zero without shops. */
export async function readShopList(store: Store, { shops, vans, zip, vansComeTo }: ListedShops): Promise<ShopList> {
  const shopIds = [...shops, ...vans].map(({ id }) => id)
  const [place, first] =
    shopIds.length > 0
      ? await Promise.all([findPlace(store.db, zip), firstTimesAt(store, { zip, shopIds, limit: 1 })])
      : []
  const now = store.clock.now()
  const card = (shop: Shop & { miles?: number }, index: number): ShopCard => {
    const quote = quoteInstallation(shop, usualSet)
    const opening = first?.openings.get(shop.id)?.[0]
    const zone = slotZone(now, shop.timeZone, place?.timeZone)
    return {
      id: shop.id,
      letter: shop.kind === 'van' ? '' : letterOf(index),
      name: shop.name,
      path: paths.tireShop(shop.slug, shop.code),
      address:
        shop.kind === 'van'
          ? vansComeTo === null
            ? `Based in ${shop.city}`
            : `Comes to ${vansComeTo} from ${shop.city}`
          : `${shop.street}, ${shop.city}, ${shop.state} ${shop.zip}`,
      miles:
        shop.miles === undefined || shop.kind === 'van'
          ? null
          : shop.miles < 10
            ? shop.miles.toFixed(1)
            : String(Math.round(shop.miles)),
      rating: shop.ratingTenths === null ? null : shop.ratingTenths * 10,
      ratingCount: shop.ratingCount,
      onTime: shop.onTimePercent,
      amenities: shop.amenities.slice(0, 3).join(', '),
      isCertified: isCertified(shop, now.toZonedDateTimeISO(shop.timeZone).toPlainDate()),
      perTire: quote.ok ? formatCents(quote.value.lines[0]?.installCents ?? 0) : null,
      firstTime: opening ? [slotText(opening, shop.timeZone), zone].filter(Boolean).join(' ') : null,
    }
  }
  const cards = shops.map(card)
  return {
    shops: cards,
    vans: vans.map(card),
    pins: shops.map((shop, index) => shopPin(shop, cards[index], shops.length <= mostTimesOnMap)),
    arrivesOn: first ? dayText(first.arrivesOn) : null,
  }
}

function shopPin(shop: Shop, card: ShopCard | undefined, hasTime: boolean): Pin {
  const [letter, text] = [card?.letter ?? '', (hasTime ? card?.firstTime : null) ?? '']
  return {
    href: `#shop-${shop.id}`,
    letter,
    text,
    label: `at ${shop.name}`,
    count: 1,
    latitude: shop.latitude,
    longitude: shop.longitude,
    isChosen: false,
  }
}

/** "A" to "Z", then "27" on. */
function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1)
}
