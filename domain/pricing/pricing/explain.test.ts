import { expect, test } from 'vitest'
import { breakdownFingerprint, lineName, priceCart, relocated, type PriceInput } from './pricing.ts'
import { DEAL, ORDER, stateRule, TIRE, tiresOnly } from './price-input.example.ts'

const table = (input: PriceInput) =>
  priceCart(input).explain.map(({ label, detail, amount }) => [label, detail, amount])
const row = (input: PriceInput, key: string) => priceCart(input).explain.find((row) => row.key === key)

test('summarizes four tires installed at a shop', () => {
  expect(table(ORDER)).toEqual([
    ['4 tires at $148.00', 'Kestrel Alltide AS2 225/65R17', '$592.00'],
    ['Installation at Halsted Tire', '4 at $22.00, set by the shop', '$88.00'],
    ['Sensor service kits', '4 at $6.00, new seals and cores', '$24.00'],
    ['Old tire disposal', '4 at $3.50', '$14.00'],
    ['Installation discount', '4 or more tires', '\u2212$25.00'],
    ['Shipping to the shop', '', 'Free'],
    ['Illinois tire fee', '4 at $2.50, set by the state', '$10.00'],
    ['Sales tax, 10.25%', 'On tires and kits, $616.00', '$63.14'],
    ['Total', 'No balance due at the shop', '$766.14'],
  ])
})

test('summarizes an order with everything in it', () => {
  const input: PriceInput = {
    ...ORDER,
    accountType: 'Retail Member',
    tires: [
      { ...TIRE, quantity: 2, accountUnitCents: 14_000, fetUnitCents: 130 },
      {
        ...TIRE,
        articleId: 'B',
        name: 'Kestrel Alltide AS2 245/60R17',
        quantity: 2,
        retailUnitCents: 16_000,
        promotions: [DEAL],
      },
    ],
    services: [
      ...ORDER.services,
      { kind: 'coverage', articleId: 'A', eachCents: 1999, quantity: 2 },
      { kind: 'coverage', articleId: 'B', eachCents: 2599, quantity: 2 },
      { kind: 'roadside', articleId: null, eachCents: 2995, quantity: 1 },
    ],
    shipping: { cents: 9900, to: 'address' },
    programs: [{ kind: 'military' }],
    tender: { kind: 'pay-later', ratePpm: 80_000, fundedBy: 'lender' },
    taxRule: stateRule('CA'),
  }
  expect(table(input)).toEqual([
    ['2 tires at $140.00', 'Kestrel Alltide AS2 225/65R17, Loyalty member price', '$280.00'],
    ['2 tires at $160.00', 'Kestrel Alltide AS2 245/60R17', '$320.00'],
    ['Daily deal', '20% off each tire', '\u2212$64.00'],
    ['Military discount', '5% off tires', '\u2212$26.80'],
    ['Installation at Halsted Tire', '4 at $22.00, set by the shop', '$88.00'],
    ['Sensor service kits', '4 at $6.00, new seals and cores', '$24.00'],
    ['Old tire disposal', '4 at $3.50', '$14.00'],
    ['Installation discount', '4 or more tires', '\u2212$25.00'],
    ['Replacement coverage', '2 at $19.99, 2 at $25.99', '$91.96'],
    ['Roadside assistance', '12 months', '$29.95'],
    ['Shipping to your address', '', '$99.00'],
    ['Pay-later offer', '8% off the whole order', '\u2212$66.49'],
    ['California tire fee', '4 at $1.75, set by the state', '$7.00'],
    ['Federal excise tax', '2 at $1.30', '$2.60'],
    ['Estimated sales tax, 7.25%', 'On tires, kits and excise tax, $535.80. State rate, without local tax', '$38.85'],
    ['Total', 'No balance due at the shop', '$813.07'],
  ])
})

