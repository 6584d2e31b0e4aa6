/**
 * A shop's capacity after opening. A change is made in a transaction that also reads the appointments that no longer
 * fit, so that a change can't be saved without all of them having been shown.
 */
import { createHash } from 'node:crypto'
import {
  listCapacity,
  listHurtBookings,
  lockAllBays,
  noteConflicts,
  setBayDays,
  setBayDaysAsBefore,
  type CapacityPlan,
  type HurtBooking,
} from '#domain/scheduling/booking/booking.server.ts'
import type { ShopClosure } from '#domain/scheduling/installers/installers.ts'
import {
  addClosure,
  type CapacityTerms,
  deleteCapacity,
  insertShopEvent,
  lockOpenShop,
  readShopTerms,
  removeClosure,
  selectShopEvents,
  type ShopAct,
  type ShopEvent,
  writeCapacity,
} from '#domain/scheduling/installers/installers.server.ts'
import { listShopJobs, type ShopJob } from '#domain/ordering/orders/orders.server.ts'
import { capacityDaysAhead, mostPlans } from './capacity.ts'
import { requireShopMember, type PortalActor } from './portal-sessions.server.ts'
import { mostBlackoutDays } from './set-up.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }
type Days = { from: Temporal.PlainDate; until: Temporal.PlainDate | null }

/** A booking outside the capacity, with its job data. */
export type HurtJob = HurtBooking & { job: ShopJob | undefined }
export type CapacityChange =
  | { kind: 'version'; from: Temporal.PlainDate; terms: CapacityTerms; bays: number; dropOffs: number }
  | { kind: 'withdraw'; day: Temporal.PlainDate }
  | { kind: 'close'; closure: ShopClosure }
  | { kind: 'open'; day: Temporal.PlainDate }
type CapacityFault = Refused<'past'> | Refused<'too-far'> | Refused<'too-many'> | Refused<'no-plan'>
export type CapacityRefusal =
  | CapacityFault
  | Refused<'not-allowed'>
  | Refused<'in-set-up'>
  | Refused<'hurts', { hurt: HurtJob[]; seen: string }>
  | Refused<'changed-meanwhile', { plan: CapacityPlan | undefined; version: string }>

/** A shop's capacity by day, with the bookings outside it. */
export type ShopCapacity = {
  plans: CapacityPlan[]
  /** Names what the versions say, for a form that is based on them. */
  version: string
  closures: ShopClosure[]
  hurt: HurtJob[]
  events: ShopEvent[]
  today: Temporal.PlainDate
}

const capacityActs = ['capacity', 'capacity-withdrawn', 'closed-day', 'opened-day'] as const

/** Reads the versions of a shop, its closed days to come and the appointments that fit neither. */
export async function readCapacity(
  { db, clock }: Deps,
  { shopId, timeZone }: { shopId: number; timeZone: string },
): Promise<ShopCapacity> {
  const now = clock.now()
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  const [plans, terms, hurt, events] = await Promise.all([
    listCapacity(db, shopId),
    readShopTerms(db, shopId, today),
    listHurtBookings(db, { shopId, from: now, until: null }),
    selectShopEvents(db, { shopId, acts: capacityActs, limit: 20 }),
  ])
  const version = versionOf(plans)
  return { plans, version, closures: terms?.closures ?? [], hurt: await withJobs(db, shopId, hurt), events, today }
}

/**
 * Changes a shop's capacity. Refuses with `hurts` and the appointments that would no longer fit, unless `seen` matches
 * exactly these. Appointments aren't moved. Refuses with `past` for a day that has started at the shop (a closure may
 * be today), `too-far`, `too-many`, `no-plan` for a missing version, `in-set-up` and `not-allowed`. Refuses with
 * `changed-meanwhile` for a form based on outdated versions (`basedOn`), unless it has no effect.
 */
export async function changeCapacity(
  { db, clock }: Deps,
  by: PortalActor,
  asked: { timeZone: string; change: CapacityChange; seen: string | null; basedOn?: string | undefined },
): Promise<Outcome<{ hurt: number }, CapacityRefusal>> {
  const now = clock.now()
  const { timeZone, change, seen, basedOn } = asked
  try {
    return await db.transaction().execute(async (tx): Promise<Outcome<{ hurt: number }, CapacityRefusal>> => {
      const member = await requireShopMember(tx, by, 'capacity.edit', now)
      if (!member.ok) return member
      // In this order, moves of appointments wait for the change or it for them, and never both.
      await lockAllBays(tx, by.shopId)
      if (!(await lockOpenShop(tx, by.shopId))) return refused('in-set-up')
      const { memberId } = member.value
      const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
      const before = await listCapacity(tx, by.shopId)
      const made = await apply(tx, { shopId: by.shopId, memberId, at: now, today }, change)
      if (!made.ok) return made
      if (basedOn !== undefined && basedOn !== versionOf(before)) {
        // A form that arrives twice finds what it made itself.
        const after = versionOf(await listCapacity(tx, by.shopId))
        if (after !== versionOf(before)) throw new ChangedMeanwhile(before, made.value.from)
      }
      const { from, until } = made.value
      const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).toInstant()
      const begins = startOf(from)
      const hurt = await listHurtBookings(tx, {
        shopId: by.shopId,
        from: Temporal.Instant.compare(begins, now) < 0 ? now : begins,
        until: until && startOf(until),
      })
      if (hurt.length > 0 && seen !== nameOf(hurt)) throw new NotSeen(hurt)
      await noteConflicts(tx, hurt, { memberId, at: now })
      await insertShopEvent(tx, {
        shopId: by.shopId,
        memberId,
        at: now,
        act: acts[change.kind],
        note: noteOf(change, from),
      })
      return ok({ hurt: hurt.length })
    })
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return refused('changed-meanwhile', error.detail)
    if (!(error instanceof NotSeen)) throw error
    return refused('hurts', { hurt: await withJobs(db, by.shopId, error.hurt), seen: nameOf(error.hurt) })
  }
}

