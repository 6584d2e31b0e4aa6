/** The statements for invoices. */
import { sql } from 'kysely'
import { closeCart } from '#domain/cart/cart.server.ts'
import type { CreditLine, Invoice, InvoiceState } from '#domain/invoices/invoices.ts'
import type { Database, Tx } from '#platform/db.ts'

/** An invoice in its company's list. */
export type ListedInvoice = Invoice & {
  orderId: number
  issuedOn: string
  poNumber: string | null
  isOverdue: boolean
  settledAt: Temporal.Instant | null
}

/** The limit of an approved company on net terms, what it owes, and the part due before `today`. */
export async function selectCreditLine(
  db: Database,
  companyId: string,
  today: string,
): Promise<CreditLine | undefined> {
  const { rows } = await sql<CreditLine>`
    select company.net_days as "netDays", credit_limit_cents as "limitCents", coalesce(sum(amount_cents), 0)::int as "openCents",
      coalesce(sum(amount_cents) filter (where due_on < ${today}::date), 0)::int as "overdueCents"
    from company
    left join sales_order on sales_order.company_id = company.id
    left join invoice on invoice.order_id = sales_order.id and invoice.state = 'open'
    where company.id = ${companyId}::uuid and company.state = 'approved' and company.net_days is not null
    group by company.id`.execute(db)
  return rows[0]
}

/**
 * The invoices of a company: open ones first, by due date, then the others, newest first. Open ones due before `today`
 * are overdue.
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
    settledAt: row.settled_at,
  }))
}

/** The invoice of an order. Throws if there is none. */
export async function selectInvoice(db: Database, orderId: number): Promise<Invoice> {
  const row = await db
    .selectFrom('invoice')
    .select(['amount_cents', 'net_days', 'due_on', 'state'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return {
    amountCents: row.amount_cents,
    netDays: row.net_days,
    dueOn: row.due_on,
    state: row.state as InvoiceState,
  }
}

/** The open invoices due by a day, once per owner of their company with a verified email. */
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
 * Inserts the invoice of an order and closes its cart to changes. False if the cart is already closed. Throws on
 * `invoice_within_credit` if the company's credit is not enough: then nothing may be committed.
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
    ${closeCart(invoice.cartId, invoice.at)} and state = 'open' and exists (select from issued)`.execute(tx)
  return result.numAffectedRows === 1n
}

/** How an open invoice ends: who recorded it and when, and for a payment the transfer or check. */
export type Settlement = { by: string; at: Temporal.Instant } & (
  | { state: 'canceled' }
  | { state: 'paid'; reference: string }
)

/** Ends the open invoice of an order and returns its amount in cents; undefined if there is none. */
export async function settleInvoice(
  tx: Tx,
  orderId: number,
  { at, by, ...end }: Settlement,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('invoice')
    .set({ ...end, settled_at: at, settled_by: by })
    .where('order_id', '=', orderId)
    .where('state', '=', 'open')
    .returning('amount_cents')
    .executeTakeFirst()
  return row?.amount_cents
}
