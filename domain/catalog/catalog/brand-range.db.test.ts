/** A restricted visitor's catalog. No catalog or review query reveals another brand, and all counts agree. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as reviews from '#domain/aftercare/reviews/reviews.server.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { plainQuery, type Answers } from './catalog.ts'
import * as catalogDoor from './catalog.server.ts'
import type { ListingScope } from './catalog.server.ts'

type Catalog = catalogDoor.Catalog
const {
  createCatalog,
  findDeal,
  findRebate,
  getProduct,
  listBrands,
  listKinds,
  listSizes,
  listTires,
  resolveQuery,
  suggest,
} = catalogDoor

/** A few days after the demo data's promotions start. */
const clock = fixedClock('2026-11-20T12:00:00Z')
let database: TestDatabase
let whole: Catalog
let some: Catalog
let range: number[]
let others: { id: number; slug: string; name: string }[]

beforeAll(async () => {
  database = await createTestDatabase({ from: 'small' })
  whole = createCatalog({ db: database.db, clock })
  const brands = await database.db.selectFrom('brand').select(['id', 'slug', 'name']).orderBy('id').execute()
  const ours = new Set(['corvane', 'tarn'])
  range = brands.filter(({ slug }) => ours.has(slug)).map(({ id }) => id)
  others = brands.filter(({ id }) => !range.includes(id))
  some = whole.narrowed(range)
})
afterAll(() => database[Symbol.asyncDispose]())

/** Other brands named anywhere in a value. */
function foreignTo(value: unknown): string[] {
  const text =
    JSON.stringify(value, (_key, part: unknown) => (part instanceof Map || part instanceof Set ? [...part] : part)) ??
    ''
  return others.filter(({ slug, name }) => new RegExp(`\\b(${slug}|${name})\\b`).test(text)).map(({ name }) => name)
}

const answers: Answers = { weather: 'rain', roads: 'highway', priority: 'price', miles: 'usual' }

/** Every query of a catalog, as broad as possible. */
const questions: Record<string, (catalog: Catalog) => Promise<unknown>> = {
  dealsAlike: (catalog) =>
    catalogDoor.dealsAlike(catalog, {
      brand: { slug: 'kestrel', name: 'Kestrel' },
      line: null,
      type: null,
      size: null,
      filter: null,
    }),
  findDeal: (catalog) => eachSlug('promotion', (slug) => findDeal(catalog, slug)),
  findItem: (catalog) => eachItem((id) => catalogDoor.findItem(catalog, id)),
  findOffers: (catalog) => eachItem((id) => catalogDoor.findOffers(catalog, [String(id)])),
  findRebate: (catalog) => eachSlug('rebate', (slug) => findRebate(catalog, slug)),
  getHomeRows: catalogDoor.getHomeRows,
  getProduct: async (catalog) => {
    const lines = await everyLine()
    return Promise.all(lines.map(({ brandSlug, lineSlug }) => getProduct(catalog, { brandSlug, lineSlug })))
  },
  groupOffers: (catalog) => catalogDoor.groupOffers(catalog, {}),
  lineAddresses: async (catalog) => {
    const everything = await catalogDoor.lineAddresses.groups(whole)
    const ids = everything.map(({ id }) => id)
    return [await catalogDoor.lineAddresses.entries(catalog, ids), await catalogDoor.lineAddresses.groups(catalog)]
  },
  listBrandKinds: catalogDoor.listBrandKinds,
  listBrands,
  listDeals: catalogDoor.listDeals,
  listDealsDuring: (catalog) =>
    catalogDoor.listDealsDuring(catalog, clock.now().subtract({ hours: 2_000 }), clock.now().add({ hours: 2_000 })),
  findForSale: (catalog) =>
    catalogDoor.findForSale(
      catalog,
      Array.from({ length: 2_000 }, (_, at) => 100_001 + at),
    ),
  listForSale: (catalog) => Array.fromAsync(catalogDoor.listForSale(catalog)),
  listKinds,
  listLines: async (catalog) => {
    const found = await Promise.all(
      others.map(async ({ slug }) => ({ slug, lines: await catalogDoor.listLines(catalog, slug) })),
    )
    return found.filter(({ lines }) => lines.length > 0)
  },
  listOtherSizes: (catalog) =>
    catalogDoor.listOtherSizes(catalog, { designation: '225/65R17', requirements: [], isOfVehicle: false }),
  listRebates: catalogDoor.listRebates,
  listSizes,
  listModels: async (catalog) => {
    const scopes = await everyScope()
    return Promise.all(
      scopes.map((scope) => catalogDoor.listModels(catalog, { scope, query: { ...plainQuery, pageSize: 96 } })),
    )
  },
  listTires: async (catalog) => {
    const scopes = await everyScope()
    return Promise.all(scopes.map((scope) => listTires(catalog, { scope, query: { ...plainQuery, pageSize: 96 } })))
  },
  listUsualSizes: (catalog) => catalogDoor.listUsualSizes(catalog, {}),
  recommendTires: (catalog) =>
    catalogDoor.recommendTires(catalog, { scope: { sizes: [{ front: '225-65r17', rear: '225-65r17' }] }, answers }),
  resolveQuery: (catalog) => typed((text) => resolveQuery(catalog, text)),
  sizeAddresses: async (catalog) => {
    const everything = await catalogDoor.sizeAddresses.groups(whole)
    const ids = everything.map(({ id }) => id)
    return [await catalogDoor.sizeAddresses.entries(catalog, ids), await catalogDoor.sizeAddresses.groups(catalog)]
  },
  suggest: (catalog) => typed((text) => suggest(catalog, text)),
  findReviewedLine: async (catalog) => {
    const lines = await everyLine()
    return Promise.all(lines.map(({ brandSlug, lineSlug }) => reviews.findReviewedLine(catalog, brandSlug, lineSlug)))
  },
  listBestLines: (catalog) => reviews.listBestLines(catalog, {}, 1_000),
  listLineReviews: async (catalog) => {
    const query = { sort: 'newest' as const, stars: null, vehicle: null, after: null }
    const lines = await everyLine()
    return Promise.all(
      lines.map(({ brandSlug, lineSlug }) => reviews.listLineReviews(catalog, { brandSlug, lineSlug, query })),
    )
  },
  listScopeReviews: (catalog) =>
    Promise.all(
      [{}, { type: 'all-season' }, ...others.map(({ slug }) => ({ brand: slug }))].map((scope) =>
        reviews.listScopeReviews(catalog, scope, 'newest', 500),
      ),
    ),
  listStoreReviews: async (catalog) => {
    const pages = [await reviews.listStoreReviews(catalog, { sort: 'helpful', after: null })]
    for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null)
      pages.push(await reviews.listStoreReviews(catalog, { sort: 'helpful', after: next }))
    return pages
  },
  sumReviews: reviews.sumReviews,
}