/** Thrown to roll back a change if its consequences weren't shown. */
class NotSeen extends Error {
  readonly hurt: HurtBooking[]
  constructor(hurt: HurtBooking[]) {
    super('The change would affect bookings that weren’t shown.')
    this.hurt = hurt
  }
}

/** Undoes a change that would replace what its form never showed. */
class ChangedMeanwhile extends Error {
  readonly detail: { plan: CapacityPlan | undefined; version: string }
  constructor(plans: readonly CapacityPlan[], from: Temporal.PlainDate) {
    super('Another team member changed the capacity.')
    const plan = plans.findLast((each) => each.from === null || each.from <= from.toString())
    this.detail = { plan, version: versionOf(plans) }
  }
}

/** Returns a fingerprint of versions' contents and dates, regardless of their author. */
function versionOf(plans: readonly CapacityPlan[]): string {
  const said = plans.map(({ madeBy: _madeBy, ...plan }) => plan)
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22)
}

const acts: Readonly<Record<CapacityChange['kind'], ShopAct>> = {
  version: 'capacity',
  withdraw: 'capacity-withdrawn',
  close: 'closed-day',
  open: 'opened-day',
}

function noteOf(change: CapacityChange, from: Temporal.PlainDate): string {
  return change.kind === 'close' ? `${from.toString()} ${change.closure.reason}` : from.toString()
}

type At = { shopId: number; memberId: string; at: Temporal.Instant; today: Temporal.PlainDate }

/** Writes a change and returns the days it is about. */
async function apply(tx: Tx, at: At, change: CapacityChange): Promise<Outcome<Days, CapacityFault>> {
  switch (change.kind) {
    case 'version':
      return applyVersion(tx, at, change)
    case 'withdraw':
      return withdraw(tx, at, change.day)
    case 'close':
      return close(tx, at, change.closure)
    case 'open':
      await removeClosure(tx, at.shopId, change.day.toString())
      return ok({ from: change.day, until: change.day.add({ days: 1 }) })
  }
}

async function applyVersion(
  tx: Tx,
  { shopId, memberId, at, today }: At,
  { from, terms, bays, dropOffs }: Extract<CapacityChange, { kind: 'version' }>,
): Promise<Outcome<Days, CapacityFault>> {
  if (Temporal.PlainDate.compare(from, today) <= 0) return refused('past')
  if (Temporal.PlainDate.compare(from, today.add({ days: capacityDaysAhead })) > 0) return refused('too-far')
  const plans = await listCapacity(tx, shopId)
  const ahead = plans.filter(
    (plan) => plan.from !== null && plan.from > today.toString() && plan.from !== from.toString(),
  )
  if (ahead.length >= mostPlans) return refused('too-many')
  const until = await writeCapacity(tx, { shopId, from, terms, by: memberId, at })
  await setBayDays(tx, { shopId, from, until, bays, dropOffs })
  return ok({ from, until })
}

async function withdraw(
  tx: Tx,
  { shopId, today }: At,
  from: Temporal.PlainDate,
): Promise<Outcome<Days, CapacityFault>> {
  if (Temporal.PlainDate.compare(from, today) <= 0) return refused('past')
  const until = await deleteCapacity(tx, { shopId, from })
  if (until === undefined) return refused('no-plan')
  await setBayDaysAsBefore(tx, { shopId, from, until })
  return ok({ from, until })
}

async function close(tx: Tx, { shopId, today }: At, closure: ShopClosure): Promise<Outcome<Days, CapacityFault>> {
  const from = Temporal.PlainDate.from(closure.on)
  if (Temporal.PlainDate.compare(from, today) < 0) return refused('past')
  if (Temporal.PlainDate.compare(from, today.add({ days: capacityDaysAhead })) > 0) return refused('too-far')
  const terms = await readShopTerms(tx, shopId, today)
  const others = terms?.closures.filter(({ on }) => on !== closure.on) ?? []
  if (others.length >= mostBlackoutDays) return refused('too-many')
  await addClosure(tx, shopId, closure)
  return ok({ from, until: from.add({ days: 1 }) })
}

/** Returns a fingerprint of a set of affected bookings, which changes if one is added, removed or moved. */
function nameOf(hurt: readonly HurtBooking[]): string {
  const parts = hurt.map(
    ({ bookingId, bayId, start, end, reason }) => `${bookingId} ${bayId} ${start} ${end} ${reason}`,
  )
  return createHash('sha256').update(parts.toSorted().join('\n')).digest('base64url')
}

async function withJobs(db: Database, shopId: number, hurt: readonly HurtBooking[]): Promise<HurtJob[]> {
  const [first, last] = [hurt[0], hurt.at(-1)]
  if (!first || !last) return []
  const jobs = await listShopJobs(db, { shopId, from: first.start, to: last.start.add({ seconds: 1 }) })
  return hurt.map((booking) => ({ ...booking, job: jobs.find(({ bookingId }) => bookingId === booking.bookingId) }))
}
