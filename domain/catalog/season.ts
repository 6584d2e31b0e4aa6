/** Whether winter tires are in season where a shopper lives. */

/** `winter`: snow is likely; summer tires harden below 45 °F. */
export type Season = 'winter' | 'other'

/**
 * The first digits of ZIP codes in states with snow in most winters: New England, New York, Pennsylvania, Ohio, Indiana,
 * Michigan, the upper Midwest, Illinois, Nebraska, the northern and central Rockies, and Alaska. 006 to 009 are
 * Caribbean islands.
 */
const snowyZips = /^(?:0(?:[1-5]|6[0-9])|1[0-9]|4[3-9]|5|60|61|62|68|69|8[0-4]|99[5-9])/

/** The months from November to March. */
const winterMonths: ReadonlySet<number> = new Set([11, 12, 1, 2, 3])

/** Returns the season at a ZIP on a date; `other` while the ZIP is not known. */
export function seasonAt(zip: string | null | undefined, date: Pick<Temporal.PlainDate, 'month'>): Season {
  return typeof zip === 'string' && snowyZips.test(zip) && winterMonths.has(date.month) ? 'winter' : 'other'
}
