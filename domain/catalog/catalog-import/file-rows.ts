/**
 * How exports of other stores spread a record over rows: Shopify writes what a product or an order has in common in its
 * first row, WooCommerce in the row of the parent, with attributes as pairs of columns. Column lists:
 * help.shopify.com/en/manual/products/import-export/using-csv, and class-wc-product-csv-exporter.php of
 * github.com/woocommerce/woocommerce, which orders rows by ID and numbers the attributes of each row separately.
 */
import type { CellsByColumn } from './feed.ts'

/** Completes a row's cells from earlier rows. Returns null for a row without a record, such as an image row. */
export type RowReader = (cells: CellsByColumn) => CellsByColumn | null

/** The columns made from WooCommerce's pairs of attribute names and values. */
export const attributePrefix = 'attribute: '

const mostAttributes = 30
const attributeName = /^attribute (\d{1,2}) name$/

/** Makes the reader for a file with these columns, in lowercase. A reader reads one file once, from its first row on. */
export function makeRowReader(header: readonly string[]): RowReader {
  const attributes = header.flatMap((column) => attributeName.exec(column)?.[1] ?? []).slice(0, mostAttributes)
  const complete = completer(new Set(header))
  if (attributes.length === 0) return complete
  return (cells) => complete(withAttributes(cells, attributes))
}

function completer(header: ReadonlySet<string>): RowReader {
  const handle = ['handle', 'url handle'].find((column) => header.has(column))
  if (handle && header.has('title')) return shopifyProducts(handle)
  if (header.has('name') && header.has('lineitem name'))
    return fillDown('name', (column) => !column.startsWith('lineitem '))
  const order = ['order number', 'order_number', 'order id', 'order_id'].find((column) => header.has(column))
  if (order && (header.has('item name') || header.has('item_name')))
    return fillDown(order, (column) => !/^(?:item|sku|quantity)/.test(column))
  if (header.has('type') && header.has('parent') && header.has('sku')) return wooProducts()
  return (cells) => cells
}

/** Columns of a variant in a Shopify product file; the others belong to the product. */
const ofVariant =
  /^(?:variant |option|image |product image |sku$|barcode$|price$|compare-at price$|weight |cost |inventory )/

function shopifyProducts(handle: string): RowReader {
  const fill = fillDown(handle, (column) => !ofVariant.test(column))
  const withPicture = shopifyPictures(handle)
  return (cells) => {
    const whole = withPicture(fill(cells))
    const sku = cells['variant sku'] ?? cells['sku'] ?? ''
    const price = cells['variant price'] ?? cells['price'] ?? ''
    // A product's additional image is in a row without a variant.
    if (sku === '' && price === '') return null
    // The option value of a product without options.
    return whole['option1 value'] === 'Default Title' ? { ...whole, 'option1 value': whole['title'] ?? '' } : whole
  }
}

/** Sets each variant's picture in the product's column. Other rows have it for the product's second picture, and so on. */
function shopifyPictures(handle: string): (cells: CellsByColumn) => CellsByColumn {
  let first = { product: '', picture: '' }
  return (cells) => {
    const column = ['image src', 'product image url'].find((name) => name in cells)
    if (column === undefined) return cells
    const product = cells[handle] ?? ''
    if (product !== first.product) first = { product, picture: cells[column] ?? '' }
    const own = cells['variant image'] ?? cells['variant image url'] ?? ''
    return { ...cells, [column]: own || first.picture }
  }
}

/** Fills empty cells of the columns `isShared` from the previous row with the same `key`. */
function fillDown(key: string, isShared: (column: string) => boolean): (cells: CellsByColumn) => CellsByColumn {
  let above: CellsByColumn = {}
  return (cells) => {
    const isSame = cells[key] !== '' && cells[key] === above[key]
    const whole = isSame ? withDefaults(cells, above, isShared) : cells
    above = whole
    return whole
  }
}

/** Columns of a WooCommerce product that its variations don't share. */
const ofParent = /^(?:id$|sku$|gtin, upc, ean, or isbn$|attribute \d)/
/** Columns of a WooCommerce variation that are about the product. A variation may have a note in them. */
const ofProduct = ['description', 'short description']
/** The latest parents are remembered. */
const maxParents = 5_000

/**
 * A variable product is not for sale itself. Its variations name it by its SKU, or by "id:7" without one. They follow it,
 * but not directly if they were added later.
 */
function wooProducts(): RowReader {
  const parents = new Map<string, CellsByColumn>()
  return (cells) => {
    const types = (cells['type'] ?? '').toLowerCase().split(/,\s*/)
    if (types.includes('variable')) {
      for (const name of [`id:${cells['id'] ?? ''}`, cells['sku'] ?? '']) parents.set(name, cells)
      for (const name of parents.keys()) if (parents.size > 2 * maxParents) parents.delete(name)
      return null
    }
    const name = cells['parent'] ?? ''
    const parent = types.includes('variation') && name !== '' ? parents.get(name) : undefined
    if (!parent) return cells
    const own: Record<string, string> = { ...cells }
    for (const column of ofProduct) if (column in parent) own[column] = parent[column] ?? ''
    return withDefaults(own, parent, (column) => !ofParent.test(column))
  }
}

function withDefaults(cells: CellsByColumn, from: CellsByColumn, isShared: (column: string) => boolean): CellsByColumn {
  const whole: Record<string, string> = { ...cells }
  for (const [column, value] of Object.entries(from))
    if ((whole[column] ?? '') === '' && isShared(column)) whole[column] = value
  return whole
}

function withAttributes(cells: CellsByColumn, numbers: readonly string[]): CellsByColumn {
  const whole: Record<string, string> = { ...cells }
  for (const no of numbers) {
    const name = (cells[`attribute ${no} name`] ?? '').toLowerCase().slice(0, 100)
    if (name !== '') whole[`${attributePrefix}${name}`] = cells[`attribute ${no} value(s)`] ?? ''
  }
  return whole
}
