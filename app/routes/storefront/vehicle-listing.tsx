import { applicationContext, visitorContext } from '#app/server/context.ts'
import { redirect } from 'react-router'
import { paths, withQuery } from '#content/paths.ts'
import type { ListingPageView } from '#app/ui/listing-data.ts'
import { ListingPage } from '#app/ui/listing-page.tsx'
import { pack, unpack, type Packed } from '#app/ui/packed.ts'
import { pageHead, type PageHead } from '#app/ui/page-head.ts'
import { comparingBar } from '#app/ui/comparing.tsx'
import { sizePairsOf, type SizePair } from '#domain/catalog/catalog/catalog.server.ts'
import { encodeChosenVehicle, vehicleName, type ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import {
  findRequirement,
  findVehicle,
  listModelsNamed,
  type VehicleFound,
} from '#domain/catalog/vehicles/vehicles.server.ts'
import type { Application } from '#application'
import type { Kept } from './listing-address.ts'
import { listingHead, movedTo, notFound, readListing, sizeName, type ListingRead } from './listing.server.ts'
import { onlyTrim, settledBy, vehicleOf, vehiclePanel } from './vehicle-panel.server.ts'
import type { Route } from './+types/vehicle-listing.ts'

export const handle = { bar: comparingBar }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData ? pageHead(matches, unpack(loaderData).head) : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/**
 * One year of a model. The trim and, if it has several, the original size are in the query; what the shopper confirmed
 * is in the cookie.
 */
export async function loader({ params, url, context }: Route.LoaderArgs): Promise<Packed<ListingPageView>> {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const trimSlug = url.searchParams.get('trim')?.toLowerCase() || undefined
  const found = await requireVehicle(app, { ...params, trimSlug }, url)
  const { year, make, model, makeSlug, modelSlug } = vehicleOf(found)

  const open = openChoice(found, Number(url.searchParams.get('fitment') ?? Number.NaN))
  const chosen = settledBy(visitor.vehicle, open) ?? open
  const requirement = await findRequirement(app, found, chosen)
  const kept = [
    ...(trimSlug ? [['trim', trimSlug] as const] : []),
    ...(open.fitmentId === null ? [] : [['fitment', String(open.fitmentId)] as const]),
  ]
  const sizes = sizePairsOf(requirement)
  const trim = onlyTrim(found)?.vehicle.trim
  const listed =
    sizes.length === 0
      ? null
      : await readListing(
          { url, context },
          {
            scope: { sizes },
            requirement,
            vehicleName: vehicleName({ make: '', model, trim }),
            kept,
          },
        )
  return pack({
    head: listed ? listedHead(url, found, { sizes, kept, listed }) : labelHead(url, found),
    heading: `Tires for your ${found.name}`,
    about: null,
    crumbs: [
      { label: make, path: paths.make(makeSlug) },
      { label: model, path: paths.model(makeSlug, modelSlug) },
    ],
    here: vehicleName({ year, make: '', model: '', trim }),
    panel: vehiclePanel({ found, requirement, chosen, back: `${url.pathname}${url.search}` }),
    help: sizes.length === 0 ? null : paths.recommendations({ vehicle: encodeChosenVehicle(chosen) }),
    listing: listed?.listing ?? null,
    empty: listed?.empty ?? null,
    ways: [],
    store: app.config.store.name,
  })
}

export default function VehicleListing({ loaderData }: Route.ComponentProps) {
  return <ListingPage view={unpack(loaderData)} />
}

/**
 * The vehicle in the address. Throws 404 for an unknown one, and a redirect to its canonical address if make or model
 * are spelled or named differently.
 */
async function requireVehicle(
  app: Application,
  asked: { make: string; model: string; year: string; trimSlug: string | undefined },
  url: URL,
): Promise<VehicleFound> {
  const [makeSlug, modelSlug] = [asked.make.toLowerCase(), asked.model.toLowerCase()]
  if (!/^\d{4}$/.test(asked.year)) throw notFound()
  const year = Number(asked.year)
  if (makeSlug !== asked.make || modelSlug !== asked.model) throw movedTo(paths.vehicle(makeSlug, modelSlug, year), url)
  const read = await findVehicle(app, { year, makeSlug, modelSlug, trimSlug: asked.trimSlug })
  if (!read.ok) {
    const named = await listModelsNamed(app, { year, makeSlug, modelSlug })
    // The page for the name lists the models to choose from.
    throw named.length > 0 ? redirect(withQuery(paths.model(makeSlug, modelSlug), { year })) : notFound()
  }
  const vehicle = vehicleOf(read.value)
  if (vehicle.makeSlug !== makeSlug || vehicle.modelSlug !== modelSlug)
    throw movedTo(paths.vehicle(vehicle.makeSlug, vehicle.modelSlug, year), url)
  return read.value
}

/** Returns the vehicle from the URL, with the original size `fitmentId` if its only trim has it. */
function openChoice(found: VehicleFound, fitmentId: number): ChosenVehicle {
  const { year, makeSlug, modelSlug } = vehicleOf(found)
  const trim = onlyTrim(found)
  return {
    vehicleId: trim?.vehicle.id ?? null,
    fitmentId: trim?.fitments.some(({ id }) => id === fitmentId) ? fitmentId : null,
    year,
    makeSlug,
    modelSlug,
    name: found.name,
    confirmed: false,
    label: null,
  }
}

/** Trim and size only filter the page for the year, so its URL is the canonical one. */
function listedHead(
  url: URL,
  { name }: VehicleFound,
  { sizes, kept, listed }: { sizes: readonly SizePair[]; kept: Kept; listed: ListingRead },
): PageHead {
  const sizeTexts = sizes
    .slice(0, 3)
    .map(({ front, rear }) =>
      front === rear ? sizeName(front) : `${sizeName(front)} front with ${sizeName(rear)} rear`,
    )
  const about = `Listed with ${sizeTexts.join(', ')}. Confirm on the door label. Installed near you.`
  const head = listingHead({ url, title: `${name} tires`, kept, read: listed, about })
  return kept.length === 0 ? head : { ...head, isIndexed: false }
}

/** Without sizes, the page shows only the question about the placard. */
function labelHead(url: URL, { name }: VehicleFound): PageHead {
  return {
    title: `${name} tires`,
    description: `Enter the size on the door label of your ${name}, and we’ll check every tire against it.`,
    path: url.pathname,
    isIndexed: false,
  }
}
