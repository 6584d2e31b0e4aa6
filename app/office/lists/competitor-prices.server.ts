/** The list of prices at competitors, the last added first. */
import { competitorPriceActs } from '#app/office/bulk/competitor-prices.server.ts'
import { numberedId } from '#app/office/define-actions.server.ts'
import { day, defineList, idPlace, money, placeOfId } from '#app/office/define-list.server.ts'
import type { ListRow } from '#app/office/list.ts'
import { officePaths } from '#content/office-paths.ts'
import { findPriceOfCompetitor, listPricesOfCompetitors } from '#domain/catalog/catalog-import/catalog-import.server.ts'

export const competitorPrices = defineList({
  name: 'competitor-prices',
  title: 'Competitor prices',
  path: officePaths.officeCompetitorPrices(),
  permission: 'catalog.read',
  caption: 'Prices at competitors, last added first',
  empty: 'No competitor prices yet. Import a file of them to match or beat them by price rules.',
  nouns: ['price', 'prices'],
  find: { name: 'sku', label: 'Find by start of SKU' },
  filters: [
    { kind: 'text', name: 'sku', label: 'SKU starts with', max: 60 },
    { kind: 'text', name: 'competitor', label: 'Competitor starts with', max: 60 },
  ],
  columns: [
    { key: 'tire', label: 'Tire', isFixed: true },
    { key: 'sku', label: 'SKU', isFileOnly: true },
    { key: 'competitor', label: 'Competitor' },
    { key: 'price', label: 'Price', kind: 'money' },
    { key: 'seen', label: 'Date' },
    { key: 'run', label: 'Import' },
  ],
  links: [{ label: 'Price rules', path: officePaths.officePriceRules(), permission: 'catalog.import' }],
  bulk: competitorPriceActs,
  readRow: async ({ app }, id) => {
    const price = await findPriceOfCompetitor(app.db, numberedId(id))
    return price && rowOf(price)
  },
  read: async ({ app }, { filters, after, before, limit }) => {
    const { prices, next } = await listPricesOfCompetitors(app, {
      sku: filters['sku'] ?? '',
      competitor: filters['competitor'] ?? '',
      before: idPlace(after ?? before),
      limit,
    })
    return { rows: prices.map(rowOf), next: placeOfId(next) }
  },
})

type Price = NonNullable<Awaited<ReturnType<typeof findPriceOfCompetitor>>>

function rowOf({ id, itemId, sku, tire, competitor, cents, seenOn, runId }: Price): ListRow {
  return {
    id: String(id),
    label: `${sku} at ${competitor}`,
    path: officePaths.officeItem(itemId),
    cells: {
      tire: { text: tire, note: sku },
      sku,
      competitor,
      price: money(cents),
      seen: day(seenOn),
      run: runId === null ? null : { text: `Import ${runId}`, file: runId, path: officePaths.officeImport(runId) },
    },
  }
}
