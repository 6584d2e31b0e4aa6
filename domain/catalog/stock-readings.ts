/** The names of the catalog's readings that tell of stock, and which of them a change of stock makes out of date. */
import type { LineScope } from './catalog-cache.sql.server.ts'

/** Where a tire whose stock changed is shown. */
export type StockChange = {
  readonly itemId: number
  readonly size: string
  readonly brand: string
  readonly line: string
}

export const sizeName = (sizeSlug: string) => `size ${sizeSlug}`
export const lineName = (brandSlug: string, lineSlug: string) => `line ${brandSlug} ${lineSlug}`
export const itemsName = (ids: readonly number[]) => `items ${ids.join(' ')}`
export const linesName = ({ brand, type, category, lineIds }: LineScope) =>
  `lines ${brand ?? ''} ${type ?? ''} ${category ?? ''} ${lineIds?.join(' ') ?? ''}`
export const linesOnRimName = (rimIn: number) => `lines on ${rimIn}`

/**
 * Whether a reading of this name is out of date after these changes. Lists of lines always are: each says whether any
 * tire of a line is in stock.
 */
export function isOfStock(changes: readonly StockChange[]): (name: string) => boolean {
  const names = new Set(changes.flatMap(({ size, brand, line }) => [sizeName(size), lineName(brand, line)]))
  const ids = new Set(changes.map(({ itemId }) => String(itemId)))
  return (name) => {
    if (names.has(name) || name.startsWith('lines ')) return true
    return (
      name.startsWith('items ') &&
      name
        .slice('items '.length)
        .split(' ')
        .some((id) => ids.has(id))
    )
  }
}
