import { expect, test } from 'vitest'
import {
  compareLoadClass,
  compareLoadRange,
  describeLoadIndex,
  describeLoadRange,
  describeSpeed,
  grouped,
  isAsFast,
  isLoadRange,
  loadOf,
  rangeOf,
  speedOf,
  type SpeedSymbol,
} from './load-and-speed.ts'

const speed = (symbol: SpeedSymbol) => speedOf(symbol) ?? expect.fail(symbol)

test('load indexes rise from 0 to 160 and lb follow kg', () => {
  expect(loadOf(0)).toEqual({ kg: 45, lb: 99 })
  expect(loadOf(87)).toEqual({ kg: 545, lb: 1201 })
  expect(loadOf(89)).toEqual({ kg: 580, lb: 1279 })
  expect(loadOf(102)).toEqual({ kg: 850, lb: 1874 })
  expect(loadOf(107)).toEqual({ kg: 975, lb: 2149 })
  expect(loadOf(160)).toEqual({ kg: 4500, lb: 9921 })
  for (let index = 1; index <= 160; index++) {
    const { kg, lb } = loadOf(index) ?? expect.fail(`${index}`)
    expect(kg).toBeGreaterThan(loadOf(index - 1)?.kg ?? 0)
    expect(Math.abs(lb - kg * 2.2046226), `${index}`).toBeLessThan(1)
  }
})

test.each([-1, 161, 102.5, Number.NaN, undefined])('load index %s is not in the table', (index) => {
  expect(loadOf(index)).toBeUndefined()
})

test('compares speeds by km/h, not by letter', () => {
  expect(isAsFast(speed('H'), speed('H'))).toBe(true)
  expect(isAsFast(speed('U'), speed('H'))).toBe(false)
  expect(isAsFast(speed('U'), speed('T'))).toBe(true)
  expect(isAsFast(speed('(Y)'), speed('Y'))).toBe(true)
  expect(isAsFast(speed('Y'), speed('(Y)'))).toBe(false)
  expect(isAsFast(speed('(Y)'), speed('(Y)'))).toBe(true)
})

test.each(['ZR', 'A', 'O', 'X', '', 'toString', undefined])('speed "%s" has no limit in the table', (symbol) => {
  expect(speedOf(symbol)).toBeUndefined()
})

test('classes and ranges are ordered', () => {
  expect(compareLoadClass('XL', 'SL')).toBeGreaterThan(0)
  expect(compareLoadClass('XL', 'HL')).toBeLessThan(0)
  expect(compareLoadClass('HL', 'HL')).toBe(0)
  expect(compareLoadRange('D', 'E')).toBeLessThan(0)
  expect(compareLoadRange('G', 'F')).toBeGreaterThan(0)
  expect(isLoadRange('E')).toBe(true)
  expect(isLoadRange('Z')).toBe(false)
  expect(rangeOf('E')).toEqual({ plyRating: 10, maxPsi: 80 })
  expect(compareLoadRange('E', 'E')).toBe(0)
})

test('describes ratings for the product page', () => {
  expect(describeLoadIndex(102)).toBe('102: carries 1,874 lb')
  expect(describeLoadIndex(10)).toBe('10: carries 132 lb')
  expect(describeLoadIndex(170)).toBeUndefined()
  expect(describeSpeed('H')).toBe('H: up to 130 mph')
  expect(describeSpeed('(Y)')).toBe('(Y): above 186 mph')
  expect(describeSpeed('ZR')).toBe('ZR: above 149 mph')
  expect(describeSpeed('?')).toBeUndefined()
  expect(describeLoadRange('E')).toBe('E: 10 ply rating, up to 80 psi')
  expect(describeLoadRange('L')).toBe('L: 20 ply rating')
  expect(grouped(0)).toBe('0')
  expect(grouped(999)).toBe('999')
  expect(grouped(1000)).toBe('1,000')
  expect(grouped(999_999)).toBe('999,999')
})
