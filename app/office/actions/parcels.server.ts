import { z } from 'zod'
import { defineActions, formAction, plainAction, uuidOf, type ActionCall } from '#app/office/define-actions.server.ts'
import { buyLabel, markDelivered, markShipped, quoteLabel } from '#domain/ordering/parcels/parcels.server.ts'
import { ownTrackingForm } from '#domain/ordering/parcels/parcels.ts'
import { formatCents } from '#platform/money.ts'

/** Each list row is one tire, so its ID starts with the parcel ID. */
const parcelIdOf = ({ id }: ActionCall) => uuidOf(id.slice(0, 36))

/** Why a parcel can’t be labeled or shipped. */
export const parcelRefusals = {
  'parcel-not-found': null,
  'not-possible': ({ why }: { why: string }) => why,
  'carrier-away': { text: 'The carrier isn’t responding. Try again in a few minutes.', status: 503 },
  'carrier-refused': ({ carriers }: { carriers: readonly string[] }) =>
    carriers.length > 0
      ? `This warehouse ships only with ${carriers.join(', ')}, which don’t take this parcel. Check the address on the order, or change the carriers of the warehouse.`
      : 'The carrier doesn’t deliver this parcel to this address. Check the address on the order, or ship it with another carrier.',
  'has-label': 'This parcel has a label already.',
  'costs-more': (costCents: number) => `The label costs ${formatCents(costCents)} now.`,
  'label-unused': 'The parcel was canceled or shipped while the label was being bought. The label is refunded.',
  'no-label': 'This parcel has no label yet. Buy one, or enter a tracking number.',
  'tracking-taken': { field: 'tracking', text: 'Another parcel has this tracking number. Check it and try again.' },
} as const

export const parcelActions = defineActions({
  resource: 'parcels',
  noun: 'parcel',
  permission: 'parcels.ship',
  actions: {
    buy: plainAction(
      {
        summary: 'Buy the label of a parcel',
        description: 'The carrier’s cheapest rate is charged to the store. A label that isn’t used is refunded.',
      },
      (call) => buyLabel(call.app, call.by, parcelIdOf(call)),
    ),
    ship: plainAction({ summary: 'Mark a parcel as shipped', description: 'The customer is emailed.' }, (call) =>
      markShipped(call.app, call.by, { id: parcelIdOf(call), own: null }),
    ),
    'ship-own': formAction(
      {
        summary: 'Mark a parcel as shipped with another carrier',
        description: 'The customer is emailed. A purchased label is refunded.',
        form: ownTrackingForm,
      },
      (call, own) => markShipped(call.app, call.by, { id: parcelIdOf(call), own }),
    ),
    deliver: plainAction(
      {
        summary: 'Mark a parcel as delivered',
        description: 'For carriers that don’t report to the store. The customer is emailed.',
      },
      (call) => markDelivered(call.app, call.by, parcelIdOf(call)),
    ),
  },
  refusals: parcelRefusals,
})

/** For programs. The office shows the cost in the preview of a bulk action. */
export const parcelLabelActions = defineActions({
  resource: 'parcels',
  noun: 'parcel',
  permission: 'parcels.ship',
  actions: {
    'quote-label': plainAction(
      {
        summary: 'Get the cost of a parcel label',
        description: 'Returns the carrier and the cost in cents. Buys no label.',
        result: z.object({ carrier: z.string(), costCents: z.int() }),
      },
      (call) => quoteLabel(call.app, call.by, parcelIdOf(call)),
    ),
  },
  refusals: parcelRefusals,
})
