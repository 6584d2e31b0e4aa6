/**
 * The sections of the sitemap. A section lists its groups, which makes counting cheap, and returns the addresses of
 * given groups.
 */
import { listArticles } from '#app/content/library.server.ts'
import { listPages } from '#app/content/pages.server.ts'
import { learnSections, pressSections } from '#app/content/sections.ts'
import { readShopAreas } from '#app/views/shop-areas.server.ts'
import { paths, reviewSections } from '#content/paths.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import {
  lineAddresses,
  listBrandKinds,
  listDeals,
  listKinds,
  listRebates,
  listSizes,
  sizeAddresses,
  type AddressGroup,
  type LineAddresses,
  type SizeCombination,
} from '#domain/catalog/catalog/catalog.server.ts'
import { saleNames } from '#domain/catalog/catalog/catalog.ts'
import { countShopsByState, listShopNames } from '#domain/scheduling/installers/installers.server.ts'
import { sumReviews } from '#domain/aftercare/reviews/reviews.server.ts'
import { listMakes, listVehicleYears } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { Application } from '#application'

/** `changed`: the instant, or the day as YYYY-MM-DD, when the page's content last changed. */
export type Address = { path: string; changed?: Temporal.Instant | string | null }

export type Section = {
  name: string
  groups(app: Application): Promise<AddressGroup[]>
  addresses(app: Application, ids: readonly number[]): Promise<Address[]>
}

export const sections: readonly Section[] = [
  short('pages', async ({ content }) => [
    ...[
      paths.home(),
      paths.brands(),
      paths.types(),
      paths.categories(),
      paths.vehicles(),
      paths.sizes(),
      paths.sizeCamera(),
      paths.trackOrder(),
      paths.licenses(),
    ].map(only),
    ...[paths.recommendations(), paths.tireScore(), paths.warranties()].map(only),
    ...[
      paths.help(),
      paths.faqs(),
      paths.contact(),
      serverPaths.coverageClaim(),
      paths.tireSales(),
      paths.siteMap(),
      paths.membership(),
      paths.invite(),
      paths.business(),
      paths.partnerProgram(),
      portalPaths.installerSignup(),
      paths.apiDocs(),
      serverPaths.agents(),
      paths.privacyChoices(),
    ].map(only),
    ...(await listPages(content.current, 'own')).map(({ address, updated }) => ({ path: address, changed: updated })),
    ...[paths.learn(), paths.dictionary(), paths.buyingGuide(), paths.carTalk(), paths.press()].map(only),
    ...learnSections.map(({ slug }) => only(paths.learnSection(slug))),
    ...pressSections.map(({ slug }) => only(paths.pressSection(slug))),
    ...[...(await listArticles('learn', 'own')), ...(await listArticles('press', 'own'))].map(
      ({ path, published, updated }) => ({
        path: paths.article(path),
        changed: updated ?? published,
      }),
    ),
  ]),
  short('kinds', async ({ catalog }) => {
    const { types, categories } = await listKinds(catalog)
    const rims = new Set((await listSizes(catalog)).map(({ rimIn }) => String(rimIn)))
    return [
      ...types.map(({ slug }) => paths.type(slug)),
      ...categories.map(({ slug }) => paths.category(slug)),
      ...[...rims].map((rim) => paths.diameter(rim)),
    ].map(only)
  }),
  short('brands', async ({ catalog }) => {
    const brands = Map.groupBy(await listBrandKinds(catalog), ({ brand }) => brand)
    return [...brands].flatMap(([brand, kinds]) => {
      const [types, categories] = [
        new Set(kinds.map(({ type }) => type)),
        new Set(kinds.map(({ category }) => category)),
      ]
      return [
        paths.brand(brand),
        paths.brandTypes(brand),
        paths.brandCategories(brand),
        ...[...types].map((type) => paths.listing({ brand, type })),
        ...[...categories].map((category) => paths.listing({ brand, category })),
      ].map(only)
    })
  }),
  short('reviews', async ({ catalog }) => {
    const { brands, types, categories } = await sumReviews(catalog)
    return [
      paths.tireReviews(),
      ...reviewSections.map((section) => paths.tireReviews(section)),
      ...brands.map(({ slug }) => paths.scopeReviews({ brand: slug })),
      ...types.map(({ slug }) => paths.scopeReviews({ type: slug })),
      ...categories.map(({ slug }) => paths.scopeReviews({ category: slug })),
    ].map(only)
  }),
  short('deals', async ({ catalog }) => {
    const [deals, rebates] = await Promise.all([listDeals(catalog), listRebates(catalog)])
    return [
      paths.deals(),
      ...Object.keys(saleNames).map((slug) => paths.deal(slug)),
      ...deals.map(({ promotion }) => paths.deal(promotion.slug)),
      ...rebates.map(({ rebate }) => paths.deal(rebate.slug)),
    ].map(only)
  }),
  {
    name: 'lines',
    groups: ({ catalog }) => lineAddresses.groups(catalog),
    addresses: async ({ catalog }, ids) => (await lineAddresses.entries(catalog, ids)).flatMap(ofLine),
  },
  {
    name: 'sizes',
    groups: ({ catalog }) => sizeAddresses.groups(catalog),
    addresses: async ({ catalog }, ids) => ofSizes(await sizeAddresses.entries(catalog, ids)),
  },
  short('areas', async (app) => {
    const { areas, states } = await readShopAreas(app)
    return [paths.tireShops(), ...[...states, ...areas].map(({ slug }) => paths.tireShopsIn(slug))].map(only)
  }),
  {
    name: 'shops',
    groups: async (app) => (await countShopsByState(app)).map(({ count }, id) => ({ id, addresses: count })),
    addresses: async (app, ids) => {
      const states = await countShopsByState(app)
      const shops = await listShopNames(
        app,
        ids.flatMap((id) => states[id]?.state ?? []),
      )
      return shops.map(({ slug, code }) => only(paths.tireShop(slug, code)))
    },
  },
  {
    name: 'vehicles',
    // A model has one page, and one for each year.
    groups: async (app) =>
      (await listMakes(app)).map(({ models, firstYear, lastYear }, id) => ({
        id,
        addresses: 1 + models * (2 + lastYear - firstYear),
      })),
    addresses: async (app, ids) => {
      const makes = await listMakes(app)
      return ofVehicles(
        app,
        ids.flatMap((id) => makes[id]?.slug ?? []),
      )
    },
  },
]

