/**
 * A shop's walk-ins, phone bookings and blocked times. Each function runs in the transaction of a caller that has
 * checked the member's permission. docs/decisions/018-booking-locks.md explains how they are kept apart from
 * online bookings.
 */
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { OwnJobInput, OverlapReason } from './own-jobs.ts'
import {
  deleteOldForms,
  deletePeople,
  expireLapsedOn,
  insertForm,
  insertOwnJob,
  lockBays,
  lockOwnJob,
  replaceOverlaps,
  selectCalendarVersion,
  selectFormJob,
  selectLiveOverlaps,
  selectOwnJob,
  selectOwnJobs,
  selectOwnJobsOver,
  updateOwnJob,
  updateOwnJobState,
  type LiveOverlap,
  type OwnJob,
} from './own-jobs.sql.server.ts'

export type { LiveOverlap, OwnJob } from './own-jobs.sql.server.ts'

/**
 * `changed-meanwhile` means that the job changed after the form was loaded. `overlaps`: online bookings need a reason.
 */
export type OwnJobRefusal =
  | Refused<'bay-not-found'>
  | Refused<'not-found'>
  | Refused<'already-over'>
  | Refused<'changed-meanwhile', OwnJob>
  | Refused<'own-job-there', OwnJob>
  | Refused<'overlaps', LiveOverlap[]>

type By = { shopId: number; memberId: string; at: Temporal.Instant }
type OwnJobPlace = Pick<OwnJobInput, 'bayId' | 'start' | 'end'>
type Saved = { ownJobId: string; isNew: boolean }

/** Lists a shop's active jobs in the time range, with the bookings they overlap. */
export function listOwnJobs(
  db: Database,
  asked: { shopId: number; from: Temporal.Instant; to: Temporal.Instant },
): Promise<OwnJob[]> {
  return selectOwnJobs(db, asked)
}

/** Returns a shop's job in any state. */
export function readOwnJob(db: Database, key: { shopId: number; ownJobId: string }): Promise<OwnJob | undefined> {
  return selectOwnJob(db, key)
}

/** The number of a shop's calendar, which every change of a booking or own job raises. One keyed row. */
export function readCalendarVersion(db: Database, shopId: number): Promise<number> {
  return selectCalendarVersion(db, shopId)
}

/**
 * Creates a shop job, or updates the planned one in `change`. Idempotent by `formKey`. Over online bookings it is
 * written only with a reason, and only if `seen` names each of them. Refuses before anything is written.
 */
export async function saveOwnJob(
  tx: Tx,
  by: By,
  {
    formKey,
    change,
    job,
    overlap,
  }: {
    formKey: string
    change: { ownJobId: string; revision: number } | null
    job: OwnJobInput
    overlap: { reason: OverlapReason; seen: readonly string[] } | null
  },
): Promise<Outcome<Saved, OwnJobRefusal>> {
  const { shopId } = by
  const before = change ? await selectOwnJob(tx, { shopId, ownJobId: change.ownJobId }) : undefined
  if (change && !before) return refused('not-found')
  const bayIds = [job.bayId, ...(before ? [before.bayId] : [])]
  const bays = await lockBays(tx, { shopId, bayIds, start: job.start })
  if (!bays.includes(job.bayId)) return refused('bay-not-found')
  const earlier = await selectFormJob(tx, shopId, formKey)
  if (earlier !== undefined) return ok({ ownJobId: earlier, isNew: false })
  const stale = change && (await lockToChange(tx, shopId, change))
  if (stale) return stale
  const ownJobId = change?.ownJobId ?? newId()
  const room = await findRoom(tx, by, { ownJobId, job, seen: overlap?.seen })
  if (!room.ok) return room
  if (change) await updateOwnJob(tx, { ...job, shopId, ownJobId, at: by.at })
  else await insertOwnJob(tx, { ...job, ...by, ownJobId })
  await replaceOverlaps(tx, { ownJobId, by, live: room.value, reason: overlap ? overlap.reason : null })
  await insertForm(tx, { shopId, key: formKey, ownJobId, at: by.at })
  return ok({ ownJobId, isNew: true })
}

