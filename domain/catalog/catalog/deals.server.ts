/** Deals lower the price; rebates are paid after the purchase and kept separate. */
import { storeDay } from '#platform/store-zone.ts'
import { selectPromotion, selectRebate, selectSubjects, type Subject } from './deals.sql.server.ts'
import type { Item } from './items.ts'
import { modelsOf, type ModelOffer } from './listing.ts'
import { lineOffer, tireOffer, type Offer, type OfferContext } from './offer.ts'
import { selectSizePopularity } from './product.sql.server.ts'
import { isActive, type PriceBook, type Promotion, type Rebate } from './promotion.ts'
import { selectPromotions } from './promotion.sql.server.ts'
import type { Catalog } from './catalog-cache.server.ts'

/**
 * A promotion with its subject and a discounted offer. The offer is an item, or a model at its lowest price, and null
 * for a whole brand or for everything.
 */
export type Deal = { readonly promotion: Promotion; readonly subject: Subject; readonly offer: Offer | null }

/**
 * Lists all current promotions, with daily deals first, then those on the best-known tires, then whole brands. For an
 * account only those that lower the price it pays.
 */
export async function listDeals(catalog: Catalog): Promise<readonly Deal[]> {
  const [promotions, prices] = await Promise.all([catalog.cache.promotions(), catalog.cache.prices()])
  const now = catalog.clock.now()
  const running = promotions.filter((promotion) => isActive(promotion, now))
  return dealsOf(catalog, 'now', running, { prices, at: catalog.fitAt() })
}

/**
 * Lists the promotions that run at any time of a sale, without duplicates, as they will be at its start or, once it has
 * started, as they are.
 */
export async function listDealsDuring(
  catalog: Catalog,
  starts: Temporal.Instant,
  ends: Temporal.Instant,
): Promise<readonly Deal[]> {
  const { cache, db, clock, range } = catalog
  const name = `deals from ${starts.toString()}`
  const promotions = await cache.keep(`promotions ${name}`, () => selectPromotions(db, range, starts, ends))
  const now = clock.now()
  const isBegun = Temporal.Instant.compare(starts, now) <= 0
  const shown = isBegun ? promotions.filter((promotion) => isActive(promotion, now)) : promotions
  // Each deal shows its own price, even if it starts on the second day.
  const books = Map.groupBy(shown, ({ startsAt }) =>
    laterOf(laterOf(starts, startsAt), isBegun ? now : starts).toString(),
  )
  const atStart = await cache.pricesAt(starts, promotions)
  const prices = new Map<number, PriceBook>()
  for (const [at, all] of books) {
    const book = await cache.pricesAt(Temporal.Instant.from(at), promotions)
    for (const { id } of all) prices.set(id, book)
  }
  const at = catalog.fitAt()
  return dealsOf(catalog, name, shown, ({ id }) => ({ at, prices: prices.get(id) ?? atStart }))
}

export type DealPage = Deal & {
  readonly state: 'coming' | 'running' | 'ended'
  /**
   * The tires it applies to, best-known first, at the current price or, for an upcoming deal, the future one, with the
   * versions in a size as one; lines for a brand.
   */
  readonly models: readonly ModelOffer[]
  /** The total number of a model's sizes or a brand's models. */
  readonly count: number
}

const modelsShown = 12

/** Returns the deal with this slug, at any time. Undefined if there never was one. */
export async function findDeal(catalog: Catalog, slug: string): Promise<DealPage | undefined> {
  const found = await selectPromotion(catalog.db, catalog.range, slug)
  if (!found) return undefined
  const { promotion, subject } = found
  const now = catalog.clock.now()
  const state = isActive(promotion, now)
    ? 'running'
    : Temporal.Instant.compare(now, promotion.startsAt) < 0
      ? 'coming'
      : 'ended'
  if (state === 'ended') return { ...found, offer: null, state, models: [], count: 0 }
  const context = {
    at: catalog.fitAt(),
    prices: await (state === 'running'
      ? catalog.cache.prices()
      : catalog.cache.pricesAt(promotion.startsAt, [promotion])),
  }
  const all = await modelsOn(catalog, promotion, subject, context)
  return { ...found, state, offer: all[0]?.offer ?? null, models: all.slice(0, modelsShown), count: all.length }
}

/**
 * Returns up to six current deals that are closest to an expired one. Prefers the same model, then brand, then kind,
 * then any.
 */
export async function dealsAlike(catalog: Catalog, { brand, line, type }: Subject): Promise<Deal[]> {
  const nearness = ({ subject }: Deal) =>
    Number(subject.line?.slug === line?.slug && subject.brand?.slug === brand?.slug) * 4 +
    Number(subject.brand?.slug === brand?.slug) * 2 +
    Number(subject.type !== null && subject.type.slug === type?.slug)
  return (await listDeals(catalog)).toSorted((a, b) => nearness(b) - nearness(a)).slice(0, 6)
}

export type RunningRebate = { readonly rebate: Rebate; readonly subject: Subject }

/** Lists the rebates valid for a purchase now, largest first. */
export async function listRebates({ cache, db, clock }: Catalog): Promise<readonly RunningRebate[]> {
  const now = clock.now()
  const all = await cache.rebates()
  const subjects = await cache.keep('subjects of rebates', () => selectSubjects(db, 'rebate', idsOf(all)))
  return all
    .filter((rebate) => isActive(rebate, now))
    .flatMap((rebate) => {
      const subject = subjects.get(rebate.id)
      return subject ? [{ rebate, subject }] : []
    })
    .sort((a, b) => b.rebate.amountCents - a.rebate.amountCents || a.rebate.id - b.rebate.id)
}

