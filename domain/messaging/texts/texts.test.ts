import { describe, expect, test } from 'vitest'
import { unreachableStates } from '#platform/transitions.testing.ts'
import { nextSendTime, textLife, textNumber, wishOf, zoneOfPhone } from './texts.ts'

test('every state of a text is reachable', () => {
  expect(unreachableStates(textLife, 'queued')).toEqual([])
})

describe('quiet hours', () => {
  test.for([
    ['2026-11-20T08:59:59', '2026-11-20T09:00:00'],
    ['2026-11-20T09:00:00', '2026-11-20T09:00:00'],
    ['2026-11-20T19:59:59', '2026-11-20T19:59:59'],
    ['2026-11-20T20:00:00', '2026-11-21T09:00:00'],
    // The night the clocks go back, and the one they go forward.
    ['2026-10-31T23:30:00', '2026-11-01T09:00:00'],
    ['2026-03-08T00:30:00', '2026-03-08T09:00:00'],
  ])('a text at %s goes out at %s', ([at, expected]) => {
    for (const zone of ['America/New_York', 'America/Phoenix', 'Pacific/Honolulu']) {
      const instant = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()
      expect(nextSendTime(instant(at ?? ''), zone).toString()).toBe(instant(expected ?? '').toString())
    }
  })
})

test.for([
  ['+13125550142', null, 'America/Chicago'],
  ['+18085550142', 'America/Chicago', 'Pacific/Honolulu'],
  // Kentucky, Indiana and the Panhandle span two zones; the ZIP decides.
  ['+18505550142', 'America/Chicago', 'America/Chicago'],
  ['+18505550142', null, 'America/New_York'],
])('the zone of %s with the ZIP in %s is %s', ([phone, zip, zone]) => {
  expect(zoneOfPhone(phone ?? '', zip ?? null)).toBe(zone)
})

test.for([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['Unsubscribe', 'stop'],
  ['OptOut', 'stop'],
  ['start', 'start'],
  ['Yes!', 'yes'],
  ['y', 'yes'],
  ['help', 'help'],
  ['please stop texting', 'other'],
  ['yesterday', 'other'],
  ['', 'other'],
])('"%s" means %s', ([body, wish]) => {
  expect(wishOf(body ?? '')).toBe(wish)
})

test.for([
  ['(312) 555-0142', '+13125550142'],
  ['1-312-555-0142', '+13125550142'],
  ['3125550142 x20', undefined],
  ['1125550142', undefined],
  ['555-0142', undefined],
])('%s is written as %s', ([phone, number]) => {
  expect(textNumber(phone ?? '')).toBe(number)
})
