/**
 * A day that the shop's owner closes and opens again while others book: when it was closed for certain, and when it may
 * have been.
 */
import type { Database } from '#platform/db.ts'
import type { Clock } from '#platform/clock.ts'
import {
  changeCapacity,
  findPortalSession,
  openPortal,
  type PortalActor,
} from '#domain/installer-portal/portal/portal.server.ts'
import { isDeadlock } from '#platform/db.ts'

/** A change of the day between two times. */
type Closing = { kind: 'close' | 'open'; from: number; to: number }

export type Closings = { owner: PortalActor; timeZone: string; made: Closing[]; isBusy: boolean }

/** The day that is closed and opened, and how long it is in epoch seconds. */
export const closingDay = Temporal.PlainDate.from('2026-11-25')

type Deps = { db: Database; clock: Clock }

/** Signs the owner in. `email` belongs to a shop staff member. */
export async function openClosings(
  deps: Deps,
  { shopId, email, timeZone }: { shopId: number; email: string; timeZone: string },
): Promise<Closings> {
  const config = { session: { secret: 'a secret for tests only' } }
  const person = { subject: email, email, isEmailVerified: true, name: 'Wes' }
  const opened = await openPortal(
    { ...deps, config },
    { issuer: 'https://id.example', person, idToken: null, authenticatedAt: deps.clock.now(), session: undefined },
  )
  const session = opened.ok ? await findPortalSession(deps, opened.value.cookie) : undefined
  if (!session) throw new Error('The owner is not in.')
  return { owner: { sessionId: session.sessionId, shopId }, timeZone, made: [], isBusy: false }
}

/** Closes or reopens the day after confirming the affected bookings. One change at a time. */
export async function changeDay(deps: Deps, closings: Closings): Promise<void> {
  if (closings.isBusy) return
  closings.isBusy = true
  const kind = closings.made.length % 2 === 0 ? 'close' : 'open'
  const closing: Closing = { kind, from: performance.now(), to: Infinity }
  closings.made.push(closing)
  const { owner, timeZone } = closings
  const change =
    kind === 'close'
      ? ({ kind, closure: { on: closingDay.toString(), reason: 'Training' } } as const)
      : ({ kind, day: closingDay } as const)
  const ask = (seen: string | null) => untilNoDeadlock(() => changeCapacity(deps, owner, { timeZone, change, seen }))
  let made = await ask(null)
  // Other bookings arrive concurrently, so the owner confirms again.
  while (!made.ok && made.reason === 'hurts') made = await ask(made.detail.seen)
  if (!made.ok) throw new Error(`The owner could not ${kind} the day: ${made.reason}`)
  closing.to = performance.now()
  closings.isBusy = false
}

async function untilNoDeadlock<Value>(run: () => Promise<Value>): Promise<Value> {
  return run().catch((error: unknown) => {
    if (isDeadlock(error)) return untilNoDeadlock(run)
    throw error
  })
}

type Moment = { from: number; to: number }

/** Whether the day was closed for some of the time between `from` and `to`, as far as one can tell. */
export function mayBeClosed({ made }: Closings, { from, to }: Moment): boolean {
  return made.some(
    (closing, index) => closing.kind === 'close' && closing.from <= to && (made[index + 1]?.to ?? Infinity) >= from,
  )
}

/** Whether the day was closed all the time between `from` and `to`. */
export function isClosed({ made }: Closings, { from, to }: Moment): boolean {
  return made.some(
    (closing, index) => closing.kind === 'close' && closing.to < from && (made[index + 1]?.from ?? Infinity) > to,
  )
}

/** Whether an instant, in epoch seconds, is on the day. */
export function isOnClosingDay({ timeZone }: Closings, seconds: number): boolean {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1_000)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .equals(closingDay)
}

/** Appointments on the day while it is closed that its owner was never shown. */
export async function unseen({ db }: Deps, { made, timeZone }: Closings, shopId: number): Promise<string[]> {
  if (made.at(-1)?.kind !== 'close') return []
  const start = closingDay.toZonedDateTime(timeZone)
  const day = `[${start.toInstant().toString()},${start.add({ days: 1 }).toInstant().toString()})`
  const rows = await db
    .selectFrom('booking')
    .leftJoin('capacity_conflict', 'capacity_conflict.booking_id', 'booking.id')
    .select('booking.id')
    .where('booking.shop_id', '=', shopId)
    .where('booking.state', '=', 'confirmed')
    .where('booking.during', '<@', day)
    .where('capacity_conflict.booking_id', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
