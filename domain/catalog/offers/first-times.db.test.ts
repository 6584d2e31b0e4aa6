import { expect, test } from 'vitest'
import { createCalendars } from '#domain/scheduling/booking/booking.server.ts'
import { counting, losAngeles, makeWarehouse, makeZip } from '#domain/supply/delivery/delivery.testing.ts'
import { makeShop } from '#domain/scheduling/installers/installers.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { firstTimesAt } from './offers.server.ts'
import { fixedTerms } from '#domain/kernel/settings/business-terms.testing.ts'

/** A Friday morning in Chicago, before the warehouse's cutoff. */
const clock = fixedClock('2026-11-20T16:00:00Z')

test('shops have first times after the soonest delivery of four common tires, in two statements for all', async () => {
  await using database = await createTestDatabase()
  await makeZip(database.db)
  await makeWarehouse(database.db, { id: 1, ...losAngeles })
  await makeWarehouse(database.db, { id: 2 })
  const open = await makeShop(database.db, { name: 'Open' })
  const shut = await makeShop(database.db, { name: 'Shut', hours: [] })
  const unable = await makeShop(database.db, { name: 'Large wheels only', rim_min_in: 18 })
  const { db, count } = counting(database.db)
  const deps = { db, clock, calendars: createCalendars(db), releaseAfterSeconds: 1_800, businessTerms: fixedTerms() }

  const first = await firstTimesAt(deps, { zip: '60614', shopIds: [open, shut, unable], limit: 2 })
  expect(count()).toBe(2)
  // Two business days in transit, Monday and Tuesday.
  expect(first?.arrivesOn.toString()).toBe('2026-11-24')
  expect(first?.openings.get(open)?.map(({ start }) => start.toString())).toEqual([
    '2026-11-25T14:00:00Z',
    '2026-11-25T15:30:00Z',
  ])
  expect(first?.openings.get(shut)).toEqual([])
  expect(first?.openings.get(unable)).toEqual([])
  expect(await firstTimesAt(deps, { zip: '00000', shopIds: [open], limit: 2 })).toBeUndefined()
})
