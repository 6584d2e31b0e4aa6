import { z } from 'zod'
import { dearestCents, dollars, optional, required, sku, whole } from './cells.ts'
import { disagree, makeFeed, type Feed } from './feed.ts'

const cells = z.object({
  sku: required(sku),
  price: optional(dollars(1), null),
  price_cents: optional(whole(1, dearestCents, 'cents'), null),
  cost: optional(dollars(1), null),
})

/** Prices of existing tires, with SKU, regular price per tire, and optional cost. */
export const priceFeed: Feed = makeFeed({
  table: 'import_price',
  columns: Object.keys(cells.shape),
  required: ['sku'],
  either: { columns: ['price', 'price_cents'], isRequired: true },
  staged: ['sku', 'retail_cents', 'cost_cents'],
  row: cells.transform(({ sku, price, price_cents, cost: cost_cents }, context) => {
    const retail_cents = price ?? price_cents
    if (retail_cents !== null) return { sku, retail_cents, cost_cents }
    disagree(context, 'price', 'is empty', dollars(1).expected)
    return z.NEVER
  }),
  key: cells.pick({ sku: true }),
})
