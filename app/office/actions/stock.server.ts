import { groupRefusals } from '#app/office/decision.server.ts'
import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import { binForm } from '#domain/supply/delivery/delivery.ts'
import { adjustStock, changeBin, setReorderPoint, transferStock } from '#domain/supply/stock/stock.server.ts'
import { adjustmentForm, reorderPointForm, transferForm } from '#domain/supply/stock/stock.ts'

/** Returns the tire number in an address. */
const itemOf = (text: string) => numberedId(text)

export const stockActions = defineActions({
  resource: 'stock',
  noun: 'stock',
  permission: 'stock.adjust',
  actions: {
    adjust: formAction(
      {
        summary: 'Adjust the stock of a tire',
        description:
          'With the reason `count`, `units` are all units on hand, including allocated ones; otherwise, the change. The same `key` adjusts once, however often it is sent.',
        form: adjustmentForm,
      },
      ({ app, by, id }, { warehouse: warehouseId, ...asked }) =>
        adjustStock(app, { ...asked, itemId: itemOf(id), warehouseId, by }),
    ),
    transfer: formAction(
      {
        summary: 'Transfer units of a tire to another warehouse',
        description: 'Allocated units don’t move. The same `key` transfers once, however often it is sent.',
        form: transferForm,
      },
      async ({ app, by, id }, { key, transferFrom, transferTo, transferUnits: units, transferNote: note }) =>
        groupRefusals(
          await transferStock(app, {
            key,
            itemId: itemOf(id),
            fromId: transferFrom,
            toId: transferTo,
            units,
            note,
            by,
          }),
          ['not-allowed', 'same-warehouse', 'closing', 'too-few', 'key-used'],
          'no-transfer',
        ),
    ),
    reorder: formAction(
      {
        summary: 'Set the reorder point of a tire in a warehouse',
        description: 'Leave out both numbers to remove it.',
        permission: 'stock.order',
        form: reorderPointForm,
      },
      ({ app, by, id }, { reorderWarehouse: warehouseId, reorderSupplier: supplierId, reorderAt, orderUpTo }) =>
        setReorderPoint(app, by, { itemId: itemOf(id), warehouseId, supplierId, reorderAt, orderUpTo }),
    ),
    bin: formAction(
      { summary: 'Set the bin of a tire in a warehouse', description: 'Leave out `bin` to clear it.', form: binForm },
      async ({ app, by, id }, { binWarehouse: warehouseId, bin }) =>
        groupRefusals(await changeBin(app, by, { itemId: itemOf(id), warehouseId, bin }), ['not-allowed'], 'no-bin'),
    ),
  },
  refusals: {
    'key-used': 'This form was already used. Reload the page.',
    'not-stocked': { field: 'warehouse', text: 'Choose one of our warehouses.' },
    'no-transfer': { field: 'transferFrom', text: 'Choose two of our warehouses. The first must stock this tire.' },
    closing: { field: 'transferTo', text: 'This warehouse is closing. Choose another.' },
    'same-warehouse': { field: 'transferTo', text: 'Choose another warehouse than the first.' },
    'too-few': ({ free }) => ({ field: 'transferUnits', text: `Only ${free} are available there.` }),
    'held-by-supplier': {
      field: 'warehouse',
      text: 'A supplier holds this stock. Its feed provides the quantity.',
    },
    'not-ours': { field: 'reorderWarehouse', text: 'Choose one of our warehouses.' },
    'supplier-retired': { field: 'reorderSupplier', text: 'This supplier was retired. Choose another one.' },
    gone: null,
    'no-bin': { field: 'binWarehouse', text: 'Choose one of our warehouses that stocks this tire.' },
    none: { field: 'units', text: 'Enter at least 1 unit.' },
    'below-allocated': ({ free, allocated }) => ({
      field: 'units',
      text: `Only ${free} are available; ${allocated} more are allocated to orders. Cancel or move an order first.`,
    }),
  },
})
