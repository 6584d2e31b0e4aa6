/** Moves an appointment within its shop, including to another bay at the same time. */
import type { Clock } from '#platform/clock.ts'
import { isDeadlock, violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { retryDeadlocks } from '#platform/deadlocks.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Actor } from './booking.ts'
import { lockAtPlace, selectBays, selectBooking, updatePlace, type Place } from './booking.sql.server.ts'

/**
 * Puts an appointment on another bay of its shop at the same time, even shortly before it starts. Refuses
 * `bay-not-found` for one that does not take this kind of booking, and `bay-taken`. Runs its own transaction;
 * `alongside` runs first in it and prevents the move by throwing.
 */
export async function changeBay(
  { db, clock }: { db: Database; clock: Clock },
  {
    bookingId,
    bayId,
    actor,
    memberId,
    alongside,
  }: {
    bookingId: string
    bayId: number
    actor: Actor
    memberId?: string
    alongside: (tx: Tx) => Promise<void>
  },
): Promise<
  Outcome<null, Refused<'not-found'> | Refused<'not-confirmed'> | Refused<'bay-not-found'> | Refused<'bay-taken'>>
> {
  const booking = await selectBooking(db, { bookingId })
  if (!booking) return refused('not-found')
  if (booking.state !== 'confirmed') return refused('not-confirmed')
  if (booking.bayId === bayId) return ok(null)
  const bays = await selectBays(db, { ...booking, first: booking.bayId })
  if (!bays.includes(bayId)) return refused('bay-not-found')
  // The time is rewritten with the bay, so that a concurrent reschedule isn't lost.
  const unmoved = async (tx: Tx) => {
    if (!(await lockAtPlace(tx, booking))) throw movedMeanwhile
    await alongside(tx)
  }
  const change = { now: clock.now(), actor, memberId, note: 'Another bay.', alongside: unmoved }
  try {
    const moved = await tryMove(db, bookingId, { ...booking, bayId }, change)
    if (moved === 'gone') return refused('not-confirmed')
    return moved === 'moved' ? ok(null) : refused('bay-taken')
  } catch (error) {
    if (error === movedMeanwhile)
      return changeBay({ db, clock }, { bookingId, bayId, actor, ...(memberId ? { memberId } : {}), alongside })
    throw error
  }
}

const movedMeanwhile = new Error('The appointment was already rescheduled.')

/**
 * Moves a confirmed booking in a separate transaction, where `alongside` runs first. Retries if PostgreSQL aborts it to
 * resolve a deadlock, because the conflict may not have been the slot.
 */
export async function tryMove(
  db: Database,
  bookingId: string,
  place: Place,
  {
    alongside,
    ...change
  }: {
    now: Temporal.Instant
    actor: Actor
    memberId: string | undefined
    note: string | undefined
    alongside: ((tx: Tx, place: Place) => Promise<void>) | undefined
  },
): Promise<'moved' | 'taken' | 'gone'> {
  try {
    return (await retryDeadlocks(moveOnce)) ? 'moved' : 'gone'
  } catch (error) {
    if (isTaken(error)) return 'taken'
    throw error
  }

  async function moveOnce(): Promise<boolean> {
    const tx = await db.startTransaction().execute()
    try {
      await alongside?.(tx, place)
      const isMoved = await updatePlace(tx, bookingId, place, change)
      await (isMoved ? tx.commit() : tx.rollback()).execute()
      return isMoved
    } catch (error) {
      await tx.rollback().execute()
      throw error
    }
  }
}

/**
 * When two carts compete for one slot, one either violates the constraint or is rolled back by PostgreSQL to resolve a
 * deadlock.
 */
export function isTaken(error: unknown): boolean {
  return takenConstraints.has(violatedConstraint(error)) || isDeadlock(error)
}

const takenConstraints = new Set<string | undefined>([
  'booking_bay_taken_once',
  'booking_off_own_jobs',
  'booking_within_capacity',
  'booking_van_reaches',
])
