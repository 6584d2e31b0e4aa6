/** The payments of the coverage plans, in words. */
import { expect, test } from 'vitest'
import { fixedTerms } from '#domain/kernel/settings/business-terms.testing.ts'
import { coverageYears, coverageYearsText, roadHazardYearsText } from './services.ts'

test('replacement coverage pays an amount per tire, and the road hazard plan a share of the price', () => {
  const terms = fixedTerms().current
  expect(coverageYears('replacement', terms).every(({ pays }) => /^\$[\d,]+$/.test(pays))).toBe(true)
  expect(coverageYears('road-hazard', terms).every(({ pays }) => /^\d+%$/.test(pays))).toBe(true)
  expect(coverageYearsText(terms)).toMatch(
    /^\$\d+ per tire in the first year, \$\d+ in the second, and \$\d+ in the third$/,
  )
  expect(roadHazardYearsText(terms)).toMatch(/^\d+% of the tire’s price in the first year and \d+% in the second$/)
})
