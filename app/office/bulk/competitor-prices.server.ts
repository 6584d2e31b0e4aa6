/** The bulk action for prices at competitors, which removes them. */
import { officePaths } from '#content/office-paths.ts'
import { findPriceOfCompetitor, removeCompetitorPrice } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { formatCents } from '#platform/money.ts'
import { counted, done, readWhole, refusedFor, revoked, type BulkAct, type BulkActs } from './act.server.ts'

const acts: Readonly<Record<string, BulkAct>> = {
  'remove-competitor-prices': {
    permission: 'catalog.publish',
    title: 'Remove competitor prices',
    label: 'Remove',
    isStop: true,
    button: counted('Remove', 'price'),
    effect: 'Removed. Price rules no longer match it.',
    input: null,
    readRow: async ({ app }, id) => {
      const price = await findPriceOfCompetitor(app.db, id)
      return (
        price && {
          id,
          label: `${price.sku} at ${price.competitor}`,
          path: officePaths.officeItem(price.itemId),
          about: formatCents(price.cents),
          whyNot: null,
          was: '',
        }
      )
    },
    does: async ({ app, actor }, { id }) => {
      const removed = await removeCompetitorPrice(app, actor, id)
      return removed.ok ? done : refusedFor(why[removed.reason])
    },
    // A file can add it again.
    undo: null,
  },
}

const why = {
  'not-allowed': revoked,
  'import-running': 'An import is running. Try again in a minute.',
  'not-found': 'Another team member already removed it.',
} as const

export const competitorPriceActs: BulkActs = { field: 'price', readId: readWhole, acts }
