/** The bin form, for the location of one SKU's tires in a warehouse. */
import { z } from 'zod'

const binMessage = 'Enter up to 20 letters, digits, dots, dashes or slashes, such as A-04-2.'

export const binForm = z.object({
  binWarehouse: z.coerce
    .number('Choose a warehouse.')
    .int('Choose a warehouse.')
    .min(1, 'Choose a warehouse.')
    .max(32_767, 'Choose a warehouse.'),
  /** Empty to clear. */
  bin: z
    .string(binMessage)
    .trim()
    .max(20, binMessage)
    .toUpperCase()
    .regex(/^(?:[A-Z0-9][A-Z0-9./-]*)?$/, binMessage)
    .default('')
    .transform((text) => text || null),
})
