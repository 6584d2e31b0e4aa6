/** The statements of work orders. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { slotsOf, type TireLine } from './wheel-positions.ts'
import type { TireInput } from './job-form.ts'
import type { WorkOrderState } from './work-order-life.ts'

/** What is stored of a job. */
export type WorkOrderRow = {
  bookingId: string
  shopId: number
  orderId: number
  state: WorkOrderState
  stateAt: Temporal.Instant
  reason: string | null
  odometerMiles: number | null
  torqueLbFt: number | null
  codeAttempts: number
  codeMatchedAt: Temporal.Instant | null
  signedName: string | null
  signedStrokes: string | null
  signedAt: Temporal.Instant | null
  vinEnd: string | null
  /** The last delay sent to the customer. */
  lateMinutes: number | null
}

const columns = [
  'booking_id as bookingId',
  'shop_id as shopId',
  'order_id as orderId',
  'state',
  'state_at as stateAt',
  'reason',
  'odometer_miles as odometerMiles',
  'torque_lb_ft as torqueLbFt',
  'code_attempts as codeAttempts',
  'code_matched_at as codeMatchedAt',
  'signed_name as signedName',
  'signed_strokes as signedStrokes',
  'signed_at as signedAt',
  'vin_end as vinEnd',
  'late_minutes as lateMinutes',
] as const

/** Returns a booking's work order; undefined before its first change. */
export async function selectWorkOrder(db: Database, bookingId: string): Promise<WorkOrderRow | undefined> {
  const row = await db.selectFrom('work_order').select(columns).where('booking_id', '=', bookingId).executeTakeFirst()
  return row && { ...row, state: row.state as WorkOrderState }
}

/** Creates a booking's work order if necessary, and locks it until the transaction ends. */
export async function lockWorkOrder(
  tx: Tx,
  { bookingId, shopId, orderId, at }: { bookingId: string; shopId: number; orderId: number; at: Temporal.Instant },
): Promise<WorkOrderRow> {
  await tx
    .insertInto('work_order')
    .values({ booking_id: bookingId, shop_id: shopId, order_id: orderId, state_at: at, saved_at: at })
    .onConflict((conflict) => conflict.column('booking_id').doNothing())
    .execute()
  await tx.selectFrom('work_order').select('booking_id').where('booking_id', '=', bookingId).forUpdate().execute()
  const locked = await selectWorkOrder(tx, bookingId)
  if (!locked) throw new Error(`The work order of booking ${bookingId} is not there.`)
  return locked
}

export async function updateLateMinutes(tx: Tx, bookingId: string, minutes: number): Promise<void> {
  await tx.updateTable('work_order').set({ late_minutes: minutes }).where('booking_id', '=', bookingId).execute()
}

/** Updates a job's entered data; null values are unchanged. */
export async function updateWorkOrder(
  tx: Tx,
  bookingId: string,
  change: {
    odometerMiles?: number | null
    torqueLbFt?: number | null
    signed?: { name: string; strokes: string | null; at: Temporal.Instant } | null
    vinEnd?: string | null
    codeMatchedAt?: Temporal.Instant
    wrongCode?: true
    at: Temporal.Instant
  },
): Promise<void> {
  await tx
    .updateTable('work_order')
    .set((eb) => ({
      saved_at: change.at,
      ...(change.odometerMiles != null && { odometer_miles: change.odometerMiles }),
      ...(change.torqueLbFt != null && { torque_lb_ft: change.torqueLbFt }),
      ...(change.signed && {
        signed_name: change.signed.name,
        signed_strokes: change.signed.strokes,
        signed_at: change.signed.at,
      }),
      ...(change.vinEnd != null && { vin_end: change.vinEnd }),
      ...(change.codeMatchedAt && { code_matched_at: change.codeMatchedAt }),
      ...(change.wrongCode && { code_attempts: eb('code_attempts', '+', 1) }),
    }))
    .where('booking_id', '=', bookingId)
    .execute()
}

