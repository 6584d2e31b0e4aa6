/**
 * Prices a cart with and without the tested promotion, before it starts, with the same code that prices every order.
 */
import {
  findCatalogIds,
  findItem,
  mapPricesOf,
  selectFiltered,
  selectPromotions,
  type Catalog,
} from '#domain/catalog/catalog/catalog.server.ts'
import type { Item, Promotion } from '#domain/catalog/catalog/catalog.ts'
import { priceShipping } from '#domain/supply/delivery/delivery.ts'
import { groupByArticle, offeredTires, priceOffer, type OfferedTires } from '#domain/catalog/offers/offers.ts'
import { accountPrice, type AccountPricing } from '#domain/pricing/price-tiers/price-tiers.ts'
import { listLeftOut } from './left-out.server.ts'
import type { PriceBreakdown, ProgramOffer } from '#domain/pricing/pricing/pricing.ts'
import { findTaxRule } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import { shippingRatesOf } from '#domain/kernel/settings/settings.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { OfficePromotion } from './promotions.sql.server.ts'

/** The same cart at retail prices, delivered to an address in the state, at the moment of the test. */
export type CartTest = { without: PriceBreakdown; with: PriceBreakdown; at: Temporal.Instant }

/** Prices a cart for an account at its prices, before and after a change of them, with the promotions that run then. */
export async function testAccountPrices(
  deps: TestDeps,
  tested: TestedCart,
  { at, without, with: changed }: { at: Temporal.Instant; without: AccountPricing; with: AccountPricing },
): Promise<Outcome<CartTest, TestRefusal>> {
  const promotions = await runningAt(deps.catalog, at)
  return priceTestCart(deps, tested, {
    at,
    without: { promotions, account: without },
    with: { promotions, account: changed },
  })
}

/** The catalog that the cart is of, and the terms that it is priced under. */
export type TestDeps = { catalog: Catalog; businessTerms: Pick<LiveTerms, 'at'> }

export type TestRefusal = Refused<'not-sold', string> | Refused<'no-delivery'>

/** The cart of a test, and the state that it goes to. */
export type TestedCart = { cart: readonly { sku: string; quantity: number }[]; state: string }

/**
 * Prices a cart at the promotion's start, or now for a draft or one that has started. `with` includes it and all other
 * promotions that run then. `without` includes the others, and the one it replaces. Refuses SKUs that aren't for sale,
 * and states we don't deliver to.
 */
export async function testPromotion(
  deps: TestDeps,
  promotion: OfficePromotion,
  tested: TestedCart,
): Promise<Outcome<CartTest, TestRefusal>> {
  const at = testedAt(promotion.startsAt, deps.catalog.clock.now())
  const running = await runningAt(deps.catalog, at)
  const others = running.filter(({ id }) => id !== promotion.promotionId)
  const only = await onlyOf(deps.catalog, promotion, tested)
  const exceptItemIds = (await listLeftOut(deps.catalog, promotion)).map(({ itemId }) => itemId)
  return priceTestCart(deps, tested, {
    at,
    without: { promotions: others },
    with: {
      promotions: [
        ...others.filter(({ id }) => id !== promotion.replacesId),
        { ...asPromotion(promotion, at), exceptItemIds, ...(only && { only }) },
      ],
    },
  })
}

/** Returns the cart’s tires that match the promotion’s filter, or null if it has no filter. */
async function onlyOf(
  { db }: Pick<Catalog, 'db'>,
  { filterId }: OfficePromotion,
  { cart }: TestedCart,
): Promise<NonNullable<Promotion['only']> | null> {
  if (filterId === null) return null
  const ids = await findCatalogIds(db, { brand: [], line: [], size: [], item: cart.map(({ sku }) => sku) })
  return { itemIds: await selectFiltered(db, filterId, [...ids.item.values()]), cheapestOfLines: [] }
}

/** Returns the time to test at. It is the promotion's start, or now for a draft or one that has started. */
export function testedAt(startsAt: Temporal.Instant | null, now: Temporal.Instant): Temporal.Instant {
  return startsAt && Temporal.Instant.compare(startsAt, now) > 0 ? startsAt : now
}

