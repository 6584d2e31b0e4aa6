import { expect, test } from 'vitest'
import { isLate } from './widget.server.ts'

const at = (text: string) => Temporal.Instant.from(text)
// A Monday, 9 PM in Chicago.
const now = at('2026-11-24T03:00:00Z')

test('a first time within seven days of the shop is soon, whatever day it is in Greenwich', () => {
  expect(isLate(at('2026-11-29T23:00:00Z'), 'America/Chicago', now)).toBe(false)
  expect(isLate(at('2026-11-30T15:00:00Z'), 'America/Chicago', now)).toBe(true)
  expect(isLate(at('2026-12-01T05:00:00Z'), 'America/Chicago', now)).toBe(true)
})

test('a shop without any time is late', () => {
  expect(isLate(undefined, 'America/Chicago', now)).toBe(true)
})
