/** The price lists that accounts buy by, held in the process as long as nobody writes a rule. */
import { LRUCache } from 'lru-cache'
import type { Database } from '#platform/db.ts'
import { priceListAt, type PriceList, type PriceRule } from './price-list.ts'
import { selectRules } from './price-lists.sql.server.ts'

export type PriceLists = {
  /**
   * The list as it is at `now`, in one statement the first time it is asked for in this version; the same object until
   * a rule begins or ends. The version comes with the terms of the account, so nothing older is ever answered.
   */
  read(list: { id: number; version: number }, now: Temporal.Instant): Promise<PriceList>
}

/** Rules held in all lists together; about 0.3 kB each. */
const maxRules = 200_000

/** Make one per process. */
export function createPriceLists(db: Database): PriceLists {
  type Held = { version: number; rules: readonly PriceRule[]; list: PriceList }
  const held = new LRUCache<number, Held>({ maxSize: maxRules, sizeCalculation: ({ rules }) => rules.length + 1 })
  const reading = new Map<string, Promise<Held>>()

  async function load(id: number, version: number, now: Temporal.Instant): Promise<Held> {
    const rules = await selectRules(db, id, now)
    const fresh = { version, rules, list: priceListAt(rules, now) }
    // A slower reading of an older version does not take the place of a newer one.
    if ((held.get(id)?.version ?? 0) <= version) held.set(id, fresh)
    return fresh
  }

  /** One statement however many ask at the same time. */
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