/**
 * Other exports of the two modules, such as pure functions, SQL fragments, imports by staff, and queries about one
 * review or author.
 */
const otherParts = [
  'brandName',
  'countTiresAbove',
  'listBrandNames',
  'mostTiresAbove',
  'andBrand',
  'andLine',
  'catalogFor',
  'deleteRebate',
  'updateRebateCorrection',
  'createCatalog',
  'deletePromotion',
  'findCatalogIds',
  'findItems',
  'findModels',
  'readCatalogChanges',
  'findUnsoldKind',
  'insertPromotion',
  'findMapPrice',
  'listMapPrices',
  'listPictures',
  'latestMapVersion',
  'lockMinimums',
  'lockPromotedPrices',
  'lockPromotion',
  'promotionPrice',
  'mapPricesOf',
  'offeredTire',
  'reviewJson',
  'selectAnyItem',
  'selectDeepestCut',
  'selectReduced',
  'filterJson',
  'filterLabel',
  'findOrAddFilter',
  'isInFilter',
  'selectFiltered',
  'selectExclusions',
  'selectItemSizes',
  'selectPromotions',
  'setMapPrices',
  'insertCategory',
  'insertTireType',
  'lockCategories',
  'lockTireTypes',
  'orderTireTypes',
  'selectOfficeCategories',
  'selectOfficeTireTypes',
  'setTireTypeRetired',
  'updateTireType',
  'sizePairsOf',
  'tiresBelowMap',
  'updatePromotionEnd',
  'addImportedPicture',
  'addPicture',
  'insertRebate',
  'announceCatalogChange',
  'forgetOldStockChanges',
  'describeBrand',
  'describeLine',
  'describePicture',
  'findOfficeBrand',
  'findOfficeItem',
  'findOfficeLine',
  'lockRebate',
  'hideItem',
  'insertBrand',
  'insertExclusions',
  'insertItem',
  'insertLine',
  'listCategories',
  'listOfficeBrands',
  'listOfficeItems',
  'selectOfficeRebates',
  'lockBrandCells',
  'lockLineCells',
  'lockTireCells',
  'markOf',
  'movePicture',
  'removeImportedPictures',
  'removePicture',
  'selectRebateTwin',
  'updateRebate',
  'updateRebateSchedule',
  'selectBrandCells',
  'selectLineCells',
  'selectTireCells',
  'setRetired',
  'updateBrand',
  'updateItem',
  'updateLine',
  'upsertSize',
  'selectPicture',
  'setBrandLogo',
  'watchCatalog',
  'vehicleJudge',
].concat([
  'exportReviews',
  'findForModeration',
  'findProof',
  'inviteReviews',
  'listForModeration',
  'listVotes',
  'listWaitingReviews',
  'publishReview',
  'refuseReview',
  'reviewMessageValues',
  'unpublishReview',
  'voteHelpful',
  'writeReview',
])

test('every query is covered here', () => {
  expect([...Object.keys(questions), ...otherParts].sort()).toEqual(
    [...Object.keys(catalogDoor), ...Object.keys(reviews)].sort(),
  )
})

