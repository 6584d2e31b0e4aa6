/** Pending or all tire registrations with manufacturers. */
import { defineList, idPlace, placeOfId, time, rowAtId } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listTireRegistrations } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { tinText } from '#domain/installer-portal/work-orders/work-orders.ts'

export const tireRegistrations = defineList({
  name: 'tire-registrations',
  title: 'Tire registrations',
  path: officePaths.officeTireRegistrations(),
  permission: 'tire-registrations.read',
  caption: 'Tire registrations',
  nouns: ['registration', 'registrations'],
  view: {
    name: 'show',
    label: 'State',
    tabs: [
      ['', 'Waiting'],
      ['all', 'All'],
    ],
  },
  filters: [{ kind: 'text', name: 'maker', label: 'Manufacturer', max: 100 }],
  columns: [
    { key: 'tin', label: 'TIN', isFixed: true },
    { key: 'brand', label: 'Brand', isFileOnly: true },
    { key: 'line', label: 'Model', isFileOnly: true },
    { key: 'size', label: 'Size', isFileOnly: true },
    { key: 'tire', label: 'Tire', isPageOnly: true },
    { key: 'buyer', label: 'Buyer' },
    { key: 'city', label: 'City', isFileOnly: true },
    { key: 'state', label: 'US state', isFileOnly: true },
    { key: 'shop', label: 'Shop' },
    { key: 'order', label: 'Order' },
    { key: 'export', label: 'Export', isFileOnly: true },
    { key: 'installed', label: 'Installed', kind: 'time' },
  ],
  rowAt: (_reader, id) => {
    const place = rowAtId(id, 'highest first')
    return place && { ...place, filters: { show: 'all' } }
  },
  read: async ({ app }, { filters, after, before }) => {
    const { registrations, next } = await listTireRegistrations(app, {
      isWaiting: filters['show'] !== 'all',
      brand: filters['maker'] ?? null,
      before: idPlace(after ?? before),
    })
    return {
      rows: registrations.map((tire) => ({
        id: String(tire.id),
        label: tinText(tire.tin),
        path: null,
        cells: {
          tin: { text: tinText(tire.tin), file: tire.tin },
          brand: tire.brand,
          line: tire.line,
          size: tire.size,
          tire: `${tire.brand} ${tire.line} ${tire.size}`,
          buyer: { text: `${tire.buyerName}, ${tire.city}, ${tire.state}`, file: tire.buyerName },
          city: tire.city,
          state: tire.state,
          shop: tire.shop,
          order: orderNumber(tire.orderId),
          export: tire.exportNo,
          installed: time(tire.installedAt),
        },
      })),
      next: placeOfId(next),
    }
  },
})
