/** The list of tires in the catalog by SKU, on sale or not. */
import { defineList, money } from '#app/office/define-list.server.ts'
import { readCatalogQuery, statusWords } from '#app/views/office/catalog.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { itemStatuses } from '#domain/catalog/catalog/catalog.ts'
import { listBrands, listOfficeItems } from '#domain/catalog/catalog/catalog.server.ts'

export const catalog = defineList({
  name: 'catalog',
  title: 'Catalog',
  path: officePaths.officeCatalog(),
  permission: 'catalog.read',
  caption: 'Tires by SKU',
  nouns: ['tire', 'tires'],
  view: {
    name: 'status',
    label: 'Status',
    tabs: [['', 'All'], ...itemStatuses.map((status) => [status, statusWords[status].words] as const)],
  },
  find: { name: 'sku', label: 'Find by start of SKU' },
  filters: [
    { kind: 'choice', name: 'brand', label: 'Brand', options: [] },
    { kind: 'text', name: 'size', label: 'Size', max: 30 },
    { kind: 'text', name: 'line', label: 'Model number', max: 9 },
  ],
  columns: [
    { key: 'sku', label: 'SKU', isFixed: true },
    { key: 'brand', label: 'Brand', isFileOnly: true },
    { key: 'line', label: 'Model' },
    { key: 'modelId', label: 'Model number', isFileOnly: true },
    { key: 'size', label: 'Size' },
    { key: 'service', label: 'Service', isFileOnly: true },
    { key: 'stock', label: 'In stock', kind: 'count' },
    { key: 'status', label: 'Status' },
    { key: 'price', label: 'Price', kind: 'money' },
  ],
  links: [
    { label: 'Brands and models', path: officePaths.officeBrands() },
    { label: 'Imports', path: officePaths.officeImports() },
  ],
  choices: async ({ app }) => ({
    brand: (await listBrands(app.catalog)).map(({ slug, name }) => [slug, name] as const),
  }),
  read: async ({ app }, { filters, after, before }) => {
    const { query } = readCatalogQuery(new URLSearchParams({ ...filters }))
    const { items, next } = await listOfficeItems(app, { ...query, after: after ?? before })
    return {
      rows: items.map((item) => ({
        id: String(item.id),
        label: item.sku,
        path: officePaths.officeItem(item.id),
        cells: {
          sku: item.sku,
          brand: item.brand,
          line: {
            text: `${item.brand} ${item.line}`,
            path: officePaths.officeLine(item.lineId),
            file: item.line,
          },
          modelId: String(item.lineId),
          size: { text: `${item.size} ${item.service}`, file: item.size },
          service: item.service,
          stock: item.stock,
          status: { text: statusWords[item.status].words, tone: statusWords[item.status].tone },
          price: money(item.retailCents),
        },
      })),
      next,
    }
  },
})