test.for(Object.keys(questions))('%s names no other brand, and the whole catalog does', async (name) => {
  const ask = questions[name]!
  expect(foreignTo(await ask(some))).toEqual([])
  // Otherwise the query would have no brand to hide.
  const knowsBrands = !['listSizes', 'listUsualSizes', 'listOtherSizes'].includes(name)
  if (knowsBrands) expect(foreignTo(await ask(whole)).length).toBeGreaterThan(0)
})

test('a restricted listing has the matching subset in its total and facets', async () => {
  for (const { slug } of await listSizes(whole)) {
    const input = { scope: { sizes: [{ front: slug, rear: slug }] }, query: { ...plainQuery, pageSize: 96 as const } }
    const [all, left] = [await listTires(whole, input), await listTires(some, input)]
    if (!all.ok) throw new Error(slug)
    const ofRange = all.value.groups().brands.filter(({ slug: brand }) => !others.some((other) => other.slug === brand))
    const count = ofRange.reduce((sum, brand) => sum + brand.count, 0)
    expect(left.ok ? left.value.total : 0).toBe(count)
    if (!left.ok) continue
    expect(left.value.groups().brands).toEqual(ofRange)
    for (const facet of left.value.facets)
      for (const option of facet.options) expect(option.count).toBeLessThanOrEqual(count)
  }
})

test('omits sizes and kinds sold only by other brands', async () => {
  const { db } = database
  const sold = await db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoin('category', 'category.slug', 'line.category_slug')
    .select(['size.slug as size', 'category.slug as category', 'category.type_slug as type', 'line.id as line'])
    .where('item.active', '=', true)
    .where('line.brand_id', 'in', range)
    .execute()
  const { types, categories } = await listKinds(some)
  const names = (parts: readonly string[]) => [...new Set(parts)].sort()
  expect(names((await listSizes(some)).map(({ slug }) => slug))).toEqual(names(sold.map(({ size }) => size)))
  expect(names(categories.map(({ slug }) => slug))).toEqual(names(sold.map(({ category }) => category)))
  expect(names(types.map(({ slug }) => slug))).toEqual(names(sold.map(({ type }) => type)))
  expect(types.reduce((sum, { lines }) => sum + lines, 0)).toBe(new Set(sold.map(({ line }) => line)).size)
  expect((await listSizes(some)).length).toBeLessThan((await listSizes(whole)).length)
})

test('an empty brand range sells no tires, and a full one equals the catalog', async () => {
  const none = whole.narrowed([])
  expect(await listBrands(none)).toEqual([])
  expect(await listSizes(none)).toEqual([])
  expect((await listTires(none, { scope: {}, query: plainQuery })).ok).toBe(false)
  expect(whole.narrowed(null)).toBe(whole)
  expect(some.narrowed(null)).toBe(whole)
  expect(whole.narrowed([...range])).toBe(some)
})

test('two ranges share no cache', async () => {
  const [one, two] = [
    await listBrands(whole.narrowed(range.slice(0, 1))),
    await listBrands(whole.narrowed(range.slice(1))),
  ]
  expect(one.map(({ slug }) => slug)).toHaveLength(1)
  expect(two.map(({ slug }) => slug)).toHaveLength(1)
  expect(one[0]?.slug).not.toBe(two[0]?.slug)
})

async function everyScope(): Promise<ListingScope[]> {
  return [
    {},
    { rimIn: 17 },
    ...others.map(({ slug }) => ({ brand: slug })),
    ...(await listSizes(whole)).map(({ slug }) => ({ sizes: [{ front: slug, rear: slug }] })),
  ]
}

async function everyLine(): Promise<{ brandSlug: string; lineSlug: string }[]> {
  return database.db
    .selectFrom('product_line as line')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['brand.slug as brandSlug', 'line.slug as lineSlug'])
    .execute()
}

async function eachItem<Value>(ask: (id: number) => Promise<Value>): Promise<Value[]> {
  const items = await database.db.selectFrom('item').select('id').where('active', '=', true).execute()
  return Promise.all(items.map(({ id }) => ask(id)))
}

async function eachSlug<Value>(table: 'promotion' | 'rebate', ask: (slug: string) => Promise<Value>): Promise<Value[]> {
  const rows = await database.db.selectFrom(table).select('slug').execute()
  return Promise.all(rows.map(({ slug }) => ask(slug)))
}

/** Every brand's name, its first letters, its lines, articles and sizes. */
async function typed<Value>(ask: (text: string) => Promise<Value>): Promise<Value[]> {
  const rows = await database.db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['brand.name as brand', 'line.name as line', 'item.sku', 'item.id'])
    .distinctOn('line.id')
    .execute()
  const texts = new Set(
    rows.flatMap(({ brand, line, sku, id }) => [brand, brand.slice(0, 3), line, `${brand} ${line}`, sku, String(id)]),
  )
  return Promise.all([...texts, '225/65R17', '2256517', 'kestrel 225/65R17', 'winter'].map(ask))
}
