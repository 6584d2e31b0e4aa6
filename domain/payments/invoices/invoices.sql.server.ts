/** The statements for invoices. */
import { sql } from 'kysely'
import { closeCart } from '#domain/payments/cart/cart.server.ts'
import type { CreditLine, Invoice, InvoiceState } from './invoices.ts'
import type { Database, Tx } from '#platform/db.ts'

/** An invoice in its company's list. */
export type ListedInvoice = Invoice & {
  orderId: number
  issuedOn: string
  poNumber: string | null
  isOverdue: boolean
  /** Received so far, in cents. */
  paidCents: number
  settledAt: Temporal.Instant | null
}

/** The limit of an approved company on net terms, what it owes, and the part due before `today`. */
export async function selectCreditLine(
  db: Database,
  companyId: string,
  today: string,
): Promise<CreditLine | undefined> {
  const { rows } = await sql<CreditLine>`
    select company.net_days as "netDays", credit_limit_cents as "limitCents", coalesce(sum(amount_cents - paid_cents), 0)::int as "openCents",
      coalesce(sum(amount_cents - paid_cents) filter (where due_on < ${today}::date), 0)::int as "overdueCents"
    from company
    left join sales_order on sales_order.company_id = company.id
    left join invoice on invoice.order_id = sales_order.id and invoice.state = 'open'
    where company.id = ${companyId}::uuid and company.state = 'approved' and company.net_days is not null
    group by company.id`.execute(db)
  return rows[0]
}

/**
 * Selects a company's invoices, open ones first by due date, then the others, newest first. Open ones due before
 * `today` are overdue.
 */
export async function selectInvoices(
  db: Database,
  companyId: string,
  { today, limit, offset }: { today: string; limit: number; offset: number },
): Promise<ListedInvoice[]> {
  const rows = await db
    .selectFrom('invoice')
    .innerJoin('sales_order', 'sales_order.id', 'invoice.order_id')
    .select([
      'invoice.order_id',
      'amount_cents',
      'paid_cents',
      'net_days',
      'issued_on',
      'due_on',
      'invoice.state',
      'settled_at',
      'sales_order.billing',
    ])
    .where('sales_order.company_id', '=', companyId)
    .orderBy((eb) => eb('invoice.state', '<>', 'open'))
    .orderBy((eb) => eb.case().when('invoice.state', '=', 'open').then(eb.ref('due_on')).end())
    .orderBy('invoice.order_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({
    orderId: row.order_id,
    amountCents: row.amount_cents,
    netDays: row.net_days,
    issuedOn: row.issued_on,
    dueOn: row.due_on,
    state: row.state as InvoiceState,
    poNumber: (row.billing as { poNumber: string | null }).poNumber,
    isOverdue: row.state === 'open' && row.due_on < today,
    paidCents: row.paid_cents,
    settledAt: row.settled_at,
  }))
}

