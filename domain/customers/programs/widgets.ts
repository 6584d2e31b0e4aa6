/** The rules of partners' widgets. Safe in the browser. */

/** A partner's share of an order's tires, in basis points. */
export const commissionBasisPoints = 300
/** How many origins one widget may be on. */
export const mostOrigins = 10
/** How long a browser remembers which widget it came from. */
export const widgetVisitDays = 30
/** Maximum sources per widget counted separately each day, because a source is arbitrary URL text. */
export const mostSources = 20
/** How many offers a widget shows. */
export const widgetOffers = 5

/** A widget's key; undefined for any other text. */
export function widgetIdOf(text: string): string | undefined {
  return /^wk_[A-Za-z0-9]{20}$/.test(text) ? text : undefined
}

/** Returns the partner's name for the page with its widget; null if missing or invalid. */
export function widgetSourceOf(text: string | null | undefined): string | null {
  return text != null && /^[A-Za-z0-9_.-]{1,40}$/.test(text) ? text : null
}

/** Returns the exact origin of a page's URL, https only; undefined if invalid. */
export function originOfSite(text: string): string | undefined {
  const typed = text.trim().slice(0, 400)
  const url = URL.parse(typed.includes('://') ? typed : `https://${typed}`)
  if (!url || url.protocol !== 'https:' || url.username !== '' || !url.hostname.includes('.')) return undefined
  return /^https:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(url.origin) && url.origin.length <= 200 ? url.origin : undefined
}

/** Parses a list of origins, one per line, and returns the first invalid line, if any. */
export function originsOf(text: string): { origins: string[] } | { wrong: string } | { wrong: null } {
  const lines = text
    .slice(0, 4_000)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length === 0 || lines.length > mostOrigins) return { wrong: null }
  const origins = new Set<string>()
  for (const line of lines) {
    const origin = originOfSite(line)
    if (origin === undefined) return { wrong: line.slice(0, 100) }
    origins.add(origin)
  }
  return { origins: [...origins] }
}

/** Returns a partner's share of an order, rounded down to the cent, because fractions of a cent are never owed. */
export function commissionOf(tireCents: number, basisPoints: number): number {
  return Math.floor((Math.max(0, tireCents) * basisPoints) / 10_000)
}
