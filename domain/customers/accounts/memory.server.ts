/** What an account remembers across browsers, and how a browser's data joins it. */
import { joinGuest, type RememberedCart, type Search } from './join-guest.ts'
import {
  deleteSearches,
  lockAccount,
  selectPersonalization,
  selectSearches,
  selectVehicleChoices,
  upsertPersonalization,
  upsertSearches,
  upsertVehicle,
} from './memory.sql.server.ts'
import { releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import {
  findAccountCart,
  keepCart,
  lockOpenCart,
  mergeCarts,
  rotateCart,
  rotateOrderedCart,
} from '#domain/payments/cart/cart.server.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'

type Deps = { db: Database; clock: Clock }

/** What a browser stores, read from its cookies. */
export type BrowserMemory = {
  zip: string | null
  compared: readonly string[]
  /** Newest first. */
  searches: readonly Search[]
  vehicle: ChosenVehicle | null
  cartId: string | null
}

/**
 * Joins the browser's data with the account's by the rule of `joinGuest`, and returns what the browser should store. A
 * guest's cart gets a new key, so that a key from before the sign-in, known to someone else, opens neither the cart nor
 * the order it becomes or has become. The browser opens orders it placed with a separate cookie.
 */
export async function bringGuest({ db, clock }: Deps, accountId: string, guest: BrowserMemory): Promise<BrowserMemory> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, accountId)
    const { zip, compared } = await selectPersonalization(tx, accountId)
    const account = {
      zip,
      compared,
      searches: (await selectSearches(tx, accountId)).map(({ label, path }) => ({ label, path })),
      vehicles: await selectVehicleChoices(tx, accountId),
    }
    if (guest.cartId !== null) await rotateOrderedCart(tx, guest.cartId)
    const carts = await lockCarts(tx, accountId, guest.cartId)
    const joined = joinGuest(
      { ...guest, vehicles: guest.vehicle ? [guest.vehicle] : [], cart: carts.guest },
      { ...account, cart: carts.account },
    )

    await upsertPersonalization(tx, accountId, { zip: joined.zip ?? undefined, compared: joined.compared }, now)
    await upsertSearches(tx, accountId, guest.searches, now)
    const [vehicle = null] = joined.vehicles
    if (guest.vehicle && vehicle) await upsertVehicle(tx, accountId, vehicle, now)
    if (joined.cartId !== null) {
      await keepCart(tx, joined.cartId, accountId)
      if (joined.emptied !== null) {
        await releaseHold({ db: tx, clock }, { cartId: joined.emptied, actor: 'system', note: 'no-tires' })
        await mergeCarts(tx, { from: joined.emptied, into: joined.cartId, now })
      }
    }
    const isNew = joined.cartId !== null && joined.cartId === carts.guest?.id && carts.isUnowned
    const cartId = isNew ? await rotateCart(tx, joined.cartId) : joined.cartId
    return { zip: joined.zip, compared: joined.compared, searches: joined.searches, vehicle, cartId }
  })
}

/** Stores the values a response sets in the browser for the account. Omitted values stay. */
export async function keepForAccount(
  { db, clock }: Deps,
  accountId: string,
  kept: Partial<{ [Part in keyof BrowserMemory]: NonNullable<BrowserMemory[Part]> }>,
): Promise<void> {
  const now = clock.now()
  const { zip, compared, searches, vehicle, cartId } = kept
  if (zip !== undefined || compared !== undefined) await upsertPersonalization(db, accountId, { zip, compared }, now)
  if (searches !== undefined) await upsertSearches(db, accountId, searches.slice(0, 1), now)
  if (vehicle !== undefined) await upsertVehicle(db, accountId, vehicle, now)
  if (cartId !== undefined) await keepCart(db, cartId, accountId)
}

export type Personalization = { zip: string | null; gaClientId: string | null }

/** Returns an account's personalization. */
export async function readPersonalization({ db }: Pick<Deps, 'db'>, accountId: string): Promise<Personalization> {
  const { zip, gaClientId } = await selectPersonalization(db, accountId)
  return { zip, gaClientId }
}

/** Changes it; omitted values stay. An unknown ZIP code is ignored. */
export async function personalize(
  { db, clock }: Deps,
  accountId: string,
  change: { zip?: string | undefined; gaClientId?: string | undefined },
): Promise<Personalization> {
  await upsertPersonalization(db, accountId, change, clock.now())
  return readPersonalization({ db }, accountId)
}

/** Lists the searches of an account, newest first, at most twenty. */
export function listSearches(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
): Promise<(Search & { searchedAt: Temporal.Instant })[]> {
  return selectSearches(db, accountId)
}

/** Deletes every search of an account. */
export function forgetSearches({ db }: Pick<Deps, 'db'>, accountId: string): Promise<void> {
  return deleteSearches(db, accountId)
}

/** Both carts, locked in key order to avoid deadlocks. `isUnowned`: the guest's belongs to no account. */
async function lockCarts(
  tx: Tx,
  accountId: string,
  guestId: string | null,
): Promise<{ guest: RememberedCart | null; account: RememberedCart | null; isUnowned: boolean }> {
  let isUnowned = false
  const accountCartId = await findAccountCart(tx, accountId)
  const locked = new Map<string, RememberedCart>()
  for (const id of [guestId, accountCartId].filter((id) => typeof id === 'string').sort()) {
    const cart = await lockOpenCart(tx, id)
    if (cart && id === guestId) isUnowned = cart.accountId === null
    if (cart)
      locked.set(id, {
        id,
        tires: cart.tires,
        isOthers: cart.accountId !== null && cart.accountId !== accountId,
        isService: cart.service !== null,
      })
  }
  return { guest: locked.get(guestId ?? '') ?? null, account: locked.get(accountCartId ?? '') ?? null, isUnowned }
}