/** `claimable`: the purchase period is over, but claims are still accepted. */
export type RebatePage = RunningRebate & {
  readonly state: 'coming' | 'running' | 'claimable' | 'ended'
  readonly models: readonly ModelOffer[]
  readonly count: number
}

/** Returns the rebate with this slug, at any time. Undefined if there never was one. */
export async function findRebate(catalog: Catalog, slug: string): Promise<RebatePage | undefined> {
  const found = await selectRebate(catalog.db, catalog.range, slug)
  if (!found) return undefined
  const state = stateOfRebate(found.rebate, catalog.clock.now())
  const all =
    state === 'ended'
      ? []
      : await modelsOn(catalog, { ...found.rebate, itemId: null }, found.subject, {
          at: catalog.fitAt(),
          prices: await catalog.cache.prices(),
        })
  return { ...found, state, models: all.slice(0, modelsShown), count: all.length }
}

function stateOfRebate(rebate: Rebate, now: Temporal.Instant): RebatePage['state'] {
  if (isActive(rebate, now)) return 'running'
  if (Temporal.Instant.compare(now, rebate.startsAt) < 0) return 'coming'
  const today = storeDay(now)
  return Temporal.PlainDate.compare(today, rebate.claimBy) <= 0 ? 'claimable' : 'ended'
}

async function dealsOf(
  { cache, db }: Catalog,
  name: string,
  promotions: readonly Promotion[],
  context: OfferContext | ((of: Promotion) => OfferContext),
): Promise<readonly Deal[]> {
  const lineIds = promotions.flatMap(({ itemId, lineId }) => (itemId === null && lineId !== null ? [lineId] : []))
  const [subjects, lines, items] = await Promise.all([
    // The name is valid as long as the same promotions run.
    cache.keep(`subjects ${name} ${idsOf(promotions).join(' ')}`, () =>
      selectSubjects(db, 'promotion', idsOf(promotions)),
    ),
    cache.lines({ lineIds }),
    cache.itemsByNumber(promotions.flatMap(({ itemId }) => itemId ?? [])),
  ])
  const lineById = new Map(lines.map((summary) => [summary.line.id, summary]))
  const itemById = new Map(items.map((item) => [item.id, item]))
  return promotions
    .flatMap((promotion): Deal[] => {
      const within = typeof context === 'function' ? context(promotion) : context
      const item = promotion.itemId === null ? undefined : itemById.get(promotion.itemId)
      const summary = promotion.lineId === null ? undefined : lineById.get(promotion.lineId)
      const offer = item ? tireOffer(item, within) : summary ? lineOffer(summary, within) : undefined
      const isSold = offer !== undefined || (promotion.itemId === null && promotion.lineId === null)
      const isOurs = !offer || offer.prices[0].label === null || offer.prices[0].promotion !== null
      return isSold && isOurs
        ? [{ promotion, subject: subjects.get(promotion.id) ?? everyTire, offer: offer ?? null }]
        : []
    })
    .sort(
      (a, b) =>
        Number(b.promotion.daily) - Number(a.promotion.daily) || fame(b) - fame(a) || a.promotion.id - b.promotion.id,
    )
}

const everyTire: Subject = { brand: null, line: null, type: null, size: null, filter: null }

/**
 * Returns an item, all items of a model, a brand's models, or the models with tires in a filter. Empty for a promotion on
 * every tire.
 */
async function modelsOn(
  { cache, db }: Catalog,
  { itemId, only }: Pick<Promotion, 'itemId' | 'only'>,
  { brand, line }: Subject,
  context: OfferContext,
): Promise<ModelOffer[]> {
  const tires = (items: readonly Item[]) => items.map((item) => tireOffer(item, context))
  if (itemId !== null) return modelsOf(tires(await cache.itemsByNumber([itemId])))
  if (!brand && !only) return []
  const popularity = await cache.keep('size popularity', () => selectSizePopularity(db))
  const weight = ({ kind, line: { rating }, items: [item] }: Offer) =>
    kind === 'line' ? (rating?.count ?? 0) : (popularity.get(item.size.designation) ?? 0)
  const byFame = (a: Offer, b: Offer) =>
    Number(b.isInStock) - Number(a.isInStock) || weight(b) - weight(a) || a.perTireCents - b.perTireCents
  const isOn = (item: Item) => only?.itemIds.has(item.id) ?? true
  if (brand && line) return modelsOf(tires((await cache.itemsOfLine(brand.slug, line.slug)).filter(isOn)).sort(byFame))
  if (only) {
    const items = await cache.itemsByNumber(only.cheapestOfLines)
    return modelsOf(tires(items.filter((item) => !brand || item.line.brand.slug === brand.slug)).sort(byFame))
  }
  if (!brand) return []
  const lines = await cache.lines({ brand: brand.slug })
  return modelsOf(lines.flatMap((summary) => lineOffer(summary, context) ?? []).sort(byFame))
}

function fame({ offer }: Deal): number {
  return offer?.line.rating?.count ?? (offer ? 0 : -1)
}

function laterOf(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(a, b) < 0 ? b : a
}

function idsOf(list: readonly { readonly id: number }[]): number[] {
  return list.map(({ id }) => id)
}
