/** The list of tires at or below their reorder point. */
import { countOf } from '#platform/count-text.ts'
import { lowStockActs } from '#app/office/bulk/low-stock.server.ts'
import { numberedId } from '#app/office/define-actions.server.ts'
import { defineList, idPlace, placeOfId, type ListReader } from '#app/office/define-list.server.ts'
import type { ListRow } from '#app/office/list.ts'
import { officePaths } from '#content/office-paths.ts'
import { readSoldUnits } from '#domain/ordering/orders/orders.server.ts'
import { findAnyReorderPoint, listLowStock, type ReorderPoint } from '#domain/supply/stock/stock.server.ts'
import { suggestedUnits } from '#domain/supply/stock/stock.ts'

/** In days. */
const soldWithinDays = 30

export const lowStock = defineList({
  name: 'low-stock',
  title: 'Low stock',
  path: officePaths.officeLowStock(),
  crumbs: [{ label: 'Stock', path: officePaths.officeStock() }],
  permission: 'stock.read',
  caption: 'Tires at or below their reorder point',
  empty: 'No tires are low. Set reorder points on the stock page of a tire.',
  nouns: ['tire', 'tires'],
  view: {
    name: 'show',
    label: 'Show',
    tabs: [
      ['', 'To order'],
      ['all', 'All low stock'],
    ],
  },
  columns: [
    { key: 'tire', label: 'Tire', isFixed: true },
    { key: 'warehouse', label: 'Warehouse', isFixed: true },
    { key: 'supplier', label: 'Supplier' },
    { key: 'free', label: 'Available', kind: 'count' },
    { key: 'held', label: 'Held for carts', kind: 'count' },
    { key: 'incoming', label: 'Incoming', kind: 'count' },
    { key: 'sold', label: `Sold in ${countOf(soldWithinDays, 'day')}`, kind: 'count' },
    { key: 'reorderAt', label: 'Reorder point', kind: 'count' },
    { key: 'orderUpTo', label: 'Order up to', kind: 'count' },
    { key: 'suggested', label: 'Suggested', kind: 'count' },
  ],
  links: [{ label: 'Stock orders', path: officePaths.officeStockOrders(), permission: 'suppliers.read' }],
  bulk: lowStockActs,
  readRow: async (reader, id) => {
    const point = await findAnyReorderPoint(reader.app, numberedId(id))
    return point && (await rowsOf(reader, [point]))[0]
  },
  read: async (reader, { filters, after, before, limit }) => {
    const query = { isUncovered: filters['show'] !== 'all', after: idPlace(after ?? before) ?? 0 }
    const { points, next } = await listLowStock(reader.app, query, limit)
    return { rows: await rowsOf(reader, points), next: placeOfId(next) }
  },
})

async function rowsOf(
  { app, now }: Pick<ListReader, 'app' | 'now'>,
  points: readonly ReorderPoint[],
): Promise<ListRow[]> {
  const sold = await readSoldUnits(app.db, points, now.subtract({ hours: 24 * soldWithinDays }))
  return points.map((point) => ({
    id: String(point.id),
    label: `${point.sku} in ${point.warehouse}`,
    path: officePaths.officeStockItem(point.itemId),
    cells: {
      tire: { text: point.sku, note: point.name },
      warehouse: point.warehouse,
      supplier: point.supplier,
      free: point.free,
      held: point.held,
      incoming: point.incoming,
      sold: sold.get(`${point.itemId} ${point.warehouseId}`) ?? 0,
      reorderAt: point.reorderAt,
      orderUpTo: point.orderUpTo,
      suggested: suggestedUnits(point),
    },
  }))
}
