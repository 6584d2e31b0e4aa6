/** Names of cached catalog queries with stock data, and the ones a stock change invalidates. */
import type { LineScope } from './catalog-cache.sql.server.ts'

/** Where a tire with changed stock is shown. */
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
 * Returns a predicate for cached queries these changes invalidate. Model lists always match, because each shows whether
 * a model has any tire in stock.
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
