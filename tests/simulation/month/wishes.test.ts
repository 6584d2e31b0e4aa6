/** Tests that a month includes every payment method, fulfillment, and outcome, and each scheduled job at its time. */
import { expect, test } from 'vitest'
import { paymentMethodTypes } from '#domain/payments/payments/payments.ts'
import { parseCrontab } from 'graphile-worker'
import { timetable } from '../../../timetable.ts'
import { randomOf } from '../../faults/random.ts'
import { wishOf } from './buyers.ts'
import { dueBetween } from './due-jobs.ts'
import { ways } from './ways.ts'

test('every payment method is used within a month', () => {
  expect([...new Set(ways.map(({ name }) => name.split(' ')[0] ?? ''))].toSorted()).toEqual(
    [...paymentMethodTypes].toSorted(),
  )
})

test('a month has every way to pay, every way to get the tires and every fate, the same for a seed', () => {
  const wishes = Array.from({ length: 1_000 }, (_, no) => wishOf(no, randomOf(500_003 + no)))
  const found = (part: (wish: (typeof wishes)[number]) => string) => new Set(wishes.map(part)).size
  expect(found(({ way }) => way.name)).toBe(ways.length)
  expect(found(({ delivery }) => delivery.name)).toBe(5)
  expect(found(({ fate }) => fate)).toBe(7)
  expect(wishOf(77, randomOf(77))).toEqual(wishOf(77, randomOf(77)))
})

test('every scheduled job runs once over a day, and only due jobs over minutes', () => {
  const from = Temporal.Instant.from('2027-03-14T09:25:30Z')
  const all = new Set(parseCrontab(timetable({ isBuying: false })).map(({ task }) => task))
  expect(new Set(dueBetween(from, from.add({ hours: 24 })))).toEqual(all)
  const few = dueBetween(from, from.add({ minutes: 5 }))
  expect(few).toContain('reconcile')
  expect(few).toContain('expire-holds')
  expect(few).not.toContain('write-feeds')
  expect(dueBetween(from, from.add({ seconds: 10 }))).toEqual([])
})
