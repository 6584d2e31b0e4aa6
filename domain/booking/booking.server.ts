/**
 * Offers times, holds them and manages appointments. Offers are calculated (`slots.ts`); what is kept is up to the
 * database: live bookings cannot overlap on a bay, even if the calculation is out of date. Over 400 lines: hold, confirm,
 * move and cancel are one life, with the same locks in the same order.
 */
import { quoteInstallation, type CapabilityFault, type InstallationQuote } from '#domain/installers/installers.ts'
import type { StockTaken } from '#domain/delivery/delivery.server.ts'
import { vanServes } from '#domain/installers/installers.server.ts'
import { findPlace } from '#domain/places/places.server.ts'
import { pointOf } from '#domain/places/places.ts'
import { atOnce } from '#platform/at-once.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
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
  type OfferedDay,
  type Opening,
} from './booking.ts'
import {
  confirmHeld,
  expireLapsed,
  heldBooking,
  insertHold,
  insertHoldOrUndo,
  isStillFree,
  selectBays,
  selectBooking,
  selectShops,
  updateHoldEnd,
  updateState,
  type BookableShop,
  type AppointmentRequirements,
} from './booking.sql.server.ts'
import { isTaken, tryMove } from './change-bay.server.ts'
import { holdTires, parcelsToHold } from './held-tires.server.ts'
import { isLiveHold, isSamePlace, lackOf, placesOf, termsOf } from './places.ts'
import { baysWithTravel } from './travel.ts'
import { tryHold, type TooManyHolds } from './try-hold.server.ts'
import { nextOpenings, offerDays, placeFor, tiresReady, type Ask, type FreePlace, type NoPlace } from './slots.ts'

export { moveHold, type AppointmentRequirements } from './booking.sql.server.ts'
export {
  cancelOwnJob,
  finishOwnJob,
  forgetOwnJobPeople,
  listOwnJobs,
  readCalendarVersion,
  readOwnJob,
  reopenOwnJob,
  saveOwnJob,
  type LiveOverlap,
  type OwnJob,
  type OwnJobRefusal,
} from './own-jobs.server.ts'
export { readCalendarVersions } from './calendar-versions.sql.server.ts'
export { setVanStop } from './van-stop.server.ts'
export { findReleaseNote, holdTires } from './held-tires.server.ts'
export { isLiveHold, lackOf } from './places.ts'
export { changeBay } from './change-bay.server.ts'
export { countBays, listBays, replaceBays, type BayPlace } from './bays.server.ts'
export { createCalendars, earliestTimes, type Calendars } from './calendars.server.ts'
export { bookingIdsOf, claimCodeOf, endBooking, findBooking, isClaimCode } from './end-booking.server.ts'
export { findBookingNews, listCanceled, type BookingNews } from './booking-news.server.ts'
export { shortenBooking } from './shorten-booking.server.ts'
export {
  listCapacity,
  listHurtBookings,
  lockAllBays,
  noteConflicts,
  setBayDays,
  setBayDaysAsBefore,
  type CapacityPlan,
  type HurtBooking,
} from './capacity.server.ts'
export { calendarFile, calendarLinks, calendarType, type Appointment } from './calendar.ts'
export { feedFile, shopEventFile } from './feed-file.ts'

export type BookingDeps = { db: Database; clock: Clock }
export type ShopRefusal = Refused<'shop-not-found'> | Refused<'shop-not-capable', CapabilityFault[]>
/** `next`: what can be held instead, soonest first. */
export type SlotTaken = Refused<'slot-taken', { next: Opening[] }>
export type ChoiceRefusal = ShopRefusal | Exclude<NoPlace, Refused<'slot-taken'>> | SlotTaken
export type HoldRefusal = ChoiceRefusal | Refused<TooManyHolds> | Refused<'outside-area'> | Refused<'out-of-stock'>

