/** The compared tires, as stored in a cookie and a URL. */
import { COMPARED_TIRES } from '#platform/business-constants.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** The maximum number of columns people can compare. */
export const mostCompared = COMPARED_TIRES.max

/** Offer keys (see `Offer.key`) in the order chosen, without duplicates, at most `mostCompared`. */
export type TireKeys = readonly string[]

/** The result of parsing keys, with the dropped ones. */
export type KeysRead = {
  readonly keys: TireKeys
  readonly hadRepeats: boolean
  readonly hadTooMany: boolean
  readonly hadOthers: boolean
}

/**
 * Parses text such as "101234,101240-101250" with items, and front and rear items of a staggered set. Invalid keys,
 * duplicates and a sixth are left out and reported.
 */
export function parseTireKeys(text: string): KeysRead {
  const parts = text.slice(0, longestText).split(',').filter(Boolean)
  const keys = parts.filter(isTireKey)
  const different = [...new Set(keys)]
  return {
    keys: different.slice(0, mostCompared),
    hadRepeats: different.length < keys.length,
    hadTooMany: different.length > mostCompared,
    hadOthers: keys.length < parts.length,
  }
}

/** Adds a key at the end. Refuses a duplicate and a sixth. */
export function addTireKey(keys: TireKeys, key: string): Outcome<TireKeys, Refused<'duplicate'> | Refused<'maximum'>> {
  if (keys.includes(key)) return refused('duplicate')
  return keys.length >= mostCompared ? refused('maximum') : ok([...keys, key])
}

/** "101234", or front and rear as "101234-101240". */
export function isTireKey(text: string): boolean {
  return /^[1-9]\d{0,8}(-[1-9]\d{0,8})?$/.test(text)
}

/** Returns the item ids in a key. There is one for all wheels, or a front and a rear one. */
export function itemIdsOf(key: string): number[] {
  return key.split('-').map(Number)
}

const longestText = 400
