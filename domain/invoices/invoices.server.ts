/**
 * Invoices of orders on net terms: issued with the order, off with it, paid when staff has the money. The schema has
 * the last word on what a company may owe (`invoice_within_credit`) and on an order being paid for in one way.
 */
import { sql } from 'kysely'
import { dueDay, type CreditLine, type Invoice, type InvoiceState } from '#domain/invoices/invoices.ts'
import { enterTransfer, entriesOfReceipt } from '#domain/ledger/ledger.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

export { invoiceMessageValues, remindOfInvoices } from './invoice-messages.server.ts'

type Deps = { db: Database; clock: Clock }

/**
 * What a company may buy on its terms today; null where it is not approved, or pays when it orders. An invoice is
 * overdue from the day after its last.
 */
export async function findCreditLine({ db, clock }: Deps, companyId: string): Promise<CreditLine | null> {
  const today = storeDay(clock.now()).toString()
  const { rows } = await sql<CreditLine>`
    select company.net_days as "netDays", credit_limit_cents as "limitCents", coalesce(sum(amount_cents), 0)::int as "openCents",
      coalesce(sum(amount_cents) filter (where due_on < ${today}::date), 0)::int as "overdueCents"
    from company
    left join sales_order on sales_order.company_id = company.id
    left join invoice on invoice.order_id = sales_order.id and invoice.state = 'open'
    where company.id = ${companyId}::uuid and company.state = 'approved' and company.net_days is not null
    group by company.id`.execute(db)
  return rows[0] ?? null
}

/** An invoice in the list of its company. */
export type ListedInvoice = Invoice & {
  orderId: number
  issuedOn: string
  poNumber: string | null
  isOverdue: boolean
  settledAt: Temporal.Instant | null
}

export const invoicesPerPage = 50

/**
 * The invoices of a company: those that are open first, by the day they are due, then the others, the newest first.
 * `page` counts from 1.
 */
export async function listInvoices(
  { db, clock }: Deps,
  companyId: string,
  page = 1,
): Promise<{ invoices: ListedInvoice[]; hasMore: boolean }> {
  const today = storeDay(clock.now()).toString()
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
    .limit(invoicesPerPage + 1)
    .offset((page - 1) * invoicesPerPage)
    .execute()
  const invoices = rows.slice(0, invoicesPerPage).map((row) => ({
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
  return { invoices, hasMore: rows.length > invoicesPerPage }
}

/**
 * Issues the invoice of an order and closes its cart, which takes nothing more. False when the cart is closed already.
 * Throws on `invoice_within_credit` when the company has no credit for it: then nothing may be committed.
 */
export async function issueInvoice(
  tx: Tx,
  invoice: { orderId: number; cartId: string; amountCents: number; netDays: number; at: Temporal.Instant },
): Promise<boolean> {
  const issuedOn = storeDay(invoice.at)
  const result = await sql`
    with issued as (
      insert into invoice (order_id, amount_cents, net_days, issued_on, due_on)
      values (${invoice.orderId}::bigint, ${invoice.amountCents}::int, ${invoice.netDays}::smallint, ${issuedOn.toString()}::date, ${dueDay(issuedOn, invoice.netDays).toString()}::date)
      returning order_id)
    update cart set state = 'ordered', updated_at = ${invoice.at.toString()}::timestamptz
    where id = ${invoice.cartId}::uuid and state = 'open' and exists (select from issued)`.execute(tx)
  return result.numAffectedRows === 1n
}

/**
 * Takes the invoice of an order back that is off; the books are reversed with the order. Harmless where there is none.
 */
export async function cancelInvoice(
  tx: Tx,
  { orderId, actor, at }: { orderId: number; actor: string; at: Temporal.Instant },
): Promise<void> {
  await settle(tx, orderId, { state: 'canceled', settled_at: at, settled_by: actor })
}

/**
 * Notes that a company paid an invoice, whole, and enters the money. Refuses `not-open` for an order without an
 * invoice, and for one that is paid already or off. `reference` is the number of the transfer or check.
 */
export async function recordInvoicePaid(
  { db, clock }: Deps,
  { orderId, by, reference }: { orderId: number; by: string; reference: string },
): Promise<Outcome<{ amountCents: number }, Refused<'not-open'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const amountCents = await settle(tx, orderId, { state: 'paid', settled_at: at, settled_by: by, reference })
    if (amountCents === undefined) return refused('not-open')
    await enterTransfer(tx, {
      orderId,
      reason: 'invoice paid',
      at,
      entries: entriesOfReceipt(amountCents),
    })
    return ok({ amountCents })
  })
}

type Settlement = { settled_at: Temporal.Instant; settled_by: string } & (
  | { state: 'canceled' }
  | { state: 'paid'; reference: string }
)

/** Ends an open invoice; undefined when there is none. */
async function settle(tx: Tx, orderId: number, settlement: Settlement): Promise<number | undefined> {
  const row = await tx
    .updateTable('invoice')
    .set(settlement)
    .where('order_id', '=', orderId)
    .where('state', '=', 'open')
    .returning('amount_cents')
    .executeTakeFirst()
  return row?.amount_cents
}
