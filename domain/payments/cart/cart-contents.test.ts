import { expect, test } from 'vitest'
import { cartContents } from './cart-contents.ts'
import type { CartLine } from './cart.ts'

const line: CartLine = {
  itemId: 100234,
  axle: 'all',
  quantity: 4,
  coverage: true,
  seenUnitCents: 14_800,
  unitCents: 14_800,
  retailUnitCents: 14_800,
  mapCents: null,
  fetUnitCents: 130,
  available: 12,
  heldUnits: 0,
  article: {
    sku: 'KES-1',
    brandId: 1,
    lineId: 1,
    brand: 'Kestrel',
    brandSlug: 'kestrel',
    line: 'Alltide AS2',
    lineSlug: 'alltide-as2',
    tread: 'all-season',
    size: '225/65R17',
    service: '102H',
    sizeKind: 'P',
    rimIn: 17,
    aspect: 65,
    runFlat: false,
    loadRange: null,
    weightLb: 25.1,
    oldestDotWeek: null,
    promotions: [
      {
        id: 7,
        name: '$16 off',
        kind: 'Flat Amount',
        amount: 1_600,
        fundedBy: 'maker',
        alreadyApplied: false,
        linkToCoverage: false,
      },
    ],
  },
}

test("a cart uses the specification's names", () => {
  const appointment = {
    installer: { installerId: 'IL-0001' },
    timeZone: 'America/Chicago',
    date: '2026-11-24',
    dropOffWindow: null,
    startTime: '9:30',
    amOrPm: 'AM' as const,
    isDropOff: false,
  }
  expect(
    cartContents(
      { id: 'c', lines: [line] },
      { unitCents: (each) => each.unitCents, coverageCents: () => 1_499, shippingCents: 0, appointment },
    ),
  ).toEqual({
    cartId: 'c',
    estimatedFetTaxInCents: 520,
    shippingCostInCents: 0,
    lines: [
      {
        name: 'Kestrel Alltide AS2 225/65R17 102H',
        productId: 100234,
        price: { salePriceInCents: 14_800 },
        quantity: 4,
        roadHazardCostInCents: 5_996,
        roadHazardState: 1,
        siteProductPromotion: [
          { couponAmountType: 'Flat Amount', couponAmount: 1_600, alreadyAppliedIntoCart: false, linkToTRCProm: false },
        ],
      },
    ],
    appointment,
  })
})
