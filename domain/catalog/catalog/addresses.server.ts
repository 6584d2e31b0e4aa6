/** Reads pages and sellable items in batches, so that memory and query time don't grow with the catalog. */
import { unitsForSale, type FitAt } from './fit.ts'
import type { Item } from './items.ts'
import { createParts } from './parts.ts'
import type { Price } from './promotion.ts'
import {
  selectBrandKinds,
  selectLineAddresses,
  selectLineGroups,
  selectSizeCombinations,
  selectSizeGroups,
  type AddressGroup,
  type BrandKind,
  type LineAddresses,
  type SizeCombination,
} from './addresses.sql.server.ts'
import type { Catalog } from './catalog-cache.server.ts'
import { selectItemsAfter } from './catalog-cache.sql.server.ts'

export type { AddressGroup, BrandKind, LineAddresses, SizeCombination }

/** A page type, with its groups in a fixed order and the entries of selected groups. */
export type AddressSource<Entry> = {
  groups(catalog: Catalog): Promise<AddressGroup[]>
  entries(catalog: Catalog, ids: readonly number[]): Promise<Entry[]>
}

/** Lines and their articles. */
export const lineAddresses: AddressSource<LineAddresses> = {
  groups: ({ db, range }) => selectLineGroups(db, range),
  entries: ({ db, range }, ids) => selectLineAddresses(db, range, ids),
}

/** Sizes with the brands, types and categories sold in them. */
export const sizeAddresses: AddressSource<SizeCombination> = {
  groups: ({ db, range }) => selectSizeGroups(db, range),
  entries: ({ db, range }, ids) => selectSizeCombinations(db, range, ids),
}

/** The types and categories each brand sells. */
export function listBrandKinds({ cache, db, range }: Catalog): Promise<readonly BrandKind[]> {
  return cache.keep('brand kinds', () => selectBrandKinds(db, range))
}

export type ForSale = { readonly item: Item; readonly price: Price; readonly units: number }

/** Yields every article that can be bought now, by article number, in batches. */
export async function* listForSale(catalog: Catalog, batchSize = 500): AsyncGenerator<readonly ForSale[]> {
  const { db, range } = catalog
  const parts = createParts()
  const at = catalog.fitAt()
  for (let last = 0; ;) {
    const items = await selectItemsAfter(db, range, last, batchSize, parts)
    yield await forSale(catalog, items, at)
    if (items.length < batchSize) return
    last = items.at(-1)?.id ?? last
  }
}

/** The articles among these that can be bought now. */
export async function findForSale(catalog: Catalog, ids: readonly number[]): Promise<readonly ForSale[]> {
  return forSale(catalog, await catalog.cache.itemsByNumber(ids), catalog.fitAt())
}

async function forSale({ cache }: Catalog, items: readonly Item[], at: FitAt): Promise<ForSale[]> {
  const prices = await cache.prices()
  return items
    .map((item) => ({ item, price: prices.priceOf(item), units: unitsForSale(item, at) }))
    .filter(({ units }) => units > 0)
}
