import { expect, test } from 'vitest'
import { bankPayoutText } from './portal-pay.server.ts'

const today = Temporal.PlainDate.from('2026-11-25')

test.for([
  ['paid', '2026-11-26', '$436.00 sent, arrives Nov 26, 2026'],
  ['paid', '2026-11-25', '$436.00 paid, Nov 25, 2026'],
  ['failed', '2026-11-26', '$436.00 failed, Nov 26, 2026'],
] as const)('a payout that is %s with the bank on %s', ([state, arrivesOn, words]) => {
  expect(bankPayoutText({ amountCents: 43_600, state, arrivesOn }, today)).toBe(words)
})
