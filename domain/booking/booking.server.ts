/**
 * Offering, holding and keeping appointments. What is offered is calculated (`slots.ts`), what is kept is decided by
 * the database: nothing live can overlap on a bay, whatever the calculation thought a moment ago.
 */
import { quoteInstallation, type CapabilityFault, type InstallationQuote } from '#domain/installers/installers.ts'
import { vanServes } from '#domain/installers/installers.server.ts'
import type { Clock } from '#platform/clock.ts'
import { isDeadlock, violatedConstraint, type Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  bookingCan,
  holdExtensionMinutes,
  holdMinutes,
  maxHoldsPerNetwork,
  maxHoldsPerVisitor,
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
  countOtherHolds,
  expireLapsed,
  insertHold,
  isStillFree,
  selectBays,
  selectBooking,
  selectShops,
  updateHoldEnd,
  updatePlace,
  updateState,
  type BookableShop,
  type AppointmentRequirements,
  type NewHold,
  type Place,
} from './booking.sql.server.ts'
import { nextOpenings, offerDays, placeFor, tiresReady, type Ask, type FreePlace, type NoPlace } from './slots.ts'

export type { AppointmentRequirements } from './booking.sql.server.ts'
export { createCalendars, earliestTimes, type Calendars } from './calendars.server.ts'
export { calendarFile, calendarLinks, type Appointment } from './calendar.ts'

export type BookingDeps = { db: Database; clock: Clock }
export type ShopRefusal = Refused<'shop-not-found'> | Refused<'shop-not-capable', CapabilityFault[]>
/** `next`: what can be held instead, soonest first. */
export type SlotTaken = Refused<'slot-taken', { next: Opening[] }>
export type ChoiceRefusal = ShopRefusal | Exclude<NoPlace, Refused<'slot-taken'>> | SlotTaken
type TooManyHolds = 'too-many-holds' | 'too-many-holds-of-network'
export type HoldRefusal = ChoiceRefusal | Refused<TooManyHolds> | Refused<'outside-area'>

/**
 * Today and the next 30 days at one shop for these tires, in one statement, with what the work costs and how long it
 * takes.
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
 * Holds a time for a cart for ten minutes. The cart's earlier hold is given up only when this one succeeds; asking
 * again for what it holds already changes nothing. `zip` is where a van has to come. `heldBy` is an opaque key of the
 * visitor's network address, for the limits on live holds: few of one visitor, many of one network. Refuses
 * `slot-taken` with the next free times of the same kind. Runs transactions of its own.
 */
export async function holdSlot(
  deps: BookingDeps,
  input: Installation & {
    cartId: string
    shopId: number
    choice: Choice
    zip?: string
    heldBy?: string
    actor?: Actor
  },
): Promise<Outcome<Booking, HoldRefusal>> {
  const now = deps.clock.now()
  const [ready, earlier] = await Promise.all([
    readShop(deps, input, { cartId: input.cartId }),
    selectBooking(deps.db, { cartId: input.cartId }),
  ])
  if (!ready.ok) return ready
  const { shop, ask } = ready.value
  if (shop.kind === 'van' && !(input.zip && (await vanServes(deps, { shopId: shop.id, zip: input.zip }))))
    return refused('outside-area')

  const found = placeFor(shop, ask, input.choice)
  if (found.ok) {
    if (earlier && isLiveHold(earlier, now) && isSamePlace(earlier, shop, found.value)) return ok(earlier)
    for (const place of placesOf(shop, found.value)) {
      const hold = {
        ...place,
        id: newId(),
        cartId: input.cartId,
        heldBy: input.heldBy ?? null,
        expiresAt: now.add({ minutes: holdMinutes }),
      }
      const outcome = await tryHold(deps.db, hold, { now, actor: input.actor ?? 'customer' })
      if (outcome === 'held') return ok(heldBooking(hold, shop.timeZone))
      if (outcome !== 'taken') return refused(outcome)
    }
  } else if (found.reason !== 'slot-taken') {
    return found
  }
  return takenAt(deps, input, { cartId: input.cartId })
}

/** The cart's hold, also when its time ran out and nobody came for it; undefined when it holds nothing. */
export async function findHold({ db }: Pick<BookingDeps, 'db'>, cartId: string): Promise<Booking | undefined> {
  const booking = await selectBooking(db, { cartId })
  return booking?.state === 'held' ? booking : undefined
}

/** The time a cart chose last, and what became of it; undefined when it chose none, or gave it up. */
export async function findChosenTime({ db, clock }: BookingDeps, cartId: string): Promise<ChosenTime | undefined> {
  const booking = await selectBooking(db, { cartId })
  const now = clock.now()
  if (booking?.state !== 'held' && booking?.state !== 'expired') return undefined
  if (isLiveHold(booking, now)) return { booking, status: 'held' }
  const isOver = Temporal.Instant.compare(booking.start, now) <= 0
  return { booking, status: !isOver && (await isStillFree(db, booking, now)) ? 'ended' : 'lost' }
}

