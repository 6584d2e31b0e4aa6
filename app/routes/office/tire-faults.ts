import { editFaults } from './catalog-faults.ts'

/** Why a tire was not saved, at the fields of its form. */
export const tireFaults = {
  ...editFaults,
  'sku-taken': { field: 'sku', text: 'Another tire has this SKU.', status: 409 },
  'gtin-taken': { field: 'gtin', text: 'Another tire has this GTIN.', status: 409 },
  'same-tire': {
    field: 'size',
    text: 'This model already has a tire with this size, load, speed, sidewall and mark.',
    status: 409,
  },
  'map-not-allowed': 'Your role can’t set minimum advertised prices. Leave the minimum as it is.',
  'needs-publisher': 'Your role can’t save this price. A manager or owner can.',
  'needs-yes': (warnings: readonly string[]) => ({
    field: 'acceptsBelow',
    text: `${warnings.join('. ')}. Check the box to save anyway.`,
  }),
} as const