/**
 * Returns today and the next 30 days at one shop for these tires, with the price and duration of the work. One
 * statement.
 */
export async function offerTimes(
  deps: BookingDeps,
  input: Installation & { shopId: number },
): Promise<Outcome<{ timeZone: string; quote: InstallationQuote; days: OfferedDay[] }, ShopRefusal>> {
  const ready = await readShop(deps, input)
  if (!ready.ok) return ready
  const { shop, ask, quote } = ready.value
  return ok({ timeZone: shop.timeZone, quote, days: offerDays(shop, ask) })
}

/**
 * Holds a time for a cart for ten minutes. The cart's earlier hold is released only when this one succeeds; holding the
 * same time again changes nothing. `zip` is where a van has to come. `heldBy` is an opaque key of the visitor's network
 * address, for the limits on live holds: few per visitor, many per network. `parcels` are the tires to hold with the
 * time, for as long as it is held. Refuses `slot-taken` with the next free times of the same kind, and `out-of-stock`
 * when other carts hold or bought the tires meanwhile. Runs its own transactions.
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
 * Holds a time until `until` in a transaction of the caller, for the cart that an order was placed from. The cart's
 * earlier hold is released. Refuses as holding does, writing nothing.
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

/** Returns the cart's hold, including one that expired and was not swept yet; undefined if there is none. */
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

