/** The bulk action for low stock, which drafts orders for its suppliers. */
import { officePaths } from '#content/office-paths.ts'
import { findReorderPoint, reorder } from '#domain/supply/stock/stock.server.ts'
import { suggestedUnits } from '#domain/supply/stock/stock.ts'
import { countOf } from '#platform/count-text.ts'
import { counted, done, readWhole, refusedFor, revoked, type BulkAct, type BulkActs } from './act.server.ts'

const why: Readonly<Record<string, string>> = {
  'not-allowed': revoked,
  covered: 'Open stock orders cover it.',
  'cost-missing': 'The catalog has no cost for it. Order it by hand.',
  'supplier-retired': 'Its supplier was retired. Change its reorder point.',
  gone: 'Its reorder point was removed.',
}

const acts: Readonly<Record<string, BulkAct>> = {
  'order-stock': {
    permission: 'stock.order',
    title: 'Create stock orders',
    label: 'Create stock orders',
    button: counted('Order', 'tire'),
    effect: 'Added to a draft, one for each supplier and warehouse.',
    input: null,
    readRow: async ({ app }, id) => {
      const point = await findReorderPoint(app, id)
      if (!point) return undefined
      const units = suggestedUnits(point)
      return {
        id,
        label: point.sku,
        path: officePaths.officeStockItem(point.itemId),
        about: `${point.supplier} to ${point.warehouse}`,
        whyNot: units > 0 ? null : 'Open stock orders cover it.',
        was: '',
        effect: `${countOf(units, 'unit')} added to a draft.`,
      }
    },
    does: async ({ app, actor }, { id }) => {
      const ordered = await reorder(app, actor, id)
      return ordered.ok ? done : refusedFor(why[ordered.reason] ?? revoked)
    },
    // A draft is edited or canceled on its page.
    undo: null,
  },
}

export const lowStockActs: BulkActs = { field: 'point', readId: readWhole, acts }
