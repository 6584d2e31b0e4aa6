import { expect, test } from 'vitest'
import {
  billedElsewhereFromCents,
  confirmationReasons,
  confirmationRules,
  mostTiresToAHome,
  rulesThatAsk,
  type ConfirmationFacts,
} from './confirmation-rules.ts'

const ordinary: ConfirmationFacts = {
  fulfillment: 'home',
  isForCompany: false,
  tireCount: 4,
  totalCents: 80_000,
  street: ['1430 N Halsted St', null],
  shipTo: { state: 'IL', zip: '60614' },
  billing: { state: 'IL', zip: '60614' },
}
const dear = { totalCents: billedElsewhereFromCents }
const elsewhere = { billing: { state: 'WI', zip: '53202' } }

test.for<[string, Partial<ConfirmationFacts>, string[]]>([
  ['an ordinary order', {}, []],
  ['billed in another state', elsewhere, []],
  ['a high amount', dear, []],
  ['a cent below a high amount, billed in another state', { ...elsewhere, totalCents: dear.totalCents - 1 }, []],
  ['a high amount, billed in another state', { ...dear, ...elsewhere }, ['billed-elsewhere']],
  ['the same for a company', { ...dear, ...elsewhere, isForCompany: true }, []],
  ['a high amount, billed in another ZIP of the state', { ...dear, billing: { state: 'IL', zip: '60601' } }, []],
  ['a ZIP across the state line', { ...dear, billing: { state: 'WI', zip: '60614' } }, []],
  ['eight tires', { tireCount: mostTiresToAHome }, []],
  ['nine tires', { tireCount: mostTiresToAHome + 1 }, ['many-tires']],
  ['nine tires of a company', { tireCount: mostTiresToAHome + 1, isForCompany: true }, []],
  ['a street without number', { street: ['Halsted Street', null] }, ['street-without-number']],
  ['a numbered street without number', { street: ['5th Avenue', null] }, ['street-without-number']],
  ['a number on a numbered street', { street: ['12 5th Avenue', null] }, []],
  ['a number in letters', { street: ['One Oak Plaza', null] }, []],
  ['the number on the second line', { street: ['Oak Plaza', 'Unit 4'] }, []],
  ['a grid address', { street: ['N6W23001 Bluemound Rd', null] }, []],
  ['a company’s street without number', { street: ['Oak Plaza'], isForCompany: true }, ['street-without-number']],
  [
    'all at once',
    { ...dear, ...elsewhere, tireCount: 12, street: ['Oak Lane'] },
    ['billed-elsewhere', 'many-tires', 'street-without-number'],
  ],
])('%s', ([, change, rules]) => {
  expect(rulesThatAsk({ ...ordinary, ...change })).toEqual(rules)
})

test.for(['shop', 'mobile', 'carrier-pickup'] as const)('an order to a %s is never asked about', (fulfillment) => {
  expect(
    rulesThatAsk({ ...ordinary, ...dear, ...elsewhere, tireCount: 12, street: ['Oak Lane'], fulfillment }),
  ).toEqual([])
})

test('every rule has a unique name and a reason for both sides, and a removed rule has no reason', () => {
  const names = confirmationRules.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const to of ['shopper', 'staff'] as const) {
    expect(new Set(confirmationReasons(names, to)).size).toBe(names.length)
    expect(confirmationReasons(['a-rule-of-yore'], to)).toEqual([])
  }
})
