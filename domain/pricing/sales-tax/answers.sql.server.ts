/** The statements for what the tax provider answered. */
import { sql } from 'kysely'
import type { AnsweredTax, TaxPart } from '#domain/pricing/pricing/pricing.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { TaxPlace, TaxSource } from './sales-tax.ts'
import type { RecordedLine, ReversedLine } from './tax-provider.port.ts'

/** A cart's tax result, or the lack of one. */
export type KeptAnswer = {
  hash: string
  source: TaxSource
  answer: AnsweredTax | null
  calculationRef: string | null
  goodUntil: Temporal.Instant
}

/** What is kept of a cart. */
export async function selectKeptAnswer(db: Database, cartId: string): Promise<KeptAnswer | undefined> {
  const row = await db
    .selectFrom('cart_sales_tax')
    .select(['input_hash as hash', 'source', 'answer', 'calculation_ref as calculationRef', 'good_until as goodUntil'])
    .where('cart_id', '=', cartId)
    .executeTakeFirst()
  return row && { ...row, source: row.source as TaxSource, answer: row.answer as AnsweredTax | null }
}

/** The rows that the tax of a cart's price rests on, in lock order: an import of rates writes the table's only row first. */
export function taxBasisOf(cartId: string) {
  return [
    { table: 'sales_tax_table', key: 'id', which: sql`true` },
    { table: 'cart_sales_tax', key: 'cart_id', which: sql`cart_sales_tax.cart_id = ${cartId}::uuid` },
  ]
}

/** Stores a cart's tax result, replacing the previous one. */
export async function keepAnswer(
  db: Database,
  {
    cartId,
    hash,
    source,
    answer,
    calculationRef,
    goodUntil,
    at,
  }: KeptAnswer & { cartId: string; at: Temporal.Instant },
): Promise<void> {
  const values = {
    input_hash: hash,
    source,
    answer: answer && sql<string>`${JSON.stringify(answer)}::jsonb`,
    calculation_ref: calculationRef,
    good_until: goodUntil,
    asked_at: at,
  }
  await db
    .insertInto('cart_sales_tax')
    .values({ cart_id: cartId, ...values })
    .onConflict((conflict) => conflict.column('cart_id').doUpdateSet(values))
    .execute()
}

/** Stores the provider's rate for a location. An equal one from the same day isn't rewritten. */
export async function keepPlaceAnswer(
  db: Database,
  { zip, state }: TaxPlace,
  { parts, day }: { parts: readonly TaxPart[]; day: string },
): Promise<void> {
  await sql`
    insert into sales_tax_answer (zip, state, parts, answered_on)
    values (${zip}, ${state}, ${JSON.stringify(parts)}::jsonb, ${day}::date)
    on conflict (zip) do update set state = excluded.state, parts = excluded.parts, answered_on = excluded.answered_on
    where (sales_tax_answer.state, sales_tax_answer.parts, sales_tax_answer.answered_on)
      is distinct from (excluded.state, excluded.parts, excluded.answered_on)`.execute(db)
}

/** Deletes the provider's rates in states with imported rates. */
export async function deletePlaceAnswers(tx: Tx, states: readonly string[]): Promise<void> {
  await tx.deleteFrom('sales_tax_answer').where('state', 'in', states).execute()
}

/** The source of an order's tax, and its reports to the provider. */
export type OrderTax = {
  orderId: number
  source: TaxSource
  calculationRef: string | null
  replacedAt: Temporal.Instant | null
  transactionRef: string | null
  lineRefs: RecordedLine[] | null
  problem: string | null
}

const orderColumns = [
  'order_id as orderId',
  'source',
  'calculation_ref as calculationRef',
  'replaced_at as replacedAt',
  'transaction_ref as transactionRef',
  'line_refs as lineRefs',
  'problem',
] as const