/** Selects an order's invoice. Throws if it doesn't exist. */
export async function selectInvoice(db: Database, orderId: number): Promise<Invoice> {
  const row = await db
    .selectFrom('invoice')
    .select(['amount_cents', 'paid_cents', 'net_days', 'due_on', 'state'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return {
    amountCents: row.amount_cents,
    paidCents: row.paid_cents,
    netDays: row.net_days,
    dueOn: row.due_on,
    state: row.state as InvoiceState,
  }
}

/** Selects open invoices due by a day, once per company owner with a verified email. */
export function selectDueByOwner(
  db: Database,
  day: Temporal.PlainDate,
): Promise<{ orderId: number; dueOn: string; accountId: string; email: string | null }[]> {
  return db
    .selectFrom('invoice')
    .innerJoin('sales_order', 'sales_order.id', 'invoice.order_id')
    .innerJoin('company_member', 'company_member.company_id', 'sales_order.company_id')
    .innerJoin('account', 'account.id', 'company_member.account_id')
    .select(['invoice.order_id as orderId', 'due_on as dueOn', 'account.id as accountId', 'account.email'])
    .where('invoice.state', '=', 'open')
    .where('due_on', '<=', day.toString())
    .where('company_member.role', '=', 'owner')
    .where('account.email_verified_at', 'is not', null)
    .orderBy('invoice.order_id')
    .execute()
}

/**
 * Inserts an order's invoice and closes its cart to changes. False if the cart is already closed. Throws on
 * `invoice_within_credit` if the company's credit is not enough, so the caller must roll back.
 */
export async function insertInvoice(
  tx: Tx,
  invoice: {
    orderId: number
    cartId: string
    amountCents: number
    netDays: number
    issuedOn: Temporal.PlainDate
    dueOn: Temporal.PlainDate
    at: Temporal.Instant
  },
): Promise<boolean> {
  const result = await sql`
    with issued as (
      insert into invoice (order_id, amount_cents, net_days, issued_on, due_on)
      values (${invoice.orderId}::bigint, ${invoice.amountCents}::int, ${invoice.netDays}::smallint, ${invoice.issuedOn.toString()}::date, ${invoice.dueOn.toString()}::date)
      returning order_id)
    ${closeCart(invoice.cartId, invoice.at)} and state in ('open', 'waiting') and exists (select from issued)`.execute(
    tx,
  )
  return result.numAffectedRows === 1n
}

/** Cancels an order's open invoice. */
export async function updateToCanceled(
  tx: Tx,
  orderId: number,
  { at, by }: { by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('invoice')
    .set({ state: 'canceled', settled_at: at, settled_by: by })
    .where('order_id', '=', orderId)
    .where('state', '=', 'open')
    .execute()
}

/** Locks an order's open invoice and returns its balance due in cents, with its company. */
export function lockOpenInvoice(
  tx: Tx,
  orderId: number,
): Promise<{ leftCents: number; companyId: string | null } | undefined> {
  return tx
    .selectFrom('invoice')
    .innerJoin('sales_order', 'sales_order.id', 'invoice.order_id')
    .select((eb) => [eb('amount_cents', '-', eb.ref('paid_cents')).as('leftCents'), 'company_id as companyId'])
    .where('order_id', '=', orderId)
    .where('invoice.state', '=', 'open')
    .forUpdate('invoice')
    .executeTakeFirst()
}

/** A company's payment on an invoice; `reference` is the number of the transfer or check. */
export type InvoicePayment = {
  orderId: number
  amountCents: number
  reference: string
  by: string
  at: Temporal.Instant
}

/**
 * Inserts a payment on a locked open invoice, and marks it as paid if the balance is zero. Throws on
 * `invoice_payment_pkey` if the order has a payment with this reference.
 */
export async function insertPayment(
  tx: Tx,
  { orderId, amountCents, reference, by, at }: InvoicePayment,
  { isLast }: { isLast: boolean },
): Promise<void> {
  await tx
    .insertInto('invoice_payment')
    .values({ order_id: orderId, reference, amount_cents: amountCents, recorded_by: by, recorded_at: at })
    .execute()
  await tx
    .updateTable('invoice')
    .set((eb) => ({
      paid_cents: eb('paid_cents', '+', amountCents),
      ...(isLast && { state: 'paid', settled_at: at, settled_by: by, reference }),
    }))
    .where('order_id', '=', orderId)
    .execute()
}

/** The payments of a company received from `from` until before `until`, oldest first. */
export function selectPayments(
  db: Database,
  companyId: string,
  { from, until }: { from: Temporal.Instant; until: Temporal.Instant },
): Promise<{ orderId: number; reference: string; amountCents: number; recordedAt: Temporal.Instant }[]> {
  return db
    .selectFrom('invoice_payment')
    .innerJoin('sales_order', 'sales_order.id', 'invoice_payment.order_id')
    .select([
      'invoice_payment.order_id as orderId',
      'reference',
      'amount_cents as amountCents',
      'recorded_at as recordedAt',
    ])
    .where('company_id', '=', companyId)
    .where('recorded_at', '>=', from)
    .where('recorded_at', '<', until)
    .orderBy('recorded_at')
    .orderBy('invoice_payment.order_id')
    .limit(2_000)
    .execute()
}

/** Selects a company's invoices issued from `from` to `to`, oldest first, excluding canceled ones. */
export function selectIssued(
  db: Database,
  companyId: string,
  { from, to }: { from: Temporal.PlainDate; to: Temporal.PlainDate },
): Promise<{ orderId: number; issuedOn: string; dueOn: string; amountCents: number }[]> {
  return db
    .selectFrom('invoice')
    .innerJoin('sales_order', 'sales_order.id', 'invoice.order_id')
    .select(['invoice.order_id as orderId', 'issued_on as issuedOn', 'due_on as dueOn', 'amount_cents as amountCents'])
    .where('company_id', '=', companyId)
    .where('invoice.state', '<>', 'canceled')
    .where('issued_on', '>=', from.toString())
    .where('issued_on', '<=', to.toString())
    .orderBy('issued_on')
    .orderBy('invoice.order_id')
    .limit(2_000)
    .execute()
}

/** Returns a company's balance before a day in cents (all invoices until then, less all payments). */
export async function selectOwedBefore(
  db: Database,
  companyId: string,
  { day, at }: { day: Temporal.PlainDate; at: Temporal.Instant },
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select (
      (select coalesce(sum(amount_cents), 0) from invoice join sales_order on sales_order.id = order_id
        where company_id = ${companyId}::uuid and invoice.state <> 'canceled' and issued_on < ${day.toString()}::date)
      - (select coalesce(sum(amount_cents), 0) from invoice_payment join sales_order on sales_order.id = order_id
        where company_id = ${companyId}::uuid and recorded_at < ${at.toString()}::timestamptz))::int as cents`.execute(
    db,
  )
  return rows[0]?.cents ?? 0
}

/** Reduces an order's open invoice. Returns false if it is not open, or would become zero. */
export async function lowerOpenInvoice(tx: Tx, orderId: number, cents: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invoice')
    .set((eb) => ({ amount_cents: eb('amount_cents', '-', cents), lowered_cents: eb('lowered_cents', '+', cents) }))
    .where('order_id', '=', orderId)
    .where('state', '=', 'open')
    .where((eb) => eb('amount_cents', '>', eb('paid_cents', '+', cents)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Settles a fully refunded order's open invoice. Returns false if it is not open over exactly `cents`. */
export async function settleByRefund(
  tx: Tx,
  orderId: number,
  { cents, by, at }: { cents: number; by: string; at: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invoice')
    .set((eb) => ({
      amount_cents: eb('amount_cents', '-', cents),
      lowered_cents: eb('lowered_cents', '+', cents),
      state: 'paid',
      settled_at: at,
      settled_by: by.slice(0, 100),
      reference: 'refunded in full',
    }))
    .where('order_id', '=', orderId)
    .where('state', '=', 'open')
    .where((eb) => eb('amount_cents', '=', eb('paid_cents', '+', cents)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
