import { shopContext, visitorContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import type { ListingPageView } from '#app/ui/listing-data.ts'
import { ListingPage } from '#app/ui/listing-page.tsx'
import { pack, unpack, type Packed } from '#app/ui/packed.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { comparingBar } from '#app/ui/comparing.tsx'
import { sizePairsOf } from '#domain/catalog/catalog.server.ts'
import {
  decodeChosenVehicle,
  encodeChosenVehicle,
  requirementFor,
  requirementForKnownModel,
  vehicleName,
  type ChosenVehicle,
} from '#domain/vehicles/vehicles.ts'
import { findVehicle } from '#domain/vehicles/vehicles.server.ts'
import { listingHead, movedTo, notFound, readListing, sizeName } from './listing.server.ts'
import { modelOf, vehiclePanel } from './vehicle-panel.server.ts'
import type { Route } from './+types/vehicle-listing.ts'

export const handle = { bar: comparingBar }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData ? pageHead(matches, unpack(loaderData).head) : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/**
 * One year of a model. The trim and, where it has several, the original size are in the query; what the shopper
 * confirmed is in the cookie.
 */
export async function loader({ params, url, context }: Route.LoaderArgs): Promise<Packed<ListingPageView>> {
  const [shop, visitor] = [context.get(shopContext), context.get(visitorContext)]
  const [makeSlug, modelSlug] = [params.make.toLowerCase(), params.model.toLowerCase()]
  if (!/^\d{4}$/.test(params.year)) throw notFound()
  const year = Number(params.year)
  if (makeSlug !== params.make || modelSlug !== params.model)
    throw movedTo(paths.vehicle(makeSlug, modelSlug, year), url)

  const trimSlug = url.searchParams.get('trim')?.toLowerCase() || undefined
  const read = await findVehicle(shop, { year, makeSlug, modelSlug, trimSlug })
  if (!read.ok) throw notFound()
  const found = read.value
  const vehicle = found.kind === 'known' ? found.model : found.trims[0].vehicle
  if (vehicle.makeSlug !== makeSlug || vehicle.modelSlug !== modelSlug)
    throw movedTo(paths.vehicle(vehicle.makeSlug, vehicle.modelSlug, year), url)
  const trims = found.kind === 'sized' ? found.trims : []
  const [trim, ...otherTrims] = trims

  const asked = Number(url.searchParams.get('fitment') ?? Number.NaN)
  const fitmentId = trim && otherTrims.length === 0 && trim.fitments.some(({ id }) => id === asked) ? asked : null
  const open: ChosenVehicle = {
    vehicleId: trim && otherTrims.length === 0 ? trim.vehicle.id : null,
    fitmentId,
    year,
    makeSlug,
    modelSlug,
    name: found.name,
    confirmed: false,
    label: null,
  }
  const chosen = settledBy(visitor.vehicle, open) ?? open
  const requirement =
    found.kind === 'known'
      ? requirementForKnownModel(found.model, chosen)
      : requirementFor(found.trims, chosen, found.otherTrims)

  const kept = [
    ...(trimSlug ? [['trim', trimSlug] as const] : []),
    ...(fitmentId === null ? [] : [['fitment', String(fitmentId)] as const]),
  ]
  const sizes = sizePairsOf(requirement)
  const model = modelOf(found)
  const listed =
    sizes.length === 0
      ? null
      : await readListing({ shop, visitor, url, context }, { scope: { sizes }, requirement, vehicleName: model, kept })
  // Trim and size are choices within the year: its page has them all and is the one to keep. Without sizes there is
  // nothing on it yet but a question.
  const title = `${found.name} tires`
  const sizeTexts = sizes
    .slice(0, 3)
    .map(({ front, rear }) =>
      front === rear ? sizeName(front) : `${sizeName(front)} front with ${sizeName(rear)} rear`,
    )
  const about = `Listed with ${sizeTexts.join(', ')}: confirm on the door label. Installed near you.`
  return pack({
    head: listed
      ? {
          ...listingHead({ url, title, kept, read: listed, about }),
          ...(kept.length === 0 ? {} : { isIndexed: false }),
        }
      : {
          title,
          description: `Tell us the size on the door label of your ${found.name}, and every tire is checked against it.`,
          path: url.pathname,
          isIndexed: false,
        },
    heading: `Tires for your ${found.name}`,
    about: null,
    crumbs: [
      { label: vehicle.make, path: paths.make(makeSlug) },
      { label: model, path: paths.model(makeSlug, modelSlug) },
    ],
    here: vehicleName({ year, make: '', model: '', trim: otherTrims.length === 0 ? trim?.vehicle.trim : undefined }),
    panel: vehiclePanel({ found, requirement, chosen, back: `${url.pathname}${url.search}` }),
    help: sizes.length === 0 ? null : paths.recommendations({ vehicle: encodeChosenVehicle(chosen) }),
    listing: listed?.listing ?? null,
    empty: listed ? listed.empty : null,
    ways: [],
    store: shop.config.store.name,
  })
}

export default function VehicleListing({ loaderData }: Route.ComponentProps) {
  return <ListingPage view={unpack(loaderData)} />
}

/** What the browser remembers of this very vehicle, label and confirmation included; undefined for any other one. */
function settledBy(cookie: string | undefined, open: ChosenVehicle): ChosenVehicle | undefined {
  const mine = cookie === undefined ? undefined : decodeChosenVehicle(cookie)
  if (!mine || mine.year !== open.year || mine.makeSlug !== open.makeSlug || mine.modelSlug !== open.modelSlug)
    return undefined
  if (
    mine.vehicleId !== open.vehicleId ||
    (open.fitmentId !== null && mine.fitmentId !== open.fitmentId && mine.label === null)
  )
    return undefined
  return { ...mine, name: open.name }
}
