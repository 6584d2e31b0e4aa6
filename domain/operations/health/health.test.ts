import fc from 'fast-check'
import { expect, test } from 'vitest'
import { budgetLeftPercent, keptPpm, percentText } from './health.ts'

test.for([
  [{ good: 0, bad: 0 }, null, null],
  [{ good: 1_000, bad: 0 }, 1_000_000, 100],
  [{ good: 9_995, bad: 5 }, 999_500, 50],
  [{ good: 9_990, bad: 10 }, 999_000, 0],
  [{ good: 9_980, bad: 20 }, 998_000, -100],
  [{ good: 0, bad: 1 }, 0, -99_900],
] as const)('%j keeps %s ppm and leaves %s%% of a budget of 0.1%%', ([kept, ppm, left]) => {
  expect(keptPpm(kept)).toEqual(ppm)
  expect(budgetLeftPercent(kept, 999_000)).toEqual(left)
})

test('a budget is used up exactly when the target is missed', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.nat(10_000), (good, bad) => {
      const left = budgetLeftPercent({ good, bad }, 990_000)
      if (left === null) return good + bad === 0
      // Rounded to whole percents, so an overdraft of less than half a percent reads as 0.
      return bad * 100 > (good + bad) * 1.005 ? left < 0 : bad * 100 < (good + bad) * 0.995 ? left > 0 : true
    }),
  )
})

test.for([
  [1_000_000, '100%'],
  [999_500, '99.95%'],
  [990_000, '99%'],
  [0, '0%'],
] as const)('%s ppm reads %s', ([ppm, text]) => {
  expect(percentText(ppm)).toBe(text)
})
