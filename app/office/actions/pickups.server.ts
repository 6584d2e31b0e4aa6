import { z } from 'zod'
import { groupRefusals } from '#app/office/decision.server.ts'
import { defineActions, formAction, plainAction } from '#app/office/define-actions.server.ts'
import { endMissedPickup, makePickupReady } from '#domain/ordering/warehouse-pickups/warehouse-pickups.server.ts'
import { orderIdIn } from './orders.server.ts'

export const pickupActions = defineActions({
  resource: 'pickups',
  noun: 'pickup',
  permission: 'pickups.hand-over',
  actions: {
    ready: plainAction(
      { summary: 'Mark a pickup as ready', description: 'The customer is emailed the pickup code.' },
      (call) => makePickupReady(call.app, call.by, orderIdIn(call)),
    ),
    missed: formAction(
      {
        summary: 'Cancel an unclaimed pickup',
        description: 'After its last day. Also refunds the order.',
        form: z.object({ key: z.uuid('Reload the page.').describe('A new UUID per request') }),
      },
      async (call, { key }) =>
        groupRefusals(
          await endMissedPickup(call.app, call.by, { orderId: orderIdIn(call), key }),
          ['not-allowed', 'pickup-not-found', 'not-overdue'],
          'moved',
        ),
    ),
  },
  refusals: {
    'pickup-not-found': { text: 'Pickup not found.', status: 404 },
    'not-overdue': 'This order is still held for the customer.',
    moved: 'This order changed after you opened it. Open the order to see its current status.',
  },
})
