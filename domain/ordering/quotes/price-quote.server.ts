/** What a quote costs out the door, with the price, floor and verdict of each tire. */
import { catalogFor, findOffers, type Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import type { Item, Offer } from '#domain/catalog/catalog/catalog.ts'
import { priceShipping, refuseHomeDelivery } from '#domain/supply/delivery/delivery.ts'
import type { Level, Requirement } from '#domain/catalog/fitment/fitment.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { quoteInstallation } from '#domain/scheduling/installers/installers.ts'
import {
  atShop,
  offeredTires,
  priceOffer,
  priceTires,
  tireSpecs,
  type Destination,
  type OfferedTires,
} from '#domain/catalog/offers/offers.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import type { Place } from '#domain/kernel/places/places.ts'
import { findPickupPlace } from '#domain/supply/pickup-places/pickup-places.server.ts'
import { findPickupWarehouse, planPickup } from '#domain/supply/delivery/delivery.server.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { createBuyer, readPriceTier, type PriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { findTaxRule } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import { shippingRatesOf, type BusinessTerms } from '#domain/kernel/settings/settings.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { readOfficeLimits } from '#domain/kernel/settings/settings.server.ts'
import { floorCents, isBelowFloor, labelsFor, lastQuoteDay, marginTenths, isForAccountOnly } from './quotes.ts'
import type { Quote, QuoteLabel, QuoteLine } from './quotes.sql.server.ts'

export type QuoteDeps = {
  db: Database
  clock: Clock
  catalog: Catalog
  priceLists: PriceLists
  businessTerms: Pick<LiveTerms, 'current'>
}

/** Problems that block sending a quote. */
export type QuoteProblem =
  | 'no-tires'
  | 'not-sold'
  | 'label-not-theirs'
  | 'no-shop'
  | 'shop-gone'
  | 'shop-cannot'
  | 'no-warehouse'
  | 'warehouse-gone'
  | 'warehouse-short'
  | 'no-pickup-place'
  | 'no-zip'
  | 'zip-unknown'
  | 'no-delivery'
  | 'expiry-past'
  | 'expiry-far'

/** A quote's tire as staff see it. `retailCents` is today's best public price, `ownCents` the account's. */
export type PricedLine = QuoteLine & {
  item: Item | null
  name: string
  retailCents: number | null
  ownCents: number | null
  floorCents: number | null
  marginTenths: number | null
  isBelowFloor: boolean
  available: number
  fit: { verdict: Level; text: string } | null
}

export type PricedQuote = {
  lines: PricedLine[]
  /** Of the vehicle; null without one, or if it isn't known. */
  requirement: Requirement | null
  vehicleName: string | null
  labels: QuoteLabel[]
  /** The least margin of a price that needs no approval, in parts per million of it. */
  marginFloorPpm: number
  breakdown: PriceBreakdown | null
  problems: QuoteProblem[]
}

/** What a quote is priced by. */
export type QuoteContent = Pick<
  Quote,
  | 'lines'
  | 'accountId'
  | 'label'
  | 'vehicle'
  | 'goodThrough'
  | 'fulfillment'
  | 'shopId'
  | 'pickupWarehouseId'
  | 'carrierLocationId'
  | 'zip'
  | 'roadside'
>

/** Prices a quote with its quoted prices and today's tax, fees, and shop rates. */
export async function priceQuote(deps: QuoteDeps, quote: QuoteContent): Promise<PricedQuote> {
  const vehicle = quote.vehicle && (await findChosenVehicle(deps, quote.vehicle))
  const chosen = vehicle?.ok ? vehicle.value : null
  const [{ quoteMarginFloorPpm }, labels] = await Promise.all([
    readOfficeLimits(deps.db),
    labelsOf(deps, quote.accountId),
  ])
  const lines = await priceLines(deps, quote, { vehicle: chosen, marginFloorPpm: quoteMarginFloorPpm })
  const problems: QuoteProblem[] = [
    ...(lines.length === 0 ? (['no-tires'] as const) : []),
    ...(lines.some(({ item }) => item === null) ? (['not-sold'] as const) : []),
    ...(labels.includes(quote.label) ? [] : (['label-not-theirs'] as const)),
    ...expiryProblems(quote.goodThrough, storeDay(deps.clock.now())),
  ]
  const tires = offered(quote, lines)
  const target = await destinationOf(deps, quote, tires)
  if (typeof target === 'string') problems.push(target)
  const canPrice = typeof target !== 'string' && tires.length > 0 && tires.length === lines.length
  return {
    lines,
    requirement: chosen?.requirement ?? null,
    vehicleName: chosen?.name ?? null,
    labels,
    marginFloorPpm: quoteMarginFloorPpm,
    breakdown: canPrice
      ? priceOffer(tires, target.destination, deps.clock.now().toZonedDateTimeISO(target.timeZone).toPlainDate(), {
          roadside: quote.roadside,
        })
      : null,
    problems,
  }
}

/** The labels an account's quote may be made at; a guest's at retail or typed prices. */
export async function labelsOf({ db, clock }: QuoteDeps, accountId: string | null): Promise<QuoteLabel[]> {
  return labelsFor(accountId === null ? 'Retail' : (await readPriceTier(db, accountId, clock.now())).accountType)
}

/** Returns a quote's total in cents at each of its labels. Null while it can't be priced, and for prices not typed yet. */
export function readLabelTotals(
  deps: QuoteDeps,
  quote: QuoteContent,
  { labels, breakdown }: Pick<PricedQuote, 'labels' | 'breakdown'>,
): Promise<{ label: QuoteLabel; totalCents: number | null }[]> {
  return Promise.all(
    labels.map(async (label) => {
      if (label === quote.label || breakdown === null)
        return { label, totalCents: breakdown && breakdown.totals.totalCents }
      if (label === 'Special Order') return { label, totalCents: null }
      const lines = await pricesAtLabel(deps, { ...quote, label })
      const priced = await priceQuote(deps, { ...quote, label, lines })
      return { label, totalCents: priced.breakdown && priced.breakdown.totals.totalCents }
    }),
  )
}

type Judged = { requirement: Requirement; name: string } | null

async function priceLines(
  deps: QuoteDeps,
  quote: Pick<Quote, 'lines' | 'accountId'>,
  { vehicle, marginFloorPpm }: { vehicle: Judged; marginFloorPpm: number },
): Promise<PricedLine[]> {
  const keys = quote.lines.map(({ itemId }) => String(itemId))
  const view = vehicle ? { requirement: vehicle.requirement, vehicleName: vehicle.name } : {}
  const [retail, own, pairs] = await Promise.all([
    findOffers(deps.catalog, keys, view),
    quote.accountId === null ? [] : findOffers(accountCatalog(deps, quote.accountId), keys),
    findOffers(deps.catalog, pairKeys(quote.lines), view),
  ])
  return quote.lines.map((line) => {
    const offer = offerOf(retail, line.itemId)
    const ownOffer = offerOf(own, line.itemId)
    const fit = (pairs.find(({ items }) => items.some(({ id }) => id === line.itemId)) ?? offer)?.fitment
    const item = offer?.items[0] ?? null
    const costed = { unitCents: line.unitCents, costCents: item ? item.costCents : line.costCents }
    return {
      ...line,
      costCents: costed.costCents,
      item,
      name: offer ? (offeredTires(offer.items, offer.prices)[0]?.name ?? '') : `Article ${line.itemId}`,
      retailCents: offer ? unitOf(offer, line.quantity, deps.businessTerms.current) : null,
      ownCents: ownOffer ? unitOf(ownOffer, line.quantity, deps.businessTerms.current) : null,
      floorCents: floorCents(costed.costCents, marginFloorPpm),
      marginTenths: marginTenths(costed),
      isBelowFloor: isBelowFloor(costed, marginFloorPpm),
      available: item ? item.stock.reduce((sum, [, units]) => sum + units, 0) : 0,
      fit: fit ? { verdict: fit.verdict, text: fit.text } : null,
    }
  })
}

/** A front and a rear item are evaluated as one set. */
function pairKeys(lines: readonly QuoteLine[]): `${number}-${number}`[] {
  const [front] = lines.filter(({ axle }) => axle === 'front')
  const [rear] = lines.filter(({ axle }) => axle === 'rear')
  return front && rear ? [`${front.itemId}-${rear.itemId}`] : []
}

function offerOf(offers: readonly Offer[], itemId: number): Offer | undefined {
  return offers.find(({ items }) => items[0].id === itemId)
}

/** Returns a buyer's unit price after promotions, rounded down so that a quote is never above the page's price. */
export function unitOf({ items, prices }: Offer, quantity: number, terms: BusinessTerms): number {
  const charged = prices.map((price) => price.charged ?? price)
  const [tires] = priceTires(offeredTires(items, charged, quantity), terms).lines
  return tires ? Math.floor(tires.netCents / tires.quantity) : items[0].retailCents
}

/** The catalog at the prices of an account. */
export function accountCatalog({ db, clock, catalog, priceLists }: QuoteDeps, accountId: string): Catalog {
  return catalogFor(
    catalog,
    createBuyer({ db, clock, priceLists }, async () => accountId),
  )
}

/**
 * Returns unit prices for the quote's label, as typed for a special order and otherwise today's price. Includes costs.
 * Items that aren't for sale retain the typed price.
 */
export async function pricesAtLabel(
  deps: QuoteDeps,
  {
    label,
    accountId,
    lines,
  }: { label: QuoteLabel; accountId: string | null; lines: readonly Omit<QuoteLine, 'costCents'>[] },
): Promise<QuoteLine[]> {
  const catalog = isForAccountOnly(label) && accountId !== null ? accountCatalog(deps, accountId) : deps.catalog
  const offers = await findOffers(
    catalog,
    lines.map(({ itemId }) => String(itemId)),
  )
  return lines.map((line) => {
    const offer = offerOf(offers, line.itemId)
    return {
      ...line,
      unitCents:
        offer && label !== 'Special Order' ? unitOf(offer, line.quantity, deps.businessTerms.current) : line.unitCents,
      costCents: offer?.items[0].costCents ?? null,
    }
  })
}

function offered({ label }: Pick<Quote, 'label'>, lines: readonly PricedLine[]): OfferedTires[] {
  return lines.flatMap(({ item, quantity, unitCents, coverage }) =>
    item
      ? offeredTires([item], [], quantity).map((tires) => ({
          ...tires,
          quote: { label, unitCents },
          coveredQuantity: coverage ? quantity : 0,
        }))
      : [],
  )
}

function expiryProblems(day: Temporal.PlainDate, today: Temporal.PlainDate): QuoteProblem[] {
  if (Temporal.PlainDate.compare(day, today) < 0) return ['expiry-past']
  return Temporal.PlainDate.compare(day, lastQuoteDay(today)) > 0 ? ['expiry-far'] : []
}

type Target = { destination: Destination; timeZone: string }

function destinationOf(
  deps: QuoteDeps,
  quote: QuoteContent,
  tires: readonly OfferedTires[],
): Promise<Target | QuoteProblem> {
  switch (quote.fulfillment) {
    case 'home':
      return atHome(deps, quote.zip, tires)
    case 'shop':
      return installedAt(deps, quote.shopId, tires)
    case 'warehouse-pickup':
      return atWarehouse(deps, quote)
    case 'carrier-pickup':
      return atPickupPlace(deps, quote.carrierLocationId, tires)
  }
}

async function installedAt(
  deps: QuoteDeps,
  shopId: number | null,
  tires: readonly OfferedTires[],
): Promise<Target | QuoteProblem> {
  if (shopId === null) return 'no-shop'
  const shop = await findShop(deps, { id: shopId })
  if (!shop) return 'shop-gone'
  const installation = quoteInstallation(shop, tireSpecs(tires))
  if (!installation.ok) return 'shop-cannot'
  const { timeZone } = shop
  const taxRule = await findTaxRule(deps.db, shop, deps.clock.now().toZonedDateTimeISO(timeZone).toPlainDate())
  return taxRule
    ? { destination: atShop(shop, installation.value, tires, { taxRule, terms: deps.businessTerms.current }), timeZone }
    : 'no-delivery'
}

async function atHome(
  deps: QuoteDeps,
  zip: string | null,
  tires: readonly OfferedTires[],
): Promise<Target | QuoteProblem> {
  if (zip === null) return 'no-zip'
  const place = await findPlace(deps.db, zip)
  if (!place) return 'zip-unknown'
  if (refuseHomeDelivery(place)) return 'no-delivery'
  return shippedTo(deps, place, tires, 'address')
}

async function atPickupPlace(
  deps: QuoteDeps,
  id: number | null,
  tires: readonly OfferedTires[],
): Promise<Target | QuoteProblem> {
  const counter = id === null ? undefined : await findPickupPlace(deps, id)
  if (!counter) return 'no-pickup-place'
  const place = await findPlace(deps.db, counter.zip)
  return place ? shippedTo(deps, place, tires, 'pickup') : 'no-delivery'
}

async function shippedTo(
  deps: QuoteDeps,
  place: Place,
  tires: readonly OfferedTires[],
  shippingTo: 'address' | 'pickup',
): Promise<Target | QuoteProblem> {
  const { db, clock, businessTerms } = deps
  if (place.region === 'MILITARY') return 'no-delivery'
  const timeZone = place.timeZone ?? storeZone
  const taxRule = await findTaxRule(db, place, clock.now().toZonedDateTimeISO(timeZone).toPlainDate())
  if (!taxRule) return 'no-delivery'
  const shippingCents = priceShipping(shippingRatesOf(businessTerms.current), place, tires).totalCents
  return {
    destination: uninstalled(deps, { stateCode: place.state, shippingCents, shippingTo, taxRule }),
    timeZone,
  }
}

/** Prices a warehouse pickup with the warehouse's tax and without shipping. The warehouse must have all the tires. */
async function atWarehouse(
  deps: QuoteDeps,
  { pickupWarehouseId: warehouseId, lines }: Pick<QuoteContent, 'pickupWarehouseId' | 'lines'>,
): Promise<Target | QuoteProblem> {
  if (warehouseId === null) return 'no-warehouse'
  const warehouse = await findPickupWarehouse(deps, warehouseId)
  const plan = await planPickup(deps, { lines, warehouseId })
  if (!warehouse || (!plan.ok && plan.reason === 'pickup-gone')) return 'warehouse-gone'
  if (!plan.ok) return 'warehouse-short'
  const { timeZone, state } = warehouse
  const taxRule = await findTaxRule(deps.db, warehouse, deps.clock.now().toZonedDateTimeISO(timeZone).toPlainDate())
  if (!taxRule) return 'no-delivery'
  return {
    destination: uninstalled(deps, { stateCode: state, shippingCents: 0, shippingTo: 'pickup', taxRule }),
    timeZone,
  }
}

function uninstalled(
  { businessTerms }: Pick<QuoteDeps, 'businessTerms'>,
  to: Pick<Destination, 'stateCode' | 'shippingCents' | 'shippingTo' | 'taxRule'>,
): Destination {
  return { ...to, installation: null, shopName: null, terms: businessTerms.current }
}