test('one tire is singular, and an included promotion is mentioned with the price', () => {
  expect(row(tiresOnly({ quantity: 1, promotions: [{ ...DEAL, alreadyApplied: true }] }), 'tire:A')).toMatchObject({
    label: '1 tire at $148.00',
    detail: 'Kestrel Alltide AS2 225/65R17, Daily deal already in the price',
  })
  const kit = { ...ORDER, services: ORDER.services.map((service) => ({ ...service, quantity: 1 })) }
  expect(row({ ...kit, tires: [{ ...TIRE, quantity: 1 }] }, 'service-kit')?.label).toBe('Sensor service kit')
})

test('a coupon on a service follows the services', () => {
  const reduction = { type: 'Free', item: { service: 'shipping' }, units: 'all' } as const
  const input: PriceInput = {
    ...ORDER,
    shipping: { cents: 9900, to: 'pickup' },
    programs: [{ kind: 'coupon', code: 'SHIP', fundedBy: 'store', stacksWithPromotions: false, reduction }],
  }
  const labels = table(input).map(([label]) => label)
  expect(labels.slice(labels.indexOf('Shipping to the pickup location'))).toEqual([
    'Shipping to the pickup location',
    'Coupon SHIP',
    'Illinois tire fee',
    'Sales tax, 10.25%',
    'Total',
  ])
})

test.each<[string, Partial<PriceInput>, string, string]>([
  ['no sales tax in the state', { taxRule: stateRule('OR') }, 'Sales tax', 'Oregon has no state sales tax'],
  [
    'a certificate on file',
    { exemption: { stateCode: 'IL', validThrough: null } },
    'Sales tax',
    'Exemption certificate on file',
  ],
  [
    'a state base rate',
    { taxRule: stateRule('TX') },
    'Estimated sales tax, 6.25%',
    'On tires, $592.00. State rate, without local tax',
  ],
])('explains the tax row: %s', (_case, part, label, detail) => {
  expect(row({ ...tiresOnly({}), ...part }, 'sales-tax')).toMatchObject({ label, detail })
})

test('an empty cart has a zero total', () => {
  expect(priceCart(tiresOnly()).explain.map(({ key, amount }) => [key, amount])).toEqual([
    ['sales-tax', '$0.00'],
    ['total', '$0.00'],
  ])
})

test('an order line is named after its tire, or its service as in the summary', () => {
  const { lines } = priceCart({ ...ORDER, tires: [{ ...TIRE, name: 'Kestrel Alltide AS2 235/60R18 107H' }] })
  expect(lines.map(lineName)).toEqual([
    'Kestrel Alltide AS2 235/60R18 107H',
    'Installation',
    'Sensor service kits',
    'Old tire disposal',
    'Shipping',
  ])
})

test('the road hazard plan has a separate row, name, and price from replacement coverage', () => {
  const covered = (plan?: 'road-hazard') =>
    priceCart({
      ...tiresOnly({}),
      services: [{ kind: 'coverage', articleId: null, eachCents: 1_499, quantity: 4, ...(plan && { plan }) }],
    })
  const [branded, ours] = [covered('road-hazard'), covered()]
  expect(branded.explain.find(({ key }) => key === 'road-hazard')).toMatchObject({
    label: 'Road hazard plan',
    detail: '4 at $14.99',
  })
  expect([branded, ours].map(({ lines }) => lines.filter(({ kind }) => kind === 'coverage').map(lineName))).toEqual([
    ['Road hazard plan'],
    ['Replacement coverage'],
  ])
  expect(branded.totals).toEqual(ours.totals)
  expect(breakdownFingerprint(branded)).not.toBe(breakdownFingerprint(ours))
  // At another shop it is still the plan that was sold.
  const place = { services: [], shipping: { cents: 0, to: 'shop' }, taxRule: stateRule('TX'), shopName: null } as const
  expect(relocated(branded, place).explain.map(({ label }) => label)).toContain('Road hazard plan')
})
