/** Every figure of the office's first page against sums of the test's own over the demo's past. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { selectNextAppointments, selectSoldTires } from '#domain/ordering/orders/orders.server.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { periods, readFigures, type FigureView, type PeriodName } from './figures.server.ts'

const zone = 'America/New_York'
const moments = [
  smallDataMadeAt,
  smallDataMadeAt.subtract({ hours: 24 * 3 + 5 }),
  smallDataMadeAt.subtract({ hours: 24 * 20 }),
  // Late in the evening, when it is the next day in UTC.
  Temporal.Instant.from('2026-11-18T03:30:00Z'),
]

async function one<Row>(db: Database, statement: ReturnType<typeof sql<Row>>): Promise<Row> {
  const [row] = (await statement.execute(db)).rows
  if (!row) throw new Error('The statement returned no row.')
  return row
}

/** Orders from the beginning of the first of `days` days until the time of day of `now`, all `ago` days earlier. */
function sold(db: Database, now: Temporal.Instant, { days, ago }: { days: number; ago: number }) {
  const end = now.toZonedDateTimeISO(zone).subtract({ days: ago })
  const start = end.subtract({ days: days - 1 }).startOfDay()
  return one(
    db,
    sql<{ orders: number; cents: number }>`
      select count(id)::int as orders, coalesce(sum(total_cents), 0)::float as cents from sales_order
      where state in ('needs-confirmation', 'confirmed', 'returned')
        and placed_at between ${start.toInstant()}::timestamptz and ${end.toInstant()}::timestamptz`,
  )
}

const valueOf = (figures: readonly FigureView[], name: string) => {
  const found = figures.find((figure) => figure.name === name)
  if (!found) throw new Error(`There is no figure ${name}.`)
  return found
}

test('sales, orders and the average are those placed and not canceled, each point to the same time of day', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  let most = 0
  for (const now of moments)
    for (const name of Object.keys(periods) as PeriodName[]) {
      const days = periods[name]
      const figures = await readFigures({ db, clock: fixedClock(now) }, ['owner'], name)
      const points = await Promise.all(
        Array.from({ length: 14 }, (_, index) => sold(db, now, { days, ago: 13 - index })),
      )
      const what = `${name} at ${now.toString()}`
      expect(valueOf(figures, 'orders').spark.values, what).toEqual(points.map(({ orders }) => orders))
      expect(valueOf(figures, 'sales').spark.values, what).toEqual(points.map(({ cents }) => cents))
      const last = points.at(-1) ?? { orders: 0, cents: 0 }
      most = Math.max(most, last.orders)
      const before = await sold(db, now, { days, ago: days === 1 ? 7 : days })
      if (last.orders === 0) continue
      expect(valueOf(figures, 'sales').value, what).toBe(formatCents(last.cents))
      expect(valueOf(figures, 'average').value, what).toBe(formatCents(Math.round(last.cents / last.orders)))
      if (before.cents > 0) expect(valueOf(figures, 'sales').change.rest, what).toContain(formatCents(before.cents))
      else expect(valueOf(figures, 'sales').change.rest, what).toBe('None before')
    }
  expect(most).toBeGreaterThan(5)
})

