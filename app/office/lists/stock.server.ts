/** The list of tires with the units that are free to sell. */
import { tireStockRecord } from '#app/office/records/catalog.server.ts'
import { defineList, idPlace, placeOfId } from '#app/office/define-list.server.ts'
import { startWithWarehouse } from '#app/office/no-warehouses.server.ts'
import { warehouseChoices, warehouseFilter } from '#app/office/warehouse-filter.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listStock } from '#domain/supply/stock/stock.server.ts'
import { stockPoolNames, stockPools, stockWords } from '#domain/supply/stock/stock.ts'

export const stock = defineList({
  name: 'stock',
  title: 'Stock',
  path: officePaths.officeStock(),
  permission: 'stock.read',
  caption: 'Available units by tire',
  nouns: ['tire', 'tires'],
  start: startWithWarehouse,
  view: {
    name: 'pool',
    label: 'Pool',
    tabs: [['', 'All'], ...stockPools.map((pool) => [pool, stockPoolNames[pool]] as const)],
  },
  find: { name: 'q', label: 'Find by SKU, brand, model or size' },
  filters: [warehouseFilter],
  choices: warehouseChoices,
  columns: [
    { key: 'tire', label: 'Tire', isFixed: true },
    { key: 'sku', label: 'SKU' },
    { key: 'brand', label: 'Brand', isFileOnly: true },
    { key: 'line', label: 'Line', isFileOnly: true },
    { key: 'size', label: 'Size', isFileOnly: true },
    { key: 'sold', label: 'Sold', isFileOnly: true },
    { key: 'onHand', label: stockPoolNames['on-hand'], kind: 'count' },
    { key: 'local', label: stockPoolNames.local, kind: 'count' },
    { key: 'nationwide', label: stockPoolNames.nationwide, kind: 'count' },
    { key: 'allocated', label: 'Allocated', kind: 'count' },
  ],
  links: [{ label: 'Purchase orders', path: officePaths.officePurchaseOrders(), permission: 'suppliers.read' }],
  record: tireStockRecord,
  read: async ({ app }, { filters, after, before, limit }) => {
    const query = {
      words: stockWords(filters['q'] ?? ''),
      pool: stockPools.find((pool) => pool === filters['pool']) ?? null,
      warehouse: filters['warehouse'],
    }
    const { tires, next } = await listStock(app, query, idPlace(after ?? before) ?? 0, limit)
    return {
      rows: tires.map((tire) => ({
        id: String(tire.itemId),
        label: tire.sku,
        path: officePaths.officeStockItem(tire.itemId),
        cells: {
          tire: { text: `${tire.brand} ${tire.line}`, note: tire.isActive ? tire.size : `${tire.size}, not sold` },
          sku: tire.sku,
          brand: tire.brand,
          line: tire.line,
          size: tire.size,
          sold: tire.isActive ? 'yes' : 'no',
          onHand: tire.onHand,
          local: tire.local,
          nationwide: tire.nationwide,
          allocated: tire.allocated,
        },
      })),
      next: placeOfId(next),
    }
  },
})
