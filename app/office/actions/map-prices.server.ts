import { z } from 'zod'
import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import { findMapPrice } from '#domain/catalog/catalog/catalog.server.ts'
import { setMinimumPrice, setMinimumPrices } from '#domain/catalog/promotions/promotions.server.ts'
import {
  belowMinimumText,
  mapPricesForm,
  minimumPriceForm,
  type BelowMinimum,
} from '#domain/catalog/promotions/promotions.ts'
import { countText } from '#platform/count-text.ts'

const refusals = {
  'below-minimum': ({ count, tires }: { count: number; tires: BelowMinimum[] }) => {
    const more = count > tires.length ? `, and ${countText(count - tires.length)} more` : ''
    return {
      field: 'acceptsBelow',
      text: `Sold below the minimum: ${tires.map(belowMinimumText).join('; ')}${more}. Check the box to save anyway.`,
    }
  },
  'no-tire': (skus: string[]) => ({
    field: 'prices',
    text: `The catalog has no tire with the SKU ${skus.slice(0, 5).join(', ')}.`,
  }),
}

/** Minimum advertised prices, set by SKU for up to 500 tires. */
export const mapPriceActions = defineActions({
  resource: 'map-prices',
  noun: 'minimum prices',
  permission: 'promotions.edit',
  hasNoId: true,
  actions: {
    change: formAction(
      {
        summary: 'Set minimum advertised prices',
        description:
          'A `price` of null removes the minimum. Other tires keep theirs. `acceptsBelow` is `yes` to save minimums that we sell below. With `seen`, tires that were set after this version stay as they are, and are returned in `changed`.',
        form: mapPricesForm,
        result: z.object({
          changed: z.array(z.object({ sku: z.string(), mapCents: z.int().nullable() })),
          version: z.int(),
        }),
      },
      ({ app, by }, { seen = null, ...prices }) => setMinimumPrices(app, by, { ...prices, seen }),
    ),
  },
  refusals,
})

/** The minimum advertised price of one tire. */
export const tireMapPriceActions = defineActions({
  resource: 'map-prices',
  noun: 'minimum price',
  permission: 'promotions.edit',
  readPermission: 'promotions.read',
  actions: {
    change: formAction(
      {
        summary: 'Set the minimum advertised price of a tire',
        description: 'A `price` of null removes the minimum. `acceptsBelow` is `yes` to save one that we sell below.',
        form: minimumPriceForm,
      },
      ({ app, by, id }, change) => setMinimumPrice(app, by, numberedId(id), change),
    ),
  },
  refusals: { ...refusals, gone: { text: 'Tire not found.', status: 404 } },
  facts: z.object({ sku: z.string(), name: z.string() }),
  read: async (app, id) => {
    const found = await findMapPrice(app, numberedId(id))
    if (!found) return undefined
    const { sku, name, mapCents, version } = found
    return { sku, name, price: mapCents, version }
  },
})
