/**
 * Caches what the catalog needs repeatedly, for a short time. A size, line or brand is one entry; the least used are
 * evicted when there are too many items. What changed is read again within a second (`catalog-version.server.ts`); cart and
 * checkout read it afresh. An entry requested near its end is refreshed in the background, and unchanged objects keep their identity, so
 * that everything derived from them stays valid.
 */
import { LRUCache } from 'lru-cache'
import type { Requirement } from '#domain/catalog/fitment/fitment.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { noteReading } from '#platform/request-scope.ts'
import { rangeKey, type BrandRange } from './brand-range.ts'
import { andLine } from './brand-range.sql.server.ts'
import { memberOffersOf, standardTerms, type BusinessTerms } from '#domain/kernel/settings/settings.ts'
import type { SoldItems } from '#domain/payments/cart/sold-items.port.ts'
import { judging, type FitAt, type Judge } from './fit.ts'
import type { Item } from './items.ts'
import type { LineSummary } from './offer.ts'
import { advertisedBook } from './map-price.ts'
import { priceBook, type PriceBook, type Promotion, type Rebate } from './promotion.ts'
import { createParts, type Parts } from './parts.ts'
import { selectPromotions, selectRebates } from './promotion.sql.server.ts'
import {
  selectItemsByNumber,
  selectItemsOfLine,
  selectItemsOfSizes,
  selectLines,
  selectLinesOnRim,
  selectStatesOfSizes,
  type LineScope,
} from './catalog-cache.sql.server.ts'
import { cacheLife, createKeptReadings, renewed, type KeptReadings } from './kept-readings.server.ts'
import { itemsName, lineName, linesName, linesOnRimName, sizeName } from './stock-readings.ts'
import { keepVocabulary, type VocabularyKeeper } from './vocabulary.server.ts'

/** How long an unused size stays cached. The next request then only checks for changes. */
const heldSizes = 10 * 60_000
/** About 1 KB each, with derived data. */
const maxItems = 200_000
/** The limit for a catalog of selected brands. A process can have several of these. */
const maxItemsOfSome = 20_000
/** The maximum number of those, and how long an unused one is held. */
const mostNarrowed = 10
const narrowedLife = 30 * 60_000
/** Makers announce rebates weeks ahead. */
const rebatesLife = 10 * 60_000
/** The cache weight of a vehicle's verdicts, in items. */
const judgeWeight = 200
/** A verdict depends on the tires' age in weeks. */
const judgeLife = 60 * 60_000

export type CatalogCache = {
  /** All active items of each requested size; sizes not cached are read in one statement. */
  itemsOfSizes(sizeSlugs: readonly string[]): Promise<ReadonlyMap<string, readonly Item[]>>
  itemsOfLine(brandSlug: string, lineSlug: string): Promise<readonly Item[]>
  /** The active ones among these articles. */
  itemsByNumber(ids: readonly number[]): Promise<readonly Item[]>
  /** Models in a brand, type, or category, each with its cheapest item and any items with a separate promotion. */
  lines(scope: LineScope): Promise<readonly LineSummary[]>
  /** The lines available for this rim diameter in inches, limited to that rim. */
  linesOnRim(rimIn: number): Promise<readonly LineSummary[]>
  /** Promotions that are, or may become, active while the answer is fresh: check `isActive` with the current time. */
  promotions(): Promise<readonly Promotion[]>
  /** Current and upcoming rebates; they change rarely. */
  rebates(): Promise<readonly Rebate[]>
  /** The current prices, as a new object when a promotion starts or ends. */
  prices(): Promise<PriceBook>
  /** The price tags at another time, with these promotions and no rebates. */
  pricesAt(moment: Temporal.Instant, promotions: readonly Promotion[]): Promise<PriceBook>
  /** Fitment results for a vehicle's requirement, evaluated once per specification. */
  judge(requirement: Requirement, vehicleName: string | undefined): Promise<Judge>
  /** Caches anything else under a unique name. `weight` is in items; `life` defaults to the cache's. */
  keep<Value extends object>(
    name: string,
    load: () => Promise<Value>,
    options?: { weight?: number; life?: { minutes: number } },
  ): Promise<Value>
  /** Caches values derived from `parts` for as long as these are the same objects and strings. `weight` is in items. */
  derive<Value extends object>(
    parts: readonly (object | string | undefined)[],
    weight: number,
    work: () => Value,
  ): Value
  /** Invalidates query results with matching names (`isOfStock` matches those with some tires' stock). */
  expire(isMeant: (name: string) => boolean): void
  /** Empties the cache, and discards readings in progress. */
  clear(): void
}

/**
 * The catalog for its use cases. It holds the cache and the search vocabulary; make one per process. `narrowed` derives
 * the catalogs of restricted visitors from it.
 */
