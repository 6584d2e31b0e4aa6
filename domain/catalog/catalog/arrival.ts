/** Arrival days for a listing, from what each warehouse can promise at the shopper's ZIP. */
import type { StockByWarehouse } from './items.ts'

/**
 * Returns a function from stock and units to the day the last unit arrives, YYYY-MM-DD, or null if there are not
 * enough. Allocates like delivery's `planShipments`, from the first warehouse with enough stock, or otherwise in as few
 * parcels as possible. `promises` are in order of preference.
 */
export function arrivalFrom(
  promises: ReadonlyMap<number, { readonly arrivesOn: Temporal.PlainDate }>,
): (stock: StockByWarehouse, units: number) => string | null {
  const ranked = [...promises].map(([id, { arrivesOn }]) => ({ id, day: arrivesOn.toString() }))
  const cache = new Map<string, string | null>()
  return (stock, units) => {
    const key = `${units} ${JSON.stringify(stock)}`
    const known = cache.get(key)
    if (known !== undefined) return known
    const day = lastDay(ranked, new Map(stock), units)
    cache.set(key, day)
    return day
  }
}

function lastDay(
  ranked: readonly { readonly id: number; readonly day: string }[],
  stock: ReadonlyMap<number, number>,
  units: number,
): string | null {
  let missing = units
  const days: string[] = []
  let idle = ranked.filter(({ id }) => stock.has(id))
  while (missing > 0) {
    const sendable = ({ id }: { readonly id: number }) => Math.min(stock.get(id) ?? 0, missing)
    const [first, ...others] = idle
    if (!first) return null
    const sender = others.reduce((best, each) => (sendable(each) > sendable(best) ? each : best), first)
    missing -= sendable(sender)
    days.push(sender.day)
    idle = idle.filter((each) => each !== sender)
  }
  return days.sort().at(-1) ?? null
}
