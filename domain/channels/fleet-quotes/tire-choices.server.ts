/** Tires that fit all vehicles in a list with the same sizes, at an account's prices. */
import { findOffers, listTires, type Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import { plainQuery, serviceOf, type Offer } from '#domain/catalog/catalog/catalog.ts'
import { parseTireSize, sizeSlug } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { accountCatalog, unitOf, type QuoteDeps } from '#domain/ordering/quotes/quotes.server.ts'
import { isBelowFloor } from '#domain/ordering/quotes/quotes.ts'
import { readOfficeLimits } from '#domain/kernel/settings/settings.server.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { encodeChosenVehicle, type ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { FleetVehicle } from './fleet-quotes.sql.server.ts'

/** A tire choice for a group of vehicles. It has one item, or a front and a rear item. */
export type TireChoice = {
  key: string
  name: string
  frontItemId: number
  rearItemId: number
  frontUnitCents: number
  rearUnitCents: number
}

/** The vehicles that take the same tires. */
export type TireGroup = { front: string; rear: string; vehicles: FleetVehicle[] }

/** Tires offered for each group, the first one recommended. */
const choicesShown = 8

/** Groups vehicles with known tires by size, in list order. */
export function groupBySizes(vehicles: readonly FleetVehicle[]): TireGroup[] {
  const groups = Map.groupBy(vehicles, ({ front, rear }) => `${front} ${rear}`)
  return [...groups.values()].flatMap((same) => {
    const [first] = same
    return first?.front && first.rear ? [{ front: first.front, rear: first.rear, vehicles: same }] : []
  })
}

/** How many tires a vehicle takes in front and in the rear. */
export function countTires({ dualRearWheels }: Pick<FleetVehicle, 'dualRearWheels'>): { front: number; rear: number } {
  return { front: 2, rear: dualRearWheels ? 4 : 2 }
}

/**
 * Lists up to eight tires that fit every vehicle in the group and are sold to the account above the minimum quote
 * margin, with the recommended one first. For vehicles known only by size, only the size is evaluated.
 */
export async function listChoices(
  deps: QuoteDeps,
  accountId: string,
  { front, rear, vehicles }: TireGroup,
): Promise<TireChoice[]> {
  const [frontSize, rearSize] = [parseTireSize(front), parseTireSize(rear)]
  if (!frontSize || !rearSize) return []
  const catalog = accountCatalog(deps, accountId)
  const [first, ...others] = await requirementsOf(deps, vehicles)
  const sizes = [{ front: sizeSlug(frontSize), rear: sizeSlug(rearSize) }]
  const listed = await listTires(catalog, { scope: { sizes }, query: plainQuery, ...first })
  if (!listed.ok) return []
  let fitting = listed.value.offers.filter((offer) => first === undefined || isFitting(offer))
  for (const view of others) {
    const keys = fitting.map(({ key }) => key as `${number}`)
    fitting = (await findOffers(catalog, keys, view)).filter(isFitting)
  }
  const inStockFirst = fitting.toSorted((one, other) => Number(other.isInStock) - Number(one.isInStock))
  return priceChoices(deps, catalog, inStockFirst.slice(0, choicesShown))
}

function isFitting({ fitment }: Offer): boolean {
  return fitment?.verdict === 'fits' || fitment?.verdict === 'fits_with_conditions'
}

/** What each different vehicle requires. */
async function requirementsOf(deps: QuoteDeps, vehicles: readonly FleetVehicle[]) {
  const known = vehicles.flatMap(({ vehicle }) => vehicle ?? [])
  const different = new Map<string, ChosenVehicle>(known.map((vehicle) => [encodeChosenVehicle(vehicle), vehicle]))
  const found = await Promise.all([...different.values()].map((vehicle) => findChosenVehicle(deps, vehicle)))
  return found.flatMap((each) => (each.ok ? { requirement: each.value.requirement, vehicleName: each.value.name } : []))
}

async function priceChoices(deps: QuoteDeps, catalog: Catalog, offers: readonly Offer[]): Promise<TireChoice[]> {
  const ids = new Set(offers.flatMap(({ items }) => items.map(({ id }) => String(id))))
  const [alone, { quoteMarginFloorPpm }] = await Promise.all([findOffers(catalog, [...ids]), readOfficeLimits(deps.db)])
  const byId = new Map(alone.map((offer) => [offer.items[0].id, offer]))
  return offers.flatMap(({ key, line, items }) => {
    const [frontItem, rearItem = frontItem] = items
    const [front, rear] = [byId.get(frontItem.id), byId.get(rearItem.id)]
    if (!front || !rear) return []
    const quantity = frontItem.id === rearItem.id ? 4 : 2
    const frontUnitCents = unitOf(front, quantity, deps.businessTerms.current)
    const rearUnitCents = unitOf(rear, quantity, deps.businessTerms.current)
    const isLow =
      isBelowFloor({ unitCents: frontUnitCents, costCents: frontItem.costCents }, quoteMarginFloorPpm) ||
      isBelowFloor({ unitCents: rearUnitCents, costCents: rearItem.costCents }, quoteMarginFloorPpm)
    if (isLow) return []
    // One model may offer a size in several load ranges, at different prices.
    const services = new Set(items.map((item) => `${serviceOf(item)} ${item.loadRange ?? item.loadClass ?? ''}`.trim()))
    const name = `${line.brand.name} ${line.name} ${[...services].join(' and ')}`
    return { key, name, frontItemId: frontItem.id, rearItemId: rearItem.id, frontUnitCents, rearUnitCents }
  })
}
