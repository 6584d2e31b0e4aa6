/** Queries for charges. Over 400 lines: a query for each transition of `paymentLife`, over the same columns. */
import { sql, type RawBuilder } from 'kysely'
import { closeCart } from '#domain/payments/cart/cart.server.ts'
import type { RateLimitKeys } from '#domain/kernel/rate-limits/rate-limits.ts'
import type { PaidCard } from './payment-provider.port.ts'
import { ruleOf, type ChargedMethod } from '#domain/payments/payment-methods/payment-methods.ts'
import { paymentLife, type Payer, type Payment, type PaymentFlow, type PaymentState } from './payments.ts'
import { claimOf } from './open-charges.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'

type Row = {
  id: string
  order_id: number | null
  method: string
  flow: string
  provider_ref: string | null
  hosted_ref: string | null
  amount_cents: number
  refunded_cents: number
  state: string
  saves_card: boolean
  card_brand: string | null
  card_last4: string | null
  processing_since: Temporal.Instant | null
}

const columns = [
  'id',
  'order_id',
  'method',
  'flow',
  'provider_ref',
  'hosted_ref',
  'amount_cents',
  'refunded_cents',
  'state',
  'saves_card',
  'card_brand',
  'card_last4',
  'processing_since',
] as const

export async function insertPayment(
  db: Database,
  payment: {
    id: string
    payer: Payer
    method: ChargedMethod
    flow: PaymentFlow
    amountCents: number
    from: string | null
    savesCard?: boolean
    at: Temporal.Instant
  },
): Promise<void> {
  await db
    .insertInto('payment')
    .values({
      id: payment.id,
      ...columnOf(payment.payer),
      provider: ruleOf(payment.method)?.provider ?? 'stripe',
      method: payment.method,
      flow: payment.flow,
      amount_cents: payment.amountCents,
      network_key: payment.from,
      saves_card: payment.savesCard ?? false,
      state: 'pending',
      created_at: payment.at,
      updated_at: payment.at,
    })
    .execute()
}

export async function findPayment(
  db: Database,
  by: { id: string } | { ref: string } | { hostedRef: string },
): Promise<Payment | undefined> {
  const query = db.selectFrom('payment').select(columns)
  const row = await (
    'id' in by
      ? query.where('id', '=', by.id)
      : 'ref' in by
        ? query.where('provider_ref', '=', by.ref)
        : query.where('hosted_ref', '=', by.hostedRef)
  ).executeTakeFirst()
  return row && toPayment(row)
}

/** Expiry and checks belong to one card, so a new card replaces the previous card's values. */
function detailsOf({ expiry, checks }: PaidCard): RawBuilder<unknown> {
  return sql`
        card_exp_month = ${expiry?.month ?? null}::smallint, card_exp_year = ${expiry?.year ?? null}::smallint,
        card_street_check = ${checks?.street ?? null}, card_zip_check = ${checks?.zip ?? null}, card_code_check = ${checks?.code ?? null},`
}

/** Records the card of a charge with a known state. */
export async function notePaidCard(db: Database, id: string, card: PaidCard): Promise<void> {
  await db
    .updateTable('payment')
    .set({
      card_brand: card.brand,
      card_last4: card.last4,
      card_exp_month: card.expiry?.month ?? null,
      card_exp_year: card.expiry?.year ?? null,
      card_street_check: card.checks?.street ?? null,
      card_zip_check: card.checks?.zip ?? null,
      card_code_check: card.checks?.code ?? null,
    })
    .where('id', '=', id)
    .where('card_last4', 'is', null)
    .execute()
}

