/** A partner widget's content, with five tires in a size or for a vehicle, and one shop's prices and times. */
import { openingValue } from '#app/forms/slot-value.ts'
import { slotText, slotTextWithZone } from '#content/messages/times.ts'
import { paths, withQuery } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { listModels, sizePairsOf, type SizePair } from '#domain/catalog/catalog/catalog.server.ts'
import { cardOf, parseQuery, type ModelOffer, type Offer } from '#domain/catalog/catalog/catalog.ts'
import type { Requirement } from '#domain/catalog/fitment/fitment.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import {
  readOffersNear,
  readShippingTo,
  shippingOfOffer,
  type InstalledOffer,
  type ShippingTo,
} from '#domain/catalog/offers/offers.server.ts'
import { offeredTires } from '#domain/catalog/offers/offers.ts'
import { widgetOffers } from '#domain/customers/programs/programs.ts'
import { encodeChosenVehicle, type ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { Application } from '#application'

export type WidgetAsked = {
  widgetId: string
  shopCode: string
  source: string | null
  wanted: { size: string } | { vehicle: ChosenVehicle }
}

/** Returns the widget's content; null for an unknown shop or vehicle, or a size without tires for sale. */
export async function readWidgetOffers(app: Application, asked: WidgetAsked) {
  const place = await findShop(app, { code: asked.shopCode })
  if (!place) return null
  const near = await readOffersNear(
    // The price is only this shop's, regardless of other shops nearby.
    { ...app, brandedStore: { shopId: place.id } },
    place.zip,
  )
  const vehicle = 'vehicle' in asked.wanted ? await findChosenVehicle(app, asked.wanted.vehicle) : null
  if (!near.ok || (vehicle && !vehicle.ok)) return null
  const about = vehicle?.value
  const sizes = sizesOf(asked.wanted, about?.requirement)
  if (sizes.length === 0) return null
  const { arrivalOf, totalOf } = near.value
  const shippingTo = await readShippingTo(app, place.zip)
  const found = await listModels(app.catalog, {
    scope: { sizes },
    query: parseQuery(new URLSearchParams()),
    requirement: about?.requirement,
    vehicleName: about?.name,
    zip: place.zip,
    arrivalOf,
    totalOf: (items, prices) => totalOf(offeredTires(items, prices)),
    shippingOf: shippingTo?.shippingOf,
  })
  if (!found.ok) return null
  const chosen = chooseOffers(found.value)
  const installed = await near.value.price(
    chosen.map(({ offer: { key, items, prices } }) => ({
      key,
      tires: offeredTires(items, prices),
      stock: items.map(({ stock }) => stock),
      shops: 1,
    })),
  )
  const now = app.clock.now()
  const linkTo = (path: string) => carryOver(app.config.web.origin + path, asked)
  const views = chosen.map(({ offer, reason }) =>
    offerView(offer, reason, { at: installed.get(offer.key)?.[0], place, shippingTo, linkTo }),
  )
  const first = firstOf(views.flatMap(({ times }) => times))
  return {
    shop: { name: place.name, street: place.street, city: place.city, phone: phoneText(place.phone) },
    subject: subjectOf(about?.name, found.value.names.sizes[0]?.front),
    count: countOf(found.value.total, 'tire'),
    ...startOf(first, place, { now, linkTo }),
    allUrl: linkTo(listingOf(asked.wanted)),
    offers: views.map(({ view }) => view),
  }
}

/** A time of the shop for one of the tires, with its link. */
type LinkedTime = { start: Temporal.Instant; label: string; single: string; url: string }

function firstOf(times: readonly LinkedTime[]): LinkedTime | undefined {
  return times.toSorted((a, b) => Temporal.Instant.compare(a.start, b.start))[0]
}

/** The shop's first time, and if that is far, where others are. */
function startOf(
  first: LinkedTime | undefined,
  { timeZone, zip }: { timeZone: string; zip: string },
  { now, linkTo }: { now: Temporal.Instant; linkTo(path: string): string },
) {
  const late = { firstUrl: first?.url ?? null, othersUrl: linkTo(paths.tireShops(zip)) }
  return { first: first?.single ?? null, late: isLate(first?.start, timeZone, now) ? late : null }
}

/** Whether a shop's first time is not within the coming week, by the days of its zone, so that others are named. */
export function isLate(first: Temporal.Instant | undefined, timeZone: string, now: Temporal.Instant): boolean {
  if (!first) return true
  const [today, day] = [now, first].map((instant) => instant.toZonedDateTimeISO(timeZone).toPlainDate())
  return today!.until(day!, { largestUnit: 'day' }).days >= 7
}

function sizesOf(wanted: WidgetAsked['wanted'], requirement: Requirement | undefined): SizePair[] {
  if ('size' in wanted) return [{ front: wanted.size, rear: wanted.size }]
  return requirement ? sizePairsOf(requirement) : []
}

function subjectOf(vehicle: string | undefined, size = 'this size'): string {
  return vehicle === undefined ? `in ${size}` : `for a ${vehicle}`
}

function listingOf(wanted: WidgetAsked['wanted']): string {
  if ('size' in wanted) return paths.listing({ size: wanted.size })
  const { makeSlug, modelSlug, year } = wanted.vehicle
  return paths.vehicle(makeSlug, modelSlug, year)
}

/** The listing's picks, each for its reason, and then its first tires. */
function chooseOffers({
  picks,
  models,
}: {
  picks: readonly { offer: Offer; reason: string }[]
  models: readonly ModelOffer[]
}): { offer: Offer; reason: string | null }[] {
  const picked = new Set(picks.map(({ offer }) => offer.line.id))
  const others = models
    .filter(({ offer: { line } }) => !picked.has(line.id))
    .map(({ offer }) => ({ offer, reason: null }))
  return [...picks, ...others].slice(0, widgetOffers)
}

function offerView(
  offer: Offer,
  reason: string | null,
  {
    at,
    place: { code, timeZone },
    shippingTo,
    linkTo,
  }: {
    at: InstalledOffer | undefined
    place: { code: string; timeZone: string }
    shippingTo: ShippingTo | null
    linkTo(path: string): string
  },
) {
  const card = cardOf(offer)
  const [item, rear] = card.items
  const shippingCents = shippingOfOffer(offer, shippingTo)
  const booking = (slot: string) =>
    linkTo(serverPaths.bookTime({ item: item?.itemId ?? 0, rear: rear?.itemId, shop: code, slot }))
  const times = (at?.openings ?? []).map((opening) => ({
    start: opening.start,
    label: slotText(opening, timeZone),
    single: slotTextWithZone(opening, timeZone),
    url: booking(openingValue(opening)),
  }))
  const view = {
    key: card.key,
    reason,
    name: `${card.brand.name} ${card.line.name}`,
    tire: card.items.map(({ size, service }) => `${size} ${service}`.trim()).join(' and '),
    // Every release of the script, including old ones, shows the text next to the price.
    each: `${formatCents(card.perTireCents)}${shippingCents ? ` + ${formatCents(shippingCents)} shipping` : ''}`,
    shippingPerTireCents: shippingCents,
    four: formatCents(card.fourCents + (shippingTo?.setCents(offer.items) ?? 0)),
    totalCents: at?.totalCents ?? null,
    total: at ? formatCents(at.totalCents) : null,
    fit: card.fit?.text ?? null,
    // Scripts from earlier releases, which partners' pages check by hash, read only the labels.
    times: times.map(({ label }) => label),
    bookings: times.map(({ label, url }) => ({ label, url })),
    url: linkTo(withQuery(paths.item(card.brand.slug, card.line.slug, item?.itemId ?? 0), { rear: rear?.itemId })),
  }
  return { view, times }
}

/** Adds the visit's parameters to the URL (channel, widget, shop, source, and vehicle). */
function carryOver(url: string, { widgetId, shopCode, source, wanted }: WidgetAsked): string {
  const carried = new URL(url)
  carried.searchParams.set('channel', 'widget')
  carried.searchParams.set('widgetId', widgetId)
  carried.searchParams.set('installerId', shopCode)
  if (source !== null) carried.searchParams.set('source', source)
  if ('vehicle' in wanted) carried.searchParams.set('widgetVehicle', encodeChosenVehicle(wanted.vehicle))
  return carried.href
}
