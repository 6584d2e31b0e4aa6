import { expect, test } from 'vitest'
import { quoteInstallation } from '#domain/scheduling/installers/installers.ts'
import { coverageCents, groupByArticle, priceOffer, tireSpecs, type OfferedTires } from './offers.ts'
import { standardTerms } from '#domain/kernel/settings/settings.ts'

const date = Temporal.PlainDate.from('2026-11-20')
const alltide: OfferedTires = {
  itemId: 100234,
  name: 'Kestrel Alltide AS2 225/65R17 102H',
  quantity: 4,
  unitCents: 14_800,
  fetUnitCents: 0,
  weightLb: 25.1,
  coveredQuantity: 0,
  spec: { rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P' },
  promotions: [],
}
const shop = {
  limits: { rimMinIn: 12, rimMaxIn: 22, aspectMin: 35, takesRunFlat: true, takesLightTruck: true },
  rates: [
    {
      job: 'standard' as const,
      rimFromIn: 12,
      rimToIn: 18,
      installCents: 2_200,
      serviceKitCents: 600,
      disposalCents: 350,
      minutesPerTire: 12,
    },
  ],
}

function atHalsted(tires: OfferedTires[]) {
  const quote = quoteInstallation(shop, tireSpecs(tires))
  if (!quote.ok) throw new Error('The shop of this test takes these tires.')
  return priceOffer(
    tires,
    {
      stateCode: 'IL',
      installation: quote.value,
      shopName: 'Halsted Tire',
      shippingCents: 0,
      shippingTo: 'shop',
      terms: standardTerms,
    },
    date,
  )
}

test('four tires installed in Illinois have a summary line for every amount', () => {
  const price = atHalsted([alltide])
  const rows = Object.fromEntries(price.explain.map((row) => [row.key.split(':')[0], row.cents]))
  expect(rows).toMatchObject({
    tire: 59_200,
    installation: 8_800,
    'service-kit': 2_400,
    disposal: 1_400,
    'install-discount': -2_500,
    shipping: 0,
  })
  expect(price.totals.totalCents).toBe(
    price.explain.filter((row) => row.kind !== 'total').reduce((sum, row) => sum + row.cents, 0),
  )
})

test('the same article on both axles costs the same as on one line', () => {
  const split = groupByArticle([
    { ...alltide, quantity: 2 },
    { ...alltide, quantity: 2 },
  ])
  expect(atHalsted(split).totals).toEqual(atHalsted([alltide]).totals)
})

test('without a shop there is no installation, disposal or installation discount', () => {
  const price = priceOffer(
    [alltide],
    {
      stateCode: 'OR',
      installation: null,
      shopName: null,
      shippingCents: 0,
      shippingTo: 'address',
      terms: standardTerms,
    },
    date,
  )
  expect(price.totals.totalCents).toBe(59_200)
})

test('coverage is a tenth of the tire, up to the next 99 cents', () => {
  expect(coverageCents(14_800, standardTerms)).toBe(1_499)
  expect(coverageCents(26_999, standardTerms)).toBe(2_699)
  expect(coverageCents(10_000, standardTerms)).toBe(999)
  expect(coverageCents(999, standardTerms)).toBe(99)
  expect(coverageCents(14_800, { 'coverage-ppm': 150_000 })).toBe(2_299)
})

test('a state without shipping cannot be priced', () => {
  expect(() =>
    priceOffer(
      [alltide],
      {
        stateCode: 'AE',
        installation: null,
        shopName: null,
        shippingCents: 0,
        shippingTo: 'address',
        terms: standardTerms,
      },
      date,
    ),
  ).toThrow(RangeError)
})
