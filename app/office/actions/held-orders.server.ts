import { defineActions, formAction, type ActionCall } from '#app/office/define-actions.server.ts'
import { decideHeldOrder } from '#domain/ordering/fraud/fraud.server.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { screeningNoteForm } from '#domain/ordering/fraud/fraud.ts'

const decide = ({ app, by, id }: ActionCall, decision: 'accepted' | 'canceled', note: string | null) =>
  decideHeldOrder(app, { orderId: parseOrderNumber(id) ?? 0, decision, note, by })

export const heldOrderActions = defineActions({
  resource: 'held-orders',
  noun: 'order',
  permission: 'held-orders.decide',
  actions: {
    accept: formAction(
      { summary: 'Accept a held order', description: 'Releases it. Only staff see the note.', form: screeningNoteForm },
      (call, { note }) => decide(call, 'accepted', note),
    ),
    cancel: formAction(
      {
        summary: 'Cancel a held order',
        description: 'Also refunds it. Only staff see the note.',
        form: screeningNoteForm,
      },
      (call, { note }) => decide(call, 'canceled', note),
    ),
  },
  refusals: {
    'not-possible': ({ why }) => why,
    'order-not-found': { text: 'Held order not found.', status: 404 },
    over: 'This order is no longer on hold. It was reviewed or canceled.',
  },
})
