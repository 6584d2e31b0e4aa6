/** The rules of partners' widgets. Safe in the browser. */

/** A partner's share of the tires of an order, in basis points. */
export const commissionBasisPoints = 300
/** How many origins one widget may be on. */
export const mostOrigins = 10
/** How long a browser remembers which widget it came from. */
export const widgetVisitDays = 30
/** How many sources of one widget are counted apart in a day: a source is whatever an address says. */
export const mostSources = 20
/** How many offers a widget shows. */
export const widgetOffers = 5

/** A widget's key; undefined for any other text. */
export function widgetIdOf(text: string): string | undefined {
  return /^wk_[A-Za-z0-9]{20}$/.test(text) ? text : undefined
}

/** What a partner calls the page with its widget; null for none and for any other text. */
export function widgetSourceOf(text: string | null | undefined): string | null {
  return text != null && /^[A-Za-z0-9_.-]{1,40}$/.test(text) ? text : null
}

/** The exact origin of a page's address, https only; undefined for what is none. */
export function originOfSite(text: string): string | undefined {
  const typed = text.trim().slice(0, 400)
  const url = URL.parse(typed.includes('://') ? typed : `https://${typed}`)
  if (!url || url.protocol !== 'https:' || url.username !== '' || !url.hostname.includes('.')) return undefined
  return /^https:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(url.origin) && url.origin.length <= 200 ? url.origin : undefined
}

/** The origins of a list with one on each line; the first line that is none, if there is one. */
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

/** A partner's share of an order, rounded down to the cent: a fraction of a cent is never owed. */
export function commissionOf(tireCents: number, basisPoints: number): number {
  return Math.floor((Math.max(0, tireCents) * basisPoints) / 10_000)
}
