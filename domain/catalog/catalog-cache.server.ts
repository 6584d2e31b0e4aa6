/**
 * The shelf: what the catalog needs again and again, read once and kept for a short while. A size, a line or a brand is
 * one entry; the least used go first when there are too many items. Stock and prices on a listing may be that old; cart
 * and checkout read them anew. What is asked for again towards its end is read anew meanwhile, and what then has not
 * changed stays the same object: all that was worked out of it holds.
 */
import { LRUCache } from 'lru-cache'
import type { Requirement } from '#domain/fitment/fitment.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { rangeKey, type BrandRange } from './brand-range.ts'
import { judging, type Judge } from './fit.ts'
import type { Item } from './items.ts'
import type { LineSummary } from './offer.ts'
import { priceBook, type PriceBook, type Promotion, type Rebate } from './promotion.ts'
import { createParts, isSame } from './parts.ts'
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
import { keepVocabulary, type VocabularyKeeper } from './vocabulary.server.ts'

export const cacheLife = { milliseconds: 30_000 }
/** From this age on something that is asked for is read anew, while it still answers. */
const renewAfter = 20_000
/**
 * How long a size that nobody asks for is held: the next to ask waits only until it is known that nothing was written.
 */
const heldSizes = 10 * 60_000
/** About 1 KB each, with what is worked out of them. */
const maxItems = 200_000
/** The same for a catalog of some brands only, of which there may be several in a process. */
const maxItemsOfSome = 20_000
/** How many of those are held at most, and how long one that nobody asks for. */
const mostNarrowed = 10
const narrowedLife = 30 * 60_000
/** A maker announces a rebate weeks ahead. */
const rebatesLife = 10 * 60_000
/** What a vehicle's verdicts weigh, as items. */
const judgeWeight = 200
/** A verdict depends on the age of the tires, which is counted in weeks. */
const judgeLife = 60 * 60_000

export type CatalogCache = {
  /** All active items of each size asked for, as one statement for those not at hand. */
  itemsOfSizes(sizeSlugs: readonly string[]): Promise<ReadonlyMap<string, readonly Item[]>>
  itemsOfLine(brandSlug: string, lineSlug: string): Promise<readonly Item[]>
  /** The active ones among these articles. */
  itemsByNumber(ids: readonly number[]): Promise<readonly Item[]>
  /** The lines of a brand, type or category, each with its cheapest item and those with a promotion of their own. */
  lines(scope: LineScope): Promise<readonly LineSummary[]>
  /** The lines that come for wheels of this diameter in inches, as far as they do. */
  linesOnRim(rimIn: number): Promise<readonly LineSummary[]>
  /** Promotions that are, or may become, active while the answer is fresh: ask `isActive` with the present. */
  promotions(): Promise<readonly Promotion[]>
  /** Rebates that run or are to come; they change rarely. */
  rebates(): Promise<readonly Rebate[]>
  /** The price tags of this moment: another value when a promotion begins or ends. */
  prices(): Promise<PriceBook>
  /** The price tags of another moment, with these promotions and no rebates. */
  pricesAt(moment: Temporal.Instant, promotions: readonly Promotion[]): Promise<PriceBook>
  /** Verdicts on a vehicle's need, each specification judged once. */
  judge(requirement: Requirement, vehicleName: string | undefined): Promise<Judge>
  /**
   * Anything else worth keeping, under a name of its own. `weight` is counted in items; `life` is the shelf's own
   * unless told otherwise.
   */
  keep<Value extends object>(
    name: string,
    load: () => Promise<Value>,
    options?: { weight?: number; life?: { minutes: number } },
  ): Promise<Value>
  /**
   * What is worked out of `parts`: the same value as long as they are the same objects and texts. `weight` is counted
   * in items.
   */
  derive<Value extends object>(
    parts: readonly (object | string | undefined)[],
    weight: number,
    work: () => Value,
  ): Value
  /** Forgets everything, what is being read just now included. */
  clear(): void
}

/**
 * The catalog as its use cases take it. It holds the shelf and the names that are searched; make one per process. Those
 * of restricted visitors are made of it by `narrowed`.
 */
export type Catalog = {
  readonly db: Database
  readonly clock: Clock
  /** What is not of these brands is not there: not in a list, a count or a suggestion, and under no address. */
  readonly range: BrandRange
  readonly cache: CatalogCache
  readonly vocabulary: VocabularyKeeper
  /** The catalog of these brands only, with a shelf of its own; of all brands it is the one it is asked of. */
  narrowed(range: BrandRange): Catalog
}

