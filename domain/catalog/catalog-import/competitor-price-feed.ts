import { z } from 'zod'
import { date, dearestCents, dollars, optional, required, whole, type Reader } from './cells.ts'
import { disagree, makeFeed, type Feed } from './feed.ts'
import { gtin, name, partNumber } from './tire-cells.ts'

/** Prices of the store's tires at competitors. Days after `today` are refused. */
export function competitorPriceFeed({ today }: { today: Temporal.PlainDate }): Feed {
  const cells = z.object({
    gtin: optional(gtin, null),
    mpn: optional(partNumber(60), null),
    brand: optional(name, null),
    competitor: required(name),
    price: optional(dollars(1), null),
    price_cents: optional(whole(1, dearestCents, 'cents'), null),
    seen_on: required(pastDay(today)),
  })
  return makeFeed({
    table: 'import_competitor_price',
    columns: Object.keys(cells.shape),
    required: ['competitor', 'seen_on'],
    either: { columns: ['price', 'price_cents'], isRequired: true },
    staged: [
      'gtin',
      'mpn',
      'mpn_key',
      'brand_slug',
      'competitor',
      'competitor_slug',
      'price_cents',
      'seen_on',
      'item_id',
    ],
    row: cells.transform(({ gtin: code, mpn, brand, competitor, price, price_cents, seen_on }, context) => {
      const cents = price ?? price_cents
      if (code === null && (mpn === null || brand === null))
        disagree(context, 'gtin', 'is empty', 'a GTIN, or the part number and the brand')
      if (cents === null) disagree(context, 'price', 'is empty', dollars(1).expected)
      if (cents === null) return z.NEVER
      return {
        gtin: code,
        mpn: mpn?.number ?? null,
        mpn_key: mpn?.key ?? null,
        brand_slug: brand?.slug ?? null,
        competitor: competitor.name,
        competitor_slug: competitor.slug,
        price_cents: cents,
        seen_on,
        item_id: null,
      }
    }),
    key: cells.pick({ competitor: true }).transform((row) => ({ competitor: row.competitor.name })),
  })
}

function pastDay(today: Temporal.PlainDate): Reader<string> {
  return {
    expected: `a date up to ${today.toString()}`,
    problem: (text) => (date.read(text) === undefined ? 'is not a date' : 'is in the future'),
    read(text) {
      const day = date.read(text)
      return day === undefined || day > today.toString() ? undefined : day
    },
  }
}
