/** The sample data that a run's requests use, read from the demo data. */
import type { Database } from '#platform/db.ts'

export type SampleCatalog = {
  /** The sizes with the most articles, as slugs. */
  sizes: string[]
  /** Query strings of 200 listing pages with different filters in those sizes. */
  queries: { size: string; query: string }[]
  /** Article numbers from all over the catalog. */
  itemIds: number[]
  /** A product page of the first size. `others` are two more articles of that size. */
  product: { path: string; itemId: number; brand: string; line: string; others: number[] }
  items: number
  shopIds: number[]
  /** The first of these shops, as in its page's URL. */
  shop: { slug: string; code: string }
}

const filters = [
  '',
  'stock=1',
  'type=all-season',
  'sort=price',
  'snow=1',
  'rating=4',
  'max=200',
  'sort=rating&warranty=50000',
  'speed=H&speed=V',
  'page=2',
]

export async function readSampleCatalog(db: Database): Promise<SampleCatalog> {
  const sizes = await db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select((eb) => ['size.slug', eb.fn.countAll<number>().as('items')])
    .where('item.active', '=', true)
    .groupBy('size.slug')
    .orderBy('items', 'desc')
    .orderBy('size.slug')
    .limit(20)
    .execute()
  const [product, ...others] = await db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['item.id', 'line.slug as line', 'brand.slug as brand'])
    .where('size.slug', '=', sizes[0]?.slug ?? '')
    .where('item.active', '=', true)
    .orderBy('item.id')
    .limit(3)
    .execute()
  if (!product) throw new Error('The demo data has no articles.')
  const { items, first } = await db
    .selectFrom('item')
    .select((eb) => [eb.fn.countAll<number>().as('items'), eb.fn.min<number>('id').as('first')])
    .executeTakeFirstOrThrow()
  const shops = await db
    .selectFrom('shop')
    .select(['id', 'slug', 'code'])
    .where('kind', '=', 'shop')
    .where('state', '=', 'IL')
    .orderBy('id')
    .limit(20)
    .execute()
  const [shop] = shops
  if (!shop) throw new Error('The demo data has no shops.')
  return {
    sizes: sizes.map(({ slug }) => slug),
    queries: sizes.flatMap(({ slug }) => filters.map((query) => ({ size: slug, query }))),
    itemIds: Array.from({ length: 200 }, (_, index) => first + Math.floor((index * items) / 200)),
    product: {
      path: `/brands/${product.brand}/${product.line}/p/${product.id}`,
      itemId: product.id,
      brand: product.brand,
      line: product.line,
      others: others.map(({ id }) => id),
    },
    items,
    shopIds: shops.map(({ id }) => id),
    shop,
  }
}
