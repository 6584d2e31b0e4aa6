import { expect, test } from 'vitest'
import { missedQueryOf } from './missed-searches.ts'

test('a search without results is counted under its lowercase text', () => {
  expect(missedQueryOf('  Acme   Mud Grip ')).toBe('acme mud grip')
  expect(missedQueryOf('205/55R16 acme')).toBe('205/55r16 acme')
})

test('texts that may hold personal data are counted without the text', () => {
  for (const typed of [
    'dana@example.com',
    '(312) 555-0142',
    '312 555 0142',
    'S-104866',
    '1HGCM82633A004352',
    'my name is dana and i need tires',
    'x'.repeat(61),
  ])
    expect(missedQueryOf(typed), typed).toBe('')
})
