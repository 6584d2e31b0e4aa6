import { expect, test } from 'vitest'
import { droppedOffers, priceCart, type PriceInput } from './pricing.ts'
import { DEAL, ORDER, TIRE } from './price-input.example.ts'

const dropped = (before: PriceInput, after: PriceInput) => droppedOffers(priceCart(before), priceCart(after))
const installation = (quantity: number, input: PriceInput = ORDER): PriceInput => ({
  ...input,
  tires: input.tires.map((tire) => ({ ...tire, quantity })),
  services: input.services.map((service) => ({ ...service, quantity })),
})

test('fewer than four tires lose the installation discount, and a cart without installation does', () => {
  expect(dropped(installation(4), installation(2))).toEqual([
    'Installation discount (−$25.00) no longer applies: it needs 4 or more tires.',
  ])
  expect(dropped(installation(2), installation(4))).toEqual([])
  expect(dropped(installation(4), { ...installation(4), services: [] })).toEqual([
    'Installation discount (−$25.00) no longer applies: it comes with installation.',
  ])
})

test('a promotion that ends is named, and one that went with its tires is not', () => {
  const offered = { ...ORDER, tires: [{ ...TIRE, promotions: [DEAL] }] }
  expect(dropped(offered, { ...ORDER, tires: [TIRE] })).toEqual([
    expect.stringMatching(/^Daily deal \(−\$[\d.]+\) no longer applies to your cart\.$/u),
  ])
  expect(dropped(offered, { ...ORDER, tires: [{ ...TIRE, articleId: 'B' }] })).toEqual([])
})

test('a lost account price is named; a program that another one replaces is explained by the price itself', () => {
  const fleet = { ...ORDER, accountType: 'Fleet', tires: [{ ...TIRE, accountUnitCents: 10_000 }] } as const
  expect(dropped(fleet, ORDER)).toContain('Your account’s price no longer applies. Your cart has today’s public price.')
  const military = { ...ORDER, programs: [{ kind: 'military' } as const] }
  expect(dropped(military, ORDER)).toEqual([expect.stringContaining('Military discount')])
})
