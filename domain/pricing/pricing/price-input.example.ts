import type { ItemPromotion, PriceInput, TireLine } from './price-input.ts'
import { taxRuleFor, type StateTaxRule } from './state-taxes.ts'

/** A sample order for tests, with four tires installed at a shop in Chicago. */

export const DAY = Temporal.PlainDate.from('2026-11-20')

export const TIRE: TireLine = {
  articleId: 'A',
  name: 'Kestrel Alltide AS2 225/65R17',
  quantity: 4,
  retailUnitCents: 14_800,
  accountUnitCents: null,
  rimInches: 17,
  fetUnitCents: 0,
  promotions: [],
}

export const ORDER: PriceInput = {
  accountType: 'Retail',
  date: DAY,
  tires: [TIRE],
  services: [
    { kind: 'installation', articleId: null, eachCents: 2200, quantity: 4 },
    { kind: 'service-kit', articleId: null, eachCents: 600, quantity: 4 },
    { kind: 'disposal', articleId: null, eachCents: 350, quantity: 4 },
  ],
  shipping: { cents: 0, to: 'shop' },
  programs: [],
  tender: null,
  taxRule: { ...stateRule('IL'), ratePpm: 102_500, basis: 'destination' },
  exemption: null,
  shopName: 'Halsted Tire',
}

export const DEAL: ItemPromotion = {
  id: 'deal',
  name: 'Daily deal',
  fundedBy: 'store',
  alreadyApplied: false,
  reduction: { type: 'Percentage', ratePpm: 200_000 },
}

/** Returns the sample order with only these tires, without services or shipping. */
export function tiresOnly(...tires: Partial<TireLine>[]): PriceInput {
  return { ...ORDER, services: [], shipping: null, tires: tires.map((tire) => ({ ...TIRE, ...tire })) }
}

export function stateRule(stateCode: string, day: Temporal.PlainDate = DAY): StateTaxRule {
  const rule = taxRuleFor(stateCode, day)
  if (!rule) throw new Error(`No rule for ${stateCode} on ${day}`)
  return rule
}
