import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTurns } from '#platform/turns.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** The queue of a process under full load, with three concurrent requests for buying and six for browsing. */
const busyTurns = () => createTurns({ connections: 6, patienceMs: 1_000, isWaitedFor: () => true })

async function settled(taken: Promise<unknown>): Promise<'waits' | 'has a turn' | 'is refused'> {
  await vi.advanceTimersByTimeAsync(0)
  const state = await Promise.race([taken, Promise.resolve('waits')])
  return state === 'waits' ? 'waits' : state === undefined ? 'is refused' : 'has a turn'
}

test('a busy process limits concurrency and rejects requests that wait over a second', async () => {
  const turns = busyTurns()
  const taken = Array.from({ length: 4 }, () => turns.take('buying', { hasBegun: false }))
  expect(await Promise.all(taken.map(settled))).toEqual(['has a turn', 'has a turn', 'has a turn', 'waits'])
  await vi.advanceTimersByTimeAsync(999)
  expect(await settled(taken[3] ?? Promise.reject())).toBe('waits')
  await vi.advanceTimersByTimeAsync(1)
  expect(await settled(taken[3] ?? Promise.reject())).toBe('is refused')
  // The timeout doesn't end running requests.
  expect(await settled(turns.take('buying', { hasBegun: false }))).toBe('waits')
})

test('a free slot goes to checkouts in progress first', async () => {
  const turns = busyTurns()
  const first = await turns.take('buying', { hasBegun: false })
  await turns.take('buying', { hasBegun: false })
  await turns.take('buying', { hasBegun: false })
  const [newcomer, returning] = [turns.take('buying', { hasBegun: false }), turns.take('buying', { hasBegun: true })]
  first?.()
  await vi.advanceTimersByTimeAsync(10)
  expect(await settled(newcomer)).toBe('waits')
  expect(await settled(returning)).toBe('has a turn')
})

test('browsing requests don’t wait for buyers', async () => {
  const turns = busyTurns()
  const buying = Array.from({ length: 50 }, () => turns.take('buying', { hasBegun: true }))
  expect(await settled(turns.take('browsing', { hasBegun: false }))).toBe('has a turn')
  await vi.advanceTimersByTimeAsync(1_000)
  expect((await Promise.all(buying)).filter((turn) => turn === undefined)).toHaveLength(47)
  for (let other = 1; other < 6; other += 1)
    expect(await settled(turns.take('browsing', { hasBegun: false }))).toBe('has a turn')
  const late = turns.take('browsing', { hasBegun: false })
  await vi.advanceTimersByTimeAsync(4_999)
  expect(await settled(late)).toBe('waits')
  await vi.advanceTimersByTimeAsync(1)
  expect(await settled(late)).toBe('is refused')
})

test('a process waiting on I/O accepts more', async () => {
  vi.useRealTimers()
  const turns = createTurns({ connections: 6, patienceMs: 1_000, isWaitedFor: () => false })
  const taken = await Promise.all(Array.from({ length: 40 }, () => turns.take('buying', { hasBegun: false })))
  expect(taken.filter((turn) => turn === undefined)).toEqual([])
})

test('a request that may not wait takes a free slot, or is refused', async () => {
  const turns = busyTurns()
  const ahead = () => settled(turns.take('browsing', { hasBegun: true, mayWait: false }))
  for (let taken = 0; taken < 6; taken += 1) expect(await ahead()).toBe('has a turn')
  expect(await ahead()).toBe('is refused')
  expect(await settled(turns.take('browsing', { hasBegun: false }))).toBe('waits')
})
