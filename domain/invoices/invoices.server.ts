/**
 * Invoices of orders on net terms: issued with the order, canceled with it, paid when staff has received the money. The
 * schema enforces the company's limit (`invoice_within_credit`) and that an order is paid only one way.
 */
import { dueDay, type CreditLine } from '#domain/invoices/invoices.ts'
import {
  insertInvoice,
  selectCreditLine,
  selectInvoices,
  settleInvoice,
  type ListedInvoice,
} from '#domain/invoices/invoices.sql.server.ts'
import { enterTransfer, entriesOfReceipt } from '#domain/ledger/ledger.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

export { invoiceMessageValues, remindOfInvoices } from './invoice-messages.server.ts'
export type { ListedInvoice } from '#domain/invoices/invoices.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/**
 * Returns a company's credit line today; null if it is not approved, or pays when ordering. An invoice is overdue from
 * the day after its due date.
 */
export async function findCreditLine({ db, clock }: Deps, companyId: string): Promise<CreditLine | null> {
  return (await selectCreditLine(db, companyId, storeDay(clock.now()).toString())) ?? null
}

export const invoicesPerPage = 50

/**
 * Lists the invoices of a company: open ones first, by due date, then the others, newest first. `page` counts from 1.
 */
export async function listInvoices(
  { db, clock }: Deps,
  companyId: string,
  page = 1,
): Promise<{ invoices: ListedInvoice[]; hasMore: boolean }> {
  const invoices = await selectInvoices(db, companyId, {
    today: storeDay(clock.now()).toString(),
    limit: invoicesPerPage + 1,
    offset: (page - 1) * invoicesPerPage,
  })
  return { invoices: invoices.slice(0, invoicesPerPage), hasMore: invoices.length > invoicesPerPage }
}

/**
 * Issues the invoice of an order and closes its cart to changes. False if the cart is already closed. Throws on
 * `invoice_within_credit` if the company's credit is not enough: then nothing may be committed.
 */
export function issueInvoice(
  tx: Tx,
  invoice: { orderId: number; cartId: string; amountCents: number; netDays: number; at: Temporal.Instant },
): Promise<boolean> {
  const issuedOn = storeDay(invoice.at)
  return insertInvoice(tx, { ...invoice, issuedOn, dueOn: dueDay(issuedOn, invoice.netDays) })
}

/** Cancels the invoice of a canceled order; the ledger is reversed with the order. Harmless if there is none. */
export async function cancelInvoice(
  tx: Tx,
  { orderId, actor, at }: { orderId: number; actor: string; at: Temporal.Instant },
): Promise<void> {
  await settleInvoice(tx, orderId, { state: 'canceled', by: actor, at })
}

/**
 * Records a company's full payment of an invoice, and enters it in the ledger. Refuses `not-open` for an order without
 * an invoice, or one already paid or canceled. `reference` is the number of the transfer or check.
 */
export async function recordInvoicePaid(
  { db, clock }: Deps,
  { orderId, by, reference }: { orderId: number; by: string; reference: string },
): Promise<Outcome<{ amountCents: number }, Refused<'not-open'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const amountCents = await settleInvoice(tx, orderId, { state: 'paid', by, at, reference })
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
