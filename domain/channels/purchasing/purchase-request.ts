/** An order of a purchasing system, as read from its document, and how it is held against our price. Pure. */
import { formatCents } from '#platform/money.ts'
import type { PurchaseItem } from './purchase-items.ts'

export type RequestedAddress = {
  readonly name: string
  readonly deliverTo: readonly string[]
  readonly street: readonly string[]
  readonly city: string
  readonly state: string
  readonly zip: string
  readonly country: string
}

export type RequestedLine = {
  readonly lineNumber: number
  readonly partId: string
  readonly quantity: number
  readonly unit: string
  readonly unitCents: number
}

export type PurchaseRequest = {
  readonly payloadId: string
  readonly isTest: boolean
  /** The purchase order number. */
  readonly orderId: string
  readonly orderDate: string
  readonly totalCents: number
  /** Null if missing in the document. */
  readonly taxCents: number | null
  readonly shipTo: RequestedAddress | null
  readonly billToName: string
  readonly costCenter: string | null
  /** The exchange's customer. */
  readonly customerId: string | null
  readonly vehicle: string | null
  /** The cart that its lines refer to. It is a visit, or an exchange customer's cart. */
  readonly origin: string | null
  /** The code of the shop that installs, and when. */
  readonly installAt: string | null
  readonly appointmentAt: Temporal.Instant | null
  readonly lines: readonly RequestedLine[]
}

/** Describes how an order's lines and totals differ from our price; undefined if they match. */
export function differenceFrom(
  { lines, totalCents, taxCents }: Pick<PurchaseRequest, 'lines' | 'totalCents' | 'taxCents'>,
  ours: { items: readonly PurchaseItem[]; taxCents: number },
): string | undefined {
  const wanted = new Map(ours.items.map((item) => [item.partId, item]))
  const given = new Map(lines.map((line) => [line.partId, line]))
  if (given.size < lines.length) return 'A part appears on two lines. Send each part once.'
  const words = [
    ...lines.flatMap(({ partId, quantity, unitCents }) => {
      const item = wanted.get(partId)
      if (!item) return [`${partId} is not charged`]
      return item.quantity === quantity && item.unitCents === unitCents
        ? []
        : [`${partId} is ${inWords(item)}, not ${inWords({ quantity, unitCents })}`]
    }),
    ...ours.items.flatMap((item) => (given.has(item.partId) ? [] : [`${item.partId} is missing, ${inWords(item)}`])),
  ]
  if (words.length > 0) return `The lines don’t match our price: ${words.join('; ')}.`
  const sum = ours.items.reduce((total, item) => total + item.quantity * item.unitCents, 0)
  if (sum !== totalCents) return `The Total is ${formatCents(totalCents)}, ours is ${formatCents(sum)}.`
  return taxCents !== null && taxCents !== ours.taxCents
    ? `The Tax is ${formatCents(taxCents)}, ours is ${formatCents(ours.taxCents)}.`
    : undefined
}

function inWords({ quantity, unitCents }: Pick<PurchaseItem, 'quantity' | 'unitCents'>): string {
  return `${quantity} at ${formatCents(unitCents)}`
}
