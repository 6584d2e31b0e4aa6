/** Price lists, cached in the process until a rule is written. */
import { LRUCache } from 'lru-cache'
import type { Database } from '#platform/db.ts'
import { priceListAt, type PriceList, type PriceRule } from './price-list.ts'
import { selectRules } from './price-lists.sql.server.ts'

export type PriceLists = {
  /**
   * Returns the list as of `now`, with one statement on the first request for this version; the same object until a
   * rule starts or ends. The version comes with the account's price tier, so the answer is never older.
   */
  read(list: { id: number; version: number }, now: Temporal.Instant): Promise<PriceList>
}

/** Rules cached over all lists; about 0.3 kB each. */
const maxRules = 200_000

/** Creates the cache; make one per process. */
export function createPriceLists(db: Database): PriceLists {
  type Held = { version: number; rules: readonly PriceRule[]; list: PriceList }
  const held = new LRUCache<number, Held>({ maxSize: maxRules, sizeCalculation: ({ rules }) => rules.length + 1 })
  const reading = new Map<string, Promise<Held>>()

  async function load(id: number, version: number, now: Temporal.Instant): Promise<Held> {
    const rules = await selectRules(db, id, now)
    const fresh = { version, rules, list: priceListAt(rules, now) }
    // A slower query of an older version must not replace a newer one.
    if ((held.get(id)?.version ?? 0) <= version) held.set(id, fresh)
    return fresh
  }

  /** One statement for any number of simultaneous requests. */
  function loadOnce(id: number, version: number, now: Temporal.Instant): Promise<Held> {
    const name = `${id} ${version}`
    const loading = reading.get(name) ?? load(id, version, now).finally(() => reading.delete(name))
    reading.set(name, loading)
    return loading
  }

  return {
    async read({ id, version }, now) {
      const known = held.get(id)
      const entry = known?.version === version ? known : await loadOnce(id, version, now)
      const { until } = entry.list
      if (until !== null && Temporal.Instant.compare(until, now) <= 0) entry.list = priceListAt(entry.rules, now)
      return entry.list
    },
  }
}
