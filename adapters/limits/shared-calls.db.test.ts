import { expect, test } from 'vitest'
import { fixedClock } from '#platform/clock.testing.ts'
import { createLimits } from '#http/call-limits.ts'
import { createDatabase } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { createSharedCalls } from './shared-calls.ts'

const limit = 100

/** Two web processes with a limit on calls each, over one database. */
async function openProcesses() {
  const database = await createTestDatabase()
  const other = createDatabase(database.url, { size: 1 })
  const clock = fixedClock('2026-11-20T12:00:00Z')
  const counts = [createSharedCalls({ db: database.db, clock }), createSharedCalls({ db: other, clock })]
  const limits = counts.map((each) => createLimits(each, 'api', limit))
  return {
    clock,
    counts,
    limits,
    other,
    /** Calls one process so often, and returns how many calls it answered. */
    call(process: number, times: number, key = 'network'): number {
      let answered = 0
      for (let call = 0; call < times; call += 1) if (!limits[process]!.take(key).isOver) answered += 1
      return answered
    },
    async [Symbol.asyncDispose]() {
      await other.destroy()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('calls answered by one process count in the other', async () => {
  await using processes = await openProcesses()
  const { counts, limits, call } = processes
  expect(call(0, 60)).toBe(60)
  expect(call(1, 30)).toBe(30)
  await counts[0]!.exchange()
  await counts[1]!.exchange()
  expect(limits[1]!.take('network').headers['ratelimit']).toBe(`"calls";r=${limit - 91};t=60`)
  expect(call(1, 50)).toBe(limit - 91)
  await counts[1]!.exchange()
  // The first process receives the counts with its next exchange.
  expect(call(0, 1)).toBe(1)
  await counts[0]!.exchange()
  expect(call(0, 5)).toBe(0)
  expect(call(0, 5, 'another network')).toBe(5)
})

test('a minute begins with the first call, for both, and afterwards everything is allowed again', async () => {
  await using processes = await openProcesses()
  const { clock, counts, limits, call } = processes
  call(0, limit)
  await counts[0]!.exchange()
  clock.set('2026-11-20T12:00:40Z')
  call(1, 10)
  await counts[1]!.exchange()
  const taken = limits[1]!.take('network')
  expect(taken).toMatchObject({ isOver: true, resetSeconds: 20 })
  clock.set('2026-11-20T12:01:00Z')
  expect(call(0, 2 * limit)).toBe(limit)
  await counts[0]!.exchange()
  expect(call(1, 10)).toBe(10)
  await counts[1]!.exchange()
  expect(call(1, 10)).toBe(0)
})

test('callers below the limit need no query, and each process counts separately without the database', async () => {
  await using processes = await openProcesses()
  const { counts, other, call } = processes
  call(0, 4, 'rare')
  call(1, 60, 'often')
  await counts[0]!.exchange()
  await other.destroy()
  await counts[1]!.exchange()
  expect(call(1, 60, 'often')).toBe(40)
  expect(call(0, limit, 'rare')).toBe(limit - 4)
})

test('rejects a flood from memory and shares only a small summary', async () => {
  await using processes = await openProcesses()
  const { counts, call } = processes
  expect(call(0, 100 * limit)).toBe(limit)
  await counts[0]!.exchange()
  call(1, 10)
  await counts[1]!.exchange()
  expect(call(1, 1)).toBe(0)
})
