/**
 * A short-lived query cache, bounded by weight. The least recently used entries are evicted first. An entry requested
 * near its end is refreshed in the background, and unchanged objects keep their identity, so that everything derived
 * from them stays valid.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '#platform/clock.ts'
import { isSame } from './parts.ts'

/** How long a reading is fresh by default. */
export const cacheLife = { milliseconds: 30_000 }
/** From this age on a requested entry is refreshed, while it still answers. */
const renewAfter = 20_000

export type KeptReadings = {
  /** The entry cached or being read under a name; undefined also when it is time to refresh it. */
  known(name: string): Promise<object> | undefined
  /** The entry held under a name, fresh or not. */
  held(name: string): object | undefined
  /**
   * Stores a reading under a name, and returns the entry if still fresh, else the reading. It is held for `life`
   * milliseconds to compare it with the next.
   */
  read<Value extends object>(
    name: string,
    load: Promise<Value>,
    weigh: (value: Value) => number,
    times?: { fresh?: number | undefined; life?: number },
  ): Promise<Value>
  /** Returns one value per name, with a single query for concurrent callers, fresh for `fresh` milliseconds. */
  keep<Value extends object>(
    name: string,
    load: () => Promise<Value>,
    weigh?: (value: Value) => number,
    fresh?: number,
  ): Promise<Value>
  /** Caches values derived from `parts` for as long as these are the same objects and strings. */
  derive<Value extends object>(
    parts: readonly (object | string | undefined)[],
    weight: number,
    work: () => Value,
  ): Value
  /**
   * Invalidates query results with matching names. The next request rereads them, and queries in progress aren't
   * stored.
   */
  expire(isMeant: (name: string) => boolean): void
  /** Empties the cache, and discards readings in progress. */
  clear(): void
}

/** Creates an empty cache of at most `maxWeight`. */
export function createKeptReadings({ clock, maxWeight }: { clock: Clock; maxWeight: number }): KeptReadings {
  const kept = new LRUCache<string, { value: object; weight: number; renewAt: number; until: number }>({
    maxSize: maxWeight,
    sizeCalculation: ({ weight }) => weight,
    ttl: cacheLife.milliseconds,
    ttlResolution: 0,
    // Values derived from older results have names that aren't requested again.
    ttlAutopurge: true,
    perf: { now: () => clock.now().epochMilliseconds },
  })
  const reading = new Map<string, Promise<object>>()
  const numberOf = numberObjects()

  function known(name: string): Promise<object> | undefined {
    const entry = kept.get(name)
    const now = clock.now().epochMilliseconds
    if (entry && now < (reading.has(name) ? entry.until : entry.renewAt)) return Promise.resolve(entry.value)
    return reading.get(name)
  }

  function read<Value extends object>(
    name: string,
    load: Promise<Value>,
    weigh: (value: Value) => number,
    { fresh = cacheLife.milliseconds, life = fresh }: { fresh?: number | undefined; life?: number } = {},
  ): Promise<Value> {
    const renewAt = clock.now().epochMilliseconds + (fresh * renewAfter) / cacheLife.milliseconds
    const value = load.then(
      (loaded) => {
        // `clear` removed the name during the query, so its older result isn't stored.
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
    // The old entry answers; if the reading fails, the next request reads again.
    value.catch(() => {})
    return Promise.resolve(old.value as Value)
  }

  return {
    known,
    held: (name) => kept.peek(name)?.value,
    read,
    keep(name, load, weigh = () => 1, fresh) {
      return (known(name) as ReturnType<typeof load> | undefined) ?? read(name, load(), weigh, { fresh })
    },
    derive(parts, weight, work) {
      const name = `derived ${JSON.stringify(parts.map((part) => (typeof part === 'string' || part === undefined ? part : numberOf(part))))}`
      const entry = kept.get(name)
      if (entry) {
        // Keep it as long as its parts.
        if (kept.getRemainingTTL(name) < cacheLife.milliseconds / 2) kept.get(name, { updateAgeOnGet: true })
        return entry.value as ReturnType<typeof work>
      }
      const value = work()
      kept.set(name, { value, weight: Math.max(1, weight), renewAt: Infinity, until: Infinity })
      return value
    },
    expire: (isMeant) => expireIn(kept, reading, isMeant),
    clear() {
      kept.clear()
      reading.clear()
    },
  }
}

/** Entries stay cached, so that unchanged values keep their identity. */
function expireIn(
  kept: LRUCache<string, { renewAt: number; until: number; value: object; weight: number }>,
  reading: Map<string, unknown>,
  isMeant: (name: string) => boolean,
): void {
  for (const [name, entry] of kept.entries()) if (isMeant(name)) Object.assign(entry, { renewAt: 0, until: 0 })
  for (const name of reading.keys()) if (isMeant(name)) reading.delete(name)
}

/** Numbers objects, so that their identity can be part of a name. */
function numberObjects(): (object: object) => number {
  const numbers = new WeakMap<object, number>()
  let lastNumber = 0
  return (object) => {
    const number = numbers.get(object) ?? ++lastNumber
    numbers.set(object, number)
    return number
  }
}

/** Returns the old value if the new one is equal, and for a list each old element that is. */
export function renewed<Value extends object>(old: Value | undefined, loaded: Value): Value {
  if (old === undefined) return loaded
  if (!Array.isArray(old) || !Array.isArray(loaded)) return isSame(old, loaded) ? old : loaded
  const [before, now]: [readonly unknown[], readonly unknown[]] = [old, loaded]
  const list = now.map((each, index) => (isSame(before[index], each) ? before[index] : each))
  return before.length === list.length && list.every((each, index) => each === before[index])
    ? old
    : (list as unknown as Value)
}
