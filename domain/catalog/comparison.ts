/** Tires side by side: which ones, as a cookie and an address carry them. */
import { COMPARED_TIRES } from '#platform/business-constants.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** More columns than that nobody can hold beside each other. */
export const mostCompared = COMPARED_TIRES.max

/** The keys of offers (see `Offer.key`) in the order they were chosen, each once, at most `mostCompared`. */
export type TireKeys = readonly string[]

/** What had to be left out of a text on the way to its keys. */
export type KeysRead = {
  readonly keys: TireKeys
  readonly hadRepeats: boolean
  readonly hadTooMany: boolean
  readonly hadOthers: boolean
}

/**
 * Reads "101234,101240-101250": articles, and front and rear articles of a staggered set. What is no key, repeated, or
 * the sixth is left out and told.
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

/** `keys` with one more at the end. Refuses one that is there already, and the sixth. */
export function addTireKey(keys: TireKeys, key: string): Outcome<TireKeys, Refused<'duplicate'> | Refused<'maximum'>> {
  if (keys.includes(key)) return refused('duplicate')
  return keys.length >= mostCompared ? refused('maximum') : ok([...keys, key])
}

/** "101234", or front and rear as "101234-101240". */
export function isTireKey(text: string): boolean {
  return /^[1-9]\d{0,8}(-[1-9]\d{0,8})?$/.test(text)
}

/** The articles a key names: one for all wheels, or front and rear. */
export function itemIdsOf(key: string): number[] {
  return key.split('-').map(Number)
}

const longestText = 400