/** Moves a job on; the trigger refuses what its life does not have. */
export async function moveWorkOrder(
  tx: Tx,
  bookingId: string,
  { to, reason, at }: { to: WorkOrderState; reason: string | null; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('work_order')
    .set({ state: to, reason, state_at: at })
    .where('booking_id', '=', bookingId)
    .execute()
}

/** A job's progress, with its state and counted tires by order line. */
export type JobProgress = { state: WorkOrderState; counted: ReadonlyMap<number, number> }

/** Selects the progress of started jobs for these appointments. */
export async function selectJobProgress(
  db: Database,
  bookingIds: readonly string[],
): Promise<ReadonlyMap<string, JobProgress>> {
  if (bookingIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('work_order')
    .leftJoin('work_order_piece as piece', 'piece.booking_id', 'work_order.booking_id')
    .select(['work_order.booking_id as bookingId', 'work_order.state', 'piece.line_no as lineNo', 'piece.received'])
    .where('work_order.booking_id', 'in', bookingIds)
    .execute()
  const progress = new Map<string, { state: WorkOrderState; counted: Map<number, number> }>()
  for (const { bookingId, state, lineNo, received } of rows) {
    const job = progress.get(bookingId) ?? { state: state as WorkOrderState, counted: new Map<number, number>() }
    if (lineNo !== null && received !== null) job.counted.set(lineNo, received)
    progress.set(bookingId, job)
  }
  return progress
}

/** An order's finished job, as visible to its fleet. */
export type FinishedJob = {
  orderId: number
  vinEnd: string | null
  odometerMiles: number
  shop: string
  timeZone: string
  doneAt: Temporal.Instant
}

/** Selects these orders' finished jobs. */
export async function selectFinishedJobs(db: Database, orderIds: readonly number[]): Promise<FinishedJob[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<FinishedJob>`
    select job.order_id as "orderId", job.vin_end as "vinEnd", job.odometer_miles as "odometerMiles", shop.name as shop, shop.time_zone as "timeZone", job.state_at as "doneAt"
    from work_order job join shop on shop.id = job.shop_id
    where job.order_id = any(${orderIds}::bigint[]) and job.state = 'done'`.execute(db)
  return rows
}

/** A job's tire as stored. */
export type StoredTire = TireInput & { isFixed: boolean }

/** Selects a job's tires, with stored values merged over the order's. */
export async function selectTires(db: Database, bookingId: string, lines: readonly TireLine[]): Promise<StoredTire[]> {
  const stored = await db
    .selectFrom('work_order_tire')
    .select(['line_no', 'nth', 'position', 'tin', 'old_tread_32'])
    .where('booking_id', '=', bookingId)
    .execute()
  return slotsOf(lines).map((slot) => {
    const kept = stored.find(({ line_no: lineNo, nth }) => lineNo === slot.lineNo && nth === slot.nth)
    return {
      ...slot,
      position: kept && !slot.isFixed ? kept.position : slot.position,
      tin: kept?.tin ?? null,
      oldTread32: kept?.old_tread_32 ?? null,
    }
  })
}

/** Replaces a job's tires, which removes canceled ones. */
export async function replaceTires(tx: Tx, bookingId: string, tires: readonly TireInput[]): Promise<void> {
  await tx.deleteFrom('work_order_tire').where('booking_id', '=', bookingId).execute()
  if (tires.length === 0) return
  await tx
    .insertInto('work_order_tire')
    .values(
      tires.map(({ lineNo, nth, position, tin, oldTread32 }) => ({
        booking_id: bookingId,
        line_no: lineNo,
        nth,
        position,
        tin,
        old_tread_32: oldTread32,
      })),
    )
    .execute()
}

/** How many pieces of each line were counted. */
export async function selectPieces(db: Database, bookingId: string): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('work_order_piece')
    .select(['line_no', 'received'])
    .where('booking_id', '=', bookingId)
    .execute()
  return new Map(rows.map(({ line_no: lineNo, received }) => [lineNo, received]))
}

export async function upsertPieces(
  tx: Tx,
  { bookingId, lineNo, received, at }: { bookingId: string; lineNo: number; received: number; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('work_order_piece')
    .values({ booking_id: bookingId, line_no: lineNo, received, counted_at: at })
    .onConflict((conflict) => conflict.columns(['booking_id', 'line_no']).doUpdateSet({ received, counted_at: at }))
    .execute()
}

export type JobEventKind = 'moved' | 'pieces' | 'code' | 'code-wrong' | 'saved' | 'reported' | 'late'

/** Records a job action by a shop member, or null for the store's staff. */
export async function insertJobEvent(
  tx: Tx,
  event: {
    bookingId: string
    what: JobEventKind
    to?: WorkOrderState
    memberId: string | null
    note?: string | null
    at: Temporal.Instant
  },
): Promise<void> {
  await tx
    .insertInto('work_order_event')
    .values({
      booking_id: event.bookingId,
      at: event.at,
      what: event.what,
      to_state: event.to ?? null,
      member_id: event.memberId,
      note: event.note ?? null,
    })
    .execute()
}

export type JobEvent = { at: Temporal.Instant; what: JobEventKind; to: WorkOrderState | null; note: string | null }

/** The last things that happened to a job, oldest first. */
export async function selectJobEvents(db: Database, bookingId: string): Promise<JobEvent[]> {
  const rows = await db
    .selectFrom('work_order_event')
    .select(['at', 'what', 'to_state as to', 'note'])
    .where('booking_id', '=', bookingId)
    .orderBy('id', 'desc')
    .limit(40)
    .execute()
  return rows
    .toReversed()
    .map((row) => ({ ...row, what: row.what as JobEventKind, to: row.to as WorkOrderState | null }))
}

/** Selects identifying data for items by id, with label number and registration data. */
export async function selectArticles(
  db: Database,
  itemIds: readonly number[],
): Promise<Map<number, { sku: string; brand: string; line: string; size: string; warrantyMiles: number | null }>> {
  if (itemIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select(['item.id', 'item.sku', 'brand.name as brand', 'product_line.name as line', 'size.designation as size'])
    .select(({ fn }) => fn.coalesce('item.warranty_miles', 'product_line.warranty_miles').as('warrantyMiles'))
    .where('item.id', 'in', itemIds)
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

/** Jobs that a shop refused, of orders that have no other appointment yet: oldest first. */
export async function selectUndoneJobs(
  db: Database,
  limit: number,
): Promise<{ bookingId: string; orderId: number; state: WorkOrderState; shop: string; since: Temporal.Instant }[]> {
  const { rows } = await sql<{
    bookingId: string
    orderId: number
    state: WorkOrderState
    shop: string
    since: Temporal.Instant
  }>`
    select job.booking_id as "bookingId", job.order_id as "orderId", job.state, shop.name as shop, job.state_at as since
    from work_order job join sales_order o on o.id = job.order_id join shop on shop.id = job.shop_id
    where job.state in ('refused', 'wrong-tires') and o.state = 'confirmed' and o.fulfillment in ('shop', 'mobile')
      and not exists (select from booking where booking.order_id = o.id and booking.state in ('confirmed', 'done'))
    order by job.state_at, job.booking_id limit ${limit}`.execute(db)
  return rows
}
