/** Finding installers. Every list is one statement and has only shops that take the given tires. */
import { findServedPlace } from '#domain/kernel/places/places.server.ts'
import type { ZipRefusal } from '#domain/kernel/places/places.ts'
import type { Point } from '#domain/supply/delivery/delivery.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome } from '#platform/outcome.ts'
import type { NearbyShop, Shop, ShopInFull, TireSpec, UrbanArea, VanTown } from './installers.ts'
import {
  selectShop,
  selectShopNames,
  selectShopPlaces,
  selectShopsAtZip,
  selectShopsInArea,
  selectShopsNear,
  selectStateCounts,
  selectVanServes,
  selectVans,
  selectVansOfZips,
  selectVanTowns,
  type ShopKey,
} from './installers.sql.server.ts'
import { urbanAreasOf } from './urban-areas.ts'

export { certifyShop, listCertifications, listCertifiedShops, revokeCertification } from './certifications.server.ts'
export { addNewShop, exportShopMemberships, listShopMembers, readShopOwnership } from './new-shop.server.ts'
export {
  deleteProfileRequest,
  putProfileRequest,
  selectProfileRequests,
  type ProfileRequest,
} from './profile-requests.sql.server.ts'
export {
  closeAfterLastDay,
  keepAppointment,
  lockShopRecord,
  raiseShopVersion,
  selectClosingShops,
  selectKept,
  lockShopImport,
  selectShopRecord,
  selectShopRecords,
  selectShopTwin,
  setClosing,
  updateShopProfile,
  updateStatus,
  type ClosingShop,
  type ShopPlace,
  type ShopProfile,
  type ShopRecord,
  type ShopStatus,
  type StatusChange,
} from './shop-record.sql.server.ts'
export {
  countsJobs,
  dayAtShop,
  lockShopTerms,
  nextPricesAt,
  noticeAt,
  noticeOn,
  servicePrices,
  shopPrices,
  shopVersions,
} from './installers.sql.server.ts'
export { lockVan, readVanZips, replaceVanZips, selectBadZips } from './van-areas.server.ts'
export { addShopRating } from './shop-rating.server.ts'
export {
  addMember,
  endMembership,
  findInvitation,
  listMembers,
  lockPeople,
  setMemberRole,
  type Colleague,
} from './shop-people.server.ts'
export {
  bindShopMembers,
  listMemberships,
  readShopName,
  readStaffMembership,
  staffMemberId,
  lockMembership,
  type Membership,
} from './shop-members.server.ts'
export {
  listShopRecipients,
  listSummaries,
  readMemberNotifications,
  readSummaryOf,
  saveMemberNotifications,
  setTextPhone,
  type MemberNotifications,
  type ShopRecipient,
} from './shop-notifications.server.ts'
export {
  findOfficeShop,
  findOfficeShops,
  listOfficeShops,
  type OfficeShop,
  type OfficeShopState,
} from './office-shops.server.ts'
export { findPaidShop, listPaidShops, listShopOwners, type PaidShop } from './paid-shops.server.ts'
export {
  addClosure,
  listDayHours,
  lockShopInSetUp,
  offerShop,
  readShopTerms,
  removeClosure,
  replaceHours,
  replaceRates,
  setJobLengths,
} from './shop-terms.server.ts'

export {
  deleteCapacity,
  listVersions,
  lockOpenShop,
  writeCapacity,
  type CapacityTerms,
  type VersionDays,
} from './shop-capacity.server.ts'

export {
  countInvitations,
  insertShopEvent,
  selectShopEvents,
  type ShopAct,
  type ShopEvent,
} from './shop-events.server.ts'
export { deletePrices, listPrices, readAlignmentMinutes, writePrices, type PriceList } from './shop-prices.server.ts'

export type InstallerDeps = { db: Database; clock: Clock }

/**
 * Returns an active shop or van, with its closures from today on and its service prices; undefined if there is no match
 * for the code or id. Its prices are today's, or for a cart with a reservation there, those in effect when it was made.
 */
