/** The forms of purchase orders, apart from their states so that pages load no schemas. */
import { z } from 'zod'

/** What staff record about a purchase order, by button. `elsewhere` orders its units from another warehouse. */
export const purchaseOrderForms = {
  accepted: z.object({
    reference: z
      .string('Enter the supplier’s order number.')
      .trim()
      .min(1, 'Enter the supplier’s order number.')
      .max(60, 'Please keep this under 60 characters.'),
  }),
  rejected: z.object({
    reason: z
      .string('Enter why the supplier rejected it.')
      .trim()
      .min(1, 'Enter why the supplier rejected it.')
      .max(400, 'Please keep this under 400 characters.'),
  }),
  elsewhere: z.object({
    warehouse: z.coerce
      .number('Choose a warehouse.')
      .int('Choose a warehouse.')
      .min(1, 'Choose a warehouse.')
      .max(32_767, 'Choose a warehouse.'),
  }),
} as const
