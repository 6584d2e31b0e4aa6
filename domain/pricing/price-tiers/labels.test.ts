import { expect, test } from 'vitest'
import { ACCOUNT_TYPES, type AccountType } from '#domain/pricing/pricing/pricing.ts'
import { badgeOf, labelOf, priceLabels, supportDeskOf } from './labels.ts'

/**
 * Every account type with its price label (specification, section 6), that label's page, its badge, and its support
 * desk.
 */
const table: Record<
  AccountType,
  [label: string | undefined, slug: string | undefined, badge: string | undefined, desk: string | undefined]
> = {
  EPP: ['employee price', 'employee-price', 'Employee', undefined],
  Fleet: ['fleet price', 'fleet-price', 'Fleet', '(800) 555-0160 fleet@sidewall.example'],
  none: [undefined, undefined, undefined, undefined],
  'Partner Program': ['partner price', 'partner-price', 'Partner', undefined],
  Retail: [undefined, undefined, undefined, undefined],
  'Retail Member': ['loyalty member price', 'loyalty-member-price', 'Member', undefined],
  'Sales Tool': ['sales price', 'sales-price', 'Sales', undefined],
  'Special Order': ['special pricing', 'special-pricing', 'Special orders', '(800) 555-0161 orders@sidewall.example'],
  WholeSale: ['wholesale price', 'wholesale-price', 'Wholesale', undefined],
}

test('every account type has a label, badge, and desk, or is listed without them', () => {
  const told = ACCOUNT_TYPES.map((type) => {
    const [label, desk] = [labelOf(type), supportDeskOf(type)]
    return [type, [label?.name.toLowerCase(), label?.slug, badgeOf(type), desk && `${desk.phone} ${desk.email}`]]
  })
  expect(Object.fromEntries(told)).toEqual(table)
  expect(priceLabels.map(({ slug }) => slug).toSorted()).toEqual(
    Object.values(table)
      .flatMap(([, slug]) => slug ?? [])
      .toSorted(),
  )
})
