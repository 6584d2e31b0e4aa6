/**
 * Invoices for orders on net terms. They are issued and canceled with the order, and paid when staff record payments.
 * The schema enforces the company's limit (`invoice_within_credit`) and that an order is paid only one way.
 */
import { dueDay, statementOf, type CreditLine, type Statement } from './invoices.ts'
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
} from './invoices.sql.server.ts'
import { enterTransfer, entriesOfReceipt } from '#domain/payments/ledger/ledger.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'

export { invoiceMessageValues, remindOfInvoices } from './invoice-messages.server.ts'
export type { ListedInvoice } from './invoices.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/**
 * Returns a company's credit line today; null if it is not approved, or pays when ordering. An invoice is overdue from
 * the day after its due date.
 */
export async function findCreditLine({ db, clock }: Deps, companyId: string): Promise<CreditLine | null> {
  return (await selectCreditLine(db, companyId, storeDay(clock.now()).toString())) ?? null
}

export const invoicesPerPage = 50

/** Lists a company's invoices, open ones first by due date, then the others, newest first. `page` counts from 1. */
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
 * Issues an order's invoice and closes its cart to changes. False if the cart is already closed. Throws on
 * `invoice_within_credit` if the company's credit is not enough, so the caller must roll back.
 */
export function issueInvoice(
  tx: Tx,
  invoice: { orderId: number; cartId: string; amountCents: number; netDays: number; at: Temporal.Instant },
): Promise<boolean> {
  const issuedOn = storeDay(invoice.at)
  return insertInvoice(tx, { ...invoice, issuedOn, dueOn: dueDay(issuedOn, invoice.netDays) })
}

/** Cancels a canceled order's invoice, if any; the ledger is reversed with the order. */
export async function cancelInvoice(
  tx: Tx,
  { orderId, actor, at }: { orderId: number; actor: string; at: Temporal.Instant },
): Promise<void> {
  await updateToCanceled(tx, orderId, { by: actor, at })
}

/**
 * Reduces an order's open invoice by `cents`, and records it in the ledger, in the deciding transaction. Returns false
 * without writing if it is not open or would become zero. Only for a released order, because canceling reverses the
 * original sale.
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
 * Deducts a refund of `cents` from an order's open invoice, and records it in the ledger. A full refund settles the
 * invoice, on behalf of `by`. Returns false without writing if less than that is open. Only for a released order, as
 * `lowerInvoice`.
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
 * Records a company's payment on an order's invoice, and enters it in the ledger. `cents` is a partial payment; the
 * default is the balance due. With `companyId`, only accepts that company's invoices. `reference` is the number of the
 * transfer or check, unique per invoice. Refuses `not-open` for an order without an invoice, or one already paid or
 * canceled.
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
 * Returns a company's monthly statement in the store's time zone, in cents, with opening balance, invoices and payments
 * in order of time, and closing balance.
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
