/** Queries for job photos. */
import { sql } from 'kysely'
import { storeFile, type Attachment } from '#domain/kernel/files/files.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { JobPhoto, JobPhotoKind } from './job-photo-kinds.ts'

/** Stores a photo, and deletes the earlier one of its kind. */
export async function upsertJobPhoto(
  tx: Tx,
  photo: {
    bookingId: string
    kind: JobPhotoKind
    picture: Attachment
    memberId: string | null
    at: Temporal.Instant
  },
): Promise<void> {
  const key = await storeFile(tx, photo.picture, photo.at)
  await sql`
    insert into work_order_photo (booking_id, kind, file_key, sent_at, sent_by)
    values (${photo.bookingId}::uuid, ${photo.kind}, ${key}::uuid, ${photo.at}, ${photo.memberId}::uuid)
    on conflict (booking_id, kind) do update
      set file_key = excluded.file_key, sent_at = excluded.sent_at, sent_by = excluded.sent_by`.execute(tx)
}

/** Selects a job's photos. */
export async function selectJobPhotos(db: Database, bookingId: string): Promise<JobPhoto[]> {
  const { rows } = await sql<JobPhoto>`
    select booking_id as "bookingId", kind, sent_at as "sentAt" from work_order_photo
    where booking_id = ${bookingId}::uuid`.execute(db)
  return rows
}

/** Selects an order's job photos, oldest job first. */
export async function selectPhotosOfOrder(db: Database, orderId: number): Promise<JobPhoto[]> {
  const { rows } = await sql<JobPhoto>`
    select photo.booking_id as "bookingId", kind, sent_at as "sentAt"
    from work_order_photo photo join work_order job on job.booking_id = photo.booking_id
    where job.order_id = ${orderId}::bigint order by job.booking_id, sent_at`.execute(db)
  return rows
}

/** Identifies a job photo for a shop or an order. */
export type JobPhotoKey = { bookingId: string; kind: JobPhotoKind } & ({ shopId: number } | { orderId: number })

export async function selectJobPhotoKey(db: Database, photo: JobPhotoKey): Promise<string | undefined> {
  const owner =
    'shopId' in photo ? sql`job.shop_id = ${photo.shopId}::int` : sql`job.order_id = ${photo.orderId}::bigint`
  const { rows } = await sql<{ key: string }>`
    select file_key as key from work_order_photo photo join work_order job on job.booking_id = photo.booking_id
    where photo.booking_id = ${photo.bookingId}::uuid and kind = ${photo.kind} and ${owner}`.execute(db)
  return rows[0]?.key
}

/** Deletes these orders' job photos. Returns how many. */
export async function eraseJobPhotos(tx: Tx, orderIds: readonly number[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from work_order_photo using work_order job
    where job.booking_id = work_order_photo.booking_id and job.order_id = any(${[...orderIds]}::bigint[])`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Deletes photos sent before an instant. Returns how many. */
export async function forgetOldJobPhotos(db: Database, before: Temporal.Instant): Promise<number> {
  const { numAffectedRows } = await sql`delete from work_order_photo where sent_at < ${before}`.execute(db)
  return Number(numAffectedRows ?? 0)
}
