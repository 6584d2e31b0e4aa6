/**
 * Invoices of orders on net terms: issued with the order, canceled with it, paid when staff record the payments. The
 * schema enforces the company's limit (`invoice_within_credit`) and that an order is paid only one way.
 */
import { dueDay, statementOf, type CreditLine, type Statement } from '#domain/invoices/invoices.ts'
import {
  insertInvoice,
  insertPayment,
  lockOpenInvoice,
  lowerOpenInvoice,
  selectCreditLine,
  selectInvoices,
  selectIssued,
  selectOwedBefore,
  selectPayments,
  settleByRefund,
  updateToCanceled,
  type ListedInvoice,
} from '#domain/invoices/invoices.sql.server.ts'
import { enterTransfer, entriesOfReceipt } from '#domain/ledger/ledger.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { recordAct, requirePermission, type Actor } from '#domain/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'

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
  await updateToCanceled(tx, orderId, { by: actor, at })
}

/**
 * Lowers the open invoice of an order by `cents`, and enters it in the ledger, in the transaction of the decision.
 * False, writing nothing, if it is not open or nothing would be left to pay. Only for a released order: canceling
 * reverses the sale as it was.
 */
export async function lowerInvoice(
  tx: Tx,
  { orderId, cents, at }: { orderId: number; cents: number; at: Temporal.Instant },
): Promise<boolean> {
  if (!(await lowerOpenInvoice(tx, orderId, cents))) return false
  await enterLowered(tx, { orderId, cents, at })
  return true
}

/**
 * Takes a refund of `cents` off the open invoice of an order, and enters it in the ledger. An invoice refunded in full is
 * settled with that, in the name of `by`. False, writing nothing, if it is not open over that much. Only for a released
 * order, as `lowerInvoice`.
 */
export async function refundInvoice(
  tx: Tx,
  { orderId, cents, by, at }: { orderId: number; cents: number; by: string; at: Temporal.Instant },
): Promise<boolean> {
  const isTaken = (await lowerOpenInvoice(tx, orderId, cents)) || (await settleByRefund(tx, orderId, { cents, by, at }))
  if (isTaken) await enterLowered(tx, { orderId, cents, at })
  return isTaken
}

function enterLowered(
  tx: Tx,
  { orderId, cents, at }: { orderId: number; cents: number; at: Temporal.Instant },
): Promise<void> {
  return enterTransfer(tx, {
    orderId,
    reason: 'invoice lowered',
    at,
    entries: [
      { account: 'refunds', cents },
      { account: 'receivable', cents: -cents },
    ],
  })
}

/** Why a payment is not recorded. `too-much`: only `leftCents` of the invoice are left to pay. */
export type PaymentRefusal =
  | Refused<'not-allowed'>
  | Refused<'not-open'>
  | Refused<'too-much', { leftCents: number }>
  | Refused<'recorded-already'>

/**
 * Records a payment of a company on the invoice of an order, and enters it in the ledger. `cents` is a part of what is
 * left; without it, all of it. With `companyId`, only for an invoice of that company. `reference` is the number of the transfer or check: an invoice takes each once. Refuses
 * `not-open` for an order without an invoice, or one already paid or canceled.
 */
export async function recordInvoicePaid(
  { db, clock }: Deps,
  {
    orderId,
    companyId,
    cents,
    reference,
    by,
  }: { orderId: number; companyId?: string; cents?: number | undefined; reference: string; by: Actor },
): Promise<Outcome<{ amountCents: number; leftCents: number }, PaymentRefusal>> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'invoices.settle', at)
      if (!permitted.ok) return permitted
      const open = await lockOpenInvoice(tx, orderId)
      if (!open || (companyId && companyId !== open.companyId)) return refused('not-open')
      const amountCents = cents ?? open.leftCents
      const leftCents = open.leftCents - amountCents
      if (leftCents < 0) return refused('too-much', { leftCents: open.leftCents })
      await insertPayment(tx, { orderId, amountCents, reference, by: by.name, at }, { isLast: leftCents === 0 })
      await enterTransfer(tx, { orderId, reason: 'invoice paid', at, entries: entriesOfReceipt(amountCents) })
      await recordAct(tx, {
        by,
        act: 'invoice.paid',
        subject: orderNumber(orderId),
        before: { leftCents: open.leftCents },
        after: { leftCents, reference },
        at,
      })
      return ok({ amountCents, leftCents })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'invoice_payment_pkey') return refused('recorded-already')
    throw error
  }
}

/**
 * Returns what happened between a company and the store in a month of the store's calendar: what was owed before it, its
 * invoices and payments in order of time, and what is owed after it, in cents.
 */
export async function readStatement(
  { db }: Pick<Deps, 'db'>,
  companyId: string,
  month: Temporal.PlainYearMonth,
): Promise<Statement> {
  const [from, next] = [month.toPlainDate({ day: 1 }), month.add({ months: 1 }).toPlainDate({ day: 1 })]
  const [start, end] = [from, next].map((day) => day.toZonedDateTime(storeZone).toInstant())
  if (!start || !end) throw new RangeError('A month has a start and an end.')
  const [before, issued, payments] = await Promise.all([
    selectOwedBefore(db, companyId, { day: from, at: start }),
    selectIssued(db, companyId, { from, to: next.subtract({ days: 1 }) }),
    selectPayments(db, companyId, { from: start, until: end }),
  ])
  return statementOf(before, [
    ...issued.map(({ orderId, issuedOn, dueOn, amountCents }) => ({
      day: issuedOn,
      orderId,
      cents: amountCents,
      what: { kind: 'invoice' as const, dueOn },
    })),
    ...payments.map(({ orderId, reference, amountCents, recordedAt }) => ({
      day: storeDay(recordedAt).toString(),
      orderId,
      cents: -amountCents,
      what: { kind: 'payment' as const, reference },
    })),
  ])
}