/** The promotions that run at a moment. */
export function runningAt({ db }: Pick<Catalog, 'db'>, at: Temporal.Instant): Promise<Promotion[]> {
  return selectPromotions(db, null, at, at.add({ milliseconds: 1 }))
}

type Variant = {
  promotions: readonly Promotion[]
  /** An account's prices, in addition to retail. */
  account?: AccountPricing
  /** The programs that are entered for a cart of these articles. */
  programs?: (articles: { itemId: number; lineId: number; brandId: number }[]) => Promise<readonly ProgramOffer[]>
}

/** Prices a cart twice, with the code that prices orders. Refuses SKUs that are not sold, and a state without delivery. */
export async function priceTestCart(
  { catalog, businessTerms }: TestDeps,
  { cart, state }: TestedCart,
  { at, ...variants }: { at: Temporal.Instant; without: Variant; with: Variant },
): Promise<Outcome<CartTest, TestRefusal>> {
  const day = storeDay(at)
  const taxRule = await findTaxRule(catalog.db, { zip: '', state }, day)
  if (!taxRule) return refused('no-delivery')
  const ids = await findCatalogIds(catalog.db, { brand: [], line: [], size: [], item: cart.map(({ sku }) => sku) })
  const found = await Promise.all(
    cart.map(async ({ sku, quantity }) => {
      const id = ids.item.get(sku.toLowerCase())
      const item = id === undefined ? undefined : await findItem(catalog, id)
      return { sku, quantity, item }
    }),
  )
  const missing = found.find(({ item }) => !item)
  if (missing) return refused('not-sold', missing.sku)
  const maps = await mapPricesOf(
    catalog.db,
    found.flatMap(({ item }) => item?.id ?? []),
  )
  const articles = found.flatMap(({ item }) =>
    item ? { itemId: item.id, lineId: item.line.id, brandId: item.line.brand.id } : [],
  )
  const terms = businessTerms.at(at)
  const price = async ({ promotions, programs, account }: Variant): Promise<PriceBreakdown> => {
    const shown = await catalog.cache.pricesAt(at, promotions)
    const book = shown.charged ?? shown
    const tires = found.flatMap(({ item, quantity }): OfferedTires[] => {
      if (!item) return []
      const [tire] = offeredTires([item], [book.priceOf(item, quantity)], quantity)
      return tire ? [{ ...tire, mapCents: maps.get(item.id) ?? null, ...(account && ownPrice(account, item)) }] : []
    })
    const grouped = groupByArticle(tires)
    const shippingCents = priceShipping(shippingRatesOf(terms), { state, zip: null }, grouped).totalCents
    const home = {
      stateCode: state,
      installation: null,
      shopName: null,
      shippingCents,
      shippingTo: 'address' as const,
      taxRule,
      terms,
    }
    return priceOffer(grouped, home, day, { roadside: false, programs: (await programs?.(articles)) ?? [] })
  }
  const [without, withIt] = await Promise.all([price(variants.without), price(variants.with)])
  return ok({ without, with: withIt, at })
}

/** The price of a tire for an account, as offers take it. */
function ownPrice(
  account: AccountPricing,
  { id, line, size, retailCents, costCents }: Item,
): Pick<OfferedTires, 'account'> {
  const listed = { id, lineId: line.id, brandId: line.brand.id, sizeSlug: size.slug, retailCents, costCents }
  return { account: { type: account.type, unitCents: accountPrice(account, listed)?.unitCents ?? null } }
}

/** The promotion as pricing sees it once it runs. */
function asPromotion(promotion: OfficePromotion, at: Temporal.Instant): Promotion {
  const { promotionId, slug, name, headline, kind, amount, itemId, lineId, brandId, fundedBy, daily, linkToCoverage } =
    promotion
  return {
    id: promotionId ?? 0,
    slug: slug ?? '',
    name,
    headline,
    kind,
    amount,
    itemId,
    lineId,
    brandId,
    fundedBy,
    alreadyApplied: false,
    linkToCoverage,
    daily,
    startsAt: at,
    endsAt: at.add({ hours: 1 }),
  }
}
