/** The form of a van's area. Safe in the browser. */

/** How many ZIPs a van can have. */
export const mostAreaZips = 1_000
/** The maximum distance of a van's destination from its base. */
export const areaWithinMiles = 100
/** In characters, counting each ZIP code with its separator. */
export const longestArea = mostAreaZips * 8

/** Parses a text's unique ZIP codes in order, or returns the invalid ones; above `too-many` they aren't checked. */
export function parseArea(
  text: string,
): { ok: true; zips: string[] } | { ok: false; why: 'none' | 'too-many' } | { ok: false; why: 'odd'; odd: string[] } {
  if (text.length > longestArea) return { ok: false, why: 'too-many' }
  const words = text.split(/[\s,;]/).filter((word) => word !== '')
  const odd = words.filter((word) => !/^\d{5}$/.test(word))
  if (odd.length > 0) return { ok: false, why: 'odd', odd: odd.slice(0, 5).map((word) => word.slice(0, 20)) }
  const zips = [...new Set(words)].toSorted()
  if (zips.length === 0) return { ok: false, why: 'none' }
  return zips.length > mostAreaZips ? { ok: false, why: 'too-many' } : { ok: true, zips }
}
