/**
 * Tests that a process with a very slow database handles what it can, refuses the rest clearly, and continues to show
 * pages.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdLock } from '#tests/faults/started-store.ts'
import { activeItems } from '#tests/support/items.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  // Two turns for buying at a time, four for browsing.
  store = await startStore({ env: { BUSY_AFTER_SECONDS: '1', DATABASE_POOL: '4', NETWORK_ATTEMPTS_FACTOR: '1000' } })
})
afterAll(() => store[Symbol.asyncDispose]())

test('excess work is rejected immediately while pages still load', async () => {
  const { id: itemId } = await activeItems(store.database.db).executeTakeFirstOrThrow()
  const byApi = () =>
    fetch(`${store.origin}/api/cart`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ zip: '60614', lines: [{ itemId, quantity: 1 }] }),
    })
  const byForm = () =>
    fetch(`${store.origin}/cart`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: store.origin },
      body: new URLSearchParams({ item: String(itemId), quantity: '1', axle: 'all' }),
    })
  expect((await byApi()).status).toBe(201)
  let calls: Promise<Response>[] = []
  let forms: Promise<Response>[] = []
  {
    await using _lock = await holdLock(store.database.db, 'lock table cart in access exclusive mode')
    calls = Array.from({ length: 12 }, byApi)
    forms = Array.from({ length: 12 }, byForm)

    // Requests that start a checkout wait for the table. The others are answered while it is locked.
    const answers = await Promise.all([firstOf(calls, 8), firstOf(forms, 8)])
    for (const answer of answers.flat()) {
      expect(answer.status).toBe(503)
      expect(answer.headers.get('cache-control')).toContain('no-store')
    }
    // Except those that timed out waiting for a connection, so that retries don't all arrive together.
    expect(new Set(answers.flat().map(({ headers }) => headers.get('retry-after')))).toEqual(
      new Set(['2', '3', '4', '5']),
    )
    const [[call], [form]] = answers
    expect(await call?.json()).toMatchObject({ code: 'Unavailable', statusCode: 503 })
    expect(call?.headers.get('access-control-allow-origin')).toBe('*')
    expect(await form?.text()).toContain('One moment')
    // Rendered, not kept.
    const page = await fetch(`${store.origin}/tire-sizes/225-65r17?look=${crypto.randomUUID()}`)
    expect(page.status).toBe(200)
    expect((await fetch(`${store.origin}/readyz`)).status).toBe(200)
  }
  await Promise.all([...calls, ...forms])
  expect((await byApi()).status).toBe(201)
})

/** The first `count` of the answers that came. */
async function firstOf(answers: readonly Promise<Response>[], count: number): Promise<Response[]> {
  const came: Response[] = []
  const enough = Promise.withResolvers<void>()
  for (const answer of answers)
    void answer.then((response) => {
      if (came.length < count) came.push(response)
      if (came.length === count) enough.resolve()
    }, enough.reject)
  await enough.promise
  return came
}
