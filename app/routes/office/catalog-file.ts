import { csvResponse } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { readCatalogQuery, statusWords } from '#app/views/office-catalog.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listOfficeItems, type ItemQuery } from '#domain/catalog/catalog.server.ts'
import type { Shop } from '#shop'
import type { Route } from './+types/catalog-file.ts'

/** The tires that match the filters of the list, as CSV. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { shop } = await requireStaff(context, 'catalog.read', officePaths.officeCatalogFile())
  const { query } = readCatalogQuery(url.searchParams)
  const header = ['SKU', 'Brand', 'Line', 'Size', 'Service', 'Price', 'In stock', 'Status']
  return csvResponse('tires', header, readAll(shop, { ...query, after: null }))
}

async function* readAll(shop: Shop, query: ItemQuery) {
  for (let after: string | null = null; ;) {
    const { items, next } = await listOfficeItems(shop, { ...query, after })
    yield items.map(({ sku, brand, line, size, service, retailCents, stock, status }) => [
      sku,
      brand,
      line,
      size,
      service,
      (retailCents / 100).toFixed(2),
      stock,
      statusWords[status].words,
    ])
    if (next === null) return
    after = next
  }
}
