/**
 * Calls generated from the API's own document against the running product: every response must be one that the document
 * describes, never a server error. CALLS sets how many; a failure names its seed.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeCall, readDocument, type ApiAnswer } from '#tests/support/api-document.ts'
import { sessionOf } from '#tests/support/visitor.ts'
import { verify } from '#tests/support/invariants.ts'
import { apiCalls, type DrawnCall } from './api-calls.ts'
import { knownIds } from './known-ids.ts'
import { openStartedStore } from './started-store.ts'

const calls = Number(process.env['CALLS'] ?? 1_000)
const seed = Number(process.env['SEED'] ?? 1)
const callers = 6

test('every response is one that the document describes', { timeout: 120_000 + calls * 60 }, async () => {
  await using store = await openStartedStore({ env: { API_CALLS_PER_MINUTE: '10000000' } })
  const carts: string[] = []
  while (carts.length < 6) carts.push((await store.prepare()).cartId)
  const leaving: string[] = []
  for (const email of ['lee@example.com', 'noa@example.com', 'sam@example.com'])
    leaving.push(await sessionOf(store.origin, email))
  const document = readDocument(await (await fetch(`${store.origin}/api/openapi.json`)).json())
  const drawn = apiCalls(document, {
    carts,
    session: await sessionOf(store.origin),
    leaving,
    origin: store.origin,
    ...(await knownIds(store.db)),
    vehicle: '1~~~2021~toyota~rav4~~~~2021_Toyota_RAV4',
  })

  const waiting = fc.sample(drawn, { seed, numRuns: calls })
  const faults: unknown[] = []
  const statuses = new Map<string, number>()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let call = waiting.pop(); call; call = waiting.pop()) {
        const answer = await callThrough(store.origin, call)
        if (!answer) continue
        const kind = `${Math.floor(answer.status / 100)}xx`
        statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
        for (const fault of faultsIn(call, answer))
          faults.push({
            fault,
            seed,
            status: answer.status,
            ...call,
            operation: call.operation.id,
            body: call.body?.slice(0, 500),
            path: call.path.slice(0, 500),
          })
      }
    }),
  )
  expect(faults.slice(0, 6)).toEqual([])
  // The generator is effective, because a good share of the calls succeeded.
  expect(statuses.get('2xx') ?? 0).toBeGreaterThan(calls / 8)
  expect(statuses.get('4xx') ?? 0).toBeGreaterThan(calls / 8)
  expect(await verify(store.db, Temporal.Now.instant())).toEqual([])

  function faultsIn(call: DrawnCall, answer: ApiAnswer): string[] {
    if (answer.status >= 500) return [`status ${answer.status}: ${answer.text.slice(0, 200)}`]
    if (/\n\s+at .+:\d+:\d+|node_modules\//.test(answer.text)) return ['a stack']
    return document.complaints(call.operation, answer)
  }
})

/**
 * An oversized body is refused while it is still being sent, so the response may be lost. A connection that closes as
 * it is reused is retried.
 */
async function callThrough(origin: string, call: DrawnCall): Promise<ApiAnswer | undefined> {
  try {
    return await makeCall(origin, call)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return (call.body ?? '').length > 60_000 ? undefined : makeCall(origin, call)
  }
}
