/** Quoted vehicles for staff. */
import { summaryRows, type SummaryRow } from '#app/ui/order-summary.tsx'
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { pictureOfItem } from '#app/views/tire-picture.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { stateRequirement } from '#domain/catalog/fitment/fitment.ts'
import { offeredTires } from '#domain/catalog/offers/offers.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import {
  findTires,
  type PricedLine,
  type PricedVehicle,
  type Quote,
  type QuoteCase,
} from '#domain/ordering/quotes/quotes.server.ts'
import { holds, lineKey, quoteStateNames, vehicleTitle, type QuoteState } from '#domain/ordering/quotes/quotes.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import type { Application } from '#application'

export const stateTones: Readonly<Record<QuoteState, Tone>> = {
  draft: 'plain',
  'needs-approval': 'signal',
  sent: 'signal',
  delivered: 'signal',
  bounced: 'stop',
  opened: 'signal',
  ordered: 'go',
  expired: 'plain',
  withdrawn: 'plain',
  replaced: 'plain',
}

/** "1 of 2 ordered"; null for one vehicle. */
export function orderedText(vehicles: readonly Quote[]): string | null {
  const ordered = vehicles.filter(({ state }) => state === 'ordered')
  return vehicles.length > 1 ? `${ordered.length} of ${vehicles.length} ordered` : null
}

/** The price of one vehicle in rows, or a total per vehicle and their sum. */
export function wholeRows(offers: readonly { quote: Quote; breakdown: PriceBreakdown }[]): SummaryRow[] {
  const [first] = offers
  if (!first) return []
  if (offers.length === 1) return summaryRows(first.breakdown.explain)
  const row = (key: string, label: string, cents: number, kind: SummaryRow['kind']) => ({
    key,
    label,
    detail: '',
    amount: formatCents(cents),
    kind,
  })
  return [
    ...offers.map(({ quote, breakdown }) =>
      row(String(quote.position), vehicleTitle(quote), breakdown.totals.totalCents, 'plain'),
    ),
    row(
      'total',
      'Total',
      offers.reduce((sum, { breakdown }) => sum + breakdown.totals.totalCents, 0),
      'total',
    ),
  ]
}

/** The price as sent, or today's. */
export function breakdownOf({ quote, priced }: PricedVehicle): PriceBreakdown | null {
  return quote.breakdown ?? priced.breakdown
}

/** The vehicles with their tires, prices, and orders. `path` is the page for another vehicle than the first. */
export function vehicleViews(app: Application, { quote: main, vehicles }: QuoteCase, roles: readonly StaffRole[]) {
  return Promise.all(
    vehicles.map(async (vehicle) => {
      const { quote, priced } = vehicle
      const breakdown = breakdownOf(vehicle)
      const isOpen = holds(quote, app.clock.now())
      return {
        position: quote.position,
        title: vehicleTitle(quote),
        name: quote.vehicle?.name ?? null,
        requirement: priced.requirement ? stateRequirement(priced.requirement).rows : [],
        lines: await Promise.all(
          priced.lines.map(async (line) => ({
            ...lineView(line, quote.position),
            picture: await pictureOfItem(app.catalog, line.itemId),
          })),
        ),
        services: servicesOf(breakdown),
        rows: breakdown && vehicles.length > 1 ? summaryRows(breakdown.explain) : [],
        // Others have the state of the quote.
        state: quote.state === 'ordered' ? { name: quoteStateNames.ordered, tone: stateTones.ordered } : null,
        order: orderLink(quote.orderId, roles),
        path: isOpen && quote.id !== main.id ? officePaths.officeQuote(quote.id) : null,
      }
    }),
  )
}

function orderLink(id: number | null, roles: readonly StaffRole[]): { number: string; path: string | null } | null {
  if (id === null) return null
  return { number: orderNumber(id), path: staffCan(roles, 'orders.read') ? officePaths.officeOrder(id) : null }
}

const serviceKeys = new Set(['installation', 'service-kit', 'disposal', 'shipping'])

/** The services that come with the destination. */
function servicesOf(breakdown: Quote['breakdown']) {
  const rows = breakdown?.explain.filter(({ key }) => serviceKeys.has(key)) ?? []
  return rows.map(({ key, label, detail, amount }) => ({ key, label, detail, amount }))
}

function lineView(
  {
    itemId,
    name,
    axle,
    quantity,
    unitCents,
    coverage,
    retailCents,
    ownCents,
    floorCents,
    marginTenths,
    isBelowFloor,
    available,
    fit,
  }: PricedLine,
  position: number,
) {
  return {
    itemId,
    /** What the names of its fields end with. */
    key: lineKey(position, itemId),
    name,
    axle,
    quantity,
    price: (unitCents / 100).toFixed(2),
    priceText: formatCents(unitCents),
    sum: formatCents(unitCents * quantity),
    coverage,
    facts: [`${available} in stock`, ...(floorCents === null ? [] : [`not below ${formatCents(floorCents)}`])].join(
      ' · ',
    ),
    retail: retailCents === null ? null : formatCents(retailCents),
    own: ownCents === null ? null : formatCents(ownCents),
    margin: marginTenths === null ? 'Cost unknown' : `${(marginTenths / 10).toFixed(1)}%`,
    isLow: isBelowFloor,
    fit: fit && { text: fit.text, isSure: fit.verdict === 'fits' },
  }
}

/** The cost and margin of the tires, for staff. */
export function staffOnly(lines: readonly PricedLine[], marginFloorPpm: number): string {
  const floor = formatRate(marginFloorPpm)
  const sold = lines.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0)
  const cost = lines.reduce<number | null>(
    (sum, line) => (sum === null || line.costCents === null ? null : sum + line.costCents * line.quantity),
    0,
  )
  if (cost === null || sold === 0) return `Floor ${floor}. The cost of a tire is unknown.`
  const tenths = Math.floor(((sold - cost) * 1000) / sold)
  return `Cost ${formatCents(cost)}, margin ${formatCents(sold - cost)}, ${(tenths / 10).toFixed(1)}%. Floor ${floor} of each price.`
}

/** The tires found for one vehicle. `key` adds a tire to that vehicle. */
export async function foundViews(
  app: Application,
  vehicles: readonly Quote[],
  search: { text: string; position: number } | null,
) {
  if (search === null) return []
  const { text, position } = search
  const quote = vehicles[position - 1] ?? vehicles[0]
  if (!quote) return []
  const known = new Set(quote.lines.map(({ itemId }) => itemId))
  return (await findTires(app, text, quote.vehicle)).map((offer) => {
    const [item] = offer.items
    const [tires] = offeredTires(offer.items, offer.prices)
    return {
      itemId: item.id,
      key: lineKey(quote.position, item.id),
      name: tires?.name ?? '',
      price: formatCents(item.retailCents),
      stock: item.stock.reduce((sum, [, units]) => sum + units, 0),
      fit: offer.fitment?.text ?? null,
      isIn: known.has(item.id),
    }
  })
}
