/**
 * `npm run month`: a month of the whole store over HTTP, which ends with balanced books. MONTH_ORDERS sets how many orders,
 * MONTH_DAYS in how many days, MONTH_SEED which month of all.
 */
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { closeBooks, differenceOf } from './books.ts'
import { liveMonth } from './days.ts'
import { findFaketime } from '../../../tools/faketime-library.ts'
import { openPlace } from './place.ts'
import { unnoticed } from './planted.ts'
import { writeReport } from './report.ts'

const orders = Number(env['MONTH_ORDERS'])
const days = Number(env['MONTH_DAYS'] ?? (orders < 300 ? 7 : 30))
const seed = Number(env['MONTH_SEED'] ?? 1)

/**
 * Returns the last Monday of a February, so that daylight saving time starts within the month. It is far enough in the
 * future that no cookie has expired even a year earlier.
 */
function monthBegins(): Temporal.Instant {
  const march = Temporal.Now.plainDateISO('UTC').with({ month: 3, day: 1 }).add({ years: 2 })
  return march
    .subtract({ days: ((march.dayOfWeek + 5) % 7) + 1 })
    .toZonedDateTime({ timeZone: 'UTC', plainTime: '13:00' })
    .toInstant()
}

test(`a month of ${orders} orders ends with balanced books`, { timeout: 600_000 + orders * 2_000 }, async () => {
  const library = (await findFaketime()) ?? expect.fail('libfaketime is not installed')
  await using place = await openPlace(library, { start: monthBegins(), tires: orders * 2 + 100 })
  const lived = await liveMonth(place, { orders, days, seed })
  const rows = await closeBooks(lived)
  const file = await writeReport({ orders, days, seed }, { lived, rows })
  process.stdout.write(`The report is in ${file}.\n`)
  expect(lived.life.placed.length).toBe(orders)
  expect(rows.filter((row) => differenceOf(row) !== 0)).toEqual([])
  // Books that balance prove something where a fault would be seen.
  expect(await unnoticed(lived)).toEqual([])
})
