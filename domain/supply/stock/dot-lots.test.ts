/** DOT weeks of units, and the form of a delivery. */
import { expect, test } from 'vitest'
import { dotWeekText, parseDotWeek } from '#platform/dot-week.ts'
import { ageOf, mergeLots, remainingLots, takeOldest } from './dot-lots.ts'
import { receiptForm } from './stock.ts'

const today = Temporal.PlainDate.from('2026-11-24')
const key = '0d8f0f6e-3b54-4a0e-9d2c-0d2a0d2a0d2a'

test('a DOT week is a past week that its year has', () => {
  expect(parseDotWeek('2326', today)).toBe('2026-06-01')
  expect(parseDotWeek('4826', today)).toBe('2026-11-23')
  expect(parseDotWeek('5320', today)).toBe('2020-12-28')
  for (const wrong of ['4926', '5325', '0026', '5426', '126', '12345', 'ab26', '', '0199'])
    expect(parseDotWeek(wrong, today), wrong).toBeUndefined()
  for (const text of ['0126', '5320', '2326', '0105']) expect(dotWeekText(parseDotWeek(text, today) ?? '')).toBe(text)
  expect(ageOf('2024-08-19', today)).toEqual({ years: 2, months: 3 })
})

test('the newest recorded units remain, and lots always add up to the units on hand', () => {
  const lots = [
    { week: '2026-06-01', units: 4 },
    { week: '2025-06-02', units: 8 },
  ]
  expect(remainingLots(lots, 20)).toEqual([{ week: null, units: 8 }, lots[1], lots[0]])
  expect(remainingLots(lots, 5)).toEqual([{ week: '2025-06-02', units: 1 }, lots[0]])
  expect(remainingLots(lots, 0)).toEqual([])
  for (let onHand = 0; onHand < 30; onHand++) {
    const remaining = remainingLots(lots, onHand)
    expect(remaining.reduce((sum, { units }) => sum + units, 0)).toBe(onHand)
    for (let units = 0; units <= onHand; units++) {
      const { taken, rest } = takeOldest(remaining, units)
      expect(taken.reduce((sum, lot) => sum + lot.units, 0)).toBe(units)
      expect(mergeLots([...taken, ...rest])).toEqual(remaining)
    }
  }
})

test('a delivery has several DOT weeks, and errors are at their fields', () => {
  const read = (fields: Record<string, string>) => receiptForm(today).safeParse({ key, ...fields })
  expect(read({ 'units-7': '12', 'weeks-7': '2326 8, 2426 x4' }).data?.lines).toEqual([
    {
      itemId: 7,
      units: 12,
      damaged: 0,
      short: 0,
      reason: null,
      lots: [
        { week: '2026-06-01', units: 8 },
        { week: '2026-06-08', units: 4 },
      ],
    },
  ])
  expect(read({ 'units-7': '4', 'weeks-7': '2326' }).data?.lines[0]?.lots).toEqual([{ week: '2026-06-01', units: 4 }])
  expect(read({ 'units-7': '4', 'weeks-7': '2326 2; 2326 2' }).data?.lines[0]?.lots).toHaveLength(1)
  expect(read({ 'units-7': '', 'units-8': '0' }).data?.lines).toEqual([])
  const faults = (fields: Record<string, string>) => read(fields).error?.issues.map(({ path }) => path[0])
  expect(faults({ 'units-7': '12', 'weeks-7': '2326 8' })).toEqual(['weeks-7'])
  expect(faults({ 'units-7': '4', 'weeks-7': '4926' })).toEqual(['weeks-7'])
  expect(faults({ 'units-7': '4', 'weeks-7': '2326, 2426' })).toEqual(['weeks-7'])
  expect(faults({ 'units-7': 'x', 'damaged-7': '10001' })).toEqual(['units-7', 'damaged-7', 'reason-7'].slice(0, 2))
  expect(faults({ 'units-7': '1', 'short-7': '1' })).toEqual(['reason-7'])
})
