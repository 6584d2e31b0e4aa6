/**
 * Cart holds, which reserve selected times for some minutes with their tires, and are extended, released, and expired.
 */
import type { StockTaken } from '#domain/supply/delivery/delivery.server.ts'
import { vanServes } from '#domain/scheduling/installers/installers.server.ts'
import { atOnce } from '#platform/at-once.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db.ts'
import { retryDeadlocks } from '#platform/deadlocks.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  bookingCan,
  holdExtensionMinutes,
  holdMinutes,
  type Actor,
  type Booking,
  type Choice,
  type ChosenTime,
  type Installation,
} from './booking.ts'
import {
  expireLapsed,
  heldBooking,
  insertHoldOrUndo,
  isStillFree,
  selectBays,
  selectBooking,
  updateHoldEnd,
  updateState,
} from './booking.sql.server.ts'
import type { BookableShop } from './shop-calendar.sql.server.ts'
import { isTaken } from './change-bay.server.ts'
import { holdTires, parcelsToHold } from './held-tires.server.ts'
import { isLiveHold, isSamePlace, placesOf, termsOf } from './places.ts'
import { tryHold, type TooManyHolds } from './try-hold.server.ts'
import { placeFor, type FreePlace } from './slots.ts'
import { readShop, takenAt, type BookingDeps, type ChoiceRefusal } from './bookable-shop.server.ts'

export type HoldRefusal = ChoiceRefusal | Refused<TooManyHolds> | Refused<'outside-area'> | Refused<'out-of-stock'>

/**
 * Holds a time for a cart for ten minutes. The cart's earlier hold is released only if this one succeeds. Idempotent
 * for the same time. `zip` is a van's destination. `heldBy` is an opaque key of the visitor's network address or
 * of a staff member, for the limits on live holds: few per visitor, many per network. `parcels` are the tires to hold with the time, for as long
 * as it is held. Refuses with `slot-taken` and the next available times of the same kind, or with `out-of-stock` if
 * other carts have since held or bought the tires. Runs its own transactions.
 */
export async function holdSlot(
  deps: BookingDeps,
  input: Installation & {
    cartId: string
    shopId: number
    choice: Choice
    heldBy?: string
    actor?: Actor
    parcels?: readonly StockTaken[]
  },
): Promise<Outcome<Booking, HoldRefusal>> {
  const now = deps.clock.now()
  const [ready, earlier] = await atOnce(deps.db, [
    (db) => readShop({ ...deps, db }, input, { cartId: input.cartId }),
    (db) => selectBooking(db, { cartId: input.cartId }),
  ])
  if (!ready.ok) return ready
  const { shop, ask } = ready.value
  if (shop.kind === 'van' && !(input.zip && (await vanServes(deps, { shopId: shop.id, zip: input.zip }))))
    return refused('outside-area')

  const found = placeFor(shop, ask, input.choice)
  if (!found.ok) return found.reason === 'slot-taken' ? takenAt(deps, input, { cartId: input.cartId }) : found
  const same = earlier && isSamePlace(earlier, shop, { ...found.value, zip: input.zip }) ? earlier : undefined
  if (same && isLiveHold(same, now))
    return (await holdTires(deps, same, { parcels: input.parcels ?? [], heldBy: input.heldBy }))
      ? ok(same)
      : refused('out-of-stock')
  return (await holdAt(deps, input, shop, found.value)) ?? takenAt(deps, input, { cartId: input.cartId })
}

/** Holds the first bay that is still free at a place; undefined if others took all of them. */
async function holdAt(
  { db, clock }: BookingDeps,
  { cartId, zip, heldBy, actor, parcels = [] }: Parameters<typeof holdSlot>[1],
  shop: BookableShop,
  at: FreePlace,
): Promise<Outcome<Booking, Refused<TooManyHolds> | Refused<'out-of-stock'>> | undefined> {
  const now = clock.now()
  const held = { cartId, heldBy: heldBy ?? null, expiresAt: now.add({ minutes: holdMinutes }) }
  for (const place of placesOf(shop, at, zip)) {
    const hold = { ...place, ...held, id: newId(), parcels: parcelsToHold(parcels) }
    const outcome = await tryHold(db, hold, { now, actor: actor ?? 'customer' })
    if (outcome === 'held') return ok(heldBooking(hold, termsOf(shop, hold.start)))
    if (outcome !== 'taken') return refused(outcome)
  }
  return undefined
}

/**
 * Holds a time until `until` within the caller's transaction, for the cart of a placed order. The cart's earlier hold
 * is released. Refuses as holding does, without writing.
 */
