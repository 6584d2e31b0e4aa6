/** Queries for shop reports about tires. */
import { storeFile } from '#domain/kernel/files/files.server.ts'
import type { Attachment } from '#domain/kernel/files/files.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { ShopReportKind, ShopReportState } from './shop-report-terms.ts'

/** A report with the office's answer; the photo is read separately. */
export type ShopReport = {
  id: number
  bookingId: string
  shopId: number
  shop: string
  orderId: number
  kind: ShopReportKind
  /** Null if the report is about all the job's tires. */
  lineNo: number | null
  pieces: number
  note: string | null
  reportedAt: Temporal.Instant
  reportedBy: string | null
  hasPhoto: boolean
  answer: string | null
  answeredAt: Temporal.Instant | null
  state: ShopReportState
  closedAt: Temporal.Instant | null
  closedBy: string | null
}

/** Stores a report; the same form again returns the report it made. */
export async function insertReport(
  tx: Tx,
  report: {
    bookingId: string
    shopId: number
    orderId: number
    kind: ShopReportKind
    lineNo: number | null
    pieces: number
    note: string | null
    photo: Attachment | null
    key: string
    /** Null where the store's staff ended the job. */
    memberId: string | null
    at: Temporal.Instant
  },
): Promise<{ id: number; isNew: boolean }> {
  const before = await selectBySubmission(tx, report.key)
  if (before !== undefined) return { id: before, isNew: false }
  const { id } = await tx
    .insertInto('shop_report')
    .values({
      booking_id: report.bookingId,
      shop_id: report.shopId,
      order_id: report.orderId,
      kind: report.kind,
      line_no: report.lineNo,
      pieces: report.pieces,
      note: report.note,
      file_key: report.photo && (await storeFile(tx, report.photo, report.at)),
      submission_key: report.key,
      reported_at: report.at,
      reported_by: report.memberId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, isNew: true }
}

async function selectBySubmission(tx: Tx, key: string): Promise<number | undefined> {
  const row = await tx.selectFrom('shop_report').select('id').where('submission_key', '=', key).executeTakeFirst()
  return row?.id
}

function selectReports(db: Database) {
  return db
    .selectFrom('shop_report as report')
    .innerJoin('shop', 'shop.id', 'report.shop_id')
    .leftJoin('shop_member as member', 'member.id', 'report.reported_by')
    .select((eb) => [
      'report.id',
      'report.booking_id as bookingId',
      'report.shop_id as shopId',
      'shop.name as shop',
      'report.order_id as orderId',
      'report.kind',
      'report.line_no as lineNo',
      'report.pieces',
      'report.note',
      'report.reported_at as reportedAt',
      'member.name as reportedBy',
      eb('report.file_key', 'is not', null).$castTo<boolean>().as('hasPhoto'),
      'report.answer',
      'report.answered_at as answeredAt',
      'report.state',
      'report.closed_at as closedAt',
      'report.closed_by as closedBy',
    ])
}

function toReport(row: { kind: string; state: string } & Omit<ShopReport, 'kind' | 'state'>): ShopReport {
  return { ...row, kind: row.kind as ShopReportKind, state: row.state as ShopReportState }
}

/** The reports of a job, oldest first. */
export async function selectReportsOfJob(db: Database, bookingId: string): Promise<ShopReport[]> {
  const rows = await selectReports(db)
    .where('report.booking_id', '=', bookingId)
    .orderBy('report.id')
    .limit(50)
    .execute()
  return rows.map(toReport)
}

/** Up to `count` reports in a state, newest first, with numbers below `before`. */
export async function selectReportsByState(
  db: Database,
  { state, before, count }: { state: ShopReportState; before: number | null; count: number },
): Promise<ShopReport[]> {
  const rows = await selectReports(db)
    .where('report.state', '=', state)
    .$if(before !== null, (select) => select.where('report.id', '<', before ?? 0))
    .orderBy('report.id', 'desc')
    .limit(count)
    .execute()
  return rows.map(toReport)
}

/** Open reports, oldest first. */
export async function selectOpenReports(db: Database, limit: number): Promise<ShopReport[]> {
  const rows = await selectReports(db).where('report.state', '=', 'open').orderBy('report.id').limit(limit).execute()
  return rows.map(toReport)
}

export async function selectReport(db: Database, id: number): Promise<ShopReport | undefined> {
  const row = await selectReports(db).where('report.id', '=', id).executeTakeFirst()
  return row && toReport(row)
}

/** The key of a report's picture. */
export async function selectReportPhotoKey(db: Database, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('shop_report').select('file_key').where('id', '=', id).executeTakeFirst()
  return row?.file_key ?? undefined
}

/** Locks a report until the transaction ends and reads it. */
export async function lockReport(tx: Tx, id: number): Promise<ShopReport | undefined> {
  await tx.selectFrom('shop_report').select('id').where('id', '=', id).forUpdate().execute()
  return selectReport(tx, id)
}

export async function updateAnswer(
  tx: Tx,
  { id, answer, at }: { id: number; answer: string; at: Temporal.Instant },
): Promise<void> {
  await tx.updateTable('shop_report').set({ answer, answered_at: at }).where('id', '=', id).execute()
}

export async function updateClosed(
  tx: Tx,
  { id, by, at }: { id: number; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('shop_report')
    .set({ state: 'closed', closed_at: at, closed_by: by })
    .where('id', '=', id)
    .execute()
}

/** Deletes photos from reports closed before an instant. Returns how many. */
export async function forgetOldReportPhotos(db: Database, before: Temporal.Instant): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('shop_report')
    .set({ file_key: null })
    .where('file_key', 'is not', null)
    .where('state', '=', 'closed')
    .where('closed_at', '<', before)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
