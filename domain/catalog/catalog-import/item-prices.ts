/** The prices of an item in a PIES file, as one cell such as "RMP 120.00 2026-10-01 2027-03-31; JBR 98". */
import { countOf } from '#platform/count-text.ts'
import type { Reader } from './cells.ts'

/** `type` is a code of the licensed PCdb. Days are ISO dates; null without a limit. */
export type ItemPrice = { type: string; cents: number; from: string | null; until: string | null }

/** The maximum number of prices of one item that are read. */
export const maxItemPrices = 50
/** For a day that a price doesn't have. */
export const noDay = '-'

const pattern = /^([A-Z0-9]{1,6}) (\d{1,7}(?:\.\d{1,4})?)(?: (\d{4}-\d\d-\d\d|-))?(?: (\d{4}-\d\d-\d\d|-))?$/

function readPrice(text: string): ItemPrice | undefined {
  const [, type, amount, from = noDay, until = noDay] = pattern.exec(text) ?? []
  const cents = Math.round(Number(amount) * 100)
  if (type === undefined || cents < 1 || cents > 10_000_000 || ![from, until].every(isDay)) return undefined
  return { type, cents, from: from === noDay ? null : from, until: until === noDay ? null : until }
}

function isDay(text: string): boolean {
  try {
    return text === noDay || Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

/** Reads the cell. The type can't be read without the others. */
export const itemPrices: Reader<ItemPrice[]> = {
  expected: `up to ${countOf(maxItemPrices, 'price')} in US dollars, such as "RMP 120.00 2026-10-01 2027-03-31; JBR 98"`,
  problem: 'has a price that can’t be read',
  read(text) {
    const parts = text.split(';', maxItemPrices + 1)
    const read = parts.flatMap((part) => readPrice(part.trim()) ?? [])
    return read.length === parts.length && parts.length <= maxItemPrices ? read : undefined
  },
}

/**
 * Returns the minimum advertised price on `day`, in cents, from the price with the latest first day. Null without one,
 * undefined if two prices with the same first day differ. `mapTypes` are its codes.
 */
export function minimumPriceOn(
  prices: readonly ItemPrice[],
  { mapTypes, day }: { mapTypes: ReadonlySet<string>; day: Temporal.PlainDate },
): number | null | undefined {
  const today = day.toString()
  const valid = prices.filter(
    ({ type, from, until }) => mapTypes.has(type) && (from ?? today) <= today && (until ?? today) >= today,
  )
  const latest = valid
    .map(({ from }) => from ?? '')
    .toSorted()
    .at(-1)
  const [cents = null, ...others] = new Set(
    valid.filter(({ from }) => (from ?? '') === latest).map((price) => price.cents),
  )
  return others.length > 0 ? undefined : cents
}
