import { expect, test } from 'vitest'
import { leaveJobsToFinish } from './demo-jobs.ts'
import type { OrderRows } from './order-rows.ts'

/** A Sunday evening in Chicago, which is Monday already in UTC. */
const now = Temporal.Instant.from('2026-11-23T01:00:00Z')

function rowsOf(bookings: readonly [id: string, start: string, state: string, shop: number, kind: string][]) {
  const booking = bookings.map(([id, start, state, shop_id, kind]) => ({
    id,
    shop_id,
    bay_id: 1,
    kind,
    state,
    during: `[${start},2099-01-01T00:00:00Z)`,
  }))
  const booking_event = bookings.map(([id, start, state]) => ({
    booking_id: id,
    at: start,
    from_state: 'confirmed',
    to_state: state,
    actor: 'shop',
  }))
  return { booking, booking_event } as unknown as OrderRows
}

test('of the jobs that are done, those of the week before this one are left to finish, with their past taken back', () => {
  const rows = rowsOf([
    ['before', '2026-11-08T20:00:00Z', 'done', 1, 'wait'],
    ['monday', '2026-11-09T14:00:00Z', 'done', 1, 'wait'],
    ['sunday', '2026-11-15T22:00:00Z', 'done', 1, 'wait'],
    ['missed', '2026-11-12T14:00:00Z', 'no-show', 1, 'wait'],
    ['left', '2026-11-12T14:00:00Z', 'done', 1, 'drop-off'],
    ['elsewhere', '2026-11-12T14:00:00Z', 'done', 2, 'wait'],
    ['this week', '2026-11-16T14:00:00Z', 'done', 1, 'wait'],
  ])
  leaveJobsToFinish(rows, { shopId: 1, timeZone: 'America/Chicago', now })
  const left = rows.booking.filter(({ state }) => state === 'confirmed').map(({ id }) => id)
  expect(left).toEqual(['monday', 'sunday'])
  expect(rows.booking_event.map(({ booking_id }) => booking_id)).toEqual([
    'before',
    'missed',
    'left',
    'elsewhere',
    'this week',
  ])
})
