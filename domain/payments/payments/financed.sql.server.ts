/** Queries for charges a lender funds on fulfillment. */
import { sql } from 'kysely'
import { isPaidOnDelivery, paymentMethodRules } from '#domain/payments/payment-methods/payment-methods.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'

function financedMethods(): string[] {
  return paymentMethodRules.map(({ type }) => type).filter(isPaidOnDelivery)
}

/** An order's charge with an outstanding lender payment, and the amount received. */
export type FinancedCharge = { paymentId: string; providerRef: string; amountCents: number; receivedCents: number }

/** Returns undefined if the order doesn't have the charge or it is fully paid. */
export async function selectFinanced(db: Database, orderId: number): Promise<FinancedCharge | undefined> {
  const row = await db
    .selectFrom('payment')
    .select(['id', 'provider_ref', 'amount_cents', 'captured_cents'])
    .where('order_id', '=', orderId)
    .where('order_change_id', 'is', null)
    .where('state', '=', 'authorized')
    .where('method', 'in', financedMethods())
    .executeTakeFirst()
  return row?.provider_ref
    ? {
        paymentId: row.id,
        providerRef: row.provider_ref,
        amountCents: row.amount_cents,
        receivedCents: row.captured_cents,
      }
    : undefined
}

/** Queues a sync with an order's lender if its payment is outstanding, in the caller's transaction. */
export async function settleFinancedSoon(db: Database, orderId: number): Promise<void> {
  if (await selectFinanced(db, orderId))
    await enqueue(db, 'settle-financed', { orderId }, { key: `settle-financed:${orderId}` })
}

/** Locks the charge; undefined if it is no longer authorized. */
export async function lockFinanced(tx: Tx, paymentId: string): Promise<{ receivedCents: number } | undefined> {
  const row = await tx
    .selectFrom('payment')
    .select('captured_cents')
    .where('id', '=', paymentId)
    .where('state', '=', 'authorized')
    .forUpdate()
    .executeTakeFirst()
  return row && { receivedCents: row.captured_cents }
}

/** Writes down what the lender owes now, and that it is received on the charge. */
export async function insertDelivered(
  tx: Tx,
  { paymentId, totalCents, amountCents, at }: FinancedDelivery,
): Promise<void> {
  await sql`
    with delivered as (
      insert into financed_delivery (payment_id, total_cents, amount_cents, received_at)
      values (${paymentId}::uuid, ${totalCents}::int, ${amountCents}::int, ${at.toString()}::timestamptz) returning payment_id)
    update payment set captured_cents = ${totalCents}::int, updated_at = ${at.toString()}::timestamptz
    from delivered where payment.id = delivered.payment_id`.execute(tx)
}

export type FinancedDelivery = { paymentId: string; totalCents: number; amountCents: number; at: Temporal.Instant }

/** A charge's promised refund, with the cumulative promised amount. */
export type PromisedPart = { id: string; amountCents: number; untilCents: number }

/** What is promised back of a charge, in the order in which it comes off its contract. */
export async function selectPromisedParts(db: Database, paymentId: string): Promise<PromisedPart[]> {
  const rows = await db
    .selectFrom('charge_refund')
    .select(['id', 'amount_cents'])
    .where('payment_id', '=', paymentId)
    .where('state', '=', 'promised')
    .orderBy('promised_at')
    .orderBy('id')
    .execute()
  let untilCents = 0
  return rows.map(({ id, amount_cents: amountCents }) => ({ id, amountCents, untilCents: (untilCents += amountCents) }))
}
