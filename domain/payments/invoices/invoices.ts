/** Invoices: what companies on net terms owe for their orders, until when, and their limit. Safe in the browser. */
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type InvoiceState = 'open' | 'paid' | 'canceled'

/** One order's invoice. Days are "2026-12-20". */
export type Invoice = {
  readonly amountCents: number
  /** The amount paid so far. */
  readonly paidCents: number
  readonly netDays: number
  readonly dueOn: string
  readonly state: InvoiceState
}

/** The credit line of an approved company. `openCents` is owed, `overdueCents` of it past due. */
export type CreditLine = {
  readonly netDays: number
  readonly limitCents: number
  readonly openCents: number
  readonly overdueCents: number
}

/** Why an order is not invoiced. `no-terms`: the buyer has no company with net terms. */
export type TermsRefusal = Refused<
  'net-terms-refused',
  { why: 'no-terms' } | { why: 'overdue'; overdueCents: number } | { why: 'over-limit'; leftCents: number }
>

/** Returns a company's remaining credit in cents; 0 if its limit was lowered below what it owes. */
export function creditLeft({ limitCents, openCents }: CreditLine): number {
  return Math.max(0, limitCents - openCents)
}

/**
 * Returns what a company can spend on net terms today in cents. It is the remaining credit, or 0 while anything is
 * overdue.
 */
export function creditToSpend(line: CreditLine): number {
  return line.overdueCents > 0 ? 0 : creditLeft(line)
}

/**
 * Approves an invoice for this many cents, or returns the refusal. `line` is null for a buyer without terms. Refuses
 * while anything is overdue.
 */
export function grantInvoice(line: CreditLine | null, amountCents: number): Outcome<CreditLine, TermsRefusal> {
  if (line === null) return refused('net-terms-refused', { why: 'no-terms' })
  if (line.overdueCents > 0) return refused('net-terms-refused', { why: 'overdue', overdueCents: line.overdueCents })
  const leftCents = creditLeft(line)
  return amountCents > leftCents ? refused('net-terms-refused', { why: 'over-limit', leftCents }) : ok(line)
}

/** Returns the due date of an order on `day`. */
export function dueDay(day: Temporal.PlainDate, netDays: number): Temporal.PlainDate {
  return day.add({ days: netDays })
}

/** "Net 30, $766.14 due Dec 20, 2026" */
export function invoiceText({ netDays, amountCents, dueOn, state }: Omit<Invoice, 'paidCents'>): string {
  const terms = `Net ${netDays}, ${formatCents(amountCents)}`
  if (state === 'paid') return `${terms} paid`
  return state === 'canceled'
    ? `Net ${netDays}, not due because the order was canceled`
    : `${terms} due ${dateText(dueOn)}`
}

/** One line of a statement. It is an invoice, or a payment with negative `cents`. */
export type StatementLine = {
  /** "2026-11-20", on the store's calendar. */
  day: string
  orderId: number
  cents: number
  what: { kind: 'invoice'; dueOn: string } | { kind: 'payment'; reference: string }
}

/** A company's monthly statement, with its opening balance, a running balance per line, and its closing balance. */
export type Statement = {
  beforeCents: number
  lines: (StatementLine & { owedCents: number })[]
  afterCents: number
}

/** Sorts lines with a day's invoices before its payments, and computes the running balance. */
export function statementOf(beforeCents: number, lines: readonly StatementLine[]): Statement {
  let owedCents = beforeCents
  const inOrder = lines.toSorted(
    (a, b) => a.day.localeCompare(b.day) || a.what.kind.localeCompare(b.what.kind) || a.orderId - b.orderId,
  )
  const added = inOrder.map((line) => ({ ...line, owedCents: (owedCents += line.cents) }))
  return { beforeCents, lines: added, afterCents: owedCents }
}
