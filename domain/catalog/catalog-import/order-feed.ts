/**
 * Past orders of another store, with one line item per row. Order fields can be empty after an order's first row
 * (`file-rows`). Shopify's columns are in help.shopify.com/en/manual/fulfillment/managing-orders/exporting-orders.
 * WooCommerce itself exports no orders. Files use the format "Default - One Row per Item" of its extension
 * Customer/Order/Coupon Export.
 */
import { z } from 'zod'
import { CURRENCY } from '#platform/business-constants.ts'
import { formatCents } from '#platform/money.ts'
import { dollars, oneOf, optional, required, text, whole } from './cells.ts'
import { email, joined, moment, phone } from './contact-cells.ts'
import { disagree, makeFeed, type Feed } from './feed.ts'

/** The highest total of an order or price of a line, in cents. */
const dearestOrderCents = 100_000_000
const maxQuantity = 100_000
const maxName = 100
const maxStatus = 200

const cells = z.object({
  store: required(text(40)),
  number: required(text(40)),
  placed_at: required(moment),
  total: required(dollars(0, dearestOrderCents)),
  email: optional(email, null),
  phone: optional(phone, null),
  customer_name: optional(text(maxName), null),
  first_name: optional(text(maxName), null),
  last_name: optional(text(maxName), null),
  currency: optional(oneOf([CURRENCY.code]), CURRENCY.code),
  payment_status: optional(text(60), null),
  fulfillment_status: optional(text(60), null),
  canceled_at: optional(moment, null),
  line_sku: optional(text(100), null),
  line_name: optional(text(500), null),
  line_quantity: optional(whole(0, maxQuantity), null),
  line_price: optional(dollars(0, dearestOrderCents), null),
})

/**
 * Past orders by store and number, in US dollars. A row without a name and SKU has no line item; one with either needs a
 * quantity and a price.
 */
export const orderFeed: Feed = makeFeed({
  table: 'import_order',
  columns: Object.keys(cells.shape),
  required: ['store', 'number', 'placed_at', 'total'],
  staged: [
    'store',
    'number',
    'placed_at',
    'email',
    'phone',
    'customer_name',
    'total_cents',
    'status',
    'line_sku',
    'line_name',
    'line_quantity',
    'line_price_cents',
    'is_known',
  ],
  row: cells
    .superRefine((row, context) => {
      if (row.line_name === null && row.line_sku === null) return
      if (row.line_quantity === null)
        disagree(context, 'line_quantity', 'is empty', `a whole number from 0 to ${maxQuantity}`)
      if (row.line_price === null)
        disagree(context, 'line_price', 'is empty', `the price of one, up to ${formatCents(dearestOrderCents)}`)
    })
    .transform((row) => {
      const name = row.line_name ?? row.line_sku
      return {
        store: row.store,
        number: row.number,
        placed_at: row.placed_at,
        email: row.email,
        phone: row.phone,
        customer_name: row.customer_name ?? joined([row.first_name, row.last_name], ' ')?.slice(0, maxName) ?? null,
        total_cents: row.total,
        status: statusOf([row.canceled_at && 'canceled', row.payment_status, row.fulfillment_status]),
        line_sku: name === null ? null : row.line_sku,
        line_name: name,
        line_quantity: name === null ? null : row.line_quantity,
        line_price_cents: name === null ? null : row.line_price,
        is_known: null,
      }
    }),
  key: cells.pick({ store: true, number: true }),
})

/** "Partially_refunded" and "unfulfilled" → "partially refunded, unfulfilled", each once. */
function statusOf(words: readonly (string | null)[]): string {
  const plain = words.flatMap((word) => (word ? [word.toLowerCase().replaceAll(/[_-]/g, ' ').replace(/^wc /, '')] : []))
  return [...new Set(plain)].join(', ').slice(0, maxStatus)
}