export function createCatalog({ db, clock }: { db: Database; clock: Clock }): Catalog {
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
    cache: createCatalogCache({ db, clock, range }),
    vocabulary: keepVocabulary({ db, clock, range }),
    narrowed,
  })
  const whole = make(null)
  function narrowed(range: BrandRange): Catalog {
    if (range === null) return whole
    const catalog = kept.get(rangeKey(range)) ?? make(range)
    kept.set(rangeKey(range), catalog)
    return catalog
  }
  return whole
}

export function createCatalogCache({
  db,
  clock,
  range,
}: {
  db: Database
  clock: Clock
  range: BrandRange
}): CatalogCache {
  const kept = new LRUCache<string, { value: object; weight: number; renewAt: number; until: number }>({
    maxSize: range === null ? maxItems : maxItemsOfSome,
    sizeCalculation: ({ weight }) => weight,
    ttl: cacheLife.milliseconds,
    ttlResolution: 0,
    // What was worked out of an older reading has a name that nobody will ask for again.
    ttlAutopurge: true,
    perf: { now: () => clock.now().epochMilliseconds },
  })
  const reading = new Map<string, Promise<object>>()
  let parts = createParts()

  /** What is at hand or being read under a name; undefined as well when it is time to read it anew. */
  function known(name: string): Promise<object> | undefined {
    const entry = kept.get(name)
    const now = clock.now().epochMilliseconds
    if (entry && now < (reading.has(name) ? entry.until : entry.renewAt)) return Promise.resolve(entry.value)
    return reading.get(name)
  }

  /**
   * Takes a reading under a name, and answers what is still fresh, or else the reading. It is held for `life` to be
   * compared with the next.
   */
  function read<Value extends object>(
    name: string,
    load: Promise<Value>,
    weigh: (value: Value) => number,
    { fresh = cacheLife.milliseconds, life = fresh }: { fresh?: number | undefined; life?: number } = {},
  ): Promise<Value> {
    const renewAt = clock.now().epochMilliseconds + (fresh * renewAfter) / cacheLife.milliseconds
    const value = load.then(
      (loaded) => {
        // A `clear` in the meantime took the name away: what was read before it is not kept.
        if (reading.get(name) !== value) return loaded
        reading.delete(name)
        const current = renewed(kept.get(name)?.value as Value | undefined, loaded)
        kept.set(
          name,
          {
            value: current,
            weight: Math.max(1, weigh(current)),
            renewAt,
            until: clock.now().epochMilliseconds + fresh,
          },
          { ttl: life },
        )
        return current
      },
      (error: unknown) => {
        if (reading.get(name) === value) reading.delete(name)
        throw error
      },
    )
    reading.set(name, value)
    const old = kept.get(name)
    if (!old || old.until <= clock.now().epochMilliseconds) return value
    // The old one answers; should the reading fail, the next to ask reads again.
    value.catch(() => {})
    return Promise.resolve(old.value as Value)
  }

  /** One value per name, and one statement however many ask at the same time. */
  function keep<Value extends object>(
    name: string,
    load: () => Promise<Value>,
    weigh: (value: Value) => number = () => 1,
    ttl?: number,
  ): Promise<Value> {
    return (known(name) as Promise<Value> | undefined) ?? read(name, load(), weigh, { fresh: ttl })
  }

  const numbers = new WeakMap<object, number>()
  let lastNumber = 0
  function numberOf(part: object): number {
    const number = numbers.get(part) ?? ++lastNumber
    numbers.set(part, number)
    return number
  }

  function derive<Value extends object>(
    parts: readonly (object | string | undefined)[],
    weight: number,
    work: () => Value,
  ): Value {
    const name = `derived ${JSON.stringify(parts.map((part) => (typeof part === 'string' || part === undefined ? part : numberOf(part))))}`
    const entry = kept.get(name)
    if (entry) {
      // It holds as long as its parts do.
      if (kept.getRemainingTTL(name) < cacheLife.milliseconds / 2) kept.get(name, { updateAgeOnGet: true })
      return entry.value as Value
    }
    const value = work()
    kept.set(name, { value, weight: Math.max(1, weight), renewAt: Infinity, until: Infinity })
    return value
  }

  let book: { of: readonly Promotion[]; and: readonly Rebate[]; prices: PriceBook } | undefined
  async function prices(): Promise<PriceBook> {
    const [of, and] = await Promise.all([promotions(), rebates()])
    const now = clock.now()
    const isOver = book?.prices.until && Temporal.Instant.compare(book.prices.until, now) <= 0
    if (book?.of !== of || book.and !== and || isOver) book = { of, and, prices: priceBook(of, now, and) }
    return book.prices
  }

  const count = (items: readonly unknown[]) => items.length
  const itemsByNumber = (ids: readonly number[]) =>
    keep(`items ${ids.join(' ')}`, () => selectItemsByNumber(db, range, ids, parts), count)
  const rebates = () => keep('rebates', () => selectRebates(db, range, clock.now()), count, rebatesLife)
  const promotions = () =>
    keep('promotions', () => selectPromotions(db, range, clock.now(), clock.now().add(cacheLife)), count)

  /**
   * The state in which the rows of a size were when it was read, or a moment before: what was written in between is
   * found at the next renewal.
   */
  const stateOf = new WeakMap<readonly Item[], string>()

  /** Sizes that are at hand are only read when something was written since. */
  async function readSizes(slugs: readonly string[]): Promise<ReadonlyMap<string, Item[]>> {
    const old = new Map(slugs.map((slug) => [slug, kept.peek(`size ${slug}`)?.value as Item[] | undefined]))
    const states = await selectStatesOfSizes(db, slugs)
    const isUnchanged = (slug: string) => {
      const items = old.get(slug)
      return items !== undefined && stateOf.get(items) !== undefined && stateOf.get(items) === states.get(slug)
    }
    const written = slugs.filter((slug) => !isUnchanged(slug))
    const read =
      written.length > 0
        ? Map.groupBy(await selectItemsOfSizes(db, range, written, parts), (item) => item.size.slug)
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

  /**
   * Lines with those of their articles that have a promotion of their own: one of them may cost less than the cheapest.
   */
  async function withPromoted(
    read: Promise<readonly LineSummary[]>,
    isMeant: (item: Item) => boolean,
  ): Promise<readonly LineSummary[]> {
    const [lines, promoted] = await Promise.all([
      read,
      promotions().then((all) => itemsByNumber(all.flatMap(({ itemId }) => itemId ?? []))),
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
    async itemsOfSizes(sizeSlugs) {
      const found = new Map(
        [...new Set(sizeSlugs)].map((slug) => [slug, known(`size ${slug}`) as Promise<Item[]> | undefined]),
      )
      const missing = [...found].flatMap(([slug, items]) => (items ? [] : [slug]))
      if (missing.length > 0) {
        const bySize = readSizes(missing)
        for (const slug of missing)
          found.set(
            slug,
            read(
              `size ${slug}`,
              bySize.then((items) => items.get(slug) ?? []),
              count,
              { life: heldSizes },
            ),
          )
      }
      return new Map(await Promise.all([...found].map(async ([slug, items]) => [slug, (await items) ?? []] as const)))
    },
    itemsOfLine: (brandSlug, lineSlug) =>
      keep(`line ${brandSlug} ${lineSlug}`, () => selectItemsOfLine(db, range, brandSlug, lineSlug, parts), count),
    itemsByNumber,
    lines(scope) {
      const name = `lines ${scope.brand ?? ''} ${scope.type ?? ''} ${scope.category ?? ''} ${scope.lineIds?.join(' ') ?? ''}`
      return withPromoted(
        keep(name, () => selectLines(db, range, scope, parts), count),
        () => true,
      )
    },
    linesOnRim: (rimIn) =>
      withPromoted(
        keep(`lines on ${rimIn}`, () => selectLinesOnRim(db, range, rimIn, parts), count),
        (item) => item.size.rimIn === rimIn,
      ),
    promotions,
    rebates,
    prices,
    pricesAt: async (moment, those) => priceBook(those, moment),
    judge: (requirement, vehicleName) =>
      keep(
        `judge ${vehicleName ?? ''} ${JSON.stringify(requirement)}`,
        () => Promise.resolve(judging(requirement, clock.now(), vehicleName)),
        () => judgeWeight,
        judgeLife,
      ),
    keep: (name, load, { weight = 1, life } = {}) => keep(name, load, () => weight, life && life.minutes * 60_000),
    derive,
    clear() {
      kept.clear()
      reading.clear()
      parts = createParts()
    },
  }
}

/** The old list where the new one says the same, and of a list each object that does. */
function renewed<Value extends object>(old: Value | undefined, loaded: Value): Value {
  if (old === undefined) return loaded
  if (!Array.isArray(old) || !Array.isArray(loaded)) return isSame(old, loaded) ? old : loaded
  const [before, now]: [readonly unknown[], readonly unknown[]] = [old, loaded]
  const list = now.map((each, index) => (isSame(before[index], each) ? before[index] : each))
  return before.length === list.length && list.every((each, index) => each === before[index])
    ? old
    : (list as unknown as Value)
}

function distinctItems(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
