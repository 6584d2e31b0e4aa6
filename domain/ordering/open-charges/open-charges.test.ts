import { expect, test } from 'vitest'
import { paymentMethodRules } from '#domain/payments/payments/payments.ts'
import { captureStage, retryHours, warnHours } from './open-charges.ts'

const end = Temporal.Instant.from('2026-06-20T12:00:00Z')

test.for(paymentMethodRules.map(({ type, holdDays }) => ({ method: type, holdDays })))(
  '$method: the store retries, then alerts staff, before the authorization ends',
  ({ method, holdDays }) => {
    const warn = warnHours(method)
    const stageAt = (hoursBefore: number) =>
      captureStage(method, end, end.subtract({ milliseconds: Math.round(hoursBefore * 3_600_000) }))
    const [aSecond] = [1 / 3_600]
    expect(stageAt(warn + retryHours + aSecond)).toBe('early')
    expect(stageAt(warn + retryHours)).toBe('retry')
    expect(stageAt(warn + aSecond)).toBe('retry')
    expect(stageAt(warn)).toBe('people')
    expect(stageAt(aSecond)).toBe('people')
    expect(stageAt(0)).toBe('over')
    // A newly authorized charge doesn't need review yet, or each one would be a task.
    expect(captureStage(method, end, end.subtract({ hours: 24 * holdDays }))).toBe('early')
  },
)

test('a card is two days before its end with people, a financed job five', () => {
  expect(warnHours('card')).toBe(48)
  expect(warnHours('afterpay')).toBe(72)
  expect(warnHours('klarna')).toBe(120)
  expect(warnHours('lease')).toBe(120)
})
