/** The list of returns to suppliers, newest first. */
import { defineList, idPlace, money, placeOfId, time } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listSupplierReturns } from '#domain/supply/stock/stock.server.ts'
import { supplierReturnNumber, supplierReturnStateNames, supplierReturnStates } from '#domain/supply/stock/stock.ts'

export const supplierReturns = defineList({
  name: 'supplier-returns',
  title: 'Supplier returns',
  path: officePaths.officeSupplierReturns(),
  crumbs: [{ label: 'Stock', path: officePaths.officeStock() }],
  permission: 'suppliers.read',
  caption: 'Returns to suppliers, newest first',
  nouns: ['supplier return', 'supplier returns'],
  view: {
    name: 'state',
    label: 'State',
    tabs: [['', 'All'], ...supplierReturnStates.map((state) => [state, supplierReturnStateNames[state]] as const)],
  },
  columns: [
    { key: 'number', label: 'Return', isFixed: true },
    { key: 'supplier', label: 'Supplier', isFixed: true },
    { key: 'state', label: 'State' },
    { key: 'rma', label: 'RMA number' },
    { key: 'units', label: 'Units', kind: 'count' },
    { key: 'expected', label: 'Expected credit', kind: 'money' },
    { key: 'credit', label: 'Credit', kind: 'money' },
    { key: 'warehouse', label: 'Warehouse', isOff: true },
    { key: 'sent', label: 'Sent', kind: 'time' },
    { key: 'created', label: 'Created', kind: 'time', isOff: true },
    { key: 'by', label: 'Created by', isOff: true },
  ],
  links: [
    {
      label: 'New supplier return',
      path: officePaths.officeSupplierReturn('new'),
      permission: 'stock.order',
      isPrimary: true,
    },
  ],
  read: async ({ app }, { filters, after, before, limit }) => {
    const state = supplierReturnStates.find((one) => one === filters['state']) ?? null
    const { returns, next } = await listSupplierReturns(app, { state, before: idPlace(after ?? before) }, limit)
    return {
      rows: returns.map((row) => ({
        id: String(row.id),
        label: supplierReturnNumber(row.id),
        path: officePaths.officeSupplierReturn(String(row.id)),
        cells: {
          number: supplierReturnNumber(row.id),
          supplier: row.supplier,
          state: supplierReturnStateNames[row.state],
          rma: row.rma,
          units: row.units,
          expected: money(row.expectedCents),
          credit: money(row.creditCents),
          warehouse: row.warehouse,
          sent: time(row.sentAt),
          created: time(row.createdAt),
          by: row.createdBy,
        },
      })),
      next: placeOfId(next),
    }
  },
})
