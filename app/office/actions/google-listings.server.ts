import { z } from 'zod'
import { defineActions, plainAction } from '#app/office/define-actions.server.ts'
import { sendAllAgain } from '#domain/catalog/google-listings/google-listings.server.ts'

/** It concerns all products, so it isn't about one record. */
export const googleListingActions = defineActions({
  resource: 'google-listings',
  noun: 'product at Google',
  permission: 'catalog.edit',
  hasNoId: true,
  actions: {
    'send-again': plainAction(
      {
        summary: 'Send all products to Google again',
        description: 'In the background, within the daily limit. Refused products are also sent.',
        result: z.object({ count: z.int() }),
      },
      ({ app, by }) => sendAllAgain(app, by),
    ),
  },
  refusals: { off: 'Google Merchant Center isn’t set up.' },
})
