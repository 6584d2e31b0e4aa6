/** The tires a visitor compares, and the compare bar. */
import { renderToStaticMarkup } from 'react-dom/server'
import { CompareBar, type ComparedTire, type CompareNote } from '#app/ui/compare-bar.tsx'
import { findOffers } from '#domain/catalog/catalog/catalog.server.ts'
import { serviceOf, type Offer, type TireKeys } from '#domain/catalog/catalog/catalog.ts'
import { itemPictureKey } from '#pictures/pictures.ts'
import type { Application } from '#application'

/**
 * `bar` is HTML, because listings and product pages have no room in their script for it, and it is the same on a page
 * or in the response to "Compare". Empty without compared tires.
 */
export type Comparison = { keys: TireKeys; bar: string }

/** Reads the comparison of `keys`, as far as they are sold. `note` is shown in the bar. */
export async function readComparison(
  { catalog }: Pick<Application, 'catalog'>,
  keys: TireKeys,
  note?: CompareNote,
): Promise<Comparison> {
  const tires = (await findOffers(catalog, keys)).map(comparedTire)
  return {
    keys: tires.map(({ key }) => key),
    bar: tires.length === 0 ? '' : renderToStaticMarkup(<CompareBar tires={tires} note={note} />),
  }
}

function comparedTire({ key, line, items: [item] }: Offer): ComparedTire {
  return {
    key,
    name: `${line.brand.name} ${line.name}`,
    tire: [item.size.designation, serviceOf(item)].filter(Boolean).join(' '),
    picture: { itemId: item.id, key: itemPictureKey(item) },
  }
}
