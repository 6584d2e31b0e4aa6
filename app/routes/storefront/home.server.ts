/** The data of the home page. For guests it is the same for everyone and comes from the catalog cache. */
import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { listClaims } from '#app/content/claims.server.ts'
import { findPart } from '#app/content/pages.server.ts'
import { escapeHtml, fillStore } from '#app/content/store-values.ts'
import type { Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import type { Claim } from '#app/ui/claims.tsx'
import { dealCard } from './deal-views.server.ts'
import type { SizeReadOut } from '#app/ui/finder-drawing.tsx'
import type { FinderView } from '#app/ui/finder.tsx'
import type { BrandView } from '#app/ui/listing-brands.tsx'
import type { KindView } from '#app/ui/listing-kinds.tsx'
import type { DealView } from '#app/ui/tire-card-deal.tsx'
import { getHomeRows, listBrands, type Deal, type HomeRows } from '#domain/catalog/catalog/catalog.server.ts'
import { sizeDesignation, grouped } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { Application } from '#application'
import { readFinder, readSizeReadOut } from './finder.server.ts'
import { kindViews } from './kinds.server.ts'
import { readNearby, readShippingTo, type Nearby, type ShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { onlyTrim, readMyVehicle, type MyVehicle } from './vehicle-panel.server.ts'

export type HomeView = {
  /** The store's own banner, if it has one. */
  banner: { title: string; html: string } | null
  finder: FinderView
  /** The earliest installation near the visitor: "Tue 9:30 at Halsted Tire, 2.1 mi". */
  next: string | null
  drawn: SizeReadOut | null
  deals: DealView[]
  dealCount: number
  types: KindView[]
  categories: { slug: string; name: string; lines: number }[]
  brands: BrandView[]
  brandCount: number
  vehicles: { name: string; path: string; size: string }[]
  reviews: { id: number; text: string; hundredths: number; by: string; line: string; path: string }[]
  claims: Claim[]
}

/** Four columns, two rows. */
const typesShown = 8
const reviewsShown = 4
/** The default size for visitors without a vehicle. It is one of the most common sizes in the US. */
const commonSize = '225/65R17'

export async function readHome(app: Application, visitor: Visitor, params: URLSearchParams): Promise<HomeView> {
  const [mine, nearby, shippingTo] = await Promise.all([
    readMyVehicle(app, visitor),
    readNearby(app, visitor),
    readShippingTo(app, visitor.zip),
  ])
  const size = sizeOf(mine) ?? commonSize
  const [banner, rows, brands, finder, drawn] = await Promise.all([
    findPart('home-banner', app.content.current, storeKindOf(app.brandedStore)),
    getHomeRows(app.catalog),
    listBrands(app.catalog),
    // Only the tab is in this URL. Choices go to /find.
    readFinder(app, visitor, new URLSearchParams(params.has('by') ? { by: params.get('by') ?? '' } : {}), {
      size,
      vehicle: mine ? vehicleAsked(mine) : undefined,
    }),
    readSizeReadOut(app, size),
  ])
  const next = drawn?.best && (await nearby?.timesOf([drawn.best]))?.get(drawn.best.key)
  return {
    banner: banner
      ? {
          title: fillStore(banner.title, app.config.store),
          html: fillStore(banner.html, app.config.store, escapeHtml),
        }
      : null,
    finder: { ...finder.view, problem: null },
    next: next ?? null,
    drawn: drawn?.view ?? null,
    deals: rows.deals.flatMap((deal) => dealView(app, deal, nearby, shippingTo)),
    dealCount: rows.dealCount,
    types: kindViews(rows.types.slice(0, typesShown), 'type', { isDefined: false }),
    categories: rows.categories.map(({ slug, name, lines }) => ({ slug, name, lines })),
    brands: rows.brands.map(({ slug, name, lines, wordmark }) => ({ slug, name, lines, wordmark })),
    brandCount: brands.length,
    vehicles: rows.vehicles.map(({ name, year, makeSlug, modelSlug, size: original }) => ({
      name,
      path: paths.vehicle(makeSlug, modelSlug, year),
      size: original,
    })),
    reviews: rows.reviews.slice(0, reviewsShown).map(reviewView),
    claims: listClaims(storeKindOf(app.brandedStore)),
  }
}

function dealView(app: Application, deal: Deal, nearby: Nearby | null, shippingTo: ShippingTo | null): DealView[] {
  const { offer } = deal
  const totalCents = !offer || offer.kind === 'line' ? null : (nearby?.totalOf(offer.items, offer.prices) ?? null)
  return dealCard(deal, app.clock.now(), shippingTo, totalCents)
}

function sizeOf(mine: MyVehicle | null): string | undefined {
  const front = mine?.requirement.configurations[0]?.front.size
  return front && sizeDesignation(front)
}

function vehicleAsked({ chosen, found }: MyVehicle): { year: string; make: string; model: string; trim: string } {
  const trim = onlyTrim(found)?.vehicle.trimSlug ?? 'any'
  return { year: String(chosen.year), make: chosen.makeSlug, model: chosen.modelSlug, trim }
}

function reviewView({
  id,
  summary,
  comments,
  overallHundredths,
  author,
  vehicle,
  milesDriven,
  brandSlug,
  brandName,
  lineSlug,
  lineName,
}: HomeRows['reviews'][number]): HomeView['reviews'][number] {
  const by = [author, vehicle, milesDriven === null ? '' : `${grouped(milesDriven)} mi`].filter(Boolean).join(', ')
  return {
    id,
    text: comments ?? summary ?? '',
    hundredths: overallHundredths,
    by,
    line: `${brandName} ${lineName}`,
    path: paths.line(brandSlug, lineSlug),
  }
}
