import { expect, test } from 'vitest'
import { storeInstant } from './schedules.ts'

test('times are read in the store’s zone', () => {
  expect(storeInstant('2026-12-01T00:00')?.toString()).toBe('2026-12-01T05:00:00Z')
  expect(storeInstant('2026-02-30T00:00')).toBeUndefined()
  expect(storeInstant('soon')).toBeUndefined()
})
