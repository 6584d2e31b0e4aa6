/**
 * Invoices of orders on net terms: issued with the order, off with it, paid when staff has the money. The schema has
 * the last word on what a company may owe (`invoice_within_credit`) and on an order being paid for in one way.
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
 * What a company may buy on its terms today; null where it is not approved, or pays when it orders. An invoice is
 * overdue from the day after its last.
 */
export async function findCreditLine({ db, clock }: Deps, companyId: string): Promise<CreditLine | null> {
  return (await selectCreditLine(db, companyId, storeDay(clock.now()).toString())) ?? null
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
  const invoices = await selectInvoices(db, companyId, {
    today: storeDay(clock.now()).toString(),
    limit: invoicesPerPage + 1,
    offset: (page - 1) * invoicesPerPage,
  })
  return { invoices: invoices.slice(0, invoicesPerPage), hasMore: invoices.length > invoicesPerPage }
}

/**
 * Issues the invoice of an order and closes its cart, which takes nothing more. False when the cart is closed already.
 * Throws on `invoice_within_credit` when the company has no credit for it: then nothing may be committed.
 */
export function issueInvoice(
  tx: Tx,
  invoice: { orderId: number; cartId: string; amountCents: number; netDays: number; at: Temporal.Instant },
): Promise<boolean> {
  const issuedOn = storeDay(invoice.at)
  return insertInvoice(tx, { ...invoice, issuedOn, dueOn: dueDay(issuedOn, invoice.netDays) })
}

/**
 * Takes the invoice of an order back that is off; the books are reversed with the order. Harmless where there is none.
 */
export async function cancelInvoice(
  tx: Tx,
  { orderId, actor, at }: { orderId: number; actor: string; at: Temporal.Instant },
): Promise<void> {
  await settleInvoice(tx, orderId, { state: 'canceled', by: actor, at })
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