export type Catalog = SoldItems & {
  readonly db: Database
  readonly clock: Clock
  /** Other brands are hidden everywhere in this catalog, including lists, counts, suggestions and URLs. */
  readonly range: BrandRange
  readonly cache: CatalogCache
  readonly vocabulary: VocabularyKeeper
  /** Returns what fitment results apply now. */
  fitAt(): FitAt
  /** Whether deals come off member prices now. */
  hasMemberDeals(): boolean
  /** Returns a catalog of only these brands with a separate cache, or this catalog for all brands. */
  narrowed(range: BrandRange): Catalog
  /** Makes readings with such names out of date, here and in all narrowed catalogs. */
  expire(isMeant: (name: string) => boolean): void
  /** Clears its cache and the caches of all narrowed catalogs. */
  clear(): void
}

/** Creates a process's catalog. Fitment results use the maximum tire age of `businessTerms`, six years if omitted. */
export function createCatalog({
  db,
  clock,
  businessTerms = { current: standardTerms },
}: {
  db: Database
  clock: Clock
  businessTerms?: { readonly current: BusinessTerms }
}): Catalog {
  const fitAt = () => ({ now: clock.now(), maxAgeYears: businessTerms.current['tire-age-years'] })
  const kept = new LRUCache<string, Catalog>({
    max: mostNarrowed,
    ttl: narrowedLife,
    updateAgeOnGet: true,
    perf: { now: () => clock.now().epochMilliseconds },
  })
  const make = (range: BrandRange): Catalog => ({
    db,
    clock,
    range,
    andSold: (column) => andLine(range, column),
    fitAt,
    hasMemberDeals: () => memberOffersOf(businessTerms.current).deals,
    cache: createCatalogCache({ db, clock, range, fitAt }),
    vocabulary: keepVocabulary({ db, clock, range }),
    narrowed,
    expire,
    clear,
  })
  const whole = make(null)
  function narrowed(range: BrandRange): Catalog {
    if (range === null) return whole
    const catalog = kept.get(rangeKey(range)) ?? make(range)
    kept.set(rangeKey(range), catalog)
    return catalog
  }
  function expire(isMeant: (name: string) => boolean): void {
    whole.cache.expire(isMeant)
    for (const { cache } of kept.values()) cache.expire(isMeant)
  }
  function clear(): void {
    whole.cache.clear()
    whole.vocabulary.renew()
    kept.clear()
  }
  return whole
}

/** Creates an empty cache for these brands. */
export function createCatalogCache({
  db,
  clock,
  range,
  fitAt,
}: {
  db: Database
  clock: Clock
  range: BrandRange
  fitAt: Catalog['fitAt']
}): CatalogCache {
  const readings = createKeptReadings({ clock, maxWeight: range === null ? maxItems : maxItemsOfSome })
  const { keep, derive } = readings
  let parts = createParts()

  /** Notes that the page being drawn shows the stock in this reading. */
  function noted<Value>(name: string, read: (name: string) => Value): Value {
    noteReading(name)
    return read(name)
  }
  const readByNumber = (name: string, ids: readonly number[]) =>
    keep(name, () => selectItemsByNumber(db, range, ids, parts), count)
  const itemsByNumber = (ids: readonly number[]) => noted(itemsName(ids), (name) => readByNumber(name, ids))
  const rebates = () => keep('rebates', () => selectRebates(db, range, clock.now()), count, rebatesLife)
  const promotions = () =>
    keep('promotions', () => selectPromotions(db, range, clock.now(), clock.now().add(cacheLife)), count)

  /** Lines with their articles that have a promotion of some articles, because one of them may cost less than the cheapest. */
  async function withPromoted(
    read: Promise<readonly LineSummary[]>,
    isMeant: (item: Item) => boolean,
  ): Promise<readonly LineSummary[]> {
    const [lines, promoted] = await Promise.all([
      read,
      promotions().then((all) => {
        const ids = all.flatMap(({ itemId, only }) => (itemId === null ? (only?.cheapestOfLines ?? []) : [itemId]))
        // Not registered, because the models are, and they expire with any of these items.
        return readByNumber(itemsName(ids), ids)
      }),
    ])
    return derive([lines, promoted], lines.length, () => {
      const byLine = Map.groupBy(promoted.filter(isMeant), (item) => item.line.id)
      return lines.map((summary) => ({
        ...summary,
        items: distinctItems([...summary.items, ...(byLine.get(summary.line.id) ?? [])]),
      }))
    })
  }

  return {
    itemsOfSizes: sizeReader({ db, range, readings, parts: () => parts }),
    itemsOfLine: (brandSlug, lineSlug) =>
      noted(lineName(brandSlug, lineSlug), (name) =>
        keep(name, () => selectItemsOfLine(db, range, brandSlug, lineSlug, parts), count),
      ),
    itemsByNumber,
    lines: (scope) =>
      withPromoted(
        noted(linesName(scope), (name) => keep(name, () => selectLines(db, range, scope, parts), count)),
        () => true,
      ),
    linesOnRim: (rimIn) =>
      withPromoted(
        noted(linesOnRimName(rimIn), (name) => keep(name, () => selectLinesOnRim(db, range, rimIn, parts), count)),
        (item) => item.size.rimIn === rimIn,
      ),
    promotions,
    rebates,
    prices: currentPrices(clock, promotions, rebates),
    pricesAt: async (moment, those) => advertisedBook(priceBook(those, moment)),
    judge: judgeReader(keep, fitAt),
    keep: (name, load, { weight = 1, life } = {}) => keep(name, load, () => weight, life && life.minutes * 60_000),
    derive,
    expire: (isMeant) => readings.expire(isMeant),
    clear() {
      readings.clear()
      parts = createParts()
    },
  }
}

