import { expect, test } from 'vitest'
import { termsRefusalMessages } from '#content/messages/invoices.ts'
import { creditLeft, creditToSpend, dueDay, grantInvoice, invoiceText, type CreditLine } from './invoices.ts'

const line: CreditLine = { netDays: 30, limitCents: 500_000, openCents: 0, overdueCents: 0 }

test.for<[string, CreditLine | null, number, string | null]>([
  ['within the limit', line, 76_614, null],
  ['the last cent of it', line, 500_000, null],
  [
    'one cent more',
    line,
    500_001,
    'This order is over what your company has left on its terms, $5,000.00. Pay it by card, or have an invoice paid first.',
  ],
  ['what is owed counts', { ...line, openCents: 450_000 }, 50_000, null],
  [
    'and leaves the rest',
    { ...line, openCents: 450_000 },
    50_001,
    'This order is over what your company has left on its terms, $500.00. Pay it by card, or have an invoice paid first.',
  ],
  [
    'a limit lowered below it',
    { ...line, openCents: 600_000 },
    1,
    'This order is over what your company has left on its terms, $0.00. Pay it by card, or have an invoice paid first.',
  ],
  [
    'something overdue',
    { ...line, openCents: 100, overdueCents: 100 },
    1,
    'Your company owes $1.00 that was due before today. Pay this order by card, or have the invoice paid first.',
  ],
  ['no terms', null, 1, 'Your company pays when it orders. Pay by card, or ask us for net terms.'],
])('grants or refuses an invoice: %s', ([, of, cents, words]) => {
  const granted = grantInvoice(of, cents)
  expect(granted.ok ? null : termsRefusalMessages(granted)).toBe(words)
})

test('remaining credit is never negative', () => {
  expect(creditToSpend({ ...line, openCents: 1 })).toBe(499_999)
  expect(creditToSpend({ ...line, openCents: 2, overdueCents: 1 })).toBe(0)
  expect(creditLeft(line)).toBe(500_000)
  expect(creditLeft({ ...line, openCents: 1 })).toBe(499_999)
  expect(creditLeft({ ...line, openCents: 600_000 })).toBe(0)
})

test.for([
  ['2026-11-20', 30, '2026-12-20'],
  ['2027-01-31', 30, '2027-03-02'],
  ['2028-02-01', 28, '2028-02-29'],
] as const)('an order on %s at net %i is due on %s', ([day, days, due]) => {
  expect(dueDay(Temporal.PlainDate.from(day), days).toString()).toBe(due)
})

test('words the payment with amount and due date', () => {
  const invoice = { netDays: 30, amountCents: 76_614, dueOn: '2026-12-20' }
  expect(invoiceText({ ...invoice, state: 'open' })).toBe('Net 30, $766.14 due Dec 20, 2026')
  expect(invoiceText({ ...invoice, state: 'paid' })).toBe('Net 30, $766.14 paid')
  expect(invoiceText({ ...invoice, state: 'canceled' })).toBe('Net 30, not due because the order was canceled')
})
