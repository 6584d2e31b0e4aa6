import { z } from 'zod'
import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import { manifestForm, noManifestText } from '#domain/ordering/parcels/parcels.ts'
import { requestManifests } from '#domain/ordering/parcels/parcels.server.ts'
import { ok } from '#platform/outcome.ts'

/** A request makes one manifest per carrier, so it isn't about one record. */
export const manifestActions = defineActions({
  resource: 'manifests',
  noun: 'manifest',
  permission: 'parcels.ship',
  hasNoId: true,
  actions: {
    request: formAction(
      {
        summary: 'Request the end-of-day manifests of a warehouse',
        description:
          'For packages that were labeled today. `key` is a UUID that you choose, and sending it again returns the same manifests.',
        form: manifestForm,
        result: z.object({ ids: z.array(z.int()) }),
      },
      async ({ app, by }, asked) => {
        const requested = await requestManifests(app, by, asked)
        return requested.ok ? ok({ ids: requested.value }) : requested
      },
    ),
  },
  refusals: {
    'warehouse-not-found': { field: 'warehouse', text: 'Choose a warehouse.' },
    'carrier-away': { text: 'The carrier isn’t responding. Try again in a few minutes.', status: 503 },
    'no-parcels': (detail) => ({ field: 'warehouse', text: noManifestText(detail) }),
  },
})
