/** Job photos, such as mounted tires. */
import type { NamedFile } from '#domain/kernel/files/files.server.ts'
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import {
  readShopPhoto,
  type PhotoRefusal,
  type PortalActor,
  type Sender,
  type SentPhoto,
} from '#domain/installer-portal/portal/portal.server.ts'
import type { Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { jobPhotoKinds, type JobPhotoKind } from './job-photo-kinds.ts'
import { selectJobPhotoKey, upsertJobPhoto, type JobPhotoKey } from './job-photos.sql.server.ts'
import { withJob, type JobDeps, type JobRefusal } from './job.server.ts'
import { workOrderLife } from './work-order-life.ts'
import { insertJobEvent } from './work-orders.sql.server.ts'

type SavePhotoRefusal = JobRefusal | PhotoRefusal | Refused<'no-photo'> | Refused<'no-car'> | Refused<'over'>

/**
 * Stores a re-encoded job photo, and replaces an earlier one with the same name. Refuses `no-car` before the car is here, and `over` once the job has ended.
 */
export async function saveJobPhoto(
  deps: Pick<JobDeps, 'db' | 'clock'> & { rateLimits: RateLimits },
  by: PortalActor,
  { bookingId, kind, photo }: { bookingId: string; kind: JobPhotoKind; photo: SentPhoto | null },
  sender: Sender,
): Promise<Outcome<null, SavePhotoRefusal>> {
  const read = await readShopPhoto(deps.rateLimits, photo, sender)
  if (!read.ok) return read
  const picture = read.value
  if (!picture) return refused('no-photo')
  return withJob<Outcome<null, SavePhotoRefusal>>(deps, by, bookingId, async (tx, { row, memberId, at }) => {
    if (workOrderLife[row.state].length === 0) return refused('over')
    if (row.state !== 'arrived' && row.state !== 'in-bay') return refused('no-car')
    await upsertJobPhoto(tx, { bookingId, kind, picture, memberId, at })
    await insertJobEvent(tx, { bookingId, what: 'saved', memberId, note: `Photo, ${jobPhotoKinds[kind]}`, at })
    return ok(null)
  })
}

/** Finds a job photo for a shop or an order; undefined if not found. */
export async function findJobPhoto({ db }: { db: Database }, photo: JobPhotoKey): Promise<NamedFile | undefined> {
  const key = isId(photo.bookingId) ? await selectJobPhotoKey(db, photo) : undefined
  return key === undefined ? undefined : { name: `${jobPhotoKinds[photo.kind]}.webp`, key }
}
