import { expect, test } from 'vitest'
import { canReply, canTakeTime, replyWords, stageOf, type AppointmentFacts } from './appointments.ts'

const start = Temporal.Instant.from('2026-11-24T15:30:00Z')
const facts = (state: 'confirmed' | 'no-show' | 'canceled' | 'done' | 'held' | 'expired'): AppointmentFacts => ({
  state: 'confirmed',
  shop: {},
  booking: { state, start, noticeMinutes: 60 },
})

test('the stage follows the booking, the last word and the hour before', () => {
  const day = start.subtract({ hours: 24 })
  expect(stageOf(facts('confirmed'), null, day)).toBe('settled')
  expect(stageOf(facts('confirmed'), null, start.subtract({ minutes: 60 }))).toBe('settled')
  expect(stageOf(facts('confirmed'), null, start.subtract({ minutes: 59 }))).toBe('close')
  expect(stageOf(facts('confirmed'), { kind: 'late' }, start.add({ minutes: 5 }))).toBe('close')
  expect(stageOf(facts('confirmed'), { kind: 'not-coming' }, start)).toBe('skipped')
  expect(stageOf(facts('no-show'), null, start)).toBe('missed')
  expect(stageOf(facts('canceled'), { kind: 'coming' }, start)).toBe('lost')
  expect(stageOf(facts('expired'), null, start)).toBe('lost')
  expect(stageOf(facts('done'), null, start)).toBe('done')
  expect(stageOf(facts('held'), null, start)).toBe('none')
  expect(stageOf({ ...facts('confirmed'), state: 'canceled' }, null, day)).toBe('none')
  expect(stageOf({ ...facts('canceled'), shop: null }, null, day)).toBe('none')
  expect(stageOf({ ...facts('confirmed'), booking: null }, null, day)).toBe('none')
})

test('a new time is taken where the old one is agreed and far enough, or gone', () => {
  expect((['settled', 'skipped', 'missed', 'lost'] as const).map(canTakeTime)).toEqual([true, true, true, true])
  expect((['close', 'done', 'none'] as const).map(canTakeTime)).toEqual([false, false, false])
})

test('running late is said from a day before until two hours after the start, coming at any time before that', () => {
  const at = (minutes: number) => ({ start, now: start.add({ minutes }) })
  expect(canReply('settled', 'late', at(-24 * 60))).toBe(true)
  expect(canReply('settled', 'late', at(-24 * 60 - 1))).toBe(false)
  expect(canReply('settled', 'not-coming', at(-24 * 60 - 1))).toBe(false)
  expect(canReply('settled', 'coming', at(-24 * 60 * 20))).toBe(true)
  expect(canReply('close', 'late', at(119))).toBe(true)
  for (const kind of ['coming', 'late', 'not-coming'] as const) expect(canReply('close', kind, at(120))).toBe(false)
  for (const stage of ['lost', 'missed', 'done', 'none'] as const)
    expect(canReply(stage, 'coming', at(-10))).toBe(false)
})

test('a word is said as the shop reads it', () => {
  expect(replyWords({ kind: 'late', minutesLate: 20 })).toBe('will be about 20 minutes late')
  expect(replyWords({ kind: 'not-coming', minutesLate: null })).toBe('is not coming today')
  expect(replyWords(null)).toBe('will be there on time')
})
