import { expect, test } from 'vitest'
import { ORDER, stateRule } from './price-input.example.ts'
import { priceCart, relocated, type PriceBreakdown, type ServiceLine } from './pricing.ts'

const work = (cents: number): ServiceLine[] => [
  { kind: 'installation', articleId: null, eachCents: cents, quantity: 4 },
  { kind: 'disposal', articleId: null, eachCents: 350, quantity: 4 },
]
const roadside: ServiceLine = { kind: 'roadside', articleId: null, eachCents: 2_995, quantity: 1 }
const coverage: ServiceLine = { kind: 'coverage', articleId: 'A', eachCents: 1_699, quantity: 4 }

function agreed(services: readonly ServiceLine[], state = 'IL'): PriceBreakdown {
  return priceCart({ ...ORDER, services: [...services, coverage], taxRule: stateRule(state) })
}

const at = (state: string, services: readonly ServiceLine[], shopName: string | null = 'Halsted Tire') => ({
  services,
  shipping: { cents: 0, to: 'shop' } as const,
  taxRule: stateRule(state),
  shopName,
})

test('a price moved to another shop or state is what it would have cost there, and there and back is the same', () => {
  const here = agreed(work(2_600))
  for (const [state, cents] of [
    ['IL', 3_000],
    ['IN', 2_600],
    ['OR', 9_900],
  ] as const) {
    const there = relocated(here, at(state, work(cents)))
    expect(there).toEqual(agreed(work(cents), state))
    expect(relocated(there, at('IL', work(2_600)))).toEqual(here)
  }
})

test('without installation the work, its discount and roadside assistance go, and coverage stays', () => {
  const home = relocated(agreed([...work(2_600), roadside]), {
    ...at('IL', [], null),
    shipping: { cents: 0, to: 'address' },
  })
  expect(home.lines.map(({ kind }) => kind)).toEqual(['tire', 'coverage', 'shipping'])
  expect(home.totals.installDiscountCents).toBe(0)
  expect(home.explain.map(({ label }) => label)).toContain('Shipping to your address')
})

test('a price that a certificate or a payment offer made is not moved to another state', () => {
  const here = agreed(work(2_600))
  const exempt = { ...here, tax: { ...here.tax, isExempt: true } }
  expect(() => relocated(exempt, at('IN', work(2_600)))).toThrow('only to its own location')
  expect(relocated(exempt, at('IL', work(2_600))).totals.taxCents).toBe(0)
  const offer = { ...here, tender: { kind: 'store-card', ratePpm: 50_000, fundedBy: 'bank' } as const }
  expect(() => relocated(offer, at('IL', work(2_600)))).toThrow('only to its own location')
})