/** Returns the bookings a job overlaps, all in `seen`, in a locked bay; otherwise returns the conflict. */
async function findRoom(
  tx: Tx,
  { shopId, at }: By,
  { ownJobId, job, seen }: { ownJobId: string; job: OwnJobPlace; seen: readonly string[] | undefined },
): Promise<Outcome<LiveOverlap[], OwnJobRefusal>> {
  const { bayId, start, end } = job
  const [there] = await selectOwnJobsOver(tx, { shopId, bayId, start, end, except: ownJobId })
  if (there) return refused('own-job-there', there)
  await expireLapsedOn(tx, job, at)
  const live = await selectLiveOverlaps(tx, job)
  return live.some(({ bookingId }) => !seen?.includes(bookingId)) ? refused('overlaps', live) : ok(live)
}

/** Locks a planned job at the form's version, or returns why it can't be changed. */
async function lockToChange(
  tx: Tx,
  shopId: number,
  { ownJobId, revision }: { ownJobId: string; revision: number },
): Promise<OwnJobRefusal | undefined> {
  const current = await lockOwnJob(tx, { shopId, ownJobId })
  if (!current) return refused('not-found')
  if (current.revision !== revision) return refused('changed-meanwhile', current)
  return current.state === 'planned' ? undefined : refused('already-over')
}

/** Cancels a planned job and frees its time; it can be reopened. Idempotent. */
export function cancelOwnJob(tx: Tx, by: By, ownJobId: string): Promise<Outcome<null, OwnJobRefusal>> {
  return end(tx, by, { ownJobId, state: 'canceled' })
}

/** Marks a planned job as done. Idempotent. */
export function finishOwnJob(tx: Tx, by: By, ownJobId: string): Promise<Outcome<null, OwnJobRefusal>> {
  return end(tx, by, { ownJobId, state: 'done' })
}

async function end(
  tx: Tx,
  { shopId, at }: By,
  { ownJobId, state }: { ownJobId: string; state: 'canceled' | 'done' },
): Promise<Outcome<null, OwnJobRefusal>> {
  const job = await lockOwnJob(tx, { shopId, ownJobId })
  if (!job) return refused('not-found')
  if (job.state === state) return ok(null)
  if (job.state !== 'planned') return refused('already-over')
  await updateOwnJobState(tx, { ownJobId, state, at })
  return ok(null)
}

/** Reopens a canceled or done job. Refuses if its time was taken by anything it didn't already overlap. */
export async function reopenOwnJob(tx: Tx, by: By, ownJobId: string): Promise<Outcome<null, OwnJobRefusal>> {
  const { shopId } = by
  const before = await selectOwnJob(tx, { shopId, ownJobId })
  if (!before) return refused('not-found')
  const bays = await lockBays(tx, { shopId, bayIds: [before.bayId], start: before.start })
  if (bays.length === 0) return refused('bay-not-found')
  const job = await lockOwnJob(tx, { shopId, ownJobId })
  if (!job) return refused('not-found')
  if (job.state === 'planned') return ok(null)
  const known = job.overlaps.map(({ bookingId }) => bookingId)
  const room = await findRoom(tx, by, { ownJobId, job, seen: known })
  if (!room.ok) return room
  await updateOwnJobState(tx, { ownJobId, state: 'planned', at: by.at })
  return ok(null)
}

/**
 * Deletes the names and phone numbers of jobs that ended before the given time, and old form keys. Returns the number
 * of jobs.
 */
export async function forgetOwnJobPeople(db: Database, before: Temporal.Instant): Promise<number> {
  await deleteOldForms(db, before)
  return deletePeople(db, before)
}
