import fc from 'fast-check'
import { expect, test } from 'vitest'
import { breakdownFingerprint, compareBreakdowns, priceCart, type PriceInput } from './pricing.ts'
import { priceInput } from './price-input.arbitrary.ts'
import { ORDER, TIRE } from './price-input.example.ts'

const moves = (before: PriceInput, after: PriceInput) =>
  compareBreakdowns(priceCart(before), priceCart(after)).map(({ text }) => text)
const services = (installationCents: number) =>
  ORDER.services.map((service) =>
    service.kind === 'installation' ? { ...service, eachCents: installationCents } : service,
  )

test('a more expensive installation changes its row and the total, with an explanation', () => {
  expect(moves(ORDER, { ...ORDER, services: services(2400) })).toEqual([
    'Installation at Halsted Tire: was $88.00, now $96.00',
    'Total: was $766.14, now $774.14',
  ])
})

test('a changed tire price changes its row, the tax and the total', () => {
  expect(moves(ORDER, { ...ORDER, tires: [{ ...TIRE, retailUnitCents: 15_200 }] })).toEqual([
    '4 tires at $148.00, $592.00: now 4 tires at $152.00, $608.00',
    'Sales tax, 10.25%: was $63.14, now $64.78',
    'Total: was $766.14, now $783.78',
  ])
})

test('added and removed rows are named, with the total last', () => {
  const quoted = { ...ORDER, programs: [{ kind: 'military' } as const] }
  const today = { ...ORDER, shipping: null, tender: { kind: 'store-card', ratePpm: 50_000, fundedBy: 'bank' } as const }
  expect(moves(quoted, today)).toEqual([
    'Gone: Military discount, \u2212$29.60',
    'Gone: Shipping to the shop, Free',
    'New: Store card offer, \u2212$34.65',
    'Sales tax, 10.25%: was $60.11, now $63.14',
    'Total: was $733.51, now $731.49',
  ])
})

test('the same amount for different units is a change; a renamed shop is not', () => {
  const half = services(4400).map((service) =>
    service.kind === 'installation' ? { ...service, quantity: 2 } : service,
  )
  expect(moves(ORDER, { ...ORDER, services: half })).toEqual([
    'Installation at Halsted Tire: was 4 at $22.00, now 2 at $44.00',
  ])
  expect(moves(ORDER, { ...ORDER, shopName: 'Halsted Tire & Auto' })).toEqual([])
})

test('two fingerprints are equal exactly if the price is unchanged', () => {
  const other = fc.tuple(
    priceInput,
    priceInput,
    fc.constantFrom<keyof PriceInput>(
      'tires',
      'services',
      'shipping',
      'programs',
      'tender',
      'taxRule',
      'shopName',
      'date',
    ),
  )
  fc.assert(
    fc.property(other, ([input, source, changed]) => {
      const before = priceCart(input)
      const after = priceCart({ ...input, [changed]: source[changed] })
      const isSame = compareBreakdowns(before, after).length === 0
      expect(breakdownFingerprint(before) === breakdownFingerprint(after)).toBe(isSame)
      expect(compareBreakdowns(after, before).length === 0).toBe(isSame)
      if (isSame) expect(after.totals.totalCents).toBe(before.totals.totalCents)
    }),
    { numRuns: 400 },
  )
})

test('a fingerprint is short, and its algorithm does not change unnoticed', () => {
  expect(breakdownFingerprint(priceCart(ORDER))).toMatchInlineSnapshot(`"3do65hfsvt00"`)
})
