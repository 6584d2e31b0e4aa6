import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freightByLine, receiptForm } from './receiving.ts'

test('freight is split by received units without losing a cent', () => {
  expect(freightByLine(100, [{ units: 1 }, { units: 0 }, { units: 2 }])).toEqual([33, 0, 67])
  const units = fc.array(fc.record({ units: fc.integer({ min: 0, max: 10_000 }) }), { minLength: 1, maxLength: 100 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), units, (cents, lines) => {
      const parts = freightByLine(cents, [{ units: 1 }, ...lines])
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(cents)
      expect(lines.every((line, index) => line.units > 0 || parts[index + 1] === 0)).toBe(true)
    }),
  )
})

test('a delivery’s freight is in dollars, and an empty one is zero', () => {
  const form = receiptForm(Temporal.PlainDate.from('2026-12-01'))
  const typed = { key: '01937b5e-0000-7000-8000-000000000000', 'units-7': '4' }
  expect(form.parse(typed)).toMatchObject({ freightCents: 0 })
  expect(form.parse({ ...typed, freight: '$1,120.50' })).toMatchObject({ freightCents: 112_050 })
  for (const freight of ['-5', 'abc', '100000.01'])
    expect(form.safeParse({ ...typed, freight }).error?.issues).toMatchObject([{ path: ['freight'] }])
})
