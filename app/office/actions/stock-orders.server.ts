import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import {
  cancelStockOrder,
  changeStockOrder,
  createStockOrder,
  findStockOrder,
  markStockOrderSent,
  receiveStockOrder,
  sendStockOrder,
} from '#domain/supply/stock/stock.server.ts'
import {
  cancelStockOrderForm,
  draftStockOrderForm,
  newStockOrderForm,
  receiptForm,
  stockOrderVersionForm,
} from '#domain/supply/stock/stock.ts'
import { countOf } from '#platform/count-text.ts'

/** Returns the order number in an address. */
export const stockOrderId = (text: string) => numberedId(text, Number.MAX_SAFE_INTEGER)

export const stockOrderActions = defineActions({
  resource: 'stock-orders',
  noun: 'stock order',
  permission: 'stock.order',
  actions: {
    add: formAction(
      {
        summary: 'Add a draft of a stock order',
        description: 'The same `key` adds one draft, however often it is sent.',
        form: newStockOrderForm,
      },
      ({ app, by }, draft) => createStockOrder(app, by, draft),
      ({ id }) => String(id),
    ),
    change: formAction(
      {
        summary: 'Change a draft of a stock order',
        description:
          'Its lines are replaced by `lines`, with the tires of `add`. It can’t be changed once it was sent.',
        form: draftStockOrderForm,
      },
      ({ app, by, id }, draft) => changeStockOrder(app, by, stockOrderId(id), draft),
    ),
    send: formAction(
      {
        summary: 'Send a stock order',
        description:
          'Sends the order to the supplier by cXML. The order is a draft again if the supplier’s system refuses it. Suppliers without an electronic address are refused: place the order with them, then mark it as sent.',
        form: stockOrderVersionForm,
      },
      ({ app, by, id }, { version }) => sendStockOrder(app, by, { id: stockOrderId(id), version }),
    ),
    'mark-sent': formAction(
      {
        summary: 'Mark a stock order as sent',
        description: 'The store doesn’t send it. Place it with the supplier first.',
        form: stockOrderVersionForm,
      },
      ({ app, by, id }, { version }) => markStockOrderSent(app, by, { id: stockOrderId(id), version }),
    ),
    cancel: formAction(
      {
        summary: 'Cancel a stock order',
        description:
          'Received units stay in stock. If the order was sent electronically, the cancellation is too. The supplier can refuse it.',
        form: cancelStockOrderForm,
      },
      ({ app, by, id }, asked) => cancelStockOrder(app, by, { id: stockOrderId(id), ...asked }),
    ),
  },
  refusals: {
    gone: null,
    'other-state': 'This order changed after you opened it. Reload the page.',
    'supplier-retired': 'This supplier was retired. Choose another supplier.',
    'not-ours': { field: 'warehouse', text: 'Choose one of our warehouses.' },
    'no-lines': 'Add tires to this order first.',
    'not-electronic':
      'This supplier doesn’t take orders electronically. Place the order with them, then mark it as sent.',
    'sent-too-often': 'This order was sent too often. Create a new one.',
    'sku-unknown': ({ skus }) => ({ field: 'add', text: `SKU not found: ${skus.slice(0, 5).join(', ')}.` }),
    'cost-missing': ({ skus }) => ({
      field: 'add',
      text: `The catalog has no cost for ${skus.slice(0, 5).join(', ')}. Enter it after the quantity.`,
    }),
    'too-many-lines': { field: 'add', text: 'An order has up to 100 lines. Split it.' },
    'too-many-units': ({ sku }) => ({ field: 'add', text: `An order has up to 10,000 units of ${sku}.` }),
  },
  async read(app, id) {
    const found = await findStockOrder(app, stockOrderId(id))
    if (!found) return undefined
    const { version, expectedOn, note } = found.order
    const lines = found.lines.map(({ itemId, quantity, unitCostCents }) => ({
      itemId: String(itemId),
      quantity,
      cost: unitCostCents,
    }))
    return { version, expectedOn, lines, add: null, note }
  },
})

export const stockReceiptActions = defineActions({
  resource: 'stock-orders',
  noun: 'stock order',
  permission: 'stock.adjust',
  actions: {
    receive: formAction(
      {
        summary: 'Receive a delivery of a stock order',
        description:
          'Adds its units to the stock, at their cost with `freight`. The same `key` adds them once, however often it is sent.',
        form: receiptForm,
      },
      ({ app, by, id }, receipt) => receiveStockOrder(app, { id: stockOrderId(id), ...receipt, by }),
    ),
  },
  refusals: {
    gone: null,
    'other-state': 'This order isn’t open. Reload the page.',
    nothing: 'Enter the units of at least one tire.',
    'key-used': 'This form was already used. Reload the page.',
    'freight-without-units': { field: 'freight', text: 'Enter the freight with units that were received.' },
    over: ({ itemId, outstanding }) => ({
      fields: {
        [`units-${itemId}`]: `Only ${countOf(outstanding, 'unit')} expected. Enter the over-delivery reason below to accept more.`,
        overReason: 'Enter why more arrived than was ordered.',
      },
    }),
    'short-over': ({ itemId, outstanding }) => ({
      field: `short-${itemId}`,
      text: `Only ${countOf(outstanding, 'unit')} expected. Received, damaged and missing units can’t be more.`,
    }),
  },
})
