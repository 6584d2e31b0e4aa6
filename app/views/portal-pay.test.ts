import { expect, test } from 'vitest'
import type { PayLine } from '#domain/installer-portal/payouts/payouts.ts'
import { bankPayoutText, disputedView } from './portal-pay.server.ts'

const today = Temporal.PlainDate.from('2026-11-25')

test.for([
  ['paid', '2026-11-26', '$436.00 sent, arrives Nov 26, 2026'],
  ['paid', '2026-11-25', '$436.00 paid, Nov 25, 2026'],
  ['failed', '2026-11-26', '$436.00 failed, Nov 26, 2026'],
] as const)('a payout that is %s with the bank on %s', ([state, arrivesOn, words]) => {
  expect(bankPayoutText({ amountCents: 43_600, state, arrivesOn }, today)).toBe(words)
})

test.for([
  ['2026-11-24T23:30:00Z', 'Send by Mon, Nov 30, 5:00 PM CST: 5 days 23 hours left', null],
  ['2026-11-30T02:15:00Z', 'Send by Mon, Nov 30, 5:00 PM CST: 20 hours 45 minutes left', null],
  ['2026-11-30T23:00:00Z', 'Send by Mon, Nov 30, 5:00 PM CST: less than a minute left', null],
  ['2026-11-30T23:00:01Z', null, 'The time to dispute this ended Mon, Nov 30, 5:00 PM CST. Call us instead.'],
] as const)('the deadline of a dispute at %s', ([now, deadline, closed]) => {
  const shown = disputedView(line, { timeZone: 'America/Chicago', now: Temporal.Instant.from(now), facts: [] })
  expect(shown.closed).toBe(closed)
  if (deadline) expect(shown.deadline).toBe(deadline)
})

test('a line that was disputed shows no deadline', () => {
  const now = Temporal.Instant.from('2026-11-24T23:30:00Z')
  const shown = disputedView({ ...line, dispute: 'declined' }, { timeZone: 'America/Chicago', now, facts: [] })
  expect(shown.closed).toBe('You disputed this already. Our answer is under Disputes.')
})

const line: PayLine = {
  id: '01890000-0000-7000-8000-000000000000',
  kind: 'finished',
  day: '2026-11-23',
  at: Temporal.Instant.from('2026-11-23T23:00:00Z'),
  orderId: 104_803,
  bookingId: null,
  words: 'Ben H.',
  tires: [],
  dueAt: null,
  disputeUntil: Temporal.Instant.from('2026-11-30T23:00:00Z'),
  dispute: null,
  transfer: null,
  amountCents: 8_800,
}
