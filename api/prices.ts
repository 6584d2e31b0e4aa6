/** The API representation of prices, as itemized rows with their totals. */
import { z } from 'zod'
import { cents } from '#api/schemas.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'

export const priceRow = z
  .strictObject({
    key: z.string().meta({ description: 'The same for one item across two prices', examples: ['sales-tax'] }),
    label: z.string(),
    detail: z.string(),
    amountCents: cents.meta({ description: 'US cents; negative for a discount' }),
  })
  .meta({ id: 'PriceRow' })

export const priceTotals = z
  .strictObject({
    grossCents: cents,
    itemPromotionCents: cents,
    programCents: cents,
    installDiscountCents: cents,
    tenderCents: cents,
    netCents: cents.meta({ description: 'US cents: gross minus the four discounts' }),
    tireFeeCents: cents,
    fetCents: cents,
    taxBaseCents: cents,
    taxCents: cents,
    totalCents: cents.meta({ description: 'US cents: net plus fees and taxes; the amount charged' }),
  } satisfies Record<keyof PriceBreakdown['totals'], z.ZodType>)
  .meta({ id: 'PriceTotals' })

export function rowViews(breakdown: PriceBreakdown): z.input<typeof priceRow>[] {
  return breakdown.explain.map(({ key, label, detail, cents: amountCents }) => ({ key, label, detail, amountCents }))
}
