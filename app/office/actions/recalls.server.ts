import { defineActions, formAction, plainAction, type ActionCall } from '#app/office/define-actions.server.ts'
import { jsonValue } from '#app/office/define-record.server.ts'
import { recalledTire, recalledTireView } from '#app/office/records/shops.server.ts'
import { parseCampaign, rangesForm, recallDraftForm } from '#domain/installer-portal/work-orders/work-orders.ts'
import {
  closeRecall,
  discardRecall,
  draftRecall,
  extendRecall,
  openRecall,
  readRecall,
} from '#domain/installer-portal/work-orders/work-orders.server.ts'

/** The campaign in an address; '', which no recall has, for other text. */
const campaignOf = ({ id }: ActionCall) => parseCampaign(id) ?? ''

export const recallActions = defineActions({
  resource: 'recalls',
  noun: 'recall',
  permission: 'recalls.manage',
  readPermission: 'recalls.read',
  actions: {
    add: formAction(
      {
        summary: 'Import a recall as a draft',
        description: 'Customers aren’t notified until it is published with `open`.',
        form: recallDraftForm,
      },
      ({ app, by }, { ranges, ...recall }) => draftRecall(app, by, { recall, ranges }),
      ({ campaign }) => campaign,
    ),
    open: plainAction(
      { summary: 'Publish a recall', description: 'Notifies its customers. Shops can no longer install these tires.' },
      (call) => openRecall(call.app, call.by, campaignOf(call)),
    ),
    discard: plainAction({ summary: 'Discard the draft of a recall' }, (call) =>
      discardRecall(call.app, call.by, campaignOf(call)),
    ),
    extend: formAction(
      { summary: 'Add ranges to a published recall', description: 'Notifies their customers.', form: rangesForm },
      (call, { ranges }) => extendRecall(call.app, call.by, { campaign: campaignOf(call), ranges }),
    ),
    close: plainAction({ summary: 'Close a recall', description: 'No more customers are notified.' }, (call) =>
      closeRecall(call.app, call.by, campaignOf(call)),
    ),
  },
  refusals: {
    'recall-not-found': { text: 'Recall not found.', status: 404 },
    'recall-exists': {
      field: 'campaign',
      text: 'This campaign already exists. Open it to extend it.',
      status: 409,
    },
    'unknown-maker': { field: 'maker', text: 'Manufacturer not found.' },
    'unknown-line': { field: 'line', text: 'This manufacturer has no model with this name.' },
    'unknown-sizes': (sizes) => ({
      field: 'sizes',
      text: `We don’t sell products in ${sizes.join(', ')}.`.slice(0, 300),
    }),
  },
  parts: {
    tires: {
      summary: 'List a recall’s affected tires',
      description: 'Ordered by ID.',
      row: recalledTire,
      async read(app, id, before, { customers }) {
        const campaign = parseCampaign(id)
        const page =
          campaign === undefined ? undefined : await readRecall(app, { campaign, show: 'all', after: before ?? 0 })
        if (!page) return undefined
        const rows = page.tires.map((tire) => jsonValue(recalledTireView(tire, customers)) as Record<string, unknown>)
        return { rows, next: page.next }
      },
    },
  },
})
