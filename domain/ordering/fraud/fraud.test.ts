import { expect, test } from 'vitest'
import { isSameStreet, judge, namesDealer, ruleWords, type FraudRule, type OrderFacts } from './fraud-rules.ts'
import { fraudRuleForm } from './rule-form.ts'

const none = { subject: null, most: null, minutes: null, miles: null, fromCents: null, words: null }
const rule = (id: number, rest: Partial<FraudRule> & Pick<FraudRule, 'kind' | 'outcome'>): FraudRule => ({
  ...none,
  id,
  homesOnly: true,
  sparesCompanies: true,
  isOn: true,
  version: 1,
  ...rest,
})
const order: OrderFacts = { isHome: true, isForCompany: false, tires: 4, totalCents: 80_000, names: ['Dana Reyes'] }

const resale = [
  rule(1, { kind: 'resale', most: 8, outcome: 'review' }),
  rule(2, { kind: 'resale', most: 24, outcome: 'refuse' }),
]

test('the strictest outcome counts, with the reasons of all rules that apply', () => {
  const judged = (tires: number) => judge(resale, { ...order, tires }, new Map())
  expect(judged(8)).toEqual({ outcome: 'allow', reasons: [] })
  expect(judged(9)).toMatchObject({ outcome: 'review', reasons: [{ rule: 1, words: 'More than 8 tires to a home.' }] })
  expect(judged(80)).toMatchObject({ outcome: 'refuse', reasons: [{ rule: 1 }, { rule: 2 }] })
})

test('disabled, residential-only, and non-company rules check no other facts', () => {
  const many = { ...order, tires: 80 }
  expect(
    judge(
      resale.map((one) => ({ ...one, isOn: false })),
      many,
      new Map(),
    ).outcome,
  ).toBe('allow')
  expect(judge(resale, { ...many, isHome: false }, new Map()).outcome).toBe('allow')
  expect(judge(resale, { ...many, isForCompany: true }, new Map()).outcome).toBe('allow')
  const everyone = resale.map((one) => ({ ...one, sparesCompanies: false }))
  expect(judge(everyone, { ...many, isForCompany: true }, new Map()).outcome).toBe('refuse')
})

test('counts, miles and first orders are held against the limits of their rules', () => {
  const outcome = (one: FraudRule, found: number, facts = order) =>
    judge([one], facts, new Map([[one.id, found]])).outcome
  const orders = rule(1, { kind: 'orders', subject: 'email', most: 6, minutes: 1_440, outcome: 'review' })
  expect(outcome(orders, 5)).toBe('allow')
  expect(outcome(orders, 6)).toBe('review')
  const cards = rule(2, { kind: 'cards', most: 3, minutes: 60, outcome: 'review' })
  expect(outcome(cards, 3)).toBe('allow')
  expect(outcome(cards, 4)).toBe('review')
  const far = rule(3, { kind: 'ship-to-far', miles: 500, fromCents: 300_000, outcome: 'review' })
  const dear = { ...order, totalCents: 300_000 }
  expect(outcome(far, 500)).toBe('allow')
  expect(outcome(far, 499, dear)).toBe('allow')
  expect(outcome(far, 500, dear)).toBe('review')
  const first = rule(4, { kind: 'first-order', fromCents: 300_000, outcome: 'review' })
  expect(outcome(first, 1)).toBe('allow')
  expect(outcome(first, 0, dear)).toBe('allow')
  expect(outcome(first, 1, dear)).toBe('review')
})

test('orders with an appointment go to staff instead of customer confirmation', () => {
  const first = rule(1, { kind: 'first-order', fromCents: 100, outcome: 'confirm', homesOnly: false })
  expect(judge([first], order, new Map([[1, 1]])).outcome).toBe('confirm')
  expect(judge([first], { ...order, isHome: false }, new Map([[1, 1]])).outcome).toBe('review')
})

test('a dealership is recognized by whole words in its name', () => {
  const words = ['auto sales', 'motor company']
  expect(namesDealer('Bob’s AUTO-SALES, Inc.', words)).toBe(true)
  expect(namesDealer('Ford Motor Company', words)).toBe(true)
  expect(namesDealer('Auto Salesman', words)).toBe(false)
  expect(namesDealer('x'.repeat(100_000), ['…'])).toBe(false)
})

test('a street is a shop’s whatever its spelling', () => {
  expect(isSameStreet('1430 N Halsted St', '1430 North Halsted Street')).toBe(true)
  expect(isSameStreet('1432 N Halsted St', '1430 N Halsted St')).toBe(false)
  expect(isSameStreet('Halsted St', 'Halsted St')).toBe(false)
  expect(isSameStreet('1430 Main St', '1430 Halsted St')).toBe(false)
})

test('a form has the parameters of its kind, and drops the others', () => {
  const form = { kind: 'resale', most: '12', miles: '9', outcome: 'refuse', homesOnly: '1', isOn: '1' }
  expect(fraudRuleForm.parse(form)).toMatchObject({ most: 12, miles: null, words: null, sparesCompanies: false })
  const faultsOf = (fields: Record<string, string>) =>
    fraudRuleForm.safeParse({ outcome: 'review', ...fields }).error?.issues.map(({ path }) => path.join('.'))
  expect(faultsOf({ kind: 'resale' })).toEqual(['most'])
  expect(faultsOf({ kind: 'dealer-names', words: ' \n,' })).toEqual(['words'])
  expect(faultsOf({ kind: 'declines', subject: 'card', most: '3', minutes: '60' })).toEqual(['subject'])
  expect(faultsOf({ kind: 'ship-to-far', miles: '0', fromCents: 'much' })).toEqual(['miles', 'fromCents'])
  expect(
    fraudRuleForm.parse({ kind: 'dealer-names', words: 'auto mall, tire shop\n', outcome: 'review' }).words,
  ).toEqual(['auto mall', 'tire shop'])
})

test('every rule reads as a sentence', () => {
  const span = (minutes: number) =>
    ruleWords(rule(1, { kind: 'orders', subject: 'card', most: 3, minutes, outcome: 'review' }))
  expect(span(1_440)).toBe('More than 3 orders with one card in 24 hours.')
  expect([span(90), span(60), span(2_880)].map((words) => words.slice(33))).toEqual([
    'in 90 minutes.',
    'in an hour.',
    'in 2 days.',
  ])
})
