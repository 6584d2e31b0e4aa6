import { expect, test } from 'vitest'
import { readerAgent } from '#adapters/payment-pages/page-reader.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { createVisitCounter, selectVisitDays } from './reports.server.ts'

const browser = 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0'
const log = { warn: () => {} }
const secret = 'a secret for tests only'

test('visitors are counted once a day, by all processes together, and robots are not', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const clock = fixedClock('2026-11-20T15:00:00Z')
  const [one, other] = [0, 1].map(() => createVisitCounter({ db, clock, log, secret }))
  for (let index = 0; index < 400; index += 1) {
    one?.count({ address: `198.51.${index % 4}.${index >> 2}`, browser })
    other?.count({ address: `198.51.${index % 4}.${(index >> 2) + 50}`, browser })
  }
  for (const robot of ['', 'Googlebot/2.1', 'curl/8.5', 'Mozilla/5.0 HeadlessChrome/141', 'node', readerAgent])
    one?.count({ address: '203.0.113.7', browser: robot })
  await Promise.all([one?.stop(), other?.stop()])
  const day = async (name: string) => (await selectVisitDays(db, '2026-11-01')).get(name) ?? 0
  expect(Math.abs((await day('2026-11-20')) - 600)).toBeLessThan(40)
  await one?.flush()
  expect(Math.abs((await day('2026-11-20')) - 600)).toBeLessThan(40)

  // The next day starts from zero, in the store's time zone.
  clock.set('2026-11-21T04:59:00Z')
  one?.count({ address: '203.0.113.7', browser })
  clock.set('2026-11-21T05:01:00Z')
  one?.count({ address: '203.0.113.7', browser })
  await one?.stop()
  expect(await day('2026-11-21')).toBe(1)
})
