/** Amounts as the API shows them: rows that explain themselves, and the totals they come to. */
import { z } from 'zod'
import { cents } from '#api/schemas.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing.ts'

export const priceRow = z
  .strictObject({
    key: z.string().meta({ description: 'Stable for one thing across two prices', examples: ['sales-tax'] }),
    label: z.string(),
    detail: z.string(),
    amountCents: cents.meta({ description: 'US cents; below zero for a discount' }),
  })
  .meta({ id: 'PriceRow' })

export function rowViews(breakdown: PriceBreakdown): z.input<typeof priceRow>[] {
  return breakdown.explain.map(({ key, label, detail, cents: amountCents }) => ({ key, label, detail, amountCents }))
}
