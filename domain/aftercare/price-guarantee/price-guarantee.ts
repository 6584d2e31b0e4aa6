/** Automated checks and states for price match requests. Safe in the browser. */
import type { OrderState } from '#domain/ordering/orders/orders.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents, roundHalfUp } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { countOf } from '#platform/count-text.ts'

/** "G-12", as displayed and typed. */
export function guaranteeNumber(id: number): string {
  return `G-${id}`
}

/** Parses a request number in any common form; undefined if invalid. */
export function parseGuaranteeNumber(text: string): number | undefined {
  const digits = /^(?:G-)?(\d{1,12})$/i.exec(text.trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** A price older than this has to be looked at again. */
export const seenWithinDays = 30

/** A price found elsewhere, per tire. */
export type FoundPrice = {
  readonly host: string
  readonly eachCents: number
  readonly includesShipping: boolean
  readonly includesInstallation: boolean
  readonly seenOn: Temporal.PlainDate
}

/** What a found price is compared with. */
export type Asked = {
  readonly found: FoundPrice
  /** Our price of one such tire, with what the found one includes. */
  readonly ourEachCents: number
  /**
   * Null before buying. `deliveredOn` is the day the last parcel came; null while one is on its way. `days` is the price
   * match window of the order's terms.
   */
  readonly order: {
    readonly state: OrderState
    readonly deliveredOn: Temporal.PlainDate | null
    readonly days: number
  } | null
  readonly today: Temporal.PlainDate
  readonly ownHost: string
}

/** Why a price is not matched, and the field of the form it is about. */
export type Finding = { readonly check: GuaranteeCheck; readonly field: GuaranteeField; readonly reason: string }
export type GuaranteeField = 'orderNumber' | 'seenOn' | 'shipping' | 'installation' | 'link' | 'price'

type Check = { readonly field: GuaranteeField; readonly reason: (asked: Asked) => string | undefined }

/** Places where others than the store sell, or the highest bid wins. */
const marketplaces = [
  'alibaba.com',
  'aliexpress.com',
  'craigslist.org',
  'ebay.com',
  'ebay.us',
  'etsy.com',
  'facebook.com',
  'govdeals.com',
  'liveauctioneers.com',
  'mercari.com',
  'offerup.com',
  'shopgoodwill.com',
  'temu.com',
]

function isAt(host: string, place: string): boolean {
  return host === place || host.endsWith(`.${place}`)
}

/** Each returns its failure message, or undefined. */
const checks = {
  'order-stands': {
    field: 'orderNumber',
    reason: ({ order }) =>
      order?.state === 'canceled'
        ? 'This order was canceled and never paid.'
        : order?.state === 'returned'
          ? 'These tires were returned and refunded.'
          : undefined,
  },
  'in-time': {
    field: 'orderNumber',
    reason({ order, today }) {
      const last = order?.deliveredOn?.add({ days: order.days })
      return order && last && Temporal.PlainDate.compare(today, last) > 0
        ? `We match prices until ${countOf(order.days, 'day')} after delivery. For this order that was ${dateText(last.toString())}.`
        : undefined
    },
  },
  'seen-lately': {
    field: 'seenOn',
    reason: ({ found: { seenOn }, today }) =>
      Temporal.PlainDate.compare(seenOn, today) > 0
        ? 'This day has not come yet. Enter the day you saw the price.'
        : Temporal.PlainDate.compare(seenOn, today.subtract({ days: seenWithinDays })) < 0
          ? `This is more than ${countOf(seenWithinDays, 'day')} ago. Look again, and enter the day you saw the price.`
          : undefined,
  },
  'out-the-door': {
    field: 'shipping',
    reason: ({ found }) =>
      found.includesShipping
        ? undefined
        : 'We compare prices out the door. Enter the price with shipping to you, or as you would pick the tires up.',
  },
  'tires-alone-before-buying': {
    field: 'installation',
    reason: ({ found, order }) =>
      found.includesInstallation && order === null
        ? 'Before you order, we compare only tire prices. Enter the price without installation.'
        : undefined,
  },
  'store-that-sells-itself': {
    field: 'link',
    reason: ({ found: { host }, ownHost }) =>
      host === ownHost
        ? 'This is our own page. Enter the link to the other store’s offer.'
        : marketplaces.some((place) => isAt(host, place))
          ? 'We match stores that sell tires themselves, not marketplaces and auctions.'
          : undefined,
  },
  lower: {
    field: 'price',
    reason: ({ found, ourEachCents }) =>
      found.eachCents < ourEachCents
        ? undefined
        : `Ours is ${formatCents(ourEachCents)} each with what this price includes, which is not more.`,
  },
} as const satisfies Record<string, Check>
export type GuaranteeCheck = keyof typeof checks

/** Returns every failed check of a request. If all pass, staff review it. */
export function checkRequest(asked: Asked): Finding[] {
  return (Object.entries(checks) as [GuaranteeCheck, Check][]).flatMap(([check, { field, reason }]) => {
    const text = reason(asked)
    return text === undefined ? [] : [{ check, field, reason: text }]
  })
}

/** An order line with the amount paid. */
type BoughtLine = {
  readonly kind: string
  readonly itemId: number | null
  readonly description: string
  readonly quantity: number
  readonly netCents: number
  readonly taxCents: number
  readonly fetCents: number
  readonly tireFeeCents: number
}

/** A request's tires, with the order's item and quantity. */
export type AskedTires = { readonly itemId: number; readonly tire: string; readonly quantity: number }

/**
 * Returns a request's tires among an order's lines. Defaults to the only item, and to its full quantity. Refuses an
 * item that isn't in the order, and a quantity above the purchased one.
 */
export function tiresOf(
  lines: readonly BoughtLine[],
  { itemId, quantity }: { itemId: number | null; quantity: number | null },
): Outcome<
  AskedTires,
  Refused<'name-the-tire'> | Refused<'not-on-order'> | Refused<'more-than-bought', { bought: number }>
> {
  const tires = lines.filter((line) => line.kind === 'tire')
  const articles = new Set(tires.map((line) => line.itemId))
  if (itemId === null && articles.size !== 1) return refused('name-the-tire')
  const wanted = itemId ?? tires[0]?.itemId
  const same = tires.filter((line) => line.itemId === wanted)
  const [first] = same
  if (!first || wanted == null) return refused('not-on-order')
  const bought = sumOf(same, ({ quantity }) => quantity)
  if (quantity !== null && quantity > bought) return refused('more-than-bought', { bought })
  return ok({ itemId: wanted, tire: first.description, quantity: quantity ?? bought })
}

/**
 * Returns our price per tire in an order, after all discounts, with its excise tax and its share of shipping, and of
 * installation if the competing price includes it. Sales tax and the state's tire fee are the same anywhere.
 */
export function paidEach(lines: readonly BoughtLine[], itemId: number, includesInstallation: boolean): number {
  const tires = lines.filter((line) => line.kind === 'tire')
  const same = tires.filter((line) => line.itemId === itemId)
  const own = sumOf(same, ({ netCents, fetCents }) => netCents + fetCents)
  const shared = lines.filter(({ kind }) => kind === 'shipping' || (includesInstallation && kind === 'installation'))
  const count = sumOf(same, ({ quantity }) => quantity)
  const all = sumOf(tires, ({ quantity }) => quantity)
  return roundHalfUp(own * all + sumOf(shared, ({ netCents }) => netCents) * count, count * all)
}

/** Returns everything paid for an item in an order, including taxes and fees. A refund can't exceed it. */
export function paidForTires(lines: readonly BoughtLine[], itemId: number): number {
  return sumOf(
    lines.filter((line) => line.kind === 'tire' && line.itemId === itemId),
    ({ netCents, taxCents, fetCents, tireFeeCents }) => netCents + taxCents + fetCents + tireFeeCents,
  )
}

/** Returns a request's amount (the price difference for all its tires, plus the sales tax paid on it). */
export function differenceOf(
  request: { itemId: number; quantity: number; ourEachCents: number; theirEachCents: number },
  lines: readonly BoughtLine[],
): number {
  const difference = (request.ourEachCents - request.theirEachCents) * request.quantity
  const same = lines.filter((line) => line.kind === 'tire' && line.itemId === request.itemId)
  const net = sumOf(same, ({ netCents, fetCents }) => netCents + fetCents)
  if (net === 0) return difference
  const tax = roundHalfUp(BigInt(sumOf(same, ({ taxCents }) => taxCents)) * BigInt(difference), net)
  return Math.min(difference + tax, paidForTires(lines, request.itemId))
}

function sumOf<Thing>(things: readonly Thing[], amount: (thing: Thing) => number): number {
  return things.reduce((sum, thing) => sum + amount(thing), 0)
}
