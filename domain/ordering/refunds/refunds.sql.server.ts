/** Queries for order refunds. */
import { sql } from 'kysely'
import type { LowerReason, RefundBearer, RefundKind, RefundReason, RefundState } from './refunds.ts'
import type { LineParts, RefundedLine, RefundSums } from './refund-lines.ts'
import type { ListPage } from '#domain/payments/payments/payments.server.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A refund as it is stored. */
export type OrderRefund = RefundSums & {
  id: string
  orderId: number
  kind: RefundKind
  state: RefundState
  lowerReason: LowerReason | null
  cardCents: number
  creditCents: number
  invoiceCents: number
  reason: RefundReason
  bearer: RefundBearer
  note: string | null
  isOverLimit: boolean
  createdAt: Temporal.Instant
  createdBy: string
  decidedAt: Temporal.Instant | null
  decidedBy: string | null
}

const columns = [
  'id',
  'order_id as orderId',
  'kind',
  'state',
  'lines_cents as linesCents',
  'handling_fee_cents as handlingFeeCents',
  'lowered_cents as loweredCents',
  'lower_reason as lowerReason',
  'goodwill_cents as goodwillCents',
  'amount_cents as amountCents',
  'card_cents as cardCents',
  'credit_cents as creditCents',
  'invoice_cents as invoiceCents',
  'reason',
  'bearer',
  'note',
  'is_over_limit as isOverLimit',
  'created_at as createdAt',
  'created_by as createdBy',
  'decided_at as decidedAt',
  'decided_by as decidedBy',
] as const

/** The refund that a form made. */
export async function selectBySubmission(tx: Tx, key: string): Promise<OrderRefund | undefined> {
  const row = await tx.selectFrom('order_refund').select(columns).where('submission_key', '=', key).executeTakeFirst()
  return row && refundOf(row)
}