export async function holdWithin(
  tx: Tx,
  clock: Clock,
  input: Installation & { cartId: string; shopId: number; choice: Choice; until: Temporal.Instant; actor: Actor },
): Promise<Outcome<Booking, ChoiceRefusal>> {
  const deps = { db: tx, clock }
  const ready = await readShop(deps, input, { cartId: input.cartId })
  if (!ready.ok) return ready
  const { shop, ask } = ready.value
  const found = placeFor(shop, ask, input.choice)
  if (!found.ok && found.reason !== 'slot-taken') return found
  for (const place of found.ok ? placesOf(shop, found.value, input.zip) : []) {
    const hold = { ...place, id: newId(), cartId: input.cartId, heldBy: null, expiresAt: input.until }
    try {
      if (await insertHoldOrUndo(tx, hold, { now: clock.now(), actor: input.actor }))
        return ok(heldBooking(hold, termsOf(shop, hold.start)))
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
  return takenAt(deps, input, { cartId: input.cartId })
}

/** Returns the cart's hold, including an expired one that hasn't been swept; undefined without a hold. */
export async function findHold({ db }: Pick<BookingDeps, 'db'>, cartId: string): Promise<Booking | undefined> {
  const booking = await selectBooking(db, { cartId })
  return booking?.state === 'held' ? booking : undefined
}

/** Returns the time a cart chose last and what happened to it; undefined if it never chose one or released it. */
export async function findChosenTime({ db, clock }: BookingDeps, cartId: string): Promise<ChosenTime | undefined> {
  const booking = await selectBooking(db, { cartId })
  const now = clock.now()
  if (booking?.state !== 'held' && booking?.state !== 'expired') return undefined
  if (isLiveHold(booking, now)) return { booking, status: 'held' }
  const isOver = Temporal.Instant.compare(booking.start, now) <= 0
  return { booking, status: !isOver && (await isStillFree(db, booking, now)) ? 'ended' : 'lost' }
}

/**
 * Extends the cart's hold by ten minutes, even after it expired if the slot is still free. Refuses when there is no
 * hold, after ten extensions, and `slot-lost` when the slot has been taken. Runs its own transactions.
 */
export async function extendHold(
  { db, clock }: BookingDeps,
  { cartId }: { cartId: string },
): Promise<Outcome<Booking, Refused<'no-hold'> | Refused<'too-many-extensions'> | Refused<'slot-lost'>>> {
  const booking = await selectBooking(db, { cartId })
  if (booking?.state === 'expired') return takeBack({ db, clock }, booking, cartId)
  if (booking?.state !== 'held' || !booking.holdExpiresAt) return refused('no-hold')
  const permission = bookingCan.extend(booking)
  if (!permission.can) return refused(permission.why)
  const now = clock.now()
  const from = Temporal.Instant.compare(booking.holdExpiresAt, now) > 0 ? booking.holdExpiresAt : now
  const until = from.add({ minutes: holdExtensionMinutes })
  const extensions = booking.holdExtensions + 1
  return (await updateHoldEnd(db, booking.id, { until, extensions }))
    ? ok({ ...booking, holdExpiresAt: until, holdExtensions: extensions })
    : refused('no-hold')
}

/**
 * Extends the cart's hold to at least `until` while a payment is in progress, without counting as an extension. Skips a
 * missing or expired hold.
 */
export async function keepHold(
  { db, clock }: BookingDeps,
  { cartId, until }: { cartId: string; until: Temporal.Instant },
): Promise<void> {
  const booking = await selectBooking(db, { cartId })
  if (booking?.state !== 'held' || !booking.holdExpiresAt) return
  const { id, holdExpiresAt, holdExtensions: extensions } = booking
  const isOver = Temporal.Instant.compare(holdExpiresAt, clock.now()) <= 0
  if (isOver || Temporal.Instant.compare(holdExpiresAt, until) >= 0) return
  await updateHoldEnd(db, id, { until, extensions })
}

/** Holds the slot of an expired hold again, on the same bay or another bay of the shop. */
async function takeBack(
  { db, clock }: BookingDeps,
  lost: Booking,
  cartId: string,
): Promise<Outcome<Booking, Refused<'slot-lost'>>> {
  const now = clock.now()
  if (Temporal.Instant.compare(lost.start, now) <= 0) return refused('slot-lost')
  for (const bayId of await selectBays(db, { ...lost, first: lost.bayId })) {
    const hold = { ...lost, bayId, id: newId(), cartId, heldBy: null, expiresAt: now.add({ minutes: holdMinutes }) }
    if ((await tryHold(db, hold, { now, actor: 'customer', note: `renews ${lost.id}` })) === 'held')
      return ok(heldBooking(hold, lost))
  }
  return refused('slot-lost')
}

/** Releases the cart's hold and its tires, if any. `note` records the reason. */
export async function releaseHold(
  { db, clock }: BookingDeps,
  { cartId, actor = 'customer', note }: { cartId: string; actor?: Actor; note?: string },
): Promise<void> {
  const booking = await findHold({ db }, cartId)
  if (booking)
    await updateState(db, { id: booking.id, from: 'held', to: 'canceled' }, { now: clock.now(), actor, note })
}

/**
 * Marks expired holds as expired and returns how many. Cleanup only; an expired slot is available the moment it
 * expires.
 */
export async function expireHolds({ db, clock }: BookingDeps): Promise<number> {
  const batch = 500
  let total = 0
  for (;;) {
    // Other transactions lock the same bays and tires in a different order.
    const count = await retryDeadlocks(() => expireLapsed(db, batch, { now: clock.now(), actor: 'system' }))
    total += count
    if (count < batch) return total
  }
}