/** One judge per vehicle and maximum tire age, so that a changed age applies immediately. */
function judgeReader(keep: KeptReadings['keep'], fitAt: Catalog['fitAt']): CatalogCache['judge'] {
  return (requirement, vehicleName) => {
    const at = fitAt()
    return keep(
      `judge ${at.maxAgeYears} ${vehicleName ?? ''} ${JSON.stringify(requirement)}`,
      () => Promise.resolve(judging(requirement, at, vehicleName)),
      () => judgeWeight,
      judgeLife,
    )
  }
}

/** The cache weight of a list, in items. */
const count = (items: readonly unknown[]) => items.length

/** Reads all missing sizes in one query. Cached sizes are reread only if they changed. */
function sizeReader({
  db,
  range,
  readings,
  parts,
}: {
  db: Database
  range: BrandRange
  readings: KeptReadings
  parts: () => Parts
}): CatalogCache['itemsOfSizes'] {
  /** The state of a size's rows when they were read, or just before. The next refresh detects writes in between. */
  const stateOf = new WeakMap<readonly Item[], string>()

  async function readSizes(slugs: readonly string[]): Promise<ReadonlyMap<string, Item[]>> {
    const old = new Map(slugs.map((slug) => [slug, readings.held(sizeName(slug)) as Item[] | undefined]))
    const states = await selectStatesOfSizes(db, slugs)
    const isUnchanged = (slug: string) => {
      const items = old.get(slug)
      return items !== undefined && stateOf.get(items) !== undefined && stateOf.get(items) === states.get(slug)
    }
    const written = slugs.filter((slug) => !isUnchanged(slug))
    const read =
      written.length > 0
        ? Map.groupBy(await selectItemsOfSizes(db, range, written, parts()), (item) => item.size.slug)
        : new Map<string, Item[]>()
    return new Map(
      slugs.map((slug) => {
        const items = isUnchanged(slug) ? (old.get(slug) ?? []) : renewed(old.get(slug), read.get(slug) ?? [])
        const state = states.get(slug)
        if (state !== undefined) stateOf.set(items, state)
        return [slug, items]
      }),
    )
  }

  return async (sizeSlugs) => {
    for (const slug of sizeSlugs) noteReading(sizeName(slug))
    const found = new Map(
      [...new Set(sizeSlugs)].map((slug) => [slug, readings.known(sizeName(slug)) as Promise<Item[]> | undefined]),
    )
    const missing = [...found].flatMap(([slug, items]) => (items ? [] : [slug]))
    if (missing.length > 0) {
      const bySize = readSizes(missing)
      for (const slug of missing)
        found.set(
          slug,
          readings.read(
            sizeName(slug),
            bySize.then((items) => items.get(slug) ?? []),
            count,
            { life: heldSizes },
          ),
        )
    }
    return new Map(await Promise.all([...found].map(async ([slug, items]) => [slug, (await items) ?? []] as const)))
  }
}

/** The current prices, as the same object until a promotion or rebate changes, starts or ends. */
function currentPrices(
  clock: Clock,
  promotions: CatalogCache['promotions'],
  rebates: CatalogCache['rebates'],
): CatalogCache['prices'] {
  let book: { of: readonly Promotion[]; and: readonly Rebate[]; prices: PriceBook } | undefined
  return async () => {
    const [of, and] = await Promise.all([promotions(), rebates()])
    const now = clock.now()
    const isOver = book?.prices.until && Temporal.Instant.compare(book.prices.until, now) <= 0
    if (book?.of !== of || book.and !== and || isOver)
      book = { of, and, prices: advertisedBook(priceBook(of, now, and)) }
    return book.prices
  }
}

function distinctItems(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
