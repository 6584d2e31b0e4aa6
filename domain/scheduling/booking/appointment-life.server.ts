/**
 * Order appointments are confirmed from a hold, rescheduled and canceled, and take the same locks in the same order.
 */
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  bookingCan,
  holdMinutes,
  nothingToArrive,
  type Actor,
  type Booking,
  type Choice,
  type Installation,
} from './booking.ts'
import {
  confirmHeld,
  heldBooking,
  insertHold,
  selectBays,
  selectBooking,
  updateState,
  type AppointmentRequirements,
} from './booking.sql.server.ts'
import { tryMove } from './change-bay.server.ts'
import { lackOf, placesOf, termsOf } from './places.ts'
import { placeFor, tiresReady } from './slots.ts'
import {
  readPlainShop,
  readShop,
  takenAt,
  type BookingDeps,
  type ChoiceRefusal,
  type ShopRefusal,
} from './bookable-shop.server.ts'

/** Returns the appointment of an order in any state; undefined if it never had one. */
export async function findAppointment(
  { db }: Pick<BookingDeps, 'db'>,
  key: { orderId: number } | { bookingId: string },
): Promise<Booking | undefined> {
  return selectBooking(db, key)
}

export type NotKept = Refused<'slot-lost'> | Refused<'no-hold'> | Refused<'too-soon'> | Refused<'too-short'>

/**
 * Reads an appointment's requirements at a shop; the returned function computes them for a tire arrival day. A time
 * that the cart `heldBy` already holds uses the service durations of the day it was held.
 */
export async function appointmentRequirements(
  deps: BookingDeps,
  { shopId, tires, services, heldBy }: Pick<Installation, 'tires' | 'services'> & { shopId: number; heldBy?: string },
): Promise<(arrivesOn: Temporal.PlainDate) => Outcome<AppointmentRequirements, ShopRefusal | Refused<'too-soon'>>> {
  const found = await readPlainShop(deps, { shopId, tires, services }, {}, heldBy)
  return (arrivesOn) => {
    if (!found.ok) return found
    const { shop, quote } = found.value
    const readyAt = tiresReady(shop, tires.length > 0 ? { arrivesOn } : nothingToArrive(arrivesOn))
    return readyAt ? ok({ shopId, minutes: quote.minutes, readyAt }) : refused('too-soon')
  }
}

/**
 * Turns the cart's hold into the appointment of its order; `db` must be the order's transaction. Renews an expired hold
 * if its slot, or another bay of the shop at that time, is still free. Idempotent. Refuses `slot-lost` when the slot is
 * taken or the time has passed, `no-hold` when the cart never chose a time at this shop or released it, and `too-soon`
 * or `too-short` when the tires or the cart changed and the time no longer gives the order what it `needs`.
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
 * Cancels an appointment or hold and frees its slot. Refuses with `not-found`, or `already-over` if it already ended.
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
 * Reschedules an appointment at the same shop, and frees its slot only after the new one is secured. Refuses as holding
 * does, and `too-late-to-change` within an hour of its start. Runs its own transactions; `alongside` runs first in the
 * one that moves it, with the new time, and prevents the move by throwing.
 */
export async function moveBooking(
  deps: BookingDeps,
  input: Installation & {
    bookingId: string
    choice: Choice
    actor?: Actor
    /** The shop team member who moves it. */
    memberId?: string
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
    const change = { now, actor: input.actor ?? 'customer', memberId: input.memberId, note: input.note }
    const moved = await tryMove(deps.db, booking.id, place, { ...change, alongside: input.alongside })
    if (moved === 'gone') return refused('not-confirmed')
    if (moved === 'moved')
      return ok({ ...booking, ...place, ...termsOf(ready.value.shop, place.start), changes: booking.changes + 1 })
  }
  return takenAt(deps, target, { bookingId: booking.id })
}

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