/** Returns the buyer and network a charge's card attempts count for. */
export async function findCardTry(db: Database, id: string): Promise<RateLimitKeys<'card-decline'>> {
  const row = await db
    .selectFrom('payment')
    .select(['cart_id', 'membership_term_id', 'order_change_id', 'network_key'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { payer: row.cart_id ?? row.membership_term_id ?? row.order_change_id ?? id, network: row.network_key }
}

/** Returns the newest claimable charge for a cart or membership term. */
export async function findLivePayment(db: Database, payer: Payer): Promise<Payment | undefined> {
  const row = await db
    .selectFrom('payment')
    .select(columns)
    .where(...ofPayer(payer))
    .where('state', 'in', ['pending', 'authorized', 'failed'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toPayment(row)
}

/** Whether the payer has a live charge on a provider's page that was opened after `at`. */
export async function hasHostedPageSince(db: Database, payer: Payer, at: Temporal.Instant): Promise<boolean> {
  const row = await db
    .selectFrom('payment')
    .select('id')
    .where(...ofPayer(payer))
    .where('flow', '=', 'hosted')
    .where('state', 'in', ['pending', 'authorized', 'failed'])
    .where('created_at', '>', at)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function setProviderRef(
  db: Database,
  id: string,
  refs: { ref?: string; hostedRef?: string; amountCents?: number },
  at: Temporal.Instant,
): Promise<void> {
  await db
    .updateTable('payment')
    .set({
      ...(refs.ref ? { provider_ref: refs.ref } : {}),
      ...(refs.hostedRef ? { hosted_ref: refs.hostedRef } : {}),
      ...(refs.amountCents ? { amount_cents: refs.amountCents } : {}),
      updated_at: at,
    })
    .where('id', '=', id)
    .execute()
}

/** Records since when the bank has not answered; null once it has. */
export async function noteProcessing(
  db: Database,
  id: string,
  { isProcessing, at }: { isProcessing: boolean; at: Temporal.Instant },
): Promise<void> {
  await db
    .updateTable('payment')
    .set({ processing_since: isProcessing ? at : null })
    .where('id', '=', id)
    .where('processing_since', isProcessing ? 'is' : 'is not', null)
    .execute()
}

/** Lists unclaimed charges with a bank response pending since before an instant. */
export async function listProcessing(db: Database, before: Temporal.Instant): Promise<Payment[]> {
  const rows = await db
    .selectFrom('payment')
    .select(columns)
    .where('order_id', 'is', null)
    .where('claimed_at', 'is', null)
    .where('state', 'in', ['pending', 'failed'])
    .where('processing_since', '<', before)
    .orderBy('processing_since')
    .limit(100)
    .execute()
  return rows.map(toPayment)
}

/**
 * Records activity by the shopper, so that neither the charge nor an unanswered submission counts as abandoned. Returns
 * the charge.
 */
export async function touchPayment(db: Database, id: string, at: Temporal.Instant): Promise<Payment | undefined> {
  const row = await db
    .updateTable('payment')
    .set({ updated_at: at, submitted_at: null })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  return row && toPayment(row)
}

/**
 * Records a submission at `at` on the newest unclaimed charge for a cart or membership term, and returns the charge.
 */
export async function noteSubmission(db: Database, payer: Payer, at: Temporal.Instant): Promise<Payment | undefined> {
  const row = await db
    .updateTable('payment')
    .set({ updated_at: at, submitted_at: at })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('payment')
        .select('id')
        .where(...ofPayer(payer))
        .where('order_id', 'is', null)
        .where('claimed_at', 'is', null)
        .where('state', 'in', ['pending', 'authorized', 'failed'])
        .orderBy('created_at', 'desc')
        .limit(1),
    )
    .where('order_id', 'is', null)
    .where('claimed_at', 'is', null)
    .returning(columns)
    .executeTakeFirst()
  return row && toPayment(row)
}

/** Marks a submission as answered, unless a later one replaced it. */
export async function answerSubmission(db: Database, id: string, submittedAt: Temporal.Instant): Promise<void> {
  await db
    .updateTable('payment')
    .set({ submitted_at: null })
    .where('id', '=', id)
    .where('submitted_at', '=', submittedAt)
    .execute()
}

/**
 * Moves a charge to `to` if its state allows, and records who reported it; `unclaimed`: only while no order or term has
 * claimed it. Returns false if its state does not allow it.
 */
export async function movePayment(
  db: Database | Tx,
  id: string,
  to: PaymentState,
  change: {
    actor: string
    at: Temporal.Instant
    capturedCents?: number
    note?: string | null
    unclaimed?: boolean
    cardFingerprint?: string | null
    card?: PaidCard | null
    captureBefore?: Temporal.Instant | null
  },
): Promise<boolean> {
  const result = await sql<{ id: string }>`
    with before as (
      select id, state from payment where id = ${id}::uuid for update),
    moved as (
      update payment set state = ${to}, updated_at = ${change.at.toString()}::timestamptz, captured_cents = coalesce(${change.capturedCents ?? null}::int, payment.captured_cents),
        card_brand = coalesce(${change.card?.brand ?? null}, payment.card_brand), card_last4 = coalesce(${change.card?.last4 ?? null}, payment.card_last4),
        ${change.card ? detailsOf(change.card) : sql``}
        card_fingerprint = coalesce(${change.cardFingerprint ?? null}, payment.card_fingerprint),
        capture_before = coalesce(${change.captureBefore?.toString() ?? null}::timestamptz, payment.capture_before)
      from before where payment.id = before.id and before.state = any(${statesBefore(paymentLife, to)}::text[])
        and (payment.order_id is null and payment.claimed_at is null or not ${change.unclaimed ?? false}::boolean)
      returning payment.id, before.state as was),
    noted as (
      insert into payment_event (payment_id, at, from_state, to_state, actor, note)
      select id, ${change.at.toString()}::timestamptz, was, ${to}, ${change.actor}, ${change.note ?? null} from moved)
    select id from moved`.execute(db)
  return result.rows.length > 0
}

/** Clears the network of payments not touched since `before`. Returns how many. */
export async function forgetOldNetworks(db: Database, before: Temporal.Instant): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('payment')
    .set({ network_key: null })
    .where('updated_at', '<', before)
    .where('network_key', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Lists order edits with an authorized charge that isn't claimed, oldest payment first. */
export async function listPaidChanges(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('payment')
    .select('order_change_id')
    .where('order_change_id', 'is not', null)
    .where('order_id', 'is', null)
    .where('state', '=', 'authorized')
    .orderBy('updated_at')
    .limit(limit)
    .execute()
  return rows.flatMap((row) => row.order_change_id ?? [])
}

/** Unclaimed charges not touched since `before`, left behind by a shopper or a crash. */
export async function listAbandoned(db: Database, before: Temporal.Instant): Promise<Payment[]> {
  const rows = await db
    .selectFrom('payment')
    .select(columns)
    .where('order_id', 'is', null)
    .where('claimed_at', 'is', null)
    .where('state', 'in', ['pending', 'authorized'])
    .where('updated_at', '<', before)
    .orderBy('updated_at')
    .limit(100)
    .execute()
  return rows.map(toPayment)
}

/** Lists charges from submissions that started before `before` and placed no order. */
export async function listCutOff(db: Database, before: Temporal.Instant): Promise<Payment[]> {
  const rows = await db
    .selectFrom('payment')
    .select(columns)
    .where('order_id', 'is', null)
    .where('claimed_at', 'is', null)
    .where('state', 'in', ['pending', 'authorized'])
    .where('submitted_at', '<', before)
    .orderBy('submitted_at')
    .limit(100)
    .execute()
  return rows.map(toPayment)
}

/**
 * Claims an authorized charge for its term. Returns false if it does not exist, is not authorized, has another amount,
 * or is already claimed.
 */
export async function claimForTerm(
  tx: Tx,
  claim: { paymentId: string; termId: string; amountCents: number; at: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payment')
    .set({ claimed_at: claim.at, updated_at: claim.at, submitted_at: null })
    .where('id', '=', claim.paymentId)
    .where('membership_term_id', '=', claim.termId)
    .where('state', '=', 'authorized')
    .where('claimed_at', 'is', null)
    .where('amount_cents', '=', claim.amountCents)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Claims an order edit's authorized charge. Returns false if it does not exist, is not authorized, has another amount,
 * or is claimed, in which case the edit must not be applied.
 */
export async function claimForChange(
  tx: Tx,
  claim: { changeId: string; orderId: number; amountCents: number; at: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payment')
    .set({ order_id: claim.orderId, updated_at: claim.at, submitted_at: null })
    .where('order_change_id', '=', claim.changeId)
    .where('state', '=', 'authorized')
    .where('order_id', 'is', null)
    .where('amount_cents', '=', claim.amountCents)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Claims the authorized charge for the order and closes the cart to changes. Returns false if the charge does not
 * exist, is not authorized, has another amount, or is already claimed, in which case the caller must roll back.
 */
export async function claimPaymentForOrder(
  tx: Tx,
  claim: { paymentId: string; cartId: string; orderId: number; chargedCents: number; at: Temporal.Instant },
): Promise<boolean> {
  const result = await sql`
    with claimed as (${claimOf({ ...claim, amountCents: claim.chargedCents }, { isAgain: false })} returning id)
    ${closeCart(claim.cartId, claim.at)} and exists (select from claimed)`.execute(tx)
  return result.numAffectedRows === 1n
}

/** Records a captured charge's full refund. Returns false if already recorded. */
export async function markRefunded(
  tx: Tx,
  paymentId: string,
  change: { actor: string; at: Temporal.Instant },
): Promise<boolean> {
  const result = await sql`
    with refunded as (
      update payment set refunded_cents = captured_cents, updated_at = ${change.at}::timestamptz
      where id = ${paymentId}::uuid and state = 'captured' and refunded_cents = 0 returning id, state)
    insert into payment_event (payment_id, at, from_state, to_state, actor, note)
    select id, ${change.at}::timestamptz, state, state, ${change.actor}, 'given back' from refunded`.execute(tx)
  return result.numAffectedRows === 1n
}

function columnOf(payer: Payer): { cart_id: string } | { membership_term_id: string } | { order_change_id: string } {
  if ('cartId' in payer) return { cart_id: payer.cartId }
  return 'termId' in payer ? { membership_term_id: payer.termId } : { order_change_id: payer.changeId }
}

function ofPayer(payer: Payer): ['cart_id' | 'membership_term_id' | 'order_change_id', '=', string] {
  if ('cartId' in payer) return ['cart_id', '=', payer.cartId]
  return 'termId' in payer ? ['membership_term_id', '=', payer.termId] : ['order_change_id', '=', payer.changeId]
}

function toPayment(row: Row): Payment {
  return {
    id: row.id,
    orderId: row.order_id,
    method: row.method as ChargedMethod,
    flow: row.flow as PaymentFlow,
    providerRef: row.provider_ref,
    hostedRef: row.hosted_ref,
    amountCents: row.amount_cents,
    refundedCents: row.refunded_cents,
    state: row.state as PaymentState,
    savesCard: row.saves_card,
    card: row.card_brand && row.card_last4 ? { brand: row.card_brand, last4: row.card_last4 } : null,
    processingSince: row.processing_since,
  }
}

/** Why a charge failed last, as its provider said then. */
export async function selectFailure(db: Database, paymentId: string): Promise<string | null> {
  const row = await db
    .selectFrom('payment_event')
    .select('note')
    .where('payment_id', '=', paymentId)
    .where('to_state', '=', 'failed')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.note ?? null
}

/** An event in the history of an order's charge. */
export type ChargeEvent = { at: Temporal.Instant; to: string; actor: string; note: string | null; amountCents: number }

/** The events of an order's charges, oldest first. */
export function selectChargeEvents(db: Database, orderId: number): Promise<ChargeEvent[]> {
  return db
    .selectFrom('payment_event as event')
    .innerJoin('payment', 'payment.id', 'event.payment_id')
    .select(['event.at', 'event.to_state as to', 'event.actor', 'event.note', 'payment.amount_cents as amountCents'])
    .where('payment.order_id', '=', orderId)
    .orderBy('event.id')
    .execute()
}
