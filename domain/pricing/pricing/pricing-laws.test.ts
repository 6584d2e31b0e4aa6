import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { lawRuns } from '#tests/support/law-runs.ts'
import { priceCart, refundForReturn, type PriceBreakdown, type PriceInput } from './pricing.ts'
import { rateOf } from '#platform/money.ts'
import { priceInput } from './price-input.arbitrary.ts'

/** As many runs as the price order requires, with time for them on a busy machine. */
vi.setConfig({ testTimeout: 120_000 })
const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)
const total = (input: PriceInput) => priceCart(input).totals.totalCents

function holds(law: (breakdown: PriceBreakdown, input: PriceInput) => void) {
  fc.assert(
    fc.property(priceInput, (input) => {
      law(priceCart(input), input)
    }),
    lawRuns,
  )
}

test('no discount exceeds the amount it applies to, on any line', () => {
  holds(({ lines }) => {
    for (const line of lines) {
      let left = line.grossCents
      for (const discount of [
        line.itemPromotionCents,
        line.programCents,
        line.installDiscountCents,
        line.tenderCents,
      ]) {
        expect(discount).toBeGreaterThanOrEqual(0)
        expect(discount).toBeLessThanOrEqual(left)
        left -= discount
      }
      expect(left).toBe(line.netCents)
    }
  })
})

test('gross minus discounts is net, and the parts add up to the total', () => {
  holds(({ totals }) => {
    const discounts = [totals.itemPromotionCents, totals.programCents, totals.installDiscountCents, totals.tenderCents]
    expect(totals.grossCents - sum(discounts)).toBe(totals.netCents)
    expect(totals.netCents + totals.tireFeeCents + totals.fetCents + totals.taxCents).toBe(totals.totalCents)
  })
})

test('discounts never lower the total below tire fee plus excise tax', () => {
  holds(({ totals }, input) => {
    expect(totals.totalCents).toBeGreaterThanOrEqual(totals.tireFeeCents + totals.fetCents)
    expect(totals.fetCents).toBe(sum(input.tires.map(({ fetUnitCents, quantity }) => fetUnitCents * quantity)))
  })
})

test('tax is rounded once on the taxable base and split among the lines without remainder', () => {
  holds(({ lines, totals, tax }) => {
    expect(totals.taxCents).toBe(tax.isExempt ? 0 : rateOf(totals.taxBaseCents, tax.ratePpm))
    expect(sum(lines.map(({ taxCents }) => taxCents))).toBe(totals.taxCents)
    for (const line of lines) if (line.taxableCents === 0) expect(line.taxCents).toBe(0)
  })
})

test('the summary rows add up to its total', () => {
  holds(({ explain, totals }) => {
    const rows = explain.filter(({ kind }) => kind !== 'total')
    expect(sum(rows.map(({ cents }) => cents))).toBe(totals.totalCents)
    expect(explain.at(-1)).toMatchObject({ kind: 'total', cents: totals.totalCents })
    expect(new Set(explain.map(({ key }) => key)).size).toBe(explain.length)
  })
})

test('a breakdown survives storage as plain data', () => {
  holds((breakdown) => expect(JSON.parse(JSON.stringify(breakdown))).toEqual(breakdown))
})

test('the order of lines, promotions and codes does not matter', () => {
  const shuffled = priceInput.chain((input) =>
    fc.record({
      input: fc.constant(input),
      tires: fc.shuffledSubarray([...input.tires], { minLength: input.tires.length }),
      services: fc.shuffledSubarray([...input.services], { minLength: input.services.length }),
      programs: fc.shuffledSubarray([...input.programs], { minLength: input.programs.length }),
    }),
  )
  fc.assert(
    fc.property(shuffled, ({ input, tires, services, programs }) => {
      const reversed = tires.map((tire) => ({ ...tire, promotions: tire.promotions.toReversed() }))
      expect(priceCart({ ...input, tires: reversed, services, programs })).toEqual(priceCart(input))
    }),
    lawRuns,
  )
})