/** Returns the appointment of an order in any state; undefined if it never had one. */
export async function findAppointment(
  { db }: Pick<BookingDeps, 'db'>,
  key: { orderId: number } | { bookingId: string },
): Promise<Booking | undefined> {
  return selectBooking(db, key)
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
 * Keeps the cart's hold at least until `until`, without counting as an extension: for a payment whose answer is out.
 * Nothing happens without a hold, or to one that has expired.
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

/** Releases the cart's hold and its tires; does nothing if there is none. `note` says why, for the record. */
export async function releaseHold(
  { db, clock }: BookingDeps,
  { cartId, actor = 'customer', note }: { cartId: string; actor?: Actor; note?: string },
): Promise<void> {
  const booking = await findHold({ db }, cartId)
  if (booking)
    await updateState(db, { id: booking.id, from: 'held', to: 'canceled' }, { now: clock.now(), actor, note })
}

export type NotKept = Refused<'slot-lost'> | Refused<'no-hold'> | Refused<'too-soon'> | Refused<'too-short'>

/**
 * Reads what an appointment at a shop requires; what it returns says so for the day the tires arrive there. A time that
 * the cart `heldBy` holds was taken by the job lengths of its day.
 */
export async function appointmentRequirements(
  deps: BookingDeps,
  { shopId, tires, heldBy }: Pick<Installation, 'tires'> & { shopId: number; heldBy?: string },
): Promise<(arrivesOn: Temporal.PlainDate) => Outcome<AppointmentRequirements, ShopRefusal | Refused<'too-soon'>>> {
  const found = await readPlainShop(deps, { shopId, tires }, {}, heldBy)
  return (arrivesOn) => {
    if (!found.ok) return found
    const { shop, quote } = found.value
    const readyAt = tiresReady(shop, arrivesOn)
    return readyAt ? ok({ shopId, minutes: quote.minutes, readyAt }) : refused('too-soon')
  }
}

/**
 * Turns the cart's hold into the appointment of its order; `db` must be the order's transaction. Renews an expired hold
 * if its slot, or another bay of the shop at that time, is still free. Confirming the same order twice changes nothing.
 * Refuses `slot-lost` when the slot is taken or the time has passed, `no-hold` when the cart never chose a time at this
 * shop or released it, and `too-soon` or `too-short` when the tires or the cart changed and the time no longer gives
 * the order what it `needs`.
 */
export async function confirmHold(
  { db, clock }: BookingDeps,
  {
    cartId,
    orderId,
    requirements,
    actor = 'customer',
  }: { cartId: string; orderId: number; requirements?: AppointmentRequirements; actor?: Actor },
): Promise<Outcome<Booking, NotKept>> {
  const change = { now: clock.now(), actor }
  // Nearly always the hold exists and is long enough. Otherwise read it to decide what to do and what to refuse with.
  const confirmed = await confirmHeld(db, { cartId, orderId, requirements }, change)
  if (confirmed) return ok(confirmed)
  const latest = await selectBooking(db, { cartId })
  if (!latest) return refused('no-hold')
  if (latest.state === 'confirmed' && latest.orderId === orderId) return ok(latest)
  if (latest.state !== 'held' && latest.state !== 'expired') return refused('no-hold')
  if (Temporal.Instant.compare(latest.start, change.now) <= 0) return refused('slot-lost')
  const lack = requirements && lackOf(latest, requirements)
  if (lack) return refused(lack)

  let booking = latest
  if (
    latest.state === 'expired' ||
    !(await updateState(db, { id: latest.id, from: 'held', to: 'confirmed', orderId }, change))
  ) {
    const renewed = await renewHold(db, latest, cartId, change)
    if (!renewed || !(await updateState(db, { id: renewed.id, from: 'held', to: 'confirmed', orderId }, change)))
      return refused('slot-lost')
    booking = renewed
  }
  return ok({ ...booking, state: 'confirmed', holdExpiresAt: null, orderId })
}

/**
 * Cancels an appointment or hold and frees its slot. Refuses `not-found`, and `already-over` when there is nothing left
 * to cancel.
 */
export async function cancelBooking(
  { db, clock }: BookingDeps,
  {
    actor = 'customer',
    note,
    ...key
  }: ({ bookingId: string } | { orderId: number }) & { actor?: Actor; note?: string },
): Promise<Outcome<Booking, Refused<'not-found'> | Refused<'already-over'>>> {
  const booking = await selectBooking(db, key)
  if (!booking) return refused('not-found')
  const permission = bookingCan.cancel(booking)
  if (!permission.can) return refused(permission.why)
  const canceled = await updateState(
    db,
    { id: booking.id, from: booking.state, to: 'canceled' },
    { now: clock.now(), actor, note },
  )
  // It was confirmed, finished or canceled between the read and the write: start over.
  if (!canceled) return cancelBooking({ db, clock }, { ...key, actor, ...(note ? { note } : {}) })
  return ok({
    ...booking,
    state: 'canceled',
    holdExpiresAt: null,
    changes: booking.changes + (booking.state === 'confirmed' ? 1 : 0),
  })
}

/**
 * Moves an appointment to another time at the same shop; it keeps its slot until the new one is secured. Refuses as
 * holding does, and `too-late-to-change` within an hour of its start. Runs its own transactions; `alongside` runs first
 * in the one that moves it, with the new time, and prevents the move by throwing.
 */
export async function moveBooking(
  deps: BookingDeps,
  input: Installation & {
    bookingId: string
    choice: Choice
    actor?: Actor
    /** The bay it must be on; any free one without it. */
    bayId?: number
    /** Why, for the record. */
    note?: string
    alongside?: (tx: Tx, time: Pick<Booking, 'kind' | 'start' | 'end' | 'dropOff'>) => Promise<void>
  },
): Promise<
  Outcome<Booking, ChoiceRefusal | Refused<'not-found'> | Refused<'not-confirmed'> | Refused<'too-late-to-change'>>
> {
  const now = deps.clock.now()
  const booking = await selectBooking(deps.db, { bookingId: input.bookingId })
  if (!booking) return refused('not-found')
  const permission = bookingCan.move(booking, now)
  if (!permission.can) return refused(permission.why)

  const target = { ...input, shopId: booking.shopId, zip: booking.stopZip ?? undefined }
  const ready = await readShop(deps, target, { bookingId: booking.id })
  if (!ready.ok) return ready
  const found = placeFor(ready.value.shop, ready.value.ask, input.choice)
  if (!found.ok && found.reason !== 'slot-taken') return found
  const places = found.ok ? placesOf(ready.value.shop, found.value, target.zip) : []
  for (const place of places.filter(({ bayId }) => bayId === (input.bayId ?? bayId))) {
    const change = { now, actor: input.actor ?? 'customer', note: input.note }
    const moved = await tryMove(deps.db, booking.id, place, { ...change, alongside: input.alongside })
    if (moved === 'gone') return refused('not-confirmed')
    if (moved === 'moved')
      return ok({ ...booking, ...place, ...termsOf(ready.value.shop, place.start), changes: booking.changes + 1 })
  }
  return takenAt(deps, target, { bookingId: booking.id })
}

/**
 * Marks expired holds as expired and returns how many. Cleanup only: an expired hold is offered and given away the
 * moment it expires.
 */
export async function expireHolds({ db, clock }: BookingDeps): Promise<number> {
  const batch = 500
  let total = 0
  for (let count = batch; count === batch; total += count)
    count = await expireLapsed(db, batch, { now: clock.now(), actor: 'system' })
  return total
}

type ReadyShop = { shop: BookableShop; ask: Ask; quote: InstallationQuote }

async function readShop(
  deps: BookingDeps,
  input: Installation & { shopId: number },
  except?: { cartId?: string; bookingId?: string },
): Promise<Outcome<ReadyShop, ShopRefusal>> {
  const found = await readPlainShop(deps, input, except)
  if (!found.ok) return found
  const { shop: plain, quote, now } = found.value
  const shop =
    plain.stops && input.zip
      ? { ...plain, bays: baysWithTravel(plain.bays, plain.stops, pointOf(await findPlace(deps.db, input.zip))) }
      : plain
  return ok({ shop, quote, ask: { minutes: quote.minutes, arrivesOn: input.arrivesOn, now } })
}

/** A shop with its calendar as it is for everybody, wherever a van has to come. */
async function readPlainShop(
  { db, clock }: BookingDeps,
  { shopId, tires }: Pick<Installation, 'tires'> & { shopId: number },
  except?: { cartId?: string; bookingId?: string },
  heldBy?: string,
) {
  const now = clock.now()
  const shop = (await selectShops(db, [shopId], now, except, heldBy)).get(shopId)
  if (!shop) return refused('shop-not-found')
  const quote = quoteInstallation(shop, tires)
  return quote.ok ? ok({ shop, quote: quote.value, now }) : quote
}

async function takenAt(
  deps: BookingDeps,
  input: Installation & { shopId: number; choice: Choice },
  except: { cartId?: string; bookingId?: string },
): Promise<SlotTaken | ShopRefusal> {
  const ready = await readShop(deps, input, except)
  if (!ready.ok) return ready
  const { shop, ask } = ready.value
  const kind = 'window' in input.choice ? 'drop-off' : 'wait'
  const from =
    'window' in input.choice ? input.choice.date.toZonedDateTime(shop.timeZone).toInstant() : input.choice.start
  const later = nextOpenings(shop, ask, { kind, limit: alternatives, from })
  return refused('slot-taken', {
    next: later.length > 0 ? later : nextOpenings(shop, ask, { kind, limit: alternatives }),
  })
}

const alternatives = 6

async function renewHold(
  db: Database,
  lost: Booking,
  cartId: string,
  change: { now: Temporal.Instant; actor: Actor },
): Promise<Booking | undefined> {
  for (const bayId of await selectBays(db, { ...lost, first: lost.bayId })) {
    const hold = {
      ...lost,
      bayId,
      id: newId(),
      cartId,
      heldBy: null,
      expiresAt: change.now.add({ minutes: holdMinutes }),
    }
    if (await insertHold(db, hold, { ...change, note: `renews ${lost.id}` })) return heldBooking(hold, lost)
  }
  return undefined
}
