/** The lists of stock, purchase orders and brands as files. */
import { listOfficeBrands } from '#domain/catalog/catalog.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { exportStock, listPurchaseOrders } from '#domain/stock/stock.server.ts'
import { purchaseOrderNumber, purchaseOrderStateNames } from '#domain/stock/stock.ts'
import { inPages, time, timed, type OfficeFile } from './office-file.server.ts'
import { readPurchaseOrdersAsked } from './office-purchase-orders.ts'
import { readStockAsked, stockQueryOf } from './office-stock.ts'

export const goodsFiles = {
  stock: {
    header: ['SKU', 'Brand', 'Line', 'Size', 'Sold', 'On hand', 'Local', 'Nationwide', 'Allocated'],
    async *batches(shop, query) {
      for await (const tires of exportStock(shop, stockQueryOf(readStockAsked(query))))
        yield tires.map((tire) => [
          tire.sku,
          tire.brand,
          tire.line,
          tire.size,
          tire.isActive ? 'yes' : 'no',
          tire.onHand,
          tire.local,
          tire.nationwide,
          tire.allocated,
        ])
    },
  },
  purchases: {
    header: [
      'Purchase order',
      'State',
      'Supplier',
      'Warehouse',
      'Order',
      'Units',
      timed('Created'),
      timed('Released'),
      timed('Answered'),
      'Supplier’s number',
      'Rejected because',
    ],
    batches: (shop, query) => {
      const { state } = readPurchaseOrdersAsked(query)
      return inPages<number>(async (before) => {
        const { orders, next } = await listPurchaseOrders(shop, { state, before })
        return {
          rows: orders.map((order) => [
            purchaseOrderNumber(order.id),
            purchaseOrderStateNames[state],
            order.supplier,
            order.warehouse,
            orderNumber(order.orderId),
            order.units.join(', '),
            time(order.createdAt),
            time(order.releasedAt),
            time(order.answeredAt),
            order.reference,
            order.rejectReason,
          ]),
          next,
        }
      })
    },
  },
  brands: {
    header: ['Brand', 'Tier', 'Lines', 'Description'],
    batches: (shop) =>
      inPages<string>(async (after) => {
        const { brands, next } = await listOfficeBrands(shop, after)
        return { rows: brands.map(({ name, tier, lines, about }) => [name, tier, lines, about]), next }
      }),
  },
} satisfies Record<string, OfficeFile>
