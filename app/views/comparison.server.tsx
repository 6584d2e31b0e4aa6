/** The tires a visitor compares, and the bar that shows them. */
import { renderToStaticMarkup } from 'react-dom/server'
import { CompareBar, type ComparedTire, type CompareNote } from '#app/ui/compare-bar.tsx'
import { findOffers } from '#domain/catalog/catalog.server.ts'
import { serviceOf, type Offer, type TireKeys } from '#domain/catalog/catalog.ts'
import { pictureDataOf, pictureKey } from '#pictures/pictures.ts'
import type { Shop } from '#shop'

/**
 * `bar` is HTML: the bar stands on listings and product pages, whose script has no room for it, and is the same whether
 * a page brings it or the answer to a press on "Compare" does. '' where nothing is compared.
 */
export type Comparison = { keys: TireKeys; bar: string }

/** The comparison of `keys`, as far as they are sold. `note` is shown in the bar. */
export async function readComparison(
  { catalog }: Pick<Shop, 'catalog'>,
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
    picture: { itemId: item.id, key: pictureKey(pictureDataOf(item)) },
  }
}
