import { expect, test } from 'vitest'
import { differencesOf, type MatchedMovement } from './reconciliation.ts'

const charge = {
  orderId: 7,
  capturedCents: 10_000,
  movedCents: 10_000,
  isLatest: true,
  otherRefundCents: 0,
  isClaimed: true,
}
const movement = (rest: Partial<MatchedMovement>): MatchedMovement => ({
  ref: 'txn_1',
  kind: 'charge',
  amountCents: 10_000,
  feeCents: 320,
  chargeRef: 'pi_1',
  charge,
  refund: null,
  dispute: null,
  ...rest,
})
const kindsOf = (...rest: Partial<MatchedMovement>[]) =>
  differencesOf(rest.map(movement), [], []).map(({ kind, providerCents, storeCents }) => [
    kind,
    providerCents,
    storeCents,
  ])

test('what agrees to the cent is no difference', () => {
  const dispute = { withdrawnCents: 10_000, reinstatedCents: 10_000, feeCents: 1_500, feesMovedCents: null }
  const feeApart = { ...dispute, feesMovedCents: 1_500 }
  expect(
    kindsOf(
      {},
      { kind: 'refund', amountCents: -2_500, refund: { cents: 2_500 } },
      { kind: 'refund', amountCents: -2_500, charge: { ...charge, otherRefundCents: 2_500 } },
      { kind: 'dispute', amountCents: -10_000, feeCents: 1_500, dispute },
      { kind: 'dispute-reversal', dispute },
      { kind: 'dispute', amountCents: -10_000, feeCents: 0, dispute: feeApart },
      { kind: 'fee', amountCents: -1_500, feeCents: 0, dispute: feeApart },
      { kind: 'hold', amountCents: -10_000 },
      { kind: 'payout', amountCents: -9_000 },
      { kind: 'transfer', amountCents: -9_000 },
    ),
  ).toEqual([])
})

test('each kind of difference is found, by a cent', () => {
  expect(kindsOf({ charge: null })).toEqual([['charge-without-order', 10_000, 0]])
  expect(kindsOf({ charge: { ...charge, isClaimed: false } })).toEqual([['charge-without-order', 10_000, 0]])
  expect(kindsOf({ charge: { ...charge, movedCents: 10_001 } })).toEqual([['amount-differs', 10_001, 10_000]])
  // Of a charge in parts, the last one shows it.
  const parts = { ...charge, movedCents: 9_999 }
  expect(
    kindsOf({ amountCents: 4_000, charge: { ...parts, isLatest: false } }, { amountCents: 5_999, charge: parts }),
  ).toEqual([['amount-differs', 9_999, 10_000]])
  expect(kindsOf({ kind: 'refund', amountCents: -2_500 })).toEqual([['refund-unknown', 2_500, 0]])
  expect(kindsOf({ kind: 'refund', amountCents: -2_499, refund: { cents: 2_500 } })).toEqual([
    ['amount-differs', 2_499, 2_500],
  ])
  expect(kindsOf({ kind: 'refund-failure', amountCents: 2_500 })).toEqual([['refund-missing', 0, 2_500]])
  expect(kindsOf({ kind: 'fee', amountCents: -200 })).toEqual([['fee', 200, 0]])
  const dispute = { withdrawnCents: 10_000, reinstatedCents: 0, feeCents: 1_500, feesMovedCents: 2_000 }
  expect(kindsOf({ kind: 'fee', amountCents: -2_000, dispute })).toEqual([['fee', 2_000, 1_500]])
  expect(
    kindsOf({ kind: 'dispute', amountCents: -10_000, feeCents: 0, dispute: { ...dispute, feesMovedCents: null } }),
  ).toEqual([['fee', 0, 1_500]])
  expect(kindsOf({ kind: 'dispute', amountCents: -10_000, feeCents: 1_500 })).toEqual([
    ['dispute', 10_000, 0],
    ['fee', 1_500, 0],
  ])
})

test('what the provider does not list, and a ledger that is off, are differences too', () => {
  const own = [
    { kind: 'charge', ref: 'pi_1', orderId: 7, cents: 100, isMoved: false },
    { kind: 'refund', ref: 're_1', orderId: 7, cents: 40, isMoved: false },
    { kind: 'refund', ref: 're_2', orderId: 7, cents: 40, isMoved: true },
  ] as const
  expect(differencesOf([], own, [{ orderId: 7, ledgerCents: 59, owedCents: 60 }])).toEqual([
    { kind: 'order-without-charge', ref: 'pi_1', orderId: 7, providerCents: 0, storeCents: 100 },
    { kind: 'refund-missing', ref: 're_1', orderId: 7, providerCents: 0, storeCents: 40 },
    { kind: 'ledger-differs', ref: 'S-7', orderId: 7, providerCents: 60, storeCents: 59 },
  ])
})
