/** Queries for payments needing review. */
import { sql } from 'kysely'
import { isPaidByAnother, processingMinutes } from '#domain/payments/payments/payments.server.ts'
import type { ChargedMethod, PaymentProviderName } from '#domain/payments/payments/payments.ts'
import type { Database, Tx } from '#platform/db.ts'
import { warnings, type OpenChargeKind } from './open-charges.ts'

export type OpenCharge = {
  paymentId: string
  kind: OpenChargeKind
  method: ChargedMethod
  provider: PaymentProviderName
  providerRef: string | null
  state: string
  amountCents: number
  since: Temporal.Instant
  due: Temporal.Instant
  captureBefore: Temporal.Instant | null
  cartId: string | null
  orderId: number | null
  termId: string | null
  /** Whether it pays the difference of a change, and not the order itself. */
  isDifference: boolean
  orderState: string | null
  cancelUntil: Temporal.Instant | null
  /** Whether the order is held for a fraud decision by staff. */
  isHeld: boolean
  name: string | null
  email: string | null
  phone: string | null
  owner: string | null
  toldAt: Temporal.Instant | null
  toldBy: string | null
  payUntil: Temporal.Instant | null
}

/**
 * Selects payments needing review at `now`, due first; `moreHours` includes those that expire up to that much later. A
 * charge needs review as long as its data matches, so it doesn't have to be closed explicitly.
 */
export async function selectOpenCharges(
  db: Database,
  { now, limit, id, moreHours = 0 }: { now: Temporal.Instant; limit: number; id?: string; moreHours?: number },
): Promise<OpenCharge[]> {
  const at = now.toString()
  const methods = warnings.map(({ method }) => method)
  const hours = warnings.map((warning) => warning.hours + moreHours)
  const { rows } = await sql<OpenCharge>`
    with warning as (select * from unnest(${methods}::text[], ${hours}::int[]) as warning(method, hours)),
    open as (
      select id, 'no-answer' as kind, processing_since as since, processing_since + make_interval(mins => ${processingMinutes}::int) as due from payment
      where processing_since is not null and order_id is null and claimed_at is null and state in ('pending', 'failed', 'voided')
      union all
      select p.id, 'to-capture', p.created_at, p.capture_before from payment p join warning using (method)
      where p.state = 'authorized' and (p.order_id is not null or p.claimed_at is not null)
        and p.capture_before <= ${at}::timestamptz + make_interval(hours => warning.hours)
      union all
      select p.id, 'lapsed', p.lapsed_at, least(p.capture_before, p.lapsed_at) from payment p join sales_order o on o.id = p.order_id
      where p.lapsed_at is not null and o.state in ('confirmed', 'needs-confirmation')
        and not ${isPaidByAnother('p')})
    select p.id as "paymentId", open.kind, p.method, p.provider, coalesce(p.provider_ref, p.hosted_ref) as "providerRef", p.state, p.amount_cents as "amountCents",
      open.since, open.due, p.capture_before as "captureBefore", p.cart_id as "cartId", coalesce(p.order_id, change.order_id) as "orderId", p.membership_term_id as "termId",
      p.order_change_id is not null as "isDifference", o.state as "orderState", o.cancel_until as "cancelUntil",
      exists (select from order_screening held where held.order_id = p.order_id and held.outcome = 'review' and held.decision is distinct from 'accepted') as "isHeld",
      coalesce(o.first_name || ' ' || o.last_name, contact.first_name || ' ' || contact.last_name) as name,
      coalesce(o.email, contact.email) as email, coalesce(o.phone, contact.phone) as phone,
      task.owner, task.told_at as "toldAt", task.told_by as "toldBy", task.pay_until as "payUntil"
    from open join payment p using (id)
      left join order_change change on change.id = p.order_change_id
      left join sales_order o on o.id = coalesce(p.order_id, change.order_id)
      left join cart_contact contact on contact.cart_id = p.cart_id
      left join open_charge task on task.payment_id = p.id
    where ${id ?? null}::uuid is null or p.id = ${id ?? null}::uuid
    order by open.due, p.id limit ${limit}`.execute(db)
  return rows
}

/** Locks a charge's review task, creating it if necessary. */
export async function lockTask(tx: Tx, paymentId: string): Promise<{ owner: string | null }> {
  const { rows } = await sql<{ owner: string | null }>`
    insert into open_charge (payment_id) values (${paymentId}::uuid)
    on conflict (payment_id) do update set payment_id = excluded.payment_id returning owner`.execute(tx)
  const row = rows[0]
  if (!row) throw new Error('An open charge insert returned no row.')
  return row
}

export async function updateOwner(tx: Tx, paymentId: string, owner: string, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('open_charge').set({ owner, owned_since: at }).where('payment_id', '=', paymentId).execute()
}

/** Records that the customer was emailed, and the deadline for paying again if requested. */
export async function updateTold(
  tx: Tx,
  paymentId: string,
  { by, at, payUntil }: { by: string; at: Temporal.Instant; payUntil?: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('open_charge')
    .set({ told_at: at, told_by: by, ...(payUntil && { pay_until: payUntil }) })
    .where('payment_id', '=', paymentId)
    .execute()
}

/** Returns the order and deadline of a charge with a requested new payment. */
export function selectAsked(
  db: Database,
  paymentId: string,
): Promise<{ orderId: number; amountCents: number; payUntil: Temporal.Instant; cartId: string } | undefined> {
  return db
    .selectFrom('open_charge')
    .innerJoin('payment', 'payment.id', 'open_charge.payment_id')
    .select([
      'payment.order_id as orderId',
      'payment.amount_cents as amountCents',
      'payment.cart_id as cartId',
      'open_charge.pay_until as payUntil',
    ])
    .where('payment.id', '=', paymentId)
    .where('open_charge.pay_until', 'is not', null)
    .where('payment.order_id', 'is not', null)
    .where('payment.cart_id', 'is not', null)
    .$narrowType<{ orderId: number; cartId: string; payUntil: Temporal.Instant }>()
    .executeTakeFirst()
}

/** Selects charges with a payment link that led to a charge that is authorized but still unclaimed. */
export async function selectPaidAgain(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from payment p join open_charge task on task.payment_id = p.id and task.pay_until is not null
    where p.lapsed_at is not null and exists (
      select from payment paid where paid.cart_id = p.cart_id and paid.order_id is null and paid.state = 'authorized')
    order by p.lapsed_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
