/** The list of customers, last active first, with orders as a guest. */
import { defineList, money } from '#app/office/define-list.server.ts'
import { readCustomerPreview } from '#app/office/previews/customer.server.ts'
import { placeText, readPlace } from '#app/office/list-place.ts'
import { countCustomerRows, readCustomerRows } from '#app/views/office/customers.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { customerViewNames, customerViews } from '#domain/customers/customers/customers.ts'

export const customers = defineList({
  name: 'customers',
  title: 'Customers',
  path: officePaths.officeCustomers(),
  permission: 'customers.read',
  exportPermission: 'orders.export',
  caption: 'Customers, last active first',
  empty: 'No customers yet. Customers appear with their first order.',
  nouns: ['customer', 'customers'],
  view: { name: 'view', label: 'View', tabs: customerViews.map((view) => [view, customerViewNames[view]] as const) },
  find: { name: 'q', label: 'Name, phone, email, ZIP' },
  links: [
    {
      label: 'Add customer',
      path: officePaths.officeNewCustomer(),
      permission: 'customers.edit',
      isPrimary: true,
    },
  ],
  columns: [
    { key: 'customer', label: 'Customer', isFixed: true },
    { key: 'email', label: 'Email', isFileOnly: true },
    { key: 'vehicle', label: 'Vehicle', isWide: true },
    { key: 'place', label: 'City', isFileOnly: true },
    { key: 'last', label: 'Last order' },
    { key: 'orders', label: 'Orders', kind: 'count' },
    { key: 'spent', label: 'Spent', kind: 'money' },
    { key: 'labels', label: 'Labels' },
  ],
  preview: readCustomerPreview,
  count: async ({ app }, filters) => ({ count: await countCustomerRows(app, queryOf(filters)), isAtLeast: false }),
  read: async ({ app }, { filters, after, before }) => {
    const place = readPlace(after ?? before)
    const { rows, next } = await readCustomerRows(app, queryOf(filters), place && { activeAt: place.at, id: place.id })
    return {
      rows: rows.map(({ id, path, name, email, vehicle, place: city, lastOrder, orders, spentCents, tags }) => ({
        id,
        label: name,
        path,
        cells: {
          customer: { text: name, note: email, hasAvatar: true },
          email: email ?? name,
          vehicle: { text: vehicle ?? city, note: vehicle === null ? null : city, file: vehicle },
          place: city,
          last: lastOrder && { text: lastOrder.day, note: lastOrder.number, file: lastOrder.date },
          orders,
          spent: money(spentCents),
          labels: { text: tags.map(({ words }) => words).join(', '), tags },
        },
      })),
      next: next && placeText(next.activeAt, next.id),
    }
  },
})

function queryOf(filters: Readonly<Record<string, string>>) {
  return { view: customerViews.find((view) => view === filters['view']) ?? 'all', text: filters['q'] ?? '' }
}