export async function findShop({ db, clock }: InstallerDeps, key: ShopKey): Promise<ShopInFull | undefined> {
  // "Today" is in the westernmost shop's time zone, because one extra closure is harmless.
  const now = clock.now()
  return selectShop(db, key, { now, today: now.toZonedDateTimeISO('Pacific/Pago_Pago').toPlainDate() })
}

/**
 * Lists the shops nearest to a ZIP or point, by default within 50 miles, that take `tires`, each with its price and
 * time for them. Without `tires` lists all shops, without quotes. `only` lists one shop, however far it is. Refuses a ZIP
 * without service (`ZipRefusal`).
 */
export async function findShopsNear(
  { db, clock }: InstallerDeps,
  input: {
    near: { zip: string } | { point: Point }
    tires?: readonly TireSpec[]
    limit?: number
    withinMiles?: number
    only?: number | undefined
  },
): Promise<Outcome<NearbyShop[], ZipRefusal>> {
  const shops = await selectShopsNear(db, input.near, input.tires, {
    limit: input.limit ?? 20,
    withinMiles: input.only === undefined ? (input.withinMiles ?? 50) : anywhereMiles,
    only: input.only,
    now: clock.now(),
  })
  if (shops) return ok(shops)
  const place = 'zip' in input.near ? await findServedPlace(db, input.near.zip) : refused('zip-not-found')
  return place.ok ? ok([]) : place
}

/** More than the distance between any two shops. */
const anywhereMiles = 6_000

/** Lists the vans that serve `zip` and take `tires`. */
export async function findVans(
  { db, clock }: InstallerDeps,
  input: { zip: string; tires?: readonly TireSpec[] },
): Promise<NearbyShop[]> {
  return selectVans(db, input.zip, input.tires, clock.now())
}

/** Lists the open shops in a ZIP code with their streets, for comparison with an address. */
export const findShopsAtZip = ({ db }: Pick<InstallerDeps, 'db'>, zip: string): ReturnType<typeof selectShopsAtZip> =>
  selectShopsAtZip(db, zip)

/** Whether a van serves `zip`; `outsideAreaMessage` is the message if it does not. */
export async function vanServes(
  { db }: Pick<InstallerDeps, 'db'>,
  input: { shopId: number; zip: string },
): Promise<boolean> {
  return selectVanServes(db, input.shopId, input.zip)
}

/** Lists every city with shops, by state and name; `urbanAreasOf` defines cities and their slugs. */
export async function listUrbanAreas({ db }: Pick<InstallerDeps, 'db'>): Promise<UrbanArea[]> {
  return urbanAreasOf(await selectShopPlaces(db))
}

/** Lists a city's shops, best rated first. */
export async function listShopsInArea({ db, clock }: InstallerDeps, area: UrbanArea): Promise<Shop[]> {
  return selectShopsInArea(db, area, clock.now())
}

/** Lists the towns a van serves, those with the most served ZIPs first; it may serve only part of a town. */
export async function listVanTowns({ db }: Pick<InstallerDeps, 'db'>, shopId: number): Promise<VanTown[]> {
  return selectVanTowns(db, shopId)
}

/** Lists an area's mobile installers, meaning vans that serve any of these ZIP codes, best rated first. */
export async function listVansServing({ db, clock }: InstallerDeps, zips: readonly string[]): Promise<Shop[]> {
  return selectVansOfZips(db, zips, clock.now())
}

/** Counts shops and vans by state, a cheap query for splitting complete lists. */
export async function countShopsByState({
  db,
}: Pick<InstallerDeps, 'db'>): Promise<{ state: string; count: number }[]> {
  return selectStateCounts(db)
}

/** Lists the parts of the URLs of every shop and van in these states, in a stable order. */
export async function listShopNames(
  { db }: Pick<InstallerDeps, 'db'>,
  states: readonly string[],
): Promise<Pick<Shop, 'slug' | 'code'>[]> {
  return selectShopNames(db, states)
}
