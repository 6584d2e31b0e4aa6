/** The list of suppliers by name, active ones first. */
import { allRows, defineList, money } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listSuppliers } from '#domain/supply/stock/stock.server.ts'
import { formatRate } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'

export const suppliers = defineList({
  name: 'suppliers',
  title: 'Suppliers',
  path: officePaths.officeSuppliers(),
  permission: 'suppliers.read',
  caption: 'Suppliers by name',
  empty: 'No suppliers yet. Add the wholesalers that you order tires from.',
  nouns: ['supplier', 'suppliers'],
  columns: [
    { key: 'name', label: 'Supplier', isFixed: true },
    { key: 'code', label: 'Code', isOff: true },
    { key: 'account', label: 'Account', isOff: true },
    { key: 'lead', label: 'Lead time', isLabeled: true },
    { key: 'discount', label: 'Discount', isLabeled: true, isOff: true },
    { key: 'freight', label: 'Freight per tire', kind: 'money', isOff: true },
    { key: 'minimum', label: 'Minimum order', kind: 'money' },
    { key: 'terms', label: 'Payment terms', isLabeled: true },
    { key: 'orders', label: 'Orders', isLabeled: true },
    { key: 'warehouses', label: 'Warehouses', isLabeled: true },
    { key: 'state', label: 'State' },
  ],
  links: [
    { label: 'Purchase orders', path: officePaths.officePurchaseOrders(), permission: 'suppliers.read' },
    {
      label: 'Add a supplier',
      path: officePaths.officeSupplier('new'),
      permission: 'suppliers.manage',
      isPrimary: true,
    },
  ],
  news: { added: 'Supplier added. Add its warehouses to sell their stock.' },
  read: ({ app, can }) =>
    allRows(listSuppliers(app), (supplier) => ({
      id: String(supplier.id),
      label: supplier.name,
      path: can('suppliers.manage') ? officePaths.officeSupplier(String(supplier.id)) : null,
      cells: {
        name: supplier.name,
        code: supplier.code,
        account: supplier.accountNumber,
        lead: countOf(supplier.leadDays, 'day'),
        discount: supplier.discountPpm === 0 ? null : formatRate(supplier.discountPpm),
        freight: supplier.freightCents === 0 ? null : money(supplier.freightCents),
        minimum: money(supplier.minimumOrderCents),
        terms: supplier.paymentDays === 0 ? 'Due on receipt' : `Net ${supplier.paymentDays}`,
        orders: supplier.ediUrl
          ? 'EDI'
          : supplier.cxmlUrl
            ? 'cXML, own system'
            : supplier.networkId
              ? 'cXML, network'
              : 'By staff',
        warehouses: supplier.warehouses.map(({ code }) => code).join(', '),
        state: supplier.retiredAt ? 'Retired' : 'Active',
      },
    })),
})
