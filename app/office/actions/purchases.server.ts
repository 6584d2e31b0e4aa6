import {
  defineActions,
  formAction,
  numberedId,
  plainAction,
  type ActionCall,
} from '#app/office/define-actions.server.ts'
import { reSource } from '#domain/ordering/orders/orders.server.ts'
import { answerPurchaseOrder } from '#domain/supply/stock/stock.server.ts'
import { purchaseOrderForms } from '#domain/supply/stock/stock.ts'

const purchaseId = ({ id }: ActionCall) => numberedId(id, Number.MAX_SAFE_INTEGER)

export const purchaseActions = defineActions({
  resource: 'purchases',
  noun: 'purchase order',
  permission: 'suppliers.answer',
  actions: {
    accepted: formAction(
      {
        summary: 'Record a purchase order as accepted',
        description: 'With the supplier’s order number. We then create the shipping label.',
        form: purchaseOrderForms.accepted,
      },
      (call, { reference }) =>
        answerPurchaseOrder(call.app, {
          answer: { intent: 'accepted', id: purchaseId(call), reference },
          by: call.by,
        }),
    ),
    rejected: formAction(
      { summary: 'Record a purchase order as rejected', form: purchaseOrderForms.rejected },
      (call, { reason }) =>
        answerPurchaseOrder(call.app, { answer: { intent: 'rejected', id: purchaseId(call), reason }, by: call.by }),
    ),
    again: plainAction({ summary: 'Send a rejected purchase order to its supplier again' }, (call) =>
      answerPurchaseOrder(call.app, { answer: { intent: 'again', id: purchaseId(call) }, by: call.by }),
    ),
    elsewhere: formAction(
      {
        summary: 'Order the units of a rejected purchase order from another warehouse',
        description: 'If they arrive later than promised, the customer is notified and can cancel.',
        permission: 'suppliers.source',
        form: purchaseOrderForms.elsewhere,
      },
      (call, { warehouse: warehouseId }) => reSource(call.app, { id: purchaseId(call), warehouseId, by: call.by }),
    ),
  },
  refusals: {
    'not-there': { field: 'warehouse', text: 'This warehouse doesn’t have all of the units. Choose another.' },
    'other-state': 'This purchase order changed after you opened it. Reload the page.',
  },
})