/** A refund; with `isLocked` until the transaction ends. */
export async function selectOrderRefund(
  db: Database,
  id: string,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<OrderRefund | undefined> {
  const row = await db
    .selectFrom('order_refund')
    .select(columns)
    .where('id', '=', id)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst()
  return row && refundOf(row)
}

/** Selects an order's refunds, oldest first. */
export async function selectOrderRefunds(db: Database, orderId: number): Promise<OrderRefund[]> {
  const rows = await db
    .selectFrom('order_refund')
    .select(columns)
    .where('order_id', '=', orderId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(refundOf)
}

type Row = Omit<OrderRefund, 'kind' | 'state' | 'lowerReason' | 'reason' | 'bearer'> & {
  kind: string
  state: string
  lowerReason: string | null
  reason: string
  bearer: string
}

/** The schema's checks say which states, reasons and bearers there are. */
function refundOf(row: Row): OrderRefund {
  return {
    ...row,
    kind: row.kind as RefundKind,
    state: row.state as RefundState,
    lowerReason: row.lowerReason as LowerReason | null,
    reason: row.reason as RefundReason,
    bearer: row.bearer as RefundBearer,
  }
}

/** The lines of a refund, in the order's order. */
export async function selectRefundLines(
  db: Database,
  refundId: string,
): Promise<(LineParts & { lineNo: number; units: number })[]> {
  return db
    .selectFrom('order_refund_line')
    .select([
      'line_no as lineNo',
      'units',
      'net_cents as netCents',
      'tax_cents as taxCents',
      'fet_cents as fetCents',
      'tire_fee_cents as tireFeeCents',
    ])
    .where('refund_id', '=', refundId)
    .orderBy('line_no')
    .execute()
}

/** Selects the refunded amounts per line, including drafts. Lines without refunds are omitted. */
export async function selectRefundedOfLines(
  db: Database,
  orderId: number,
): Promise<{ lineNo: number; units: number; parts: LineParts }[]> {
  const { rows } = await sql<{ lineNo: number; units: number } & LineParts>`
    select line.line_no as "lineNo", sum(units)::int as units, sum(net_cents)::int as "netCents", sum(tax_cents)::int as "taxCents",
      sum(fet_cents)::int as "fetCents", sum(tire_fee_cents)::int as "tireFeeCents"
    from order_refund_line line join order_refund refund on refund.id = line.refund_id
    where line.order_id = ${orderId}::bigint and refund.state <> 'declined' group by line.line_no`.execute(db)
  return rows.map(({ lineNo, units, netCents, taxCents, fetCents, tireFeeCents }) => ({
    lineNo,
    units,
    parts: { netCents, taxCents, fetCents, tireFeeCents },
  }))
}

/** Amounts used by an order's refunds in cents, as store credit, and as drafts' card and invoice shares. */
export type TakenByRefunds = { creditCents: number; draftDueCents: number }

export async function selectTaken(db: Database, orderId: number): Promise<TakenByRefunds> {
  const { rows } = await sql<TakenByRefunds>`
    select coalesce(sum(credit_cents) filter (where state <> 'declined'), 0)::int as "creditCents",
      coalesce(sum(card_cents + invoice_cents) filter (where state = 'draft'), 0)::int as "draftDueCents"
    from order_refund where order_id = ${orderId}::bigint`.execute(db)
  return rows[0] ?? { creditCents: 0, draftDueCents: 0 }
}

/** Writes a refund with its lines. Throws on `order_refunds_within_line` if a line has not that much left. */
export async function insertOrderRefund(
  tx: Tx,
  { lines, submissionKey, ...refund }: OrderRefund & { lines: readonly RefundedLine[]; submissionKey: string },
): Promise<void> {
  await tx
    .insertInto('order_refund')
    .values({
      id: refund.id,
      order_id: refund.orderId,
      submission_key: submissionKey,
      kind: refund.kind,
      state: refund.state,
      lines_cents: refund.linesCents,
      handling_fee_cents: refund.handlingFeeCents,
      lowered_cents: refund.loweredCents,
      lower_reason: refund.lowerReason,
      goodwill_cents: refund.goodwillCents,
      amount_cents: refund.amountCents,
      card_cents: refund.cardCents,
      credit_cents: refund.creditCents,
      invoice_cents: refund.invoiceCents,
      reason: refund.reason,
      bearer: refund.bearer,
      note: refund.note,
      is_over_limit: refund.isOverLimit,
      created_at: refund.createdAt,
      created_by: refund.createdBy,
      decided_at: refund.decidedAt,
      decided_by: refund.decidedBy,
    })
    .execute()
  if (lines.length === 0) return
  await tx
    .insertInto('order_refund_line')
    .values(
      lines.map((line) => ({
        refund_id: refund.id,
        order_id: refund.orderId,
        line_no: line.lineNo,
        units: line.units,
        net_cents: line.netCents,
        tax_cents: line.taxCents,
        fet_cents: line.fetCents,
        tire_fee_cents: line.tireFeeCents,
      })),
    )
    .execute()
}

/** Decides a draft; false if it is decided already. */
export async function updateToDecided(
  tx: Tx,
  id: string,
  decision: { state: 'approved' | 'declined'; by: string; at: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('order_refund')
    .set({ state: decision.state, decided_by: decision.by, decided_at: decision.at })
    .where('id', '=', id)
    .where('state', '=', 'draft')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Counts each tire line's units in active returns without an order refund. `except` excludes tires about to be
 * refunded.
 */
export async function selectReturnedUnits(
  db: Database,
  orderId: number,
  except: { returnId: number; tireNos: readonly number[] } | null,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ lineNo: number; units: number }>`
    select line_no as "lineNo", count(*)::int as units from return_tire tire
    where order_id = ${orderId}::bigint and state not in ('canceled', 'refused')
      and not exists (select from order_refund refund where refund.id = tire.order_refund_id and refund.state <> 'declined')
      and not (return_id = ${except?.returnId ?? 0}::bigint and tire_no = any(${except?.tireNos ?? []}::int[]))
    group by line_no`.execute(db)
  return new Map(rows.map(({ lineNo, units }) => [lineNo, units]))
}

/** Returns whether a refund is for a return's tires. */
export async function isRefundOfReturn(db: Database, refundId: string): Promise<boolean> {
  const { rows } = await sql`select from return_tire where order_refund_id = ${refundId}::uuid limit 1`.execute(db)
  return rows.length > 0
}

/** Selects a page of staff refunds, newest first; `drafts` limits it to those pending approval. */
export async function selectRefundPage(
  db: Database,
  which: { drafts: boolean; reason: RefundReason | null; bearer: RefundBearer | null },
  { from, until, after, limit }: ListPage,
): Promise<OrderRefund[]> {
  let query = db.selectFrom('order_refund').select(columns)
  // A literal, so that the partial index of drafts serves it.
  if (which.drafts) query = query.where(sql<boolean>`state = 'draft'`)
  if (which.reason !== null) query = query.where('reason', '=', which.reason)
  if (which.bearer !== null) query = query.where('bearer', '=', which.bearer)
  if (from !== null) query = query.where('created_at', '>=', from)
  if (until !== null) query = query.where('created_at', '<', until)
  if (after !== null)
    query = query.where(sql<boolean>`(created_at, id) < (${after.at.toString()}::timestamptz, ${after.id}::uuid)`)
  const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(refundOf)
}

/** The refunds with these ids. */
export async function selectRefundsById(db: Database, ids: readonly string[]): Promise<OrderRefund[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('order_refund')
    .select(columns)
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(refundOf)
}
