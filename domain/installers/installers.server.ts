/** Finding who installs. Every list is one statement and holds only shops that take the tires asked about. */
import type { Point } from '#domain/delivery/delivery.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type {
  CarrierLocation,
  NearbyCarrierLocation,
  NearbyShop,
  Shop,
  ShopClosure,
  TireSpec,
  UrbanArea,
  VanTown,
} from './installers.ts'
import {
  selectCarrierLocation,
  selectCarrierLocationsNear,
  selectShop,
  selectShopNames,
  selectShopPlaces,
  selectShopsInArea,
  selectShopsNear,
  selectStateCounts,
  selectVanServes,
  selectVans,
  selectVansOfZips,
  selectVanTowns,
} from './installers.sql.server.ts'
import { urbanAreasOf } from './urban-areas.ts'

export { shopTerms } from './installers.sql.server.ts'

export type InstallerDeps = { db: Database; clock: Clock }

/**
 * A shop or van that takes orders, with the days it is closed from today on; undefined when there is none of that code
 * or id.
 */
export async function findShop(
  { db, clock }: InstallerDeps,
  key: { code: string } | { id: number },
): Promise<(Shop & { closures: ShopClosure[] }) | undefined> {
  // The westernmost shop decides what "today" is: a closure too many does no harm.
  return selectShop(db, key, clock.now().toZonedDateTimeISO('Pacific/Pago_Pago').toPlainDate())
}

/**
 * The shops nearest to a ZIP or point, within 50 miles unless told otherwise, that take `tires`, each with its price
 * and time for them. Without `tires` all shops are listed and none has a quote.
 */
export async function findShopsNear(
  { db }: Pick<InstallerDeps, 'db'>,
  input: {
    near: { zip: string } | { point: Point }
    tires?: readonly TireSpec[]
    limit?: number
    withinMiles?: number
  },
): Promise<Outcome<NearbyShop[], Refused<'zip-not-found'>>> {
  const shops = await selectShopsNear(db, input.near, input.tires, {
    limit: input.limit ?? 20,
    withinMiles: input.withinMiles ?? 50,
  })
  return shops ? ok(shops) : refused('zip-not-found')
}

/** The vans that come to `zip` and take `tires`. */
export async function findVans(
  { db }: Pick<InstallerDeps, 'db'>,
  input: { zip: string; tires?: readonly TireSpec[] },
): Promise<NearbyShop[]> {
  return selectVans(db, input.zip, input.tires)
}

/** Whether a van comes to `zip`; `outsideAreaMessage` says so when it does not. */
export async function vanServes(
  { db }: Pick<InstallerDeps, 'db'>,
  input: { shopId: number; zip: string },
): Promise<boolean> {
  return selectVanServes(db, input.shopId, input.zip)
}

/** The counter of this id, or undefined. */
export async function findCarrierLocation(
  { db }: Pick<InstallerDeps, 'db'>,
  id: number,
): Promise<CarrierLocation | undefined> {
  return selectCarrierLocation(db, id)
}

/** Counters near `zip`, within 25 miles unless told otherwise, where a carrier keeps a parcel for its receiver. */
export async function findCarrierLocationsNear(
  { db }: Pick<InstallerDeps, 'db'>,
  input: { zip: string; limit?: number; withinMiles?: number },
): Promise<Outcome<NearbyCarrierLocation[], Refused<'zip-not-found'>>> {
  const locations = await selectCarrierLocationsNear(db, input.zip, {
    limit: input.limit ?? 10,
    withinMiles: input.withinMiles ?? 25,
  })
  return locations ? ok(locations) : refused('zip-not-found')
}

/**
 * Every city that has shops, by state and name; `urbanAreasOf` says what a city is, and how it comes by its address.
 */
export async function listUrbanAreas({ db }: Pick<InstallerDeps, 'db'>): Promise<UrbanArea[]> {
  return urbanAreasOf(await selectShopPlaces(db))
}

/** The shops of a city, the best rated first. */
export async function listShopsInArea({ db }: Pick<InstallerDeps, 'db'>, area: UrbanArea): Promise<Shop[]> {
  return selectShopsInArea(db, area)
}

/** The towns a van comes to, those in which it comes to the most ZIPs first; it need not come to all of a town. */
export async function listVanTowns({ db }: Pick<InstallerDeps, 'db'>, shopId: number): Promise<VanTown[]> {
  return selectVanTowns(db, shopId)
}

/** The vans that come to any of these ZIPs, the best rated first: the mobile installers of an area. */
export async function listVansServing({ db }: Pick<InstallerDeps, 'db'>, zips: readonly string[]): Promise<Shop[]> {
  return selectVansOfZips(db, zips)
}

/** How many shops and vans each state has: cheap to know, for lists of all of them in parts. */
export async function countShopsByState({
  db,
}: Pick<InstallerDeps, 'db'>): Promise<{ state: string; count: number }[]> {
  return selectStateCounts(db)
}

/** What the addresses of every shop and van in these states are made of, in a stable order. */
export async function listShopNames(
  { db }: Pick<InstallerDeps, 'db'>,
  states: readonly string[],
): Promise<Pick<Shop, 'slug' | 'code'>[]> {
  return selectShopNames(db, states)
}
