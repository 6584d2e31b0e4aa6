import { expect, test } from 'vitest'
import type { CapacityPlan } from '#domain/scheduling/booking/booking.server.ts'
import { capacityForm, capacityValues, changedTerms } from './capacity.ts'

const plan: CapacityPlan = {
  from: null,
  until: null,
  madeBy: null,
  hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: 480, closes: 1_080, lunch: [720, 780] as const })),
  slotMinutes: 30,
  technicians: null,
  bufferMinutes: 0,
  leadMinutes: 0,
  noticeMinutes: 1_440,
  walkInPercent: 0,
  dropOffWindows: ['AM'],
  bays: 3,
  dropOffs: 2,
}

const changesOf = (change: Record<string, string>) =>
  changedTerms(plan, capacityForm.parse({ from: '2026-12-01', ...capacityValues(plan), ...change }))

test('a change shows the terms that it alters, each before and after', () => {
  expect(changesOf({})).toEqual([])
  expect(changesOf({ bays: '2', 'closes-5': '720' })).toEqual([
    {
      name: 'Hours',
      before: 'Mon to Fri 8:00 AM to 6:00 PM, lunch 12:00 PM to 1:00 PM',
      after: 'Mon to Thu 8:00 AM to 6:00 PM, lunch 12:00 PM to 1:00 PM; Fri 8:00 AM to 12:00 PM',
    },
    { name: 'Bays', before: '3', after: '2' },
  ])
  expect(changesOf({ lunchFrom: '', lunchTo: '', AM: '' })).toMatchObject([
    { name: 'Hours', after: 'Mon to Fri 8:00 AM to 6:00 PM' },
    { name: 'Drop-off', before: '2 cars, morning', after: 'None' },
  ])
})
