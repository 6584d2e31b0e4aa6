/** Tests the rules of returns one by one, the handling fee, and that random returns never refund more than was paid. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { standardOrderTerms } from '#domain/ordering/orders/orders.ts'
import { priceCart } from '#domain/pricing/pricing/pricing.ts'
import { priceInput } from '#domain/pricing/pricing/price-input.arbitrary.ts'
import { lawRuns } from '#tests/support/law-runs.ts'
import {
  canCancelReturn,
  checkReturn,
  feePerTire,
  feeReasonFor,
  feeReasonText,
  mayTireMove,
  refundTimer,
  returnMoney,
  returnState,
  returnTireLife,
  returnTireStates,
  type ReturnFacts,
  type ReturnReason,
} from './returns.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const line = { lineNo: 1, name: 'Kestrel Alltide AS2', delivered: 4, taken: 0, deliveredOn: day('2026-11-12') }
const facts: ReturnFacts = {
  order: { state: 'confirmed', isInstalled: false, terms: standardOrderTerms },
  lines: [line],
  asked: [{ lineNo: 1, quantity: 4 }],
  reason: 'changed-mind',
  isUnmounted: true,
  photos: 0,
  today: day('2026-11-20'),
}

const failedOf = (change: Partial<ReturnFacts>) =>
  checkReturn({ ...facts, ...change }).flatMap(({ rule, isMet, reason }) => (isMet ? [] : [[rule, reason]]))

test('a return within its window is allowed with verification, and every rule gives its reason', () => {
  const findings = checkReturn(facts)
  expect(findings.every(({ isMet }) => isMet)).toBe(true)
  expect(findings.map(({ reason }) => reason)).toContain('The window ends Sat, Dec 12: 22 days left.')
})

test.for<[string, Partial<ReturnFacts>, string]>([
  [
    'delivered',
    { order: { state: 'canceled', isInstalled: false, terms: standardOrderTerms } },
    'This order was canceled, so there are no tires to return.',
  ],
  [
    'delivered',
    { order: { state: 'returned', isInstalled: false, terms: standardOrderTerms } },
    'All tires in this order were already returned.',
  ],
  [
    'delivered',
    { lines: [{ ...line, delivered: 0, deliveredOn: null }] },
    'These tires are not delivered yet. Come back once they are.',
  ],
  ['in-time', { today: day('2026-12-13') }, 'These tires are past the window: it ended Sat, Dec 12.'],
  ['at-least-one', { asked: [] }, 'Choose at least one tire.'],
  ['at-least-one', { asked: [{ lineNo: 1, quantity: 0 }] }, 'Choose at least one tire.'],
  [
    'not-returned-yet',
    { lines: [{ ...line, taken: 3 }], asked: [{ lineNo: 1, quantity: 2 }] },
    'Only 1 can still go back.',
  ],
  ['not-returned-yet', { lines: [{ ...line, taken: 4 }] }, 'No tire is left to return.'],
  ['not-returned-yet', { asked: [{ lineNo: 7, quantity: 1 }] }, 'No tire is left to return.'],
  [
    'not-installed',
    { order: { state: 'confirmed', isInstalled: true, terms: standardOrderTerms } },
    'These tires were installed. If one went bad, the maker’s warranty or the replacement coverage helps.',
  ],
  ['unmounted', { isUnmounted: false }, 'Please confirm that they have never been mounted.'],
  ['reason', { reason: null }, 'Please say why they go back.'],
  [
    'reported-soon',
    { reason: 'damaged', photos: 1 },
    'We can only take this up within 5 business days of delivery. Choose another reason, or call us.',
  ],
  ['photos', { reason: 'wrong-item' }, 'Add at least one photo that shows it.'],
  ['photos', { photos: 6 }, 'Send up to 5 photos.'],
])('%s fails with its sentence, and comes first', ([rule, change, sentence]) => {
  expect(failedOf(change)).toContainEqual([rule, sentence])
  expect(checkReturn({ ...facts, ...change })[0]?.isMet).toBe(false)
})

test('the last day of the window and of the report still count', () => {
  expect(failedOf({ today: day('2026-12-12') })).toEqual([])
  expect(checkReturn({ ...facts, today: day('2026-12-12') }).map(({ reason }) => reason)).toContain(
    'The window ends Sat, Dec 12: today is the last day.',
  )
  // Five business days after Thu, Nov 12.
  expect(failedOf({ reason: 'damaged', photos: 1, today: day('2026-11-19') })).toEqual([])
  expect(failedOf({ reason: 'short', isUnmounted: false, today: day('2026-11-19') })).toEqual([])
})

test('where tires differ, a rule names those that fail', () => {
  const late = { ...line, lineNo: 2, name: 'Tarn Trail', deliveredOn: day('2026-10-01') }
  const change = { lines: [line, late], asked: [1, 2].map((lineNo) => ({ lineNo, quantity: 1 })) }
  expect(failedOf(change)).toEqual([['in-time', 'Tarn Trail: past the window: it ended Sat, Oct 31.']])
  expect(failedOf({ ...change, asked: [{ lineNo: 1, quantity: 1 }] })).toEqual([])
})

test.for<[ReturnReason, boolean, boolean, string]>([
  ['wrong-size', false, false, 'due'],
  ['wrong-size', false, true, 'reordered'],
  ['wrong-size', true, false, 'said-to-fit'],
  ['changed-mind', true, true, 'due'],
  ['damaged', false, false, 'our-mistake'],
  ['wrong-item', false, false, 'our-mistake'],
  ['late', false, false, 'our-mistake'],
  ['short', false, false, 'our-mistake'],
])('the fee for %s, said to fit %s, reordered %s is %s', ([reason, wasSaidToFit, isReordered, fee]) => {
  expect(feeReasonFor({ reason, wasSaidToFit, isReordered })).toBe(fee)
})

test('a return is as far as the tire behind, and over only once all tires are', () => {
  const of = (...states: (keyof typeof returnTireLife)[]) => returnState(states.map((state) => ({ state })))
  expect(of('refunded', 'labeled')).toBe('labeled')
  expect(of('refused', 'received')).toBe('received')
  expect(of('refused', 'refunded')).toBe('refunded')
  expect(of('canceled', 'canceled')).toBe('canceled')
})

test('a return is canceled whole, and only before a tire ships', () => {
  for (const state of returnTireStates)
    expect(canCancelReturn([{ state }]), state).toBe(state === 'requested' || state === 'labeled')
  expect(canCancelReturn([{ state: 'labeled' }, { state: 'shipped' }])).toBe(false)
  expect(canCancelReturn([])).toBe(false)
  expect(mayTireMove('refused', 'refunded')).toBe(false)
})

test('the timer counts the hours left of 48, and then those that are too many', () => {
  const received = Temporal.Instant.from('2026-11-20T15:10:00Z')
  const at = (hours: number) => refundTimer(received, received.add({ minutes: hours * 60 }))
  expect(at(5)).toEqual({ text: '43 h left', isLate: false })
  expect(at(47.5)).toEqual({ text: '30 min left', isLate: false })
  expect(at(51)).toEqual({ text: '3 h late', isLate: true })
})

test('law: in any order and grouping of returns, refunds never exceed the amount paid', () => {
  fc.assert(
    fc.property(priceInput, fc.infiniteStream(fc.nat()), fc.boolean(), (input, random, hasFee) => {
      const breakdown = priceCart(input)
      const next = (below: number) => (random.next().value ?? 0) % below
      const units = breakdown.lines.flatMap(({ kind, quantity }, index) =>
        kind === 'tire' ? Array.from({ length: quantity }, (_, unit) => ({ lineNo: index + 1, unit: unit + 1 })) : [],
      )
      const left = [...units]
      let refunded = 0
      let goods = 0
      while (left.length > 0) {
        const some = Array.from({ length: 1 + next(left.length) }, () => left.splice(next(left.length), 1)).flat()
        const money = returnMoney(breakdown, some, hasFee ? 2_000 : 0)
        expect(money.goodsCents).toBe(money.tiresCents + money.tireFeeCents + money.salesTaxCents + money.servicesCents)
        expect(money.refundCents).toBeGreaterThanOrEqual(0)
        refunded += money.refundCents
        goods += money.goodsCents
      }
      expect(goods).toBe(returnMoney(breakdown, units, 0).goodsCents)
      expect(refunded).toBeLessThanOrEqual(breakdown.totals.totalCents)
    }),
    lawRuns,
  )
})

test('a return follows the terms its order was placed under', () => {
  const terms = { ...standardOrderTerms, returnDays: 5, returnFeeCents: 1_250, damageDays: 2 }
  const under = { ...facts, order: { ...facts.order, terms } }
  const titleOf = (rule: string) => checkReturn(under).find((each) => each.rule === rule)
  expect(titleOf('in-time')).toMatchObject({ title: 'Within 5 days of delivery', isMet: false })
  expect(checkReturn({ ...under, reason: 'damaged' }).map(({ reason }) => reason)).toContain(
    'We can only take this up within 2 business days of delivery. Choose another reason, or call us.',
  )
  expect(feePerTire('due', terms)).toBe(1_250)
  expect(feeReasonText('due', terms)).toBe('$12.50 a tire')
  expect(feePerTire('said-to-fit', terms)).toBe(0)
})
