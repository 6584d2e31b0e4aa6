/** Returns a price as the protocol's totals, with an entry for each row of our order summary. They add up. */
import type { Cart } from '#domain/payments/cart/cart.ts'
import type { ExplainRow, PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'

export type Total = {
  type: string
  display_text?: string
  amount: number
  lines?: { display_text: string; amount: number }[]
}

/** What each row of a summary is to the protocol; a discount is one whatever it is for. */
const types: Readonly<Record<string, string>> = {
  installation: 'fulfillment',
  'service-kit': 'fulfillment',
  shipping: 'fulfillment',
  disposal: 'fee',
  replacement: 'fee',
  'road-hazard': 'fee',
  coverage: 'fee',
  roadside: 'fee',
  'tire-fee': 'fee',
  fet: 'tax',
  'sales-tax': 'tax',
  total: 'total',
}

function typeOf({ key, kind }: Pick<ExplainRow, 'key' | 'kind'>): string {
  if (key.startsWith('promotion:')) return 'items_discount'
  return kind === 'discount' ? 'discount' : (types[key] ?? 'fee')
}

export function totalsOf({ explain }: Pick<PriceBreakdown, 'explain'>): Total[] {
  const tires = explain.filter(({ key }) => key.startsWith('tire:'))
  const subtotal: Total = {
    type: 'subtotal',
    display_text: 'Tires',
    amount: tires.reduce((sum, { cents }) => sum + cents, 0),
    lines: tires.map((row) => ({ display_text: textOf(row), amount: row.cents })),
  }
  const rest = explain
    .filter((row) => !tires.includes(row))
    .map((row): Total => ({
      type: typeOf(row),
      display_text: row.key === 'total' ? 'Total' : textOf(row),
      amount: row.cents,
    }))
  return [subtotal, ...rest]
}

/** Returns the price of only the tires, before the destination is known. */
export function totalsOfTires({ lines }: Pick<Cart, 'lines'>): Total[] {
  const amount = lines.reduce((sum, line) => sum + line.unitCents * line.quantity, 0)
  const fet = lines.reduce((sum, line) => sum + line.fetUnitCents * line.quantity, 0)
  return [
    { type: 'subtotal', display_text: 'Tires', amount },
    ...(fet > 0 ? [{ type: 'tax', display_text: 'Federal excise tax', amount: fet }] : []),
    { type: 'total', display_text: 'Total', amount: amount + fet },
  ]
}

function textOf({ label, detail }: Pick<ExplainRow, 'label' | 'detail'>): string {
  return detail === '' ? label : `${label} (${detail})`
}

/** What installing or shipping comes to. */
export function fulfillmentCents({ explain }: Pick<PriceBreakdown, 'explain'>): number {
  return explain.filter((row) => typeOf(row) === 'fulfillment').reduce((sum, { cents }) => sum + cents, 0)
}

/** What takes something off, with the code where one does. */
export function appliedDiscounts({ explain }: Pick<PriceBreakdown, 'explain'>, code: string | null): object[] {
  return explain
    .filter((row) => row.kind === 'discount')
    .map((row) => {
      const isCode = row.key.startsWith('program:coupon')
      return {
        title: row.label,
        amount: -row.cents,
        automatic: !isCode,
        ...(isCode && code !== null && { code }),
      }
    })
}
