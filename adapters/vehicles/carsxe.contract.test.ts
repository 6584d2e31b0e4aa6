/**
 * The client and the sandbox against CarsXE's description of its plate decoder v2:
 * https://docs.carsxe.com/api-reference/plate-decoder/license-plate-decoder-v2
 */
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { plateFaults, samplePlates } from '#sandbox/plates/api.ts'
import { startTestSandbox, testSecrets } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createCarsXe } from './carsxe.ts'

const [port = 0] = await freePorts(3)

/** The client at an origin, with the lines that it logs. */
function clientAt(apiOrigin: string, apiKey: string = testSecrets.carsXeKey) {
  const logged: unknown[] = []
  const log = { warn: (...line: unknown[]) => void logged.push(line) }
  return {
    logged,
    ...createCarsXe({ apiOrigin, apiKey }, { outgoing: createOutgoing({ trustedOrigin: apiOrigin }), log }),
  }
}

const decoded = z.strictObject({
  success: z.literal(true),
  input: z.strictObject({ plate: z.string(), state: z.string(), country: z.string() }),
  description: z.string(),
  make: z.string(),
  model: z.string(),
  trim: z.string(),
  vin: z.string().optional(),
  year: z.string(),
})
const refusedAnswer = z.strictObject({
  success: z.literal(false),
  message: z.string(),
  usage: z.strictObject({ current: z.number(), limit: z.number(), remaining: z.number() }).optional(),
})

test('the sandbox answers in the published form', async () => {
  await using sandbox = await startTestSandbox(port)
  const ask = async (query: Record<string, string>) => {
    const answer = await fetch(`${sandbox.origin}/v2/platedecoder?${new URLSearchParams(query).toString()}`)
    return { status: answer.status, body: await answer.json() }
  }
  const key = testSecrets.carsXeKey
  for (const plate of Object.keys(samplePlates)) {
    const { status, body } = await ask({ key, plate, state: 'IL', country: 'US' })
    expect(status).toBe(200)
    expect(decoded.parse(body).input).toEqual({ plate, state: 'IL', country: 'US' })
  }
  for (const [query, status] of [
    [{ plate: 'CRV2019', state: 'IL' }, 401],
    [{ key: 'another', plate: 'CRV2019', state: 'IL' }, 401],
    [{ key, state: 'IL' }, 400],
    [{ key, plate: 'CRV2019' }, 404],
    [{ key, plate: 'CRV2019', state: 'XX' }, 404],
    [{ key, plate: 'UNSEEN', state: 'IL' }, 404],
    [{ key, plate: plateFaults.limited, state: 'IL' }, 429],
  ] as const) {
    const answer = await ask(query)
    expect(answer.status).toBe(status)
    expect(refusedAnswer.safeParse(answer.body)).toMatchObject({ success: true })
  }
})

test('a plate has a VIN or none, and failures are logged without the plate and the key', async () => {
  await using sandbox = await startTestSandbox(port, { stallSeconds: 7 })
  const client = clientAt(sandbox.origin)
  const vinOf = (plate: string) => client.vinOf({ plate, state: 'IL' })
  expect(await vinOf('CRV2019')).toEqual({ ok: true, value: '2HKRW2H53KH612345' })
  expect(await vinOf('NOVIN1')).toMatchObject({ reason: 'unknown' })
  expect(await vinOf('UNSEEN')).toMatchObject({ reason: 'unknown' })
  expect(client.logged).toEqual([])
  for (const plate of Object.values(plateFaults)) expect(await vinOf(plate)).toMatchObject({ reason: 'unavailable' })
  expect(await clientAt(sandbox.origin, 'another').vinOf({ plate: 'CRV2019', state: 'IL' })).toMatchObject({
    reason: 'unavailable',
  })
  expect(client.logged).toHaveLength(Object.keys(plateFaults).length)
  const lines = JSON.stringify(client.logged)
  for (const plate of Object.values(plateFaults)) expect(lines).not.toContain(plate)
  expect(lines).not.toContain(testSecrets.carsXeKey)
})

test('answers that are hostile or in another form are faults', async () => {
  const answers = ['{"success":true,"vin":{}}', '{"success":true,"vin":"' + 'A'.repeat(100_000) + '"}', '[]', '']
  let asked = 0
  const server = createServer((_, response) => void response.end(answers[asked++]))
  server.maxRequestsPerSocket = 1
  await new Promise<void>((resolve) => server.listen(port + 2, '127.0.0.1', resolve))
  const { vinOf } = clientAt(`http://127.0.0.1:${port + 2}`)
  for (const answer of answers) {
    const found = await vinOf({ plate: 'CRV2019', state: 'IL' })
    expect({ answer: answer.slice(0, 30), found }).toMatchObject({ found: { reason: 'unavailable' } })
  }
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
