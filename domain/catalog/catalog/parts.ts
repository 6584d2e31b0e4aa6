/**
 * Shares brands, lines, sizes and scores between items. Thousands of items refer to each across queries. Equal parts
 * become one object, which saves memory and speeds up comparing two results.
 */
import type { Brand, Line, Score, Size, Utqg } from './items.ts'

type Part = Brand | Line | Score | Size | Utqg

export type Parts = {
  /** Returns `part`, or an equal one already known under its key. */
  share<Shared extends Part>(key: string, part: Shared): Shared
}

export function createParts(): Parts {
  const known = new Map<string, Part>()
  return {
    share(key, part) {
      const before = known.get(key)
      if (before && isSame(before, part)) return before as typeof part
      known.set(key, part)
      return part
    },
  }
}

/** Returns whether two database values are equal. Supports strings, numbers, instants, lists and objects. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof Temporal.Instant) return b instanceof Temporal.Instant && a.equals(b)
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, index) => isSame(each, b[index]))
  if (Object.getPrototypeOf(a) !== Object.prototype || Object.getPrototypeOf(b) !== Object.prototype) return false
  const [from, to] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const key in from) if (!isSame(from[key], to[key])) return false
  return Object.keys(from).length === Object.keys(to).length
}
