import { expect, test } from 'vitest'
import { businessTerms } from '#domain/kernel/settings/settings.ts'
import { chargeMoment, isAnnounced, renewalNoticeDays, renewalTryDays, tryMoment } from './renewal-rules.ts'

const at = (text: string) => Temporal.Instant.from(text)
const endsAt = at('2027-11-20T15:00:00Z')

test.for([
  ['2027-11-12T14:59:59Z', false],
  ['2027-11-12T15:00:00Z', true],
  ['2027-11-20T14:59:59Z', true],
  ['2027-11-20T15:00:00Z', false],
] as const)('at %s a renewal is announced: %s', ([now, isDue]) => {
  expect(isAnnounced(at(now), endsAt)).toBe(isDue)
})

test('the charge is at the end of the term, or later after a late notice', () => {
  expect(chargeMoment(at('2027-11-12T15:00:00Z'), endsAt)).toEqual(endsAt)
  expect(chargeMoment(at('2027-11-18T15:00:00Z'), endsAt)).toEqual(at('2027-11-25T15:00:00Z'))
})

test('there are three attempts, the last within the shortest grace period even after a late notice', () => {
  const days = [1, 2, 3, 4].map((no) => tryMoment(endsAt, no)?.toString())
  expect(days).toEqual(['2027-11-20T15:00:00Z', '2027-11-23T15:00:00Z', '2027-11-27T15:00:00Z', undefined])
  expect(renewalNoticeDays + (renewalTryDays.at(-1) ?? 0)).toBeLessThanOrEqual(
    businessTerms['membership-grace-days'].min,
  )
})