test('splitting items over two lines or entering a code twice has no effect', () => {
  fc.assert(
    fc.property(priceInput, fc.nat(), (input, seed) => {
      const split = <Line extends { quantity: number }>(line: Line): Line[] =>
        line.quantity === 1
          ? [line]
          : [
              { ...line, quantity: 1 + (seed % (line.quantity - 1)) },
              { ...line, quantity: line.quantity - 1 - (seed % (line.quantity - 1)) },
            ]
      const twice = {
        ...input,
        tires: input.tires.flatMap(split),
        services: input.services.flatMap(split),
        programs: [...input.programs, ...input.programs],
      }
      expect(priceCart(twice)).toEqual(priceCart(input))
    }),
    lawRuns,
  )
})

test('removing a program or the payment offer never lowers the total', () => {
  holds((breakdown, input) => {
    for (const program of input.programs) {
      expect(total({ ...input, programs: input.programs.filter((other) => other !== program) })).toBeGreaterThanOrEqual(
        breakdown.totals.totalCents,
      )
    }
    expect(total({ ...input, tender: null })).toBeGreaterThanOrEqual(breakdown.totals.totalCents)
  })
})

/** A quote is charged exactly as given, so an order with one is not compared. */
test('a label never costs more than no label, unless something was quoted', () => {
  holds((breakdown, input) => {
    const isQuoted =
      input.accountType === 'Special Order' && input.tires.some(({ accountUnitCents }) => accountUnitCents !== null)
    if (!isQuoted) expect(breakdown.totals.totalCents).toBeLessThanOrEqual(total({ ...input, accountType: 'none' }))
  })
})

test('an order has one price label, and each tire has its price or the retail price', () => {
  holds(({ accountType, lines }, input) => {
    for (const line of lines) {
      const tire = input.tires.find(({ articleId }) => line.kind === 'tire' && articleId === line.articleId)
      if (line.atAccountPrice) {
        expect(line.unitCents).toEqual(tire?.accountUnitCents)
        expect(accountType).toEqual(input.accountType)
      } else if (tire) expect(line.unitCents).toBe(tire.retailUnitCents)
    }
  })
})

/** With coupons and referrals it can, because these skip promoted tires: PG19. */
test('removing a promotion never lowers the total of an order without coupons and referrals', () => {
  fc.assert(
    fc.property(priceInput, (anyInput) => {
      const tires = anyInput.tires.map((tire) => ({ ...tire, promotions: tire.promotions.slice(0, 1) }))
      const input = { ...anyInput, tires, programs: anyInput.programs.filter(({ kind }) => kind === 'military') }
      for (const [index, tire] of tires.entries()) {
        const without = tires.with(index, { ...tire, promotions: [] })
        expect(total({ ...input, tires: without })).toBeGreaterThanOrEqual(total(input))
      }
    }),
    lawRuns,
  )
})

test('returns in any order refund the amount paid, less nonrefundable tire fees', () => {
  fc.assert(
    fc.property(priceInput, fc.array(fc.nat(), { minLength: 80, maxLength: 80 }), (input, seeds) => {
      const breakdown = priceCart(input)
      const left = new Map(breakdown.lines.map((line) => [line.id, line.quantity]))
      let refunded = 0
      for (let step = 0; left.size > 0; step++) {
        const seed = seeds[step % seeds.length] ?? 0
        const [lineId = '', units = 0] = [...left][seed % left.size] ?? []
        const quantity = 1 + (seed % units)
        const bought = breakdown.lines.find(({ id }) => id === lineId)?.quantity ?? 0
        const outcome = refundForReturn(breakdown, [{ lineId, quantity, alreadyReturned: bought - units }], 0)
        if (!outcome.ok) throw new Error(outcome.reason)
        expect(outcome.value.refundCents).toBeGreaterThanOrEqual(0)
        refunded += outcome.value.refundCents
        if (quantity === units) left.delete(lineId)
        else left.set(lineId, units - quantity)
      }
      const kept = breakdown.tax.tireFeeRefundable ? 0 : breakdown.totals.tireFeeCents
      expect(refunded).toBe(breakdown.totals.totalCents - kept)
    }),
    lawRuns,
  )
})
