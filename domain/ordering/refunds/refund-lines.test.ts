/** Refund properties. Any sequence of refunds adds up to the amount paid, part by part, and never exceeds it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '#tests/support/law-runs.ts'
import { ok, refused } from '#platform/outcome.ts'
import {
  handlingFeeOf,
  leftOf,
  refundUnits,
  splitRefund,
  sumOfParts,
  sumRefund,
  totalOf,
  type MoneyLeft,
  type RefundableLine,
  type RefundedLine,
} from './refund-lines.ts'

const none = { netCents: 0, taxCents: 0, fetCents: 0, tireFeeCents: 0 }
const tires: RefundableLine = {
  lineNo: 1,
  kind: 'tire',
  quantity: 4,
  netCents: 83_509,
  taxCents: 8_559,
  fetCents: 0,
  tireFeeCents: 1_000,
  refundedUnits: 0,
  refunded: none,
}
const disposal: RefundableLine = {
  ...tires,
  lineNo: 2,
  kind: 'disposal',
  netCents: 1_400,
  taxCents: 0,
  tireFeeCents: 0,
}
const all = { keepsTireFee: false }

function after(line: RefundableLine, refund: RefundedLine): RefundableLine {
  return {
    ...line,
    refundedUnits: line.refundedUnits + refund.units,
    refunded: sumOfParts([line.refunded, refund]),
  }
}

function take(line: RefundableLine, units: number): RefundedLine {
  const taken = refundUnits([line], [{ lineNo: line.lineNo, units }], all)
  if (!taken.ok || !taken.value[0]) throw new Error('refused')
  return taken.value[0]
}

const parts = fc.record({
  netCents: fc.nat(2_000_000),
  taxCents: fc.nat(300_000),
  fetCents: fc.nat(50_000),
  tireFeeCents: fc.nat(20_000),
})
const anyLine = fc
  .record({ quantity: fc.integer({ min: 1, max: 24 }), kind: fc.constantFrom('tire', 'installation', 'coverage') })
  .chain((of) => parts.map((paid): RefundableLine => ({ ...of, ...paid, lineNo: 1, refundedUnits: 0, refunded: none })))

test('two of four tires take half of price, tax and fee; the other two take the rest to the cent', () => {
  const first = take(tires, 2)
  expect(first).toEqual({
    lineNo: 1,
    kind: 'tire',
    units: 2,
    netCents: 41_754,
    taxCents: 4_279,
    fetCents: 0,
    tireFeeCents: 500,
  })
  const second = take(after(tires, first), 2)
  expect(second).toMatchObject({ netCents: 41_755, taxCents: 4_280, tireFeeCents: 500 })
})

test('every grouping of small lines adds up to the amount paid', () => {
  for (let quantity = 1; quantity <= 5; quantity++)
    for (let netCents = 0; netCents <= 11; netCents++)
      for (const steps of groupings(quantity)) {
        let line: RefundableLine = { ...tires, quantity, netCents, taxCents: netCents % 4, tireFeeCents: 7 }
        for (const units of steps) line = after(line, take(line, units))
        expect(line.refunded).toEqual({ netCents, taxCents: netCents % 4, fetCents: 0, tireFeeCents: 7 })
      }
})

/** All ordered ways to write `count` as a sum. */
function groupings(count: number): number[][] {
  if (count === 0) return [[]]
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((first) =>
    groupings(count - first).map((rest) => [first, ...rest]),
  )
}

test('law: unit refunds in random steps stay within each amount paid and end at exactly that', () => {
  fc.assert(
    fc.property(anyLine, fc.array(fc.integer({ min: 1, max: 24 }), { maxLength: 30 }), (paid, steps) => {
      let line = paid
      for (const step of [...steps, line.quantity]) {
        const left = line.quantity - line.refundedUnits
        if (left === 0) break
        line = after(line, take(line, Math.min(step, left)))
        for (const part of ['netCents', 'taxCents', 'fetCents', 'tireFeeCents'] as const)
          expect(line.refunded[part]).toBeLessThanOrEqual(paid[part])
      }
      if (line.refundedUnits < line.quantity) line = after(line, take(line, line.quantity - line.refundedUnits))
      expect(totalOf(line.refunded)).toBe(totalOf(paid))
    }),
    lawRuns,
  )
})

test('law: a declined refund among them leaves no odd cent', () => {
  fc.assert(
    fc.property(anyLine, fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), (paid, declines) => {
      let kept = paid
      let waiting: RefundedLine | undefined
      for (const isDeclined of declines) {
        const before = waiting ? after(kept, waiting) : kept
        if (before.refundedUnits === before.quantity) break
        const next = take(before, 1)
        // The one asked for first is declined after the next was made.
        if (waiting && !isDeclined) kept = after(kept, waiting)
        waiting = next
        const sum = after(kept, waiting)
        for (const part of ['netCents', 'taxCents', 'fetCents', 'tireFeeCents'] as const)
          expect(sum.refunded[part]).toBeLessThanOrEqual(paid[part])
      }
      if (waiting) kept = after(kept, waiting)
      if (kept.refundedUnits < kept.quantity) kept = after(kept, take(kept, kept.quantity - kept.refundedUnits))
      expect(kept.refunded).toEqual({
        netCents: paid.netCents,
        taxCents: paid.taxCents,
        fetCents: paid.fetCents,
        tireFeeCents: paid.tireFeeCents,
      })
    }),
    lawRuns,
  )
})