test('appointments count on their shop’s day, and a promise is kept with every tire counted before the start', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const { rows } = await sql<{
    id: string
    day: string
    state: string
    start: number
    wanted: number
    here: number
  }>`
    select b.id, to_char(lower(b.during) at time zone shop.time_zone, 'YYYY-MM-DD') as day, b.state,
      extract(epoch from lower(b.during))::float as start,
      (select coalesce(sum(quantity - canceled_units(order_id, line_no)), 0) from order_line where order_id = b.order_id and kind = 'tire')::int as wanted,
      (select coalesce(sum(received), 0) from work_order_piece where booking_id = b.id and counted_at <= lower(b.during))::int as here
    from booking b, shop where shop.id = b.shop_id and b.state not in ('held', 'expired', 'canceled')`.execute(db)
  const dayOf = (now: Temporal.Instant, ago: number) =>
    now.toZonedDateTimeISO(zone).toPlainDate().subtract({ days: ago }).toString()
  let began = 0
  for (const now of moments)
    for (const name of Object.keys(periods) as PeriodName[]) {
      const days = periods[name]
      const figures = await readFigures({ db, clock: fixedClock(now) }, ['support'], name)
      const what = `${name} at ${now.toString()}`
      const within = (last: number, count: number) =>
        rows.filter(({ day }) => day <= dayOf(now, last) && day > dayOf(now, last + count))
      const booked = valueOf(figures, 'appointments')
      expect(booked.spark.values, what).toEqual(
        Array.from({ length: 14 }, (_, index) => within(13 - index, days).length),
      )
      const today = within(0, days)
      const done = today.filter(({ state }) => state === 'done').length
      if (today.length > 0) expect(booked.change.rest, what).toMatch(new RegExp(`^${done} done, `))
      const past = within(1, Math.max(7, days)).filter(({ start }) => start * 1000 <= now.epochMilliseconds)
      const kept = past.filter(({ wanted, here }) => here >= wanted)
      const promises = valueOf(figures, 'promises')
      began += past.length
      expect(promises.value, what).toBe(past.length === 0 ? null : `${((kept.length / past.length) * 100).toFixed(1)}%`)
      if (past.length > 0) expect(promises.change.rest, what).toContain(`${kept.length} of ${past.length}`)
    }
  expect(began).toBeGreaterThan(0)
})

test('roles without reports see appointments and on-time rates, and roles without orders see no figures', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const shop = { db: database.db, clock: fixedClock(smallDataMadeAt) }
  const namesFor = async (role: 'owner' | 'support' | 'catalog') =>
    (await readFigures(shop, [role], 'today')).map(({ name }) => name)
  expect(await namesFor('owner')).toEqual(['sales', 'orders', 'average', 'appointments', 'promises'])
  expect(await namesFor('support')).toEqual(['appointments', 'promises'])
  expect(await namesFor('catalog')).toEqual([])
})

test('an empty store shows placeholders for its figures', async () => {
  await using database = await createTestDatabase()
  const figures = await readFigures({ db: database.db, clock: fixedClock(smallDataMadeAt) }, ['owner'], 'today')
  expect(figures.map(({ value }) => value)).toEqual([null, null, null, null, null])
  expect(valueOf(figures, 'sales').change.rest).toBe('Counts from your first order')
})

test('the tires that sold most are summed over orders that were not canceled', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const now = smallDataMadeAt
  const from = now.subtract({ hours: 24 * 30 })
  const found = await selectSoldTires(db, { from, now, limit: 5 })
  expect(found).toHaveLength(5)
  for (const { itemId, units, netCents, weekUnits } of found) {
    const own = await one(
      db,
      sql<{ units: number; cents: number; week: number }>`
        select sum(quantity)::int as units, sum(gross_cents - discount_cents)::float as cents,
          coalesce(sum(case when placed_at > ${now}::timestamptz - interval '7 days' then quantity end), 0)::int as week
        from order_line, sales_order where id = order_id and item_id = ${itemId} and state <> 'canceled'
          and placed_at between ${from}::timestamptz and ${now}::timestamptz`,
    )
    expect({ units, cents: netCents, week: weekUnits }).toEqual(own)
  }
  expect(found.map(({ units }) => units)).toEqual(found.map(({ units }) => units).toSorted((a, b) => b - a))
})

test('the next appointments follow those in a bay, and say how many tires the shop has', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const rows = await selectNextAppointments(db, { now: smallDataMadeAt, limit: 5 })
  const next = rows.filter(({ inBayAt }) => inBayAt === null)
  const { rows: own } = await sql<{ orderId: number }>`
    select b.order_id as "orderId" from booking b left join work_order w on w.booking_id = b.id
    where b.state = 'confirmed' and coalesce(w.state, '') <> 'in-bay' and lower(b.during) >= ${smallDataMadeAt}::timestamptz
    order by lower(b.during), b.order_id limit 5`.execute(db)
  expect(new Set(next.map(({ orderId }) => orderId))).toEqual(new Set(own.map(({ orderId }) => orderId)))
  for (const { units, atShop } of rows) expect(atShop).toBeLessThanOrEqual(units)
})
