/**
 * Invoices: what companies that pay later owe for their orders, until when, and how much of that they may. Safe in the
 * browser.
 */
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type InvoiceState = 'open' | 'paid' | 'canceled'

/** The invoice of one order. Days are "2026-12-20". */
export type Invoice = {
  readonly amountCents: number
  readonly netDays: number
  readonly dueOn: string
  readonly state: InvoiceState
}

/**
 * What an approved company may buy without paying at once. `openCents` is owed already, and `overdueCents` of it should
 * have been paid.
 */
export type CreditLine = {
  readonly netDays: number
  readonly limitCents: number
  readonly openCents: number
  readonly overdueCents: number
}

/** Why an order is not put on an invoice. `no-terms`: whoever orders buys for no company that has any. */
export type TermsRefusal = Refused<
  'net-terms-refused',
  { why: 'no-terms' } | { why: 'overdue'; overdueCents: number } | { why: 'over-limit'; leftCents: number }
>

/** What a company may still buy on its terms, in cents; a limit that was lowered below what it owes leaves nothing. */
export function creditLeft({ limitCents, openCents }: CreditLine): number {
  return Math.max(0, limitCents - openCents)
}

/**
 * What a company may spend on its terms today, in cents: what is left of them, and nothing while something is overdue.
 */
export function creditToSpend(line: CreditLine): number {
  return line.overdueCents > 0 ? 0 : creditLeft(line)
}

/**
 * Grants an invoice over so many cents, or says why not. `line` is null for who has no terms. Nothing more is lent
 * while something is overdue.
 */
export function grantInvoice(line: CreditLine | null, amountCents: number): Outcome<CreditLine, TermsRefusal> {
  if (line === null) return refused('net-terms-refused', { why: 'no-terms' })
  if (line.overdueCents > 0) return refused('net-terms-refused', { why: 'overdue', overdueCents: line.overdueCents })
  const leftCents = creditLeft(line)
  return amountCents > leftCents ? refused('net-terms-refused', { why: 'over-limit', leftCents }) : ok(line)
}

/** The last day to pay what is ordered on `day`. */
export function dueDay(day: Temporal.PlainDate, netDays: number): Temporal.PlainDate {
  return day.add({ days: netDays })
}

/** "Net 30, $766.14 due Dec 20, 2026" */
export function invoiceText({ netDays, amountCents, dueOn, state }: Invoice): string {
  const terms = `Net ${netDays}, ${formatCents(amountCents)}`
  if (state === 'paid') return `${terms} paid`
  return state === 'canceled' ? `Net ${netDays}, not owed: the order was canceled` : `${terms} due ${dateText(dueOn)}`
}
