import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createMetrics } from '#platform/metrics.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { buySynthetically, createHealthCounts, readHealth } from './health.server.ts'
import {
  addToHour,
  deleteSign,
  selectArchiveAge,
  selectPurchases,
  selectSigns,
  upsertSign,
} from './health.sql.server.ts'

const at = Temporal.Instant.from('2026-03-04T15:20:00Z')
const hours = (count: number) => at.add({ hours: count })

test('counts of all processes add up by the hour, and those before the budget’s days are forgotten', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const old = hours(-24 * 40)
  await addToHour(db, old, [{ objective: 'orders', good: 7, bad: 7 }], hours(-24 * 99))
  await addToHour(db, at, [{ objective: 'orders', good: 3, bad: 1 }], hours(-24 * 99))
  await addToHour(
    db,
    at.add({ minutes: 10 }),
    [
      { objective: 'orders', good: 2, bad: 0 },
      { objective: 'times', good: 5, bad: 5 },
    ],
    hours(-24 * 31),
  )
  const rows = await db.selectFrom('objective_hour').selectAll().orderBy('objective').execute()
  expect(rows.map(({ objective, hour, good, bad }) => [objective, hour.toString(), good, bad])).toEqual([
    ['orders', '2026-03-04T15:00:00Z', 5, 1],
    ['times', '2026-03-04T15:00:00Z', 5, 5],
  ])
})

test('objectives include their remaining budgets and running processes', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const clock = fixedClock(at.toString())
  await addToHour(db, hours(-48), [{ objective: 'orders', good: 9_000, bad: 5 }], hours(-999))
  await addToHour(db, at, [{ objective: 'orders', good: 995, bad: 0 }], hours(-999))
  const process = { kind: 'web' as const, startedAt: hours(-2) }
  await upsertSign(db, { ...process, id: '018f0000-0000-7000-8000-000000000001' }, at)
  await upsertSign(db, { ...process, id: '018f0000-0000-7000-8000-000000000002' }, at.subtract({ minutes: 3 }))
  const health = await readHealth({ db, clock })
  expect(health.objectives[0]).toEqual({
    name: 'orders',
    month: { good: 9_995, bad: 5 },
    day: { good: 995, bad: 0 },
    keptPpm: 999_500,
    budgetLeftPercent: 50,
  })
  expect(health.processes.filter(({ isSeen }) => isSeen).map(({ id }) => id.slice(-1))).toEqual(['1'])
  expect(health.processes).toHaveLength(2)
  await deleteSign(db, '018f0000-0000-7000-8000-000000000001')
  await upsertSign(db, { ...process, id: '018f0000-0000-7000-8000-000000000003' }, hours(24))
  expect((await selectSigns(db, 9)).map(({ id }) => id.slice(-1))).toEqual(['3'])
})

test('a database without an archive has no age of it', async () => {
  await using database = await createTestDatabase()
  const { rows } = await sql<{ mode: string }>`select current_setting('archive_mode') as mode`.execute(database.db)
  expect(rows[0]?.mode).toBe('off')
  expect(await selectArchiveAge(database.db)).toBeNull()
})

test('unwritten counts are added to later ones', () => {
  const counted: unknown[] = []
  const counts = createHealthCounts({ objective: (name, isKept) => counted.push([name, isKept]) })
  counts.count('orders', true)
  const taken = counts.take()
  counts.count('orders', false)
  counts.giveBack(taken)
  expect(counts.take()).toEqual([{ objective: 'orders', good: 1, bad: 1 }])
  expect(counts.take()).toEqual([])
  expect(counted).toEqual([
    ['orders', true],
    ['orders', false],
  ])
})

test('what came of a synthetic purchase is kept for the days of its budget', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const clock = fixedClock(at.toString())
  const metrics = createMetrics({ db })
  const warned: unknown[] = []
  const shop = {
    db,
    clock,
    metrics,
    health: createHealthCounts(metrics),
    log: { warn: (line: unknown) => warned.push(line) },
  }
  const result = { steps: [{ step: 'find', ms: 12.4 }], failedStep: 'find', why: 'No tire is in stock.', orderId: null }
  await buySynthetically({ ...shop, syntheticBuyer: null })
  await buySynthetically({ ...shop, syntheticBuyer: { buy: () => Promise.resolve(result) } })
  expect(await selectPurchases(db, 9)).toEqual([{ at, failedStep: 'find', ms: 12, orderId: null }])
  expect(warned).toEqual([{ step: 'find', why: 'No tire is in stock.', orderId: null }])
  expect(shop.health.take()).toEqual([{ objective: 'purchases', good: 0, bad: 1 }])
  expect(await metrics.read()).toMatch(/synthetic_purchase_step_duration_ms_count\{.*step="find".*\} 1/)
  clock.set(hours(24 * 31).toString())
  await buySynthetically({ ...shop, syntheticBuyer: { buy: () => Promise.resolve(result) } })
  expect(await selectPurchases(db, 9)).toHaveLength(1)
})