/** Returns a section with a single group, read in one query. */
function short(name: string, read: (app: Application) => Promise<Address[]>): Section {
  return { name, groups: () => Promise.resolve([{ id: 1, addresses: 1 }]), addresses: read }
}

function only(path: string): Address {
  return { path }
}

function ofLine({ brandSlug, lineSlug, reviewedAt, changedAt, items }: LineAddresses): Address[] {
  return [
    { path: paths.line(brandSlug, lineSlug), changed: later(changedAt, reviewedAt) },
    ...(reviewedAt ? [{ path: paths.lineReviews(brandSlug, lineSlug), changed: reviewedAt }] : []),
    ...items.map((item) => ({
      path: paths.item(brandSlug, lineSlug, item.id),
      changed: later(item.changedAt, reviewedAt),
    })),
  ]
}

function later(a: Temporal.Instant, b: Temporal.Instant | null): Temporal.Instant {
  return b !== null && Temporal.Instant.compare(a, b) < 0 ? b : a
}

function ofSizes(combinations: readonly SizeCombination[]): Address[] {
  const all = new Set<string>()
  for (const { size, brand, type, category } of combinations) {
    for (const narrower of [{}, { type }, { category }, { brand }, { brand, type }, { brand, category }])
      all.add(paths.listing({ size, ...narrower }))
  }
  return [...all].map(only)
}

/** A model year is listed if a tire size of it is sold. */
async function ofVehicles(app: Application, makes: readonly string[]): Promise<Address[]> {
  const [years, sizes] = await Promise.all([listVehicleYears(app, makes), listSizes(app.catalog)])
  const sold = new Set(sizes.map(({ designation }) => designation))
  return [...Map.groupBy(years, ({ makeSlug }) => makeSlug)].flatMap(([make, ofMake]) => [
    { path: paths.make(make) },
    ...[...Map.groupBy(ofMake, ({ modelSlug }) => modelSlug)].flatMap(([model, ofModel]) => [
      { path: paths.model(make, model) },
      ...ofModel
        .filter((entry) => entry.sizes.some(({ front, rear }) => sold.has(front) && sold.has(rear)))
        .map(({ year }) => ({ path: paths.vehicle(make, model, year) })),
    ]),
  ])
}
