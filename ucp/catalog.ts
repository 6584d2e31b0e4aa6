/**
 * The catalog, with search, lookup, and one product with its options. A product is a tire model, and a variant is one
 * of its sizes.
 */
import type { z } from 'zod'
import { envelope, error, notFound, type Message, type UcpAnswer } from '#ucp/answers.ts'
import type { UcpContext } from '#ucp/context.ts'
import { readSizes, readVehicle, speaksFitment, verdictView, type KnownVehicle } from '#ucp/fitment.ts'
import { lookupInput, productInput, read, searchInput } from '#ucp/input.ts'
import { cursorOf, placeIn } from '#ucp/paging.ts'
import { productOf, productsOf, type CatalogContext, type ProductView } from '#ucp/products.ts'
import { extensionVersions } from '#ucp/extensions.ts'
import {
  findOffers,
  getProduct,
  listTires,
  resolveQuery,
  sizePairsOf,
  type ListingScope,
} from '#domain/catalog/catalog/catalog.server.ts'
import { fullSizeOf, parseQuery, type Place } from '#domain/catalog/catalog/catalog.ts'
import { readShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { parseZip } from '#domain/kernel/places/places.ts'
import type { Requirement } from '#domain/catalog/fitment/fitment.ts'

const [usualLimit, mostListed] = [10, 24]

type Search = {
  scope: ListingScope
  requirement: Requirement | undefined
  vehicleName: string | undefined
  /** Filters in the form of the store's own addresses. */
  filters: string
}

type Asked = z.output<typeof searchInput>

export async function searchCatalog(called: UcpContext, input: unknown): Promise<UcpAnswer> {
  const asked = read(searchInput, input)
  const context = await withShipping(called, asked.context?.postal_code)
  const vehicle = await readVehicle(context, asked.fitment)
  if (vehicle === null) return listed(context, [], [unknownVehicle])
  const search = await searchFor(context, asked, vehicle)
  if (!search) return listed(context, [], [])
  if (!('key' in search)) return pageOf(context, asked, search)
  return listed(context, productsOf(context, await findOffers(context.app.catalog, [search.key])), [])
}

/** Returns the request's context with the shipping cost to its ZIP code. ZIP codes without delivery add no cost. */
async function withShipping(context: UcpContext, postalCode: string | undefined): Promise<CatalogContext> {
  const zip = parseZip(postalCode ?? '')
  return { ...context, zip, shippingTo: await readShippingTo(context.app, zip) }
}

/** A page of a listing, from where the cursor left off. */
async function pageOf(
  context: CatalogContext,
  asked: Asked,
  { scope, filters, ...judged }: Search,
): Promise<UcpAnswer> {
  const params = withPrices(filters, asked)
  const question = [scope, params.toString(), asked.fitment ?? null]
  const place = placeIn(asked.pagination?.cursor, question)
  if (place === undefined) return listed(context, [], [badCursor])
  const limit = Math.min(asked.pagination?.limit ?? usualLimit, mostListed)
  const [page, after = null] = (place ?? '1').split(' ')
  const query = { ...parseQuery(params), page: Number(page), after }
  const found = await listTires(context.app.catalog, {
    ...judged,
    scope,
    query,
    zip: context.zip,
    shippingOf: context.shippingTo?.shippingOf,
  })
  if (!found.ok) return listed(context, [], [])
  const offers = found.value.offers.slice(0, limit)
  const last = offers.at(-1)
  const isMore = found.value.offers.length > limit || found.value.page < found.value.pages
  return listed(context, productsOf(context, offers), [], {
    has_next_page: isMore && last !== undefined,
    total_count: found.value.total,
    ...(isMore && last && { cursor: cursorOf(`${found.value.page} ${last.key}`, question) }),
  })
}

/** Filters of a listing with the prices asked for, in whole dollars. */
function withPrices(filters: string, { filters: { price: { min, max } = {} } = {} }: Asked): URLSearchParams {
  const params = new URLSearchParams(filters)
  if (min !== undefined) params.set('min', String(Math.ceil(min / 100)))
  if (max !== undefined) params.set('max', String(Math.floor(max / 100)))
  return params
}

export async function lookupCatalog(called: UcpContext, input: unknown): Promise<UcpAnswer> {
  const asked = read(lookupInput, input)
  const context = await withShipping(called, asked.context?.postal_code)
  const vehicle = (await readVehicle(context, asked.fitment)) ?? undefined
  const judged = { requirement: vehicle?.requirement, vehicleName: vehicle?.name }
  const ids = [...new Set(asked.ids)]
  const items = ids.filter((id) => /^\d{1,9}$/.test(id))
  const offers = await findOffers(context.app.catalog, items, judged)
  const products = productsOf(context, offers, (itemId) => [{ id: String(itemId), match: 'exact' }])
  for (const id of ids.filter((each) => !items.includes(each))) {
    const found = await readLine(context, id, vehicle)
    // A line that one of its sizes brought already answers both.
    if (found) products.push(productOf(context, found, { inputs: [{ id, match: 'featured' }], isFeaturedOnly: true }))
  }
  const answered = new Set(
    products.flatMap(({ variants }) => variants.flatMap(({ inputs = [] }) => inputs.map(({ id }) => id))),
  )
  const missing = ids
    .filter((id) => !answered.has(id))
    .map((id): Message => ({ type: 'info', code: 'not_found', content: `${id} is not sold here.` }))
  return { status: 200, body: { ucp: envelope(context, extensionVersions(context)), products, messages: missing } }
}

export async function readProduct(called: UcpContext, input: unknown): Promise<UcpAnswer> {
  const asked = read(productInput, input)
  const context = await withShipping(called, asked.context?.postal_code)
  const vehicle = (await readVehicle(context, asked.fitment)) ?? undefined
  const size = asked.selected?.find(({ name }) => name === 'Size')
  const first = await readLine(context, asked.id, vehicle)
  if (!first) return notFound(context, 'product')
  const chosen = size && first.siblings.find((each) => String(each.itemId) === size.id || each.fullSize === size.label)
  const found = chosen
    ? await readLine(context, `${first.line.brand.slug}/${first.line.slug}`, vehicle, chosen.itemId)
    : first
  if (!found) return notFound(context, 'product')
  const product = productOf(context, found, {})
  const { fitment } = found
  const [featured, ...others] = product.variants
  return {
    status: 200,
    body: {
      ucp: envelope(context, extensionVersions(context)),
      product: {
        ...product,
        variants: [
          {
            ...featured,
            ...(fitment && speaksFitment(context) && { fitment: verdictView(fitment, vehicle?.name ?? 'vehicle') }),
          },
          ...others,
        ],
        selected: [{ name: 'Size', id: String(found.item.id), label: fullSizeOf(found.item) }],
        options: [
          {
            name: 'Size',
            values: found.siblings.slice(0, 250).map((each) => ({
              id: String(each.itemId),
              label: each.fullSize,
              exists: true,
              available: each.isInStock,
            })),
          },
        ],
      },
    },
  }
}

type Found = Extract<Awaited<ReturnType<typeof getProduct>>, { ok: true }>['value']

/** A line by its id (`brand/line`) or by one of its items. */
async function readLine(
  { app }: UcpContext,
  id: string,
  vehicle: KnownVehicle | undefined,
  itemId?: number,
): Promise<Found | undefined> {
  const judged = { requirement: vehicle?.requirement, vehicleName: vehicle?.name }
  const named = /^([a-z0-9-]{1,80})\/([a-z0-9-]{1,80})$/.exec(id)
  if (named?.[1] !== undefined && named[2] !== undefined) {
    const found = await getProduct(app.catalog, { brandSlug: named[1], lineSlug: named[2], itemId, ...judged })
    return found.ok ? found.value : undefined
  }
  if (!/^\d{1,9}$/.test(id)) return undefined
  const [offer] = await findOffers(app.catalog, [id])
  if (!offer) return undefined
  const { line } = offer
  const found = await getProduct(app.catalog, {
    brandSlug: line.brand.slug,
    lineSlug: line.slug,
    itemId: Number(id),
    ...judged,
  })
  return found.ok ? found.value : undefined
}

const unknownVehicle: Message = {
  type: 'warning',
  code: 'vehicle_not_found',
  content: 'This vehicle is not known here. Send year, make and model as on the registration, or the size on the tire.',
  path: '$.fitment.vehicle',
}
const badCursor: Message = error(
  'invalid_cursor',
  'This cursor belongs to another search.',
  'recoverable',
  '$.pagination.cursor',
)

function listed(
  context: UcpContext,
  products: readonly ProductView[],
  messages: readonly Message[],
  pagination: object = { has_next_page: false },
): UcpAnswer {
  const says =
    products.length === 0 && messages.length === 0
      ? [
          {
            type: 'info',
            code: 'no_results',
            content: 'No results. Search by size, vehicle, brand or type.',
          } as const,
        ]
      : messages
  return {
    status: 200,
    body: { ucp: envelope(context, extensionVersions(context)), products, pagination, messages: says },
  }
}

/** Returns the meaning of a search (an item, a listing, or undefined). */
async function searchFor(
  context: UcpContext,
  asked: Asked,
  vehicle: KnownVehicle | undefined,
): Promise<Search | { key: string } | undefined> {
  const within = categoryOf(asked.filters?.categories)
  const meant = asked.query ? await meaningOf(context, asked.query) : undefined
  const sizes = sizesFor(asked, vehicle)
  if (sizes)
    return sizes.length === 0
      ? undefined
      : {
          scope: { ...narrowerBy(meant), ...within, sizes },
          requirement: vehicle?.requirement,
          vehicleName: vehicle?.name,
          filters: '',
        }
  if (meant?.kind === 'vehicle') return searchOfVehicle(context, meant, within)
  if (meant) return searchAt(context, meant, within ?? {})
  return within && { scope: within, requirement: undefined, vehicleName: undefined, filters: '' }
}

/**
 * Returns the requested sizes, or the vehicle's. Returns an empty array for an invalid size, and undefined without
 * either.
 */
function sizesFor(
  { fitment }: Asked,
  vehicle: KnownVehicle | undefined,
): { front: string; rear: string }[] | undefined {
  if (fitment?.size) return [readSizes(fitment) ?? []].flat()
  return vehicle && sizePairsOf(vehicle.requirement).map((pair) => ({ ...pair }))
}

/** Returns the filters that the search text adds to sizes. */
function narrowerBy(meant: Place | undefined): ListingScope {
  return meant?.kind === 'listing' ? { brand: meant.brand, type: meant.type, category: meant.category } : {}
}

async function searchOfVehicle(
  context: UcpContext,
  { year, makeSlug: make, modelSlug: model, trimSlug: trim, filters = '' }: Place & { kind: 'vehicle' },
  within: ListingScope | undefined,
): Promise<Search | undefined> {
  const named = await readVehicle(context, { vehicle: { year, make, model, trim } })
  const sizes = named ? sizePairsOf(named.requirement) : []
  return named && sizes.length > 0
    ? { scope: { ...within, sizes }, requirement: named.requirement, vehicleName: named.name, filters }
    : undefined
}

/** Categories use the names of our types and categories. */
function categoryOf(categories: readonly string[] | undefined): ListingScope | undefined {
  const [first] = (categories ?? []).map((value) => /^(type|category):([a-z0-9-]{1,80})$/.exec(value))
  return first?.[2] === undefined ? undefined : first[1] === 'type' ? { type: first[2] } : { category: first[2] }
}

async function meaningOf({ app }: UcpContext, query: string): Promise<Place | undefined> {
  const found = await resolveQuery(app.catalog, query)
  if (found.kind === 'place') return found.place
  const all = [...(found.meant ? [found.meant] : []), ...found.suggestions].map(({ place }) => place)
  return all.find(
    ({ kind }) => kind === 'listing' || kind === 'line' || kind === 'item' || kind === 'vehicle' || kind === 'rim',
  )
}

async function searchAt(
  { app }: UcpContext,
  place: Place,
  within: ListingScope,
): Promise<Search | { key: string } | undefined> {
  const plain = { requirement: undefined, vehicleName: undefined }
  switch (place.kind) {
    case 'listing': {
      const { size, brand, type, category, filters = '' } = place
      return {
        ...plain,
        filters,
        scope: {
          brand,
          type,
          category,
          ...within,
          ...(size !== undefined && { sizes: [{ front: size, rear: size }] }),
        },
      }
    }
    case 'rim':
      return { ...plain, filters: place.filters ?? '', scope: { ...within, rimIn: place.rimIn } }
    case 'item':
      return { key: String(place.itemId) }
    case 'line': {
      const found = await getProduct(app.catalog, place)
      return found.ok ? { key: String(found.value.item.id) } : undefined
    }
    default:
      return undefined
  }
}