/** The appointment of an order, whatever became of it; undefined when it never had one. */
export async function findAppointment(
  { db }: Pick<BookingDeps, 'db'>,
  key: { orderId: number } | { bookingId: string },
): Promise<Booking | undefined> {
  return selectBooking(db, key)
}

/**
 * Ten more minutes for the cart's hold; also after it ran out, as long as nobody took the place. Refuses when there is
 * none, after ten times, and `slot-lost` when somebody has it by now. Runs transactions of its own.
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

/** Holds the place of a hold that ran out again, in the same bay or another of the shop. */
async function takeBack(
  { db, clock }: BookingDeps,
  lost: Booking,
  cartId: string,
): Promise<Outcome<Booking, Refused<'slot-lost'>>> {
  const now = clock.now()
  if (Temporal.Instant.compare(lost.start, now) <= 0) return refused('slot-lost')
  for (const bayId of await selectBays(db, { shopId: lost.shopId, kind: lost.kind, first: lost.bayId })) {
    const hold = { ...lost, bayId, id: newId(), cartId, heldBy: null, expiresAt: now.add({ minutes: holdMinutes }) }
    if ((await tryHold(db, hold, { now, actor: 'customer', note: `renews ${lost.id}` })) === 'held')
      return ok(heldBooking(hold, lost.timeZone))
  }
  return refused('slot-lost')
}

/** Gives the cart's hold up; a cart that holds nothing is as it should be. */
export async function releaseHold(
  { db, clock }: BookingDeps,
  { cartId, actor = 'customer' }: { cartId: string; actor?: Actor },
): Promise<void> {
  const booking = await findHold({ db }, cartId)
  if (booking) await updateState(db, { id: booking.id, from: 'held', to: 'canceled' }, { now: clock.now(), actor })
}

export type NotKept = Refused<'slot-lost'> | Refused<'no-hold'> | Refused<'too-soon'> | Refused<'too-short'>

/** What `input` needs of an appointment at its shop as things stand now. */
export async function appointmentRequirements(
  deps: BookingDeps,
  input: Installation & { shopId: number },
): Promise<Outcome<AppointmentRequirements, ShopRefusal | Refused<'too-soon'>>> {
  const ready = await readShop(deps, input)
  if (!ready.ok) return ready
  const readyAt = tiresReady(ready.value.shop, input.arrivesOn)
  return readyAt ? ok({ shopId: input.shopId, minutes: ready.value.quote.minutes, readyAt }) : refused('too-soon')
}

/**
 * Makes the cart's hold the appointment of its order; call it in the transaction of the order (`db` is that
 * transaction). A hold that ran out is renewed if its place, or another bay of the shop at that time, is still free.
 * Saying it twice for one order changes nothing. Refuses `slot-lost` when somebody else has the place or the time has
 * passed, `no-hold` when the cart never chose a time at this shop or gave it up, and `too-soon` or `too-short` when
 * tires or cart changed since, so that the time does not give what the order `needs`.
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
  // Nearly always the hold is there and is enough. Otherwise it is read, to see what can be done and what to say.
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
 * Gives an appointment or hold up, and its place back. Refuses `not-found`, and `already-over` when there is nothing
 * left to cancel.
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
  // Between reading and writing it was confirmed, finished or canceled: look again.
  if (!canceled) return cancelBooking({ db, clock }, { ...key, actor, ...(note ? { note } : {}) })
  return ok({
    ...booking,
    state: 'canceled',
    holdExpiresAt: null,
    changes: booking.changes + (booking.state === 'confirmed' ? 1 : 0),
  })
}

/**
 * Moves an appointment to another time at the same shop; it keeps its place until the other one is its own. Refuses as
 * holding does, and `too-late-to-change` within an hour of its start. Runs transactions of its own.
 */
export async function moveBooking(
  deps: BookingDeps,
  input: Installation & { bookingId: string; choice: Choice; actor?: Actor },
): Promise<
  Outcome<Booking, ChoiceRefusal | Refused<'not-found'> | Refused<'not-confirmed'> | Refused<'too-late-to-change'>>
> {
  const now = deps.clock.now()
  const booking = await selectBooking(deps.db, { bookingId: input.bookingId })
  if (!booking) return refused('not-found')
  const permission = bookingCan.move(booking, now)
  if (!permission.can) return refused(permission.why)

  const target = { ...input, shopId: booking.shopId }
  const ready = await readShop(deps, target, { bookingId: booking.id })
  if (!ready.ok) return ready
  const found = placeFor(ready.value.shop, ready.value.ask, input.choice)
  if (!found.ok && found.reason !== 'slot-taken') return found
  for (const place of found.ok ? placesOf(ready.value.shop, found.value) : []) {
    const moved = await tryMove(deps.db, booking.id, place, { now, actor: input.actor ?? 'customer' })
    if (moved === 'gone') return refused('not-confirmed')
    if (moved === 'moved') return ok({ ...booking, ...place, changes: booking.changes + 1 })
  }
  return takenAt(deps, target, { bookingId: booking.id })
}

