/** Finds a quote's vehicle and tires from text staff enter. */
import { findOffers, resolveQuery, sizePairsOf } from '#domain/catalog/catalog/catalog.server.ts'
import type { Item, Offer } from '#domain/catalog/catalog/catalog.ts'
import { findChosenVehicle, findVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { QuoteDeps } from './price-quote.server.ts'

/** Tires listed at a time. */
const tiresShown = 12

/** Returns the vehicle for text such as "2019 Honda CR-V EX"; undefined without a match or a year. */
export async function findVehicleByName(deps: QuoteDeps, text: string): Promise<ChosenVehicle | undefined> {
  const place = (await placesMeant(deps, text)).find(({ kind }) => kind === 'vehicle')
  if (place?.kind !== 'vehicle' || place.year === undefined || place.modelSlug === undefined) return undefined
  const { year, makeSlug, modelSlug, trimSlug } = place
  const found = await findVehicle(deps, { year, makeSlug, modelSlug, trimSlug })
  if (!found.ok) return undefined
  const { name } = found.value
  const trims = found.value.kind === 'sized' ? found.value.trims : []
  const trim = trims.length === 1 ? trims[0] : undefined
  const [fitment, ...others] = trim?.fitments ?? []
  return {
    vehicleId: trim?.vehicle.id ?? null,
    fitmentId: fitment && others.length === 0 ? fitment.id : null,
    year,
    makeSlug,
    modelSlug,
    name: name.slice(0, 90),
    confirmed: false,
    label: null,
  }
}

/**
 * Finds tires by size, line, number or vehicle, those that fit `vehicle` first and then by price; without a text, the
 * tires in the vehicle's sizes. At most twelve.
 */
export async function findTires(deps: QuoteDeps, text: string, vehicle: ChosenVehicle | null): Promise<Offer[]> {
  const chosen = vehicle ? await findChosenVehicle(deps, vehicle) : undefined
  const requirement = chosen?.ok ? chosen.value.requirement : undefined
  const items =
    text === ''
      ? await itemsOfSizes(
          deps,
          requirement ? sizePairsOf(requirement).flatMap(({ front, rear }) => [front, rear]) : [],
        )
      : await itemsMeant(deps, text)
  const offers = await findOffers(
    deps.catalog,
    items.map(({ id }) => String(id)),
    requirement ? { requirement, vehicleName: vehicle?.name } : {},
  )
  const rank = { fits: 0, fits_with_conditions: 1, unknown: 2, does_not_fit: 3 } as const
  const rankOf = ({ fitment }: Offer) => (fitment ? rank[fitment.verdict] : 0)
  return offers.toSorted((a, b) => rankOf(a) - rankOf(b) || a.perTireCents - b.perTireCents).slice(0, tiresShown)
}

async function itemsMeant(deps: QuoteDeps, text: string): Promise<readonly Item[]> {
  const { cache } = deps.catalog
  for (const place of await placesMeant(deps, text)) {
    if (place.kind === 'item') return cache.itemsByNumber([place.itemId])
    if (place.kind === 'line') return cache.itemsOfLine(place.brandSlug, place.lineSlug)
    if (place.kind === 'listing' && place.size !== undefined) {
      const items = await itemsOfSizes(deps, [place.size])
      return items.filter(({ line }) => place.brand === undefined || line.brand.slug === place.brand)
    }
    if (place.kind === 'vehicle') {
      const vehicle = await findVehicleByName(deps, text)
      return vehicle ? (await findTires(deps, '', vehicle)).map(({ items: [item] }) => item) : []
    }
  }
  return []
}

async function itemsOfSizes({ catalog }: QuoteDeps, sizes: readonly string[]): Promise<Item[]> {
  const bySize = await catalog.cache.itemsOfSizes([...new Set(sizes)])
  return [...bySize.values()].flat()
}

/** What the text may mean, likeliest first. */
async function placesMeant({ catalog }: QuoteDeps, text: string) {
  const found = await resolveQuery(catalog, text)
  return found.kind === 'place' ? [found.place] : found.suggestions.map(({ place }) => place)
}
