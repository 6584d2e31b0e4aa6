import { expect, test } from 'vitest'
import { percentText, rateForm, rateOn, ratesAfter, type WidgetRate } from './commission.ts'

const setAt = Temporal.Instant.from('2026-11-22T12:00:00Z')
const rate = (fromDay: string, commissionBp: number): WidgetRate => ({ fromDay, commissionBp, setAt, setBy: 'Ana' })

test('a day’s rate is the last one in effect, and the later one set wins a tie', () => {
  const rates = [rate('2026-11-01', 300), rate('2026-12-01', 500), rate('2026-12-01', 450), rate('2026-11-15', 200)]
  const on = (day: string) => rateOn(rates, day)?.commissionBp
  expect(on('2026-10-31')).toBeUndefined()
  expect(on('2026-11-14')).toBe(300)
  expect(on('2026-11-15')).toBe(200)
  expect(on('2026-11-30')).toBe(200)
  expect(on('2026-12-01')).toBe(450)
  expect(ratesAfter(rates, '2026-11-20').map(({ commissionBp }) => commissionBp)).toEqual([450])
  expect(ratesAfter(rates, '2026-12-01')).toEqual([])
})

test('staff type a percentage of at most 20 and a day', () => {
  const typed = { widget: 'wk_aaaaaaaaaaaaaaaaaaaa', percent: '2.5', from: '2026-12-01' }
  expect(rateForm.parse(typed)).toMatchObject({ percent: 250 })
  for (const wrong of [
    { percent: '21' },
    { percent: '-1' },
    { percent: '3%' },
    { from: '2026-02-30' },
    { widget: 'x' },
  ])
    expect(rateForm.safeParse({ ...typed, ...wrong }).success, JSON.stringify(wrong)).toBe(false)
  expect(percentText(250)).toBe('2.5%')
  expect(percentText(300)).toBe('3%')
})
