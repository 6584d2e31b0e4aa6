/** The adapter for availability services against the sandbox, and faulty answers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxPartNumbers } from '#domain/supply/stock/availability.port.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createAvailabilityService } from './availability.ts'

const [port = 0] = await freePorts(3)
let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox(port, { stallSeconds: 2 })
})
afterAll(() => sandbox[Symbol.asyncDispose]())

const query = (
  supplier: string,
  partNumbers: readonly string[],
  { key = testSecrets.supplierSecret, timeoutMs = 5_000 } = {},
) =>
  createAvailabilityService(createOutgoing({ trustedOrigin: sandbox.origin })).query(
    { url: `${sandbox.origin}/wholesale/${supplier}/search/by-part-numbers`, key },
    partNumbers,
    { timeoutMs },
  )

async function setPart(fields: Record<string, string>): Promise<void> {
  const response = await fetch(`${sandbox.origin}/wholesale/parts`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  expect(response.status).toBe(303)
}

test('one request answers units by branch and cost in cents, and leaves out unknown parts', async () => {
  await setPart({
    supplier: 'east',
    partNumber: '000094',
    brand: 'Cedarline',
    cost: '88.15',
    branch: '7',
    quantity: '12',
  })
  expect(await query('east', ['000094', '555'])).toEqual({
    ok: true,
    value: [{ partNumber: '000094', brand: 'Cedarline', costCents: 8_815, branches: [{ id: '7', units: 12 }] }],
  })
})

test('stock that moves has other units later', async () => {
  const parts = ['A1', 'A2', 'A3', 'A4']
  const before = await query('north', parts)
  sandbox.clock.set(sandbox.clock.now().add({ minutes: 10 }))
  const after = await query('north', parts)
  expect(before.ok && before.value.length).toBe(4)
  expect(after).not.toEqual(before)
})

test.each([
  ['down', 'status 503'],
  ['limited', 'status 429'],
  ['broken', 'answer in another form'],
])('a service that is %s is unavailable', async (supplier, fault) => {
  expect(await query(supplier, ['A1'])).toEqual({ ok: false, reason: 'unavailable', detail: { fault } })
})

test('a slow service is given up in time, and a wrong key is named', async () => {
  expect(await query('slow', ['A1'], { timeoutMs: 300 })).toMatchObject({ detail: { fault: 'timeout' } })
  expect(await query('north', ['A1'], { key: 'wrong' })).toMatchObject({ detail: { fault: 'status 401' } })
})

test('the service refuses more part numbers than the store sends at once', async () => {
  const parts = Array.from({ length: maxPartNumbers + 1 }, (_, index) => `P${index}`)
  expect(await query('north', parts.slice(1))).toMatchObject({ ok: true })
  expect(await query('north', parts)).toMatchObject({ ok: false, detail: { fault: 'status 400' } })
})
