import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import { setMinimumPrices } from '#domain/catalog/promotions/promotions.server.ts'
import { belowMinimumText, mapPricesForm } from '#domain/catalog/promotions/promotions.ts'
import { countText } from '#platform/count-text.ts'

/** Minimum advertised prices, set by SKU for up to 500 tires. */
export const mapPriceActions = defineActions({
  resource: 'map-prices',
  noun: 'minimum price',
  permission: 'promotions.edit',
  hasNoId: true,
  actions: {
    change: formAction(
      {
        summary: 'Set minimum advertised prices',
        description:
          'A `price` of null removes the minimum. Other tires keep theirs. `acceptsBelow` is `yes` to save minimums that we sell below.',
        form: mapPricesForm,
      },
      ({ app, by }, prices) => setMinimumPrices(app, by, prices),
    ),
  },
  refusals: {
    'below-minimum': ({ count, tires }) => {
      const more = count > tires.length ? `, and ${countText(count - tires.length)} more` : ''
      return {
        field: 'acceptsBelow',
        text: `Sold below the minimum: ${tires.map(belowMinimumText).join('; ')}${more}. Check the box to save anyway.`,
      }
    },
    'no-tire': (skus) => ({
      field: 'prices',
      text: `The catalog has no tire with the SKU ${skus.slice(0, 5).join(', ')}.`,
    }),
  },
})
