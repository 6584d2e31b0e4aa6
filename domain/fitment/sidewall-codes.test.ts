import { expect, test } from 'vitest'
import { ageInYears, parseDotCode, parseUtqg } from './sidewall-codes.ts'

test('a DOT code tells plant and week', () => {
  expect(parseDotCode('DOT U2LL LMLR 5123')).toMatchObject({ week: 51, year: 2023 })
  expect(parseDotCode('dot 1b3 4819')).toMatchObject({ week: 48, year: 2019 })
  for (const text of ['DOT U2LL LMLR 5423', 'DOT U2LL LMLR 0023', 'U2LL LMLR 5123', '']) expect(parseDotCode(text), text).toBeUndefined()
  expect(parseDotCode('DOT U2LL LMLR 5123')).toEqual({ plant: 'U2', size: 'LL', brand: 'LMLR', week: 51, year: 2023 })
})

test('UTQG grades are read together', () => {
  expect(parseUtqg('560 A A')).toEqual({ treadwear: 560, traction: 'A', temperature: 'A' })
  expect(parseUtqg('300aab')).toEqual({ treadwear: 300, traction: 'AA', temperature: 'B' })
  for (const text of ['560 D A', '5 A A', '560 A', '']) expect(parseUtqg(text), text).toBeUndefined()
})

test('age runs from the Monday of the DOT week', () => {
  expect(ageInYears({ week: 51, year: 2020 }, Temporal.PlainDate.from('2026-12-14'))).toBe(6)
  expect(ageInYears({ week: 1, year: 2026 }, Temporal.PlainDate.from('2025-12-29'))).toBe(0)
  expect(ageInYears({ week: 1, year: 2023 }, Temporal.PlainDate.from('2026-07-03'))).toBeCloseTo(3.5, 2)
})
