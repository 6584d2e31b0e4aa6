/** Every kind of page in the store, from the same sources as the pages themselves. */
import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { listArticles } from '#app/content/library.server.ts'
import { listPages } from '#app/content/pages.server.ts'
import { learnSections, pressSections } from '#app/content/sections.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { listBrands, listKinds, listSizes } from '#domain/catalog/catalog/catalog.server.ts'
import { saleNames } from '#domain/catalog/catalog/catalog.ts'
import { listMakes } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { Application } from '#application'

export type SiteMapLink = { label: string; path: string }
export type SiteMapGroup = { id: string; title: string; links: SiteMapLink[] }

type PageLink = { readonly title: string; readonly address: string }
type ArticleLink = { readonly title: string; readonly path: string }

/** In the order a shopper would look. Sizes are grouped by wheel, which links to its sizes. */
export async function readSiteMap(app: Application): Promise<SiteMapGroup[]> {
  const store = storeKindOf(app.brandedStore)
  const [brands, kinds, sizes, makes, pages, learn, press] = await Promise.all([
    listBrands(app.catalog),
    listKinds(app.catalog),
    listSizes(app.catalog),
    listMakes(app),
    listPages(app.content.current, store),
    listArticles('learn', store),
    listArticles('press', store),
  ])
  const policies = pages.filter(({ isPolicy }) => isPolicy)
  const others = pages.filter(({ isPolicy }) => !isPolicy)
  const rims = [...new Set(sizes.map(({ rimIn }) => rimIn))]
  return [
    shopGroup(),
    {
      id: 'types',
      title: 'Types',
      links: kinds.types.map(({ slug, name }) => ({ label: name, path: paths.type(slug) })),
    },
    {
      id: 'categories',
      title: 'Categories',
      links: kinds.categories.map(({ slug, name }) => ({ label: name, path: paths.category(slug) })),
    },
    {
      id: 'brands',
      title: 'Brands',
      links: brands.map(({ slug, name }) => ({ label: name, path: paths.brand(slug) })),
    },
    { id: 'makes', title: 'Vehicles', links: makes.map(({ slug, name }) => ({ label: name, path: paths.make(slug) })) },
    {
      id: 'wheels',
      title: 'Sizes by wheel',
      links: rims.map((rim) => ({ label: `${rim}-inch wheels`, path: paths.diameter(String(rim)) })),
    },
    learnGroup(learn),
    helpGroup(policies),
    aboutGroup(others, press),
  ]
}

function shopGroup(): SiteMapGroup {
  return {
    id: 'shop',
    title: 'Shop',
    links: [
      { label: 'Home', path: paths.home() },
      { label: 'Find tires', path: paths.find() },
      { label: 'Search', path: paths.search() },
      { label: 'By vehicle', path: paths.vehicles() },
      { label: 'By size', path: paths.sizes() },
      { label: 'Read the size off your tire', path: paths.sizeCamera() },
      { label: 'By brand', path: paths.brands() },
      { label: 'By type', path: paths.types() },
      { label: 'By category', path: paths.categories() },
      { label: 'Deals', path: paths.deals() },
      ...Object.entries(saleNames).map(([slug, name]) => ({ label: name, path: paths.deal(slug) })),
      { label: 'Tire reviews', path: paths.tireReviews() },
      { label: 'Help me decide', path: paths.recommendations() },
      { label: 'Compare tires', path: paths.compare() },
      { label: 'Tire shops', path: paths.tireShops() },
      { label: 'Request a quote', path: paths.tireSales() },
      { label: 'Cart', path: paths.cart() },
    ],
  }
}

function learnGroup(articles: readonly ArticleLink[]): SiteMapGroup {
  return {
    id: 'learn',
    title: 'Learn',
    links: [
      { label: 'Learn about tires', path: paths.learn() },
      ...learnSections.map(({ slug, name }) => ({ label: name, path: paths.learnSection(slug) })),
      { label: 'How the tire score is made', path: paths.tireScore() },
      { label: 'Tire dictionary', path: paths.dictionary() },
      { label: 'Tire buying guide', path: paths.buyingGuide() },
      { label: 'Car talk', path: paths.carTalk() },
      ...articles.map(({ title, path }) => ({ label: title, path: paths.article(path) })),
    ],
  }
}

function helpGroup(policies: readonly PageLink[]): SiteMapGroup {
  return {
    id: 'help',
    title: 'Help',
    links: [
      { label: 'Help center', path: paths.help() },
      { label: 'Questions and answers', path: paths.faqs() },
      { label: 'Contact us', path: paths.contact() },
      { label: 'File a coverage claim', path: serverPaths.coverageClaim() },
      { label: 'Track your order', path: paths.trackOrder() },
      { label: 'What covers your tires', path: paths.warranties() },
      ...policies.map(({ title, address }) => ({ label: title, path: address })),
    ],
  }
}

function aboutGroup(pages: readonly PageLink[], press: readonly ArticleLink[]): SiteMapGroup {
  return {
    id: 'about',
    title: 'About and programs',
    links: [
      ...pages.map(({ title, address }) => ({ label: title, path: address })),
      { label: 'Membership', path: paths.membership() },
      { label: 'Refer a friend', path: paths.invite() },
      { label: 'Partner program', path: paths.partnerProgram() },
      { label: 'Become an installer', path: portalPaths.installerSignup() },
      { label: 'Shopping agents', path: serverPaths.agents() },
      { label: 'Employees', path: paths.employees() },
      { label: 'Press', path: paths.press() },
      ...pressSections.map(({ slug, name }) => ({ label: name, path: paths.pressSection(slug) })),
      ...press.map(({ title, path }) => ({ label: title, path: paths.article(path) })),
      { label: 'Data and licenses', path: paths.licenses() },
    ],
  }
}
