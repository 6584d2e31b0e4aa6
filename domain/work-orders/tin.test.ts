import { expect, test } from 'vitest'
import { readJobForm } from './job-form.ts'
import { impossibleWeek, parseTin } from './tin.ts'

test.for(['54', '57', '99', '00'])('week %s is named, since the rest of the TIN is whole', (week) => {
  expect(parseTin(`DOT 7B3K XYZ9 ${week}26`)).toBeUndefined()
  expect(impossibleWeek(`DOT 7B3K XYZ9 ${week}26`)).toBe(week)
})

test.for(['', '5726', 'XYZ9', '7B3KXYZ920126', 'DOT 7B3K XYZ9 5726 AND MORE', 'QB3K XYZ9 5726'])(
  '%j has no wrong week',
  (typed) => {
    expect(impossibleWeek(typed)).toBeUndefined()
  },
)

test('the form of a job says that a year has no such week', () => {
  const slots = [{ lineNo: 1, nth: 1, position: 'LF', isFixed: true, description: '' }] as const
  const read = (tin: string) =>
    readJobForm(new URLSearchParams({ 'tin-1-1': tin }), slots, {
      day: Temporal.PlainDate.from('2026-11-25'),
      knownVinEnd: null,
      hasPacket: false,
    })
  expect(read('7B3KXYZ95726')).toMatchObject({
    errors: { 'tin-1-1': 'A year has no week 57. Read the last four digits again: week, then year.' },
  })
  expect(read('XYZ9')).toMatchObject({
    errors: { 'tin-1-1': expect.stringContaining('Enter the whole TIN') as string },
  })
})