test('law: random refunds return the full amount to the original payment methods', () => {
  const order = fc
    .record({ totalCents: fc.integer({ min: 1, max: 5_000_000 }), creditShare: fc.integer({ min: 0, max: 100 }) })
    .map(({ totalCents, creditShare }): MoneyLeft => {
      const creditCents = Math.floor((totalCents * creditShare) / 100)
      const dueLeftCents = totalCents - creditCents
      return { totalCents, creditCents, refundedCents: 0, refundedCreditCents: 0, dueLeftCents }
    })
  fc.assert(
    fc.property(order, fc.array(fc.integer({ min: 1, max: 2_000_000 }), { maxLength: 12 }), (paid, amounts) => {
      const money = { ...paid }
      for (const asked of [...amounts, paid.totalCents]) {
        const amount = Math.min(asked, leftOf(money))
        if (amount === 0) break
        const { creditCents, dueCents } = splitRefund(money, amount)
        expect(creditCents + dueCents).toBe(amount)
        expect(creditCents).toBeGreaterThanOrEqual(0)
        expect(dueCents).toBeGreaterThanOrEqual(0)
        money.refundedCents += amount
        money.refundedCreditCents += creditCents
        money.dueLeftCents -= dueCents
        expect(money.refundedCreditCents).toBeLessThanOrEqual(paid.creditCents)
        expect(money.dueLeftCents).toBeGreaterThanOrEqual(0)
      }
      expect(leftOf(money)).toBe(0)
      expect(money.refundedCreditCents).toEqual(paid.creditCents)
      expect(money.dueLeftCents).toBe(0)
    }),
    lawRuns,
  )
})

test('units that were not bought or are refunded already are refused', () => {
  expect(refundUnits([tires], [{ lineNo: 9, units: 1 }], all)).toEqual(refused('not-on-order', { lineNo: 9 }))
  expect(refundUnits([after(tires, take(tires, 3))], [{ lineNo: 1, units: 2 }], all)).toEqual(
    refused('more-than-bought', { lineNo: 1, leftUnits: 1 }),
  )
  expect(() => refundUnits([tires], [{ lineNo: 1, units: 0 }], all)).toThrow(RangeError)
  const once = { lineNo: 1, units: 1 }
  expect(() => refundUnits([tires], [once, once], all)).toThrow(RangeError)
})

test('a state with a nonrefundable tire fee doesn’t refund it', () => {
  expect(refundUnits([tires], [{ lineNo: 1, units: 4 }], { keepsTireFee: true })).toMatchObject({
    value: [{ netCents: 83_509, tireFeeCents: 0 }],
  })
})

test('the handling fee applies only to tires and never exceeds their refund', () => {
  const lines = [take(tires, 2), take(disposal, 2)]
  expect(handlingFeeOf(lines, 2_000)).toBe(4_000)
  expect(handlingFeeOf([{ ...take(tires, 1), netCents: 900, taxCents: 0, tireFeeCents: 0 }], 2_000)).toBe(900)
})

test('the amount is what the lines come to, or lower; without lines it is goodwill; never more than is left', () => {
  const lines = [take(tires, 2)]
  const asked = { amountCents: null, hasHandlingFee: true, feeCents: 2_000, leftCents: 100_000 }
  expect(sumRefund(lines, asked)).toEqual(
    ok({ linesCents: 46_533, handlingFeeCents: 4_000, loweredCents: 0, goodwillCents: 0, amountCents: 42_533 }),
  )
  expect(sumRefund(lines, { ...asked, amountCents: 40_000 })).toMatchObject({ value: { loweredCents: 2_533 } })
  expect(sumRefund(lines, { ...asked, amountCents: 42_534 })).toEqual(refused('more-than-lines', { mostCents: 42_533 }))
  expect(sumRefund([], { ...asked, amountCents: 500 })).toMatchObject({ value: { goodwillCents: 500, linesCents: 0 } })
  expect(sumRefund([], asked)).toEqual(refused('nothing-asked'))
  expect(sumRefund(lines, { ...asked, leftCents: 42_532 })).toEqual(refused('more-than-left', { leftCents: 42_532 }))
})

test('what one way of paying has no more of comes from the other', () => {
  const money = { totalCents: 1_000, creditCents: 400, refundedCents: 500, refundedCreditCents: 0, dueLeftCents: 100 }
  expect(splitRefund(money, 200)).toEqual({ creditCents: 200, dueCents: 0 })
  expect(splitRefund(money, 500)).toEqual({ creditCents: 400, dueCents: 100 })
  expect(() => splitRefund(money, 501)).toThrow(RangeError)
})
