/**
 * Books tires with an appointment at one shop, for shoppers from a partner's widget. Shows the open times and the
 * price.
 */
import { openingValue, parseSlot } from '#app/forms/slot-value.ts'
import { summaryRows } from '#app/ui/order-summary.tsx'
import { dropOffText, slotText, slotTextWithZone, slotZone } from '#content/messages/times.ts'
import { paths, withQuery } from '#content/paths.ts'
import { offerTimes } from '#domain/scheduling/booking/booking.server.ts'
import type { Choice, OfferedDay } from '#domain/scheduling/booking/booking.ts'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import { serviceOf, type Item, type Price } from '#domain/catalog/catalog/catalog.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { readOffersNear, type InstalledOffer } from '#domain/catalog/offers/offers.server.ts'
import { offeredTires, tireSpecs, type OfferedTires } from '#domain/catalog/offers/offers.ts'
import { itemPictureKey } from '#pictures/pictures.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { zoneName } from '#platform/time-text.ts'
import type { Application } from '#application'

type Chosen = { itemId: number; rearId: number | null; shopCode: string; slot: string }

export type BookTimeView = NonNullable<Awaited<ReturnType<typeof readBookTime>>>

/** Returns null if the tires aren't sold or the shop doesn't accept orders. Doesn't hold a time. */
export async function readBookTime(app: Application, { itemId, rearId, shopCode, slot }: Chosen) {
  const [place, front, rear] = await Promise.all([
    findShop(app, { code: shopCode }),
    findItem(app.catalog, itemId),
    rearId === null ? null : findItem(app.catalog, rearId),
  ])
  if (!place || !front || rear === undefined) return null
  const items = rear ? [front, rear] : [front]
  const prices = await pricesOf(app, front, rear)
  const tires = offeredTires(items, prices)
  const offer = await offerAt(app, place, items, tires)
  const choice = parseSlot(slot)
  const free = offer && choice ? await freeTime(app, offer, tires, choice) : null
  const quantity = 4 / items.length
  return {
    shop: { id: place.id, name: place.name, street: place.street, city: place.city, state: place.state },
    lines: linesOf(items, prices, quantity),
    fields: fieldsOf(items, quantity),
    ...offerView(offer, place.timeZone),
    zone: slotZone(app.clock.now(), place.timeZone, null),
    chosen: free === null ? null : { value: slot, label: free },
    wasChosen: choice !== undefined,
    tirePage: withQuery(paths.item(front.line.brand.slug, front.line.slug, front.id), { rear: rear?.id }),
  }
}

function linesOf(items: readonly Item[], prices: readonly Price[], quantity: number) {
  return items.map((item, index) => ({
    picture: { itemId: item.id, key: itemPictureKey(item) },
    name: `${item.line.brand.name} ${item.line.name}`,
    tire: [item.size.designation, serviceOf(item)].filter(Boolean).join(' '),
    each: `${quantity} at ${formatCents(prices[index]?.unitCents ?? 0)}`,
  }))
}

/**
 * Returns the price at the shop and its first open times. Returns empty lists if the shop doesn't install the tires.
 */
function offerView(offer: InstalledOffer | undefined, timeZone: string) {
  if (!offer) return { rows: [], times: [] }
  return {
    rows: summaryRows(offer.breakdown.explain),
    times: offer.openings.map((opening) => ({
      label: slotText(opening, timeZone),
      value: openingValue(opening),
    })),
  }
}

async function pricesOf({ catalog }: Application, front: Item, rear: Item | null): Promise<readonly Price[]> {
  const prices = await catalog.cache.prices()
  return rear ? prices.pricesOfPair(front, rear) : [prices.priceOf(front)]
}

/**
 * Returns the price at this shop regardless of distance, as the widget shows it. Returns undefined if the shop doesn't
 * install the tires.
 */
async function offerAt(
  app: Application,
  place: { id: number; zip: string },
  items: readonly Item[],
  tires: OfferedTires[],
): Promise<InstalledOffer | undefined> {
  const near = await readOffersNear({ ...app, brandedStore: { shopId: place.id } }, place.zip)
  if (!near.ok) return undefined
  const ask = { key: 'set', tires, stock: items.map(({ stock }) => stock), shops: 1 }
  const priced = await near.value.price([ask])
  return priced.get('set')?.[0]
}

/** The chosen time in words, if it is free now; null if it is not. */
async function freeTime(
  app: Application,
  { shop: place, arrivesOn }: InstalledOffer,
  tires: readonly OfferedTires[],
  choice: Choice,
): Promise<string | null> {
  if (arrivesOn === null) return null
  const offered = await offerTimes(app, { shopId: place.id, tires: tireSpecs(tires), arrivesOn })
  return offered.ok ? labelOf(offered.value.days, choice, place.timeZone) : null
}

function labelOf(days: readonly OfferedDay[], choice: Choice, timeZone: string): string | null {
  if ('window' in choice) {
    const day = days.find(({ date }) => date.equals(choice.date))
    const window = day?.dropOffs.find((each) => each.window === choice.window && each.free)
    return day && window
      ? `${dayText(day.date)}. ${dropOffText(window, timeZone)} (${zoneName(window.start, timeZone)})`
      : null
  }
  const isFree = days.some(({ times }) => times.some(({ start, free }) => free && start.equals(choice.start)))
  return isFree ? slotTextWithZone(choice, timeZone) : null
}

/** What the form of a time posts to the cart, apart from shop and time. */
function fieldsOf(items: readonly Item[], quantity: number): [name: string, value: string][] {
  const [front, rear] = items.map(({ id }) => String(id))
  const count = String(quantity)
  const both: [string, string][] =
    rear === undefined
      ? []
      : [
          ['rearItem', rear],
          ['rearQuantity', count],
        ]
  return [['item', front ?? ''], ['quantity', count], ...both, ['then', 'shipping']]
}
