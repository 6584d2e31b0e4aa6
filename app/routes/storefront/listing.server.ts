/** The loader of every listing. Converts a scope and a query into the page's data. */
import { redirect, type RouterContextProvider } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { listViewed, measure } from '#app/server/measure.ts'
import { paths } from '#content/paths.ts'
import { countOf } from '#platform/count-text.ts'
import type { EmptyView, FacetView, ListingView, PagerView, WayView } from '#app/ui/listing-data.ts'
import type { PageHead } from '#app/ui/page-head.ts'
import {
  listBrands,
  listKinds,
  listModels,
  type Alternative,
  type Group,
  type Groups,
  type ModelListing,
  type ListingScope,
} from '#domain/catalog/catalog/catalog.server.ts'
import {
  isFiltered,
  noFilters,
  pageSizes,
  parseQuery,
  sorts,
  thresholdFacets,
  toggle,
  type Facet,
  type FacetName,
  type ListingQuery,
} from '#domain/catalog/catalog/catalog.ts'
import { type Requirement } from '#domain/catalog/fitment/fitment.ts'
import { parseSizeSlug, sizeDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { Application } from '#application'
import { modelCardView, pickView } from './listing-cards.server.ts'
import { readNearby, readShippingTo, type ShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { listingPath, nextCount, pageNumbers, tidySearch, unknownFilters, type Kept } from './listing-address.ts'
import { chipWords, dollars, legends, optionWords, sortWords } from './listing-messages.server.ts'

export type Asker = {
  readonly url: URL
  readonly context: Readonly<RouterContextProvider>
}
export type Wanted = {
  readonly scope: ListingScope
  readonly requirement?: Requirement | undefined
  readonly vehicleName?: string | undefined
  readonly kept?: Kept | undefined
}

export type ListingRead =
  | {
      readonly listing: ListingView
      readonly empty: null
      readonly isPlain: boolean
      readonly fromCents: number
      readonly groups: Groups
    }
  | {
      readonly listing: null
      readonly empty: EmptyView
      readonly isPlain: false
      readonly fromCents: null
      readonly groups: null
    }

/**
 * Reads the listing at the requested address. Throws a redirect if the address has the empty fields of a form submitted
 * without script. A scope without results is answered with the nearest ones that have some; whether its slugs exist is
 * for the caller to check.
 */
export async function readListing(
  { url, context }: Asker,
  { scope, requirement, vehicleName, kept = [] }: Wanted,
): Promise<ListingRead> {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const tidy = tidySearch(url.searchParams)
  if (tidy !== null) throw redirect(tidy === '' ? url.pathname : `${url.pathname}?${tidy}`)
  const query = parseQuery(url.searchParams)
  const [nearby, shippingTo] = await Promise.all([
    scope.sizes ? readNearby(app, visitor) : null,
    readShippingTo(app, visitor.zip),
  ])
  const found = await listModels(app.catalog, {
    scope,
    query,
    requirement,
    vehicleName,
    zip: visitor.zip,
    arrivalOf: nearby?.arrivalOf,
    totalOf: nearby?.totalOf,
    shippingOf: shippingTo?.shippingOf,
  })
  if (!found.ok)
    return {
      listing: null,
      fromCents: null,
      groups: null,
      isPlain: false,
      empty: { alternatives: await alternativeViews(app, found.detail) },
    }
  const shown = found.value.models.map(({ offer }) => offer)
  const to = (next: ListingQuery) => listingPath(url.pathname, kept, next)
  // Redirects past the end, for example from an outdated link, to the last page so that each page has one URL.
  if (found.value.page !== query.page) throw redirect(to({ ...query, page: found.value.page }))
  measure(context, () => listViewed(url.pathname, shown))
  return {
    listing: viewOf(found.value, query, {
      action: url.pathname,
      kept,
      to,
      requirement,
      zip: visitor.zip ?? null,
      shippingTo,
      times: await nearby?.timesOf(shown),
      params: url.searchParams,
    }),
    fromCents: found.value.fromCents,
    groups: found.value.groups(),
    empty: null,
    isPlain: !isFiltered(query.filters) && query.sort === 'best' && query.pageSize === 24,
  }
}

type Around = {
  action: string
  kept: Kept
  to: (query: ListingQuery) => string
  requirement: Requirement | undefined
  zip: string | null
  shippingTo: ShippingTo | null
  times: ReadonlyMap<string, string> | undefined
  params: URLSearchParams
}

function viewOf(
  found: ModelListing,
  query: ListingQuery,
  { action, kept, to, requirement, zip, shippingTo, times, params }: Around,
): ListingView {
  const facets = found.facets.map((facet) => ({
    ...facet,
    options: facet.options.map((option) => ({
      ...option,
      label: optionWords(facet.name, option.value, option.label, {
        requiredSpeed: requiredSpeed(requirement),
        isListed: requirement?.source === 'catalog',
      }),
    })),
  }))
  const [first] = found.models
  const unknown = unknownFilters(params, query, found.facets)
  const sizes = found.modelTotal > pageSizes[0] ? [...pageSizes] : []
  return {
    action,
    kept: [
      ...kept.map(([name, value]): [string, string] => [name, value]),
      ...(query.pageSize === 24 || sizes.length > 0
        ? []
        : [['size', String(query.pageSize)] satisfies [string, string]]),
    ],
    noun: first?.offer.kind ?? 'tire',
    total: found.total,
    inScope: found.inScope,
    models: found.modelTotal,
    modelsNotFitting: found.modelsNotFitting,
    facets: facets.map((facet) => facetView(facet, query, to)),
    chips: facets.flatMap(({ name, options }) =>
      options
        .filter(({ isChosen }) => isChosen)
        .map(({ value, label }) => ({ label: chipWords(name, label), path: to(toggle(query, name, value)) })),
    ),
    clear: to({ ...query, filters: noFilters, page: 1, after: null }),
    unknown: unknown.filters.length === 0 ? null : { filters: unknown.filters, path: to(unknown.query) },
    sort: query.sort,
    sorts: sorts.map((sort) => [sort, sortWords[sort]]),
    pageSize: query.pageSize,
    pageSizes: sizes,
    cards: found.models.map((model) => modelCardView(model, shippingTo, times?.get(model.offer.key))),
    picks: found.picks.map((pick) => pickView(pick, shippingTo)),
    pager: pagerOf(found, query, to),
    zip,
    isInstalled: found.models.some(({ offer: { totalCents } }) => totalCents !== null),
  }
}

function facetView({ name, options }: Facet, query: ListingQuery, to: Around['to']): FacetView {
  const shown = options.map(({ value, label, count, isChosen }) => ({ value, label, count, isChosen }))
  if (name === 'price') {
    const { min, max } = query.filters.price ?? { min: null, max: null }
    return {
      name,
      legend: legends.price,
      kind: 'price',
      min: min === null ? '' : String(min),
      max: max === null ? '' : String(max),
      options: shown.map((option) => ({ ...option, path: to(toggle(query, name, option.value)) })),
    }
  }
  return { name, legend: legends[name], kind: isThreshold(name) ? 'one' : 'many', options: shown }
}

function isThreshold(name: FacetName): boolean {
  return (thresholdFacets as readonly FacetName[]).includes(name)
}

/** The speed rating every wheel of the vehicle needs, if it is known and the same for all. */
function requiredSpeed(requirement: Requirement | undefined): string | undefined {
  const speeds = new Set(requirement?.configurations.flatMap(({ front, rear }) => [front.speed, rear.speed]))
  const [speed] = speeds
  return speeds.size === 1 ? speed : undefined
}

function pagerOf({ page, pages, modelTotal, lastKey }: ModelListing, query: ListingQuery, to: Around['to']): PagerView {
  const at = (number: number, after: string | null = null) => to({ ...query, page: number, after })
  return {
    previous: page > 1 ? at(page - 1) : null,
    next: page < pages ? at(page + 1, lastKey) : null,
    nextCount: nextCount(modelTotal, page, query.pageSize),
    pages:
      pages === 1
        ? []
        : pageNumbers(page, pages).map((number) =>
            number === null ? null : { number, path: at(number), isNow: number === page },
          ),
  }
}

async function alternativeViews(
  app: Application,
  alternatives: readonly Alternative[],
): Promise<EmptyView['alternatives']> {
  if (alternatives.length === 0) return []
  const [brands, { types, categories }] = await Promise.all([listBrands(app.catalog), listKinds(app.catalog)])
  const nameOf = (list: readonly { slug: string; name: string }[], slug: string | undefined) =>
    list.find((entry) => entry.slug === slug)?.name
  return alternatives.map(({ place, count }) => {
    const size = place.size === undefined ? undefined : sizeName(place.size)
    const label = [nameOf(brands, place.brand), size, nameOf(types, place.type) ?? nameOf(categories, place.category)]
      .filter(Boolean)
      .join(' ')
    const noun = size === undefined ? 'line' : 'tire'
    return { label, path: paths.listing(place), detail: countOf(count, noun) }
  })
}

/** "225/65R17" for its slug; the slug itself if it is not a size. */
export function sizeName(slug: string): string {
  const size = parseSizeSlug(slug)
  return size ? sizeDesignation(size) : slug
}

/**
 * A listing's title, description and canonical URL, distinct for every page of every template. The unfiltered list is
 * indexed, each page under its own address; a filtered, sorted or empty one is not.
 */
export function listingHead({
  url,
  title,
  kept = [],
  read,
  about,
}: {
  url: URL
  title: string
  kept?: Kept
  read: ListingRead
  about: string
}): PageHead {
  const { page } = parseQuery(url.searchParams)
  const name = `${title[0]?.toUpperCase()}${title.slice(1)}`
  const picture = read.listing?.cards[0]?.picture
  const params = new URLSearchParams([
    ...kept.map(([key, value]) => [key, value]),
    ...(page > 1 ? [['page', String(page)]] : []),
  ])
  return {
    title: page > 1 ? `${name}, page ${page}` : name,
    description: [
      page > 1 ? `Page ${page}.` : '',
      read.listing
        ? `${name}: ${countOf(read.listing.inScope, read.listing.noun)} from ${dollars(read.fromCents)} a tire.`
        : `${name} are unavailable right now.`,
      about,
    ]
      .filter(Boolean)
      .join(' '),
    path: params.size === 0 ? url.pathname : `${url.pathname}?${params.toString()}`,
    isIndexed: read.isPlain,
    ...(picture ? { picture: paths.sharePicture(picture.itemId, picture.key) } : {}),
  }
}

/** A combination without results is a 404, although it shows alternatives. */
export function statusOf({ empty }: ListingRead): { status: number } {
  return { status: empty ? 404 : 200 }
}

/** Returns links to the narrower listings in `groups`. Empty without groups. */
export function wayTo(
  title: string,
  groups: readonly Group[],
  noun: ListingView['noun'],
  pathOf: (slug: string) => string,
): WayView[] {
  if (groups.length === 0) return []
  return [
    {
      title,
      links: groups.map(({ slug, name, count }) => ({ label: name, path: pathOf(slug), detail: countOf(count, noun) })),
    },
  ]
}

/** Redirects with 301 to the canonical spelling of an address, keeping the query. */
export function movedTo(path: string, url: URL): Response {
  return redirect(`${path}${url.search}`, 301)
}

export function notFound(): Response {
  return new Response(null, { status: 404 })
}
