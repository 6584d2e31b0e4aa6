import { expect, test } from 'vitest'
import { chipWords, dayText, dealText, dollars, optionWords } from './listing-messages.server.ts'

test('dates are abbreviated, and an invalid one is left unchanged', () => {
  expect(dayText('2026-11-24')).toBe('Tue, Nov 24')
  expect(dayText('2026-02-31')).toBe('2026-02-31')
})

test('whole dollars are shown without cents', () => {
  expect([7_200, 750, 123_400].map(dollars)).toEqual(['$72', '$7.50', '$1,234'])
})

test('a speed rating below the vehicle’s requirement is marked in the filter', () => {
  expect(optionWords('speed', 'T', 'T, 118 mph', { requiredSpeed: 'H' })).toBe('T, 118 mph: below your H')
  expect(optionWords('speed', 'H', 'H, 130 mph', { requiredSpeed: 'H' })).toBe('H, 130 mph')
  expect(optionWords('speed', 'V', 'V, 149 mph', { requiredSpeed: 'H' })).toBe('V, 149 mph')
  expect(optionWords('speed', 'T', 'T, 118 mph')).toBe('T, 118 mph')
  expect(optionWords('verdict', 'fits_with_conditions', 'Fits with conditions', { isListed: true })).toBe(
    'Confirm on your door label',
  )
  expect(optionWords('verdict', 'fits_with_conditions', 'Fits with conditions')).toBe('Fits with conditions')
  expect(optionWords('by', '2026-11-24', '2026-11-24')).toBe('Tue, Nov 24')
})

test('an active filter’s label is clear without its group', () => {
  expect(chipWords('by', 'Tue, Nov 24')).toBe('Ready by Tue, Nov 24')
  expect(chipWords('total', 'Up to $900')).toBe('Up to $900 out the door')
  expect(chipWords('load', '102, 1,874 lb')).toBe('Load index 102')
  expect(chipWords('warranty', '60,000 mi or more')).toBe('Warranty 60,000 mi or more')
  expect(chipWords('brand', 'Kestrel')).toBe('Kestrel')
})

const promotion = { kind: 'Flat Amount', amount: 1_600, alreadyApplied: false }
const offer = (promotions: object[], prices: [unitCents: number, wasCents: number | null][] = [[14_800, 16_400]]) =>
  ({
    items: prices.map(() => ({})),
    prices: prices.map(([unitCents, wasCents]) => ({ unitCents, wasCents, promotion: promotions[0] ?? null })),
  }) as unknown as Parameters<typeof dealText>[0]

test('a deal is worded as it is deducted', () => {
  expect(dealText(offer([]))).toBeNull()
  expect(dealText(offer([promotion]))).toBe('$16 off each')
  expect(dealText(offer([{ ...promotion, kind: 'Percentage', amount: 10 }]))).toBe('10% off')
  expect(dealText(offer([{ ...promotion, kind: 'Buy3Get1', amount: 0 }]))).toBe('Buy 3, get the 4th free')
  expect(dealText(offer([{ ...promotion, kind: 'Free', amount: 2 }]))).toBe('2 free with a set')
  expect(dealText(offer([{ ...promotion, alreadyApplied: true }]))).toBeNull()
})

test('front and rear with different discounts are "on sale", not "off each"', () => {
  expect(
    dealText(
      offer(
        [promotion],
        [
          [14_800, 16_400],
          [20_000, 21_600],
        ],
      ),
    ),
  ).toBe('$16 off each')
  expect(
    dealText(
      offer(
        [promotion],
        [
          [14_800, 16_400],
          [20_000, 20_800],
        ],
      ),
    ),
  ).toBe('On sale')
})
