/** The catalog as office pages show it. */
import type { CatalogFilters } from '#content/office-paths.ts'
import { itemStatuses, type ItemStatus } from '#domain/catalog/catalog/catalog.ts'
import type { ItemQuery } from '#domain/catalog/catalog/catalog.server.ts'
import { slugOf } from '#platform/slug.ts'

export const statusWords = {
  'on-sale': { words: 'On sale', tone: 'go' },
  hidden: { words: 'Hidden', tone: 'signal' },
  retired: { words: 'Retired', tone: 'plain' },
  unlisted: { words: 'Not in feed', tone: 'plain' },
} as const satisfies Record<ItemStatus, { words: string; tone: string }>

/** Parses the tire list's URL parameters. Invalid values are ignored. */
export function readCatalogQuery(asked: URLSearchParams): { query: ItemQuery; filters: CatalogFilters } {
  const text = (name: string) => (asked.get(name) ?? '').replaceAll('\0', '').trim().slice(0, 60)
  const [sku, brand, size, line] = [text('sku'), text('brand'), text('size'), text('line')]
  const status = itemStatuses.find((each) => each === asked.get('status')) ?? null
  const lineId = /^\d{1,9}$/.test(line) ? Number(line) : null
  return {
    query: {
      sku,
      brand: brand || null,
      lineId,
      size: size === '' ? null : sizeSlug(size),
      status,
      after: text('after') || null,
    },
    filters: {
      sku: sku || undefined,
      brand: brand || undefined,
      line: lineId ?? undefined,
      size: size || undefined,
      status: status ?? undefined,
    },
  }
}

/** "225/65R17" and "225-65r17" are the same size. */
function sizeSlug(text: string): string {
  return slugOf(text.replaceAll(/\s/g, ''))
}