/**
 * Marks the holds that ran out. Nothing waits for this: what lapsed is offered and given away the moment it lapses.
 * Returns how many there were.
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
  { db, clock }: BookingDeps,
  input: Installation & { shopId: number },
  except?: { cartId?: string; bookingId?: string },
): Promise<Outcome<ReadyShop, ShopRefusal>> {
  const now = clock.now()
  const shop = (await selectShops(db, [input.shopId], now, except)).get(input.shopId)
  if (!shop) return refused('shop-not-found')
  const quote = quoteInstallation(shop, input.tires)
  return quote.ok
    ? ok({ shop, quote: quote.value, ask: { minutes: quote.value.minutes, arrivesOn: input.arrivesOn, now } })
    : quote
}

/** The bays are tried one after another; a rival can have taken any of them since they were read. */
function placesOf(shop: BookableShop, { bayIds, start, end, dropOff }: FreePlace): Place[] {
  const kind = dropOff ? 'drop-off' : shop.kind === 'van' ? 'mobile' : 'wait'
  return bayIds.map((bayId) => ({ shopId: shop.id, bayId, kind, start, end, dropOff }))
}

async function tryHold(
  db: Database,
  hold: NewHold,
  change: { now: Temporal.Instant; actor: Actor; note?: string },
): Promise<'held' | 'taken' | TooManyHolds> {
  const tx = await db.startTransaction().execute()
  try {
    const tooMany = await tooManyHolds(tx, hold, change.now)
    const isHeld = tooMany === null && (await insertHold(tx, hold, change))
    await (isHeld ? tx.commit() : tx.rollback()).execute()
    return tooMany ?? (isHeld ? 'held' : 'taken')
  } catch (error) {
    await tx.rollback().execute()
    if (isTaken(error)) return 'taken'
    throw error
  }
}

/** The visitor's own limit comes first: neighbors behind one address are told of it as what it is. */
async function tooManyHolds(
  tx: Database,
  { heldBy, cartId }: NewHold,
  now: Temporal.Instant,
): Promise<TooManyHolds | null> {
  if (heldBy === null) return null
  const { ofVisitor, ofNetwork } = await countOtherHolds(tx, { heldBy, cartId, now })
  if (ofVisitor >= maxHoldsPerVisitor) return 'too-many-holds'
  return ofNetwork >= maxHoldsPerNetwork ? 'too-many-holds-of-network' : null
}

async function tryMove(
  db: Database,
  bookingId: string,
  place: Place,
  change: { now: Temporal.Instant; actor: Actor },
): Promise<'moved' | 'taken' | 'gone'> {
  try {
    return (await updatePlace(db, bookingId, place, change)) ? 'moved' : 'gone'
  } catch (error) {
    if (isTaken(error)) return 'taken'
    throw error
  }
}

/**
 * Two that want one place at the same moment either meet the constraint or wait for each other; PostgreSQL then sends
 * one of them away.
 */
function isTaken(error: unknown): boolean {
  return violatedConstraint(error) === 'booking_bay_taken_once' || isDeadlock(error)
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

/** A car that is left has its window, however long the work is. */
function lackOf(
  booking: Booking,
  { shopId, minutes, readyAt }: AppointmentRequirements,
): 'no-hold' | 'too-soon' | 'too-short' | undefined {
  if (booking.shopId !== shopId) return 'no-hold'
  if (Temporal.Instant.compare(booking.start, readyAt) < 0) return 'too-soon'
  return booking.dropOff === null && booking.end.since(booking.start).total('minutes') < minutes
    ? 'too-short'
    : undefined
}

async function renewHold(
  db: Database,
  lost: Booking,
  cartId: string,
  change: { now: Temporal.Instant; actor: Actor },
): Promise<Booking | undefined> {
  for (const bayId of await selectBays(db, { shopId: lost.shopId, kind: lost.kind, first: lost.bayId })) {
    const hold = {
      ...lost,
      bayId,
      id: newId(),
      cartId,
      heldBy: null,
      expiresAt: change.now.add({ minutes: holdMinutes }),
    }
    if (await insertHold(db, hold, { ...change, note: `renews ${lost.id}` })) return heldBooking(hold, lost.timeZone)
  }
  return undefined
}

function heldBooking(
  { id, shopId, bayId, kind, start, end, dropOff, cartId, expiresAt }: NewHold,
  timeZone: string,
): Booking {
  return {
    id,
    shopId,
    bayId,
    kind,
    start,
    end,
    timeZone,
    dropOff,
    state: 'held',
    holdExpiresAt: expiresAt,
    holdExtensions: 0,
    cartId,
    orderId: null,
    changes: 0,
  }
}

function isLiveHold(booking: Booking, now: Temporal.Instant): boolean {
  return (
    booking.state === 'held' &&
    booking.holdExpiresAt !== null &&
    Temporal.Instant.compare(booking.holdExpiresAt, now) > 0
  )
}

function isSamePlace(booking: Booking, shop: BookableShop, place: FreePlace): boolean {
  return (
    booking.shopId === shop.id &&
    booking.start.equals(place.start) &&
    booking.end.equals(place.end) &&
    booking.dropOff?.code === place.dropOff?.code
  )
}
