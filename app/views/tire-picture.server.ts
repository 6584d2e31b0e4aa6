import type { PictureRef } from '#app/ui/tire-picture.tsx'
import { findItem, type Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import { itemPictureKey } from '#pictures/pictures.ts'

/** Returns an ordered tire's picture. Items removed from the catalog get the generic drawing. */
export async function pictureOfItem(catalog: Catalog, itemId: number): Promise<PictureRef> {
  const item = await findItem(catalog, itemId)
  return { itemId, key: item ? itemPictureKey(item) : 'none' }
}
