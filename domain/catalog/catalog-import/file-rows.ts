/**
 * How exports of other stores spread a record over rows: Shopify writes what a product or an order has in common in its
 * first row, WooCommerce in the row of the parent, with attributes as pairs of columns. Column lists:
 * help.shopify.com/en/manual/products/import-export/using-csv, woocommerce.com/document/product-csv-importer-exporter.
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
  return (cells) => {
    const whole = complete(cells)
    return whole && withAttributes(whole, attributes)
  }
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
  return (cells) => {
    const whole = fill(cells)
    const sku = cells['variant sku'] ?? cells['sku'] ?? ''
    const price = cells['variant price'] ?? cells['price'] ?? ''
    // A product's additional image is in a row without a variant.
    if (sku === '' && price === '') return null
    // The option value of a product without options.
    return whole['option1 value'] === 'Default Title' ? { ...whole, 'option1 value': whole['title'] ?? '' } : whole
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

/** A variable product is not for sale itself; its variations follow and name it by "id:7" or by its SKU. */
function wooProducts(): RowReader {
  let parent: CellsByColumn = {}
  return (cells) => {
    const types = (cells['type'] ?? '').toLowerCase().split(/,\s*/)
    if (types.includes('variable')) {
      parent = cells
      return null
    }
    const name = cells['parent'] ?? ''
    const isOfParent =
      types.includes('variation') && name !== '' && (name === `id:${parent['id'] ?? ''}` || name === parent['sku'])
    return isOfParent ? withDefaults(cells, parent, (column) => column !== 'sku' && column !== 'id') : cells
  }
}

function withDefaults(cells: CellsByColumn, from: CellsByColumn, isShared: (column: string) => boolean): CellsByColumn {
  const whole: Record<string, string> = { ...cells }
  for (const [column, value] of Object.entries(from))
    if (whole[column] === '' && isShared(column)) whole[column] = value
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
