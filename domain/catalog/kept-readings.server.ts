/**
 * What is read again and again, kept for a short while and bounded by weight: the least used goes first when there is
 * too much. What is asked for again towards its end is read anew meanwhile, and what then has not changed stays the same
 * object: all that was worked out of it holds.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '#platform/clock.ts'
import { isSame } from './parts.ts'

/** For how long a reading answers, unless told otherwise. */
export const cacheLife = { milliseconds: 30_000 }
/** From this age on something that is asked for is read anew, while it still answers. */
const renewAfter = 20_000

export type KeptReadings = {
  /** What is at hand or being read under a name; undefined as well when it is time to read it anew. */
  known(name: string): Promise<object> | undefined
  /** What is held under a name, fresh or not. */
  held(name: string): object | undefined
  /**
   * Takes a reading under a name, and answers what is still fresh, or else the reading. It is held for `life`
   * milliseconds to be compared with the next.
   */
  read<Value extends object>(
    name: string,
    load: Promise<Value>,
    weigh: (value: Value) => number,
    times?: { fresh?: number | undefined; life?: number },
  ): Promise<Value>
  /** One value per name, and one reading however many ask at the same time; fresh for `fresh` milliseconds. */
  keep<Value extends object>(
    name: string,
    load: () => Promise<Value>,
    weigh?: (value: Value) => number,
    fresh?: number,
  ): Promise<Value>
  /** What is worked out of `parts`: the same value as long as they are the same objects and texts. */
  derive<Value extends object>(
    parts: readonly (object | string | undefined)[],
    weight: number,
    work: () => Value,
  ): Value
  /** Forgets everything, what is being read just now included. */
  clear(): void
}

/** Nothing kept yet, and never more than to `maxWeight`. */
export function createKeptReadings({ clock, maxWeight }: { clock: Clock; maxWeight: number }): KeptReadings {
  const kept = new LRUCache<string, { value: object; weight: number; renewAt: number; until: number }>({
    maxSize: maxWeight,
    sizeCalculation: ({ weight }) => weight,
    ttl: cacheLife.milliseconds,
    ttlResolution: 0,
    // What was worked out of an older reading has a name that nobody will ask for again.
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
        // It holds as long as its parts do.
        if (kept.getRemainingTTL(name) < cacheLife.milliseconds / 2) kept.get(name, { updateAgeOnGet: true })
        return entry.value as ReturnType<typeof work>
      }
      const value = work()
      kept.set(name, { value, weight: Math.max(1, weight), renewAt: Infinity, until: Infinity })
      return value
    },
    clear() {
      kept.clear()
      reading.clear()
    },
  }
}

/** Gives each object a number of its own, by which it stands in a name. */
function numberObjects(): (object: object) => number {
  const numbers = new WeakMap<object, number>()
  let lastNumber = 0
  return (object) => {
    const number = numbers.get(object) ?? ++lastNumber
    numbers.set(object, number)
    return number
  }
}

/** The old list where the new one says the same, and of a list each object that does. */
export function renewed<Value extends object>(old: Value | undefined, loaded: Value): Value {
  if (old === undefined) return loaded
  if (!Array.isArray(old) || !Array.isArray(loaded)) return isSame(old, loaded) ? old : loaded
  const [before, now]: [readonly unknown[], readonly unknown[]] = [old, loaded]
  const list = now.map((each, index) => (isSame(before[index], each) ? before[index] : each))
  return before.length === list.length && list.every((each, index) => each === before[index])
    ? old
    : (list as unknown as Value)
}