/** Writes where the tax of a new order is from. */
export async function insertOrderTax(
  tx: Tx,
  order: { orderId: number; source: TaxSource; calculationRef: string | null; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('order_sales_tax')
    .values({
      order_id: order.orderId,
      source: order.source,
      calculation_ref: order.calculationRef,
      placed_at: order.at,
    })
    .execute()
}

/** The tax of an order; with `isLocked` until the transaction ends. Undefined for orders that a table taxed. */
export async function selectOrderTax(
  db: Database,
  orderId: number,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<OrderTax | undefined> {
  const row = await db
    .selectFrom('order_sales_tax')
    .select(orderColumns)
    .where('order_id', '=', orderId)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst()
  return row && { ...row, source: row.source as TaxSource, lineRefs: row.lineRefs as RecordedLine[] | null }
}

/** Selects orders with tax that isn't from the provider, newest first, before order `before`. */
export async function selectEstimatedOrders(
  db: Database,
  before: number | null,
  limit: number,
): Promise<(Pick<OrderTax, 'orderId' | 'source' | 'replacedAt' | 'problem'> & { placedAt: Temporal.Instant })[]> {
  const rows = await db
    .selectFrom('order_sales_tax')
    .select([...orderColumns, 'placed_at as placedAt'])
    // As the partial index has it.
    .where(sql<boolean>`(source <> 'provider' or replaced_at is not null or problem is not null)`)
    .$if(before !== null, (query) => query.where('order_id', '<', before ?? 0))
    .orderBy('order_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, source: row.source as TaxSource }))
}

/** Marks an order's price as changed; false if it has no tax record. */
export async function updateToReplaced(tx: Tx, orderId: number, at: Temporal.Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('order_sales_tax')
    .set({ replaced_at: at })
    .where('order_id', '=', orderId)
    .where('replaced_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores an order's provider references, once. */
export async function updateToRecorded(
  tx: Tx,
  orderId: number,
  { ref, lines, at }: { ref: string; lines: readonly RecordedLine[]; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('order_sales_tax')
    .set({ transaction_ref: ref, line_refs: sql`${JSON.stringify(lines)}::jsonb`, recorded_at: at, problem: null })
    .where('order_id', '=', orderId)
    .where('transaction_ref', 'is', null)
    .execute()
}

/** Notes what the provider refused, for staff. */
export async function updateTaxProblem(db: Database, orderId: number, problem: string): Promise<void> {
  await db
    .updateTable('order_sales_tax')
    .set({ problem: problem.slice(0, 500) })
    .where('order_id', '=', orderId)
    .execute()
}

/** A reversal for a recorded order, for some of its units, or null for the remainder. */
export type Reversal = { id: string; lines: ReversedUnits[] | null; isSent: boolean }
type ReversedUnits = ReversedLine & { units: number }

/** Stores a reversal. */
export async function insertReversal(
  tx: Tx,
  {
    id,
    orderId,
    lines,
    at,
  }: { id: string; orderId: number; lines: readonly ReversedUnits[] | null; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('order_sales_tax_reversal')
    .values({ id, order_id: orderId, lines: lines && sql<string>`${JSON.stringify(lines)}::jsonb`, made_at: at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** What is to be taken back of an order, oldest first. */
export async function selectReversals(db: Database, orderId: number): Promise<Reversal[]> {
  const rows = await db
    .selectFrom('order_sales_tax_reversal')
    .select(['id', 'lines', 'ref'])
    .where('order_id', '=', orderId)
    .orderBy('made_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id, lines, ref }) => ({ id, lines: lines as ReversedUnits[] | null, isSent: ref !== null }))
}

/** Stores a reversal's provider reference. */
export async function updateToReversed(
  db: Database,
  id: string,
  { ref, at }: { ref: string; at: Temporal.Instant },
): Promise<void> {
  await db.updateTable('order_sales_tax_reversal').set({ ref, sent_at: at }).where('id', '=', id).execute()
}
