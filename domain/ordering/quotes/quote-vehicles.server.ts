/** Quotes with several vehicles. They share customer, prices, delivery, and last day, and each is ordered separately. */
import { planPickup } from '#domain/supply/delivery/delivery.server.ts'
import type { Tx } from '#platform/db.ts'
import {
  priceQuote,
  readLabelTotals,
  type PricedLine,
  type PricedQuote,
  type QuoteDeps,
  type QuoteProblem,
} from './price-quote.server.ts'
import { deleteVehiclesAfter, insertVehicle, selectVehicles } from './quote-vehicles.sql.server.ts'
import { updateDraft, type Quote, type QuoteLabel, type QuoteLine } from './quotes.sql.server.ts'

/** A vehicle's row with its prices of today. */
export type PricedVehicle = { quote: Quote; priced: PricedQuote }

/** Prices a quote's vehicles. */
export function priceVehicles(deps: QuoteDeps, vehicles: readonly Quote[]): Promise<PricedVehicle[]> {
  return Promise.all(vehicles.map(async (quote) => ({ quote, priced: await priceQuote(deps, quote) })))
}

/** The tires for all vehicles. */
export function linesOf(vehicles: readonly PricedVehicle[]): PricedLine[] {
  return vehicles.flatMap(({ priced }) => priced.lines)
}

/** Lists the problems that block sending. A pickup warehouse must have the tires for all vehicles together. */
export async function listProblems(deps: QuoteDeps, vehicles: readonly PricedVehicle[]): Promise<QuoteProblem[]> {
  const problems = new Set(vehicles.flatMap(({ priced }) => priced.problems))
  const warehouseId = vehicles[0]?.quote.pickupWarehouseId ?? null
  if (vehicles.length > 1 && warehouseId !== null && problems.size === 0) {
    const plan = await planPickup(deps, {
      lines: mergeLines(vehicles.flatMap(({ quote }) => quote.lines)),
      warehouseId,
    })
    if (!plan.ok) problems.add(plan.reason === 'pickup-gone' ? 'warehouse-gone' : 'warehouse-short')
  }
  return [...problems]
}

/** Adds up the quantities of each tire. */
export function mergeLines(lines: readonly QuoteLine[]): QuoteLine[] {
  const merged = new Map<number, QuoteLine>()
  for (const line of lines)
    merged.set(line.itemId, { ...line, quantity: line.quantity + (merged.get(line.itemId)?.quantity ?? 0) })
  return [...merged.values()]
}

/** The vehicles' total in cents; null while one can't be priced. */
function sumTotals(totals: readonly (number | null)[]): number | null {
  return totals.reduce<number | null>(
    (sum, cents) => (sum === null || cents === null ? null : sum + cents),
    totals.length === 0 ? null : 0,
  )
}

/** Returns the vehicles' total in cents at each price label, as `readLabelTotals` does for one vehicle. */
export async function readWholeTotals(
  deps: QuoteDeps,
  vehicles: readonly PricedVehicle[],
): Promise<{ label: QuoteLabel; totalCents: number | null }[]> {
  const totals = await Promise.all(vehicles.map(({ quote, priced }) => readLabelTotals(deps, quote, priced)))
  return (totals[0] ?? []).map(({ label }) => ({
    label,
    totalCents: sumTotals(totals.map((ofOne) => ofOne.find((each) => each.label === label)?.totalCents ?? null)),
  }))
}

export type DraftVehicle = { vehicle: Quote['vehicle']; lines: readonly QuoteLine[] }

/** Writes the vehicles after the first into a locked draft, with the main row's new fields. Deletes the others. */
export async function writeVehicles(
  tx: Tx,
  { main, vehicles, by }: { main: Quote; vehicles: readonly DraftVehicle[]; by: string },
  shared: Omit<Parameters<typeof updateDraft>[2], 'vehicle' | 'lines' | 'note' | 'suggestion'>,
): Promise<void> {
  const ids = new Map((await selectVehicles(tx, main.id)).map(({ position, id }) => [position, id]))
  await deleteVehiclesAfter(tx, main.id, vehicles.length + 1)
  for (const [index, { vehicle, lines }] of vehicles.entries()) {
    const position = index + 2
    const id = ids.get(position) ?? (await insertVehicle(tx, { ...main, ...shared }, { position, by, at: shared.at }))
    await updateDraft(tx, id, { ...shared, vehicle, lines, note: null, suggestion: null })
  }
}
