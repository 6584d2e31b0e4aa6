/**
 * The client and the sandbox against Wheel-Size's Wheel Fitment API v2. The expected fields are those that its
 * description (https://api.wheel-size.com/v2/openapi/), its release notes
 * (https://developer.wheel-size.com/api-updates), and its client for assistants
 * (https://github.com/driveate/wheel-size-mcp) name. That client also has the statuses 401 and 429, the form of
 * refused parameters, and an empty list for a model that the service doesn't have.
 */
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readStated } from '#domain/catalog/vehicles/provided-options.server.ts'
import type { ModelYearKey } from '#domain/catalog/vehicles/size-source.port.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { sizeFaults } from '#sandbox/sizes/api.ts'
import { startTestSandbox, testSecrets } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createWheelSize } from './wheel-size.ts'
import { ok } from '#platform/outcome.ts'

const [port = 0] = await freePorts(3)
const cx5 = { year: 2020, makeSlug: 'mazda', modelSlug: 'cx-5' }

/** The client at an origin, with the lines that it logs. */
function clientAt(apiOrigin: string, apiKey: string = testSecrets.wheelSizeKey) {
  const logged: unknown[] = []
  const log = { warn: (...line: unknown[]) => void logged.push(line) }
  const deps = { outgoing: createOutgoing({ trustedOrigin: apiOrigin }), log }
  const client = createWheelSize({ apiOrigin, apiKey, callsPerDay: 300 }, deps)
  return {
    ...client,
    logged,
    /** As the store reads them. */
    async sizesOf(model: ModelYearKey) {
      const answer = await client.sizesOf(model)
      return answer.ok ? ok(readStated(answer.value)) : answer
    },
  }
}

const named = z.strictObject({ slug: z.string(), name: z.string() })
const axle = z.strictObject({
  rim: z.string(),
  rim_diameter: z.number().nullable(),
  rim_width: z.number().nullable(),
  rim_offset: z.number().nullable(),
  tire: z.string(),
  tire_full: z.string(),
  load_index: z.number().nullable(),
  speed_index: z.string().nullable(),
  tire_pressure: z.strictObject({ bar: z.number(), psi: z.number(), kPa: z.number() }).nullable(),
})
const answered = z.strictObject({
  data: z.array(
    z.strictObject({
      slug: z.string(),
      name: z.string(),
      name_en: z.string(),
      trim: z.string(),
      trim_levels: z.array(z.string()),
      trim_attributes: z.array(z.string()),
      trim_body_types: z.array(z.string()),
      body: z.string(),
      make: named,
      model: named,
      generation: z.strictObject({
        ...named.shape,
        platform: z.string(),
        start: z.number(),
        end: z.number(),
        bodies: z.array(z.unknown()),
      }),
      start_year: z.number(),
      end_year: z.number(),
      engine: z.strictObject({
        fuel: z.string(),
        capacity: z.string(),
        type: z.string(),
        power: z.strictObject({ kW: z.number(), PS: z.number(), hp: z.number() }),
        code: z.string().nullable(),
      }),
      regions: z.array(z.string()),
      tire_type: z.string(),
      technical: z.strictObject({
        wheel_fasteners: z.strictObject({ type: z.string(), thread_size: z.string() }),
        wheel_tightening_torque: z.string(),
        stud_holes: z.number(),
        pcd: z.number(),
        centre_bore: z.string(),
        bolt_pattern: z.string(),
      }),
      wheels: z.array(
        z.strictObject({
          is_stock: z.boolean(),
          showing_fp_only: z.boolean(),
          is_recommended_for_winter: z.boolean(),
          is_runflat_tires: z.boolean(),
          is_extra_load_tires: z.boolean(),
          is_high_load_tires: z.boolean(),
          is_pressed_steel_rims: z.boolean(),
          front: axle,
          rear: axle,
        }),
      ),
    }),
  ),
  meta: z.strictObject({ count: z.number() }),
})
const refusedParameters = z.strictObject({
  code: z.literal('VALIDATION_ERROR'),
  message: z.string(),
  details: z.array(z.strictObject({ field: z.string(), message: z.string() })),
})

test('the sandbox answers in the published form', async () => {
  await using sandbox = await startTestSandbox(port)
  const ask = (query: Record<string, string>) =>
    fetch(`${sandbox.origin}/v2/search/by_model/?${new URLSearchParams(query).toString()}`)
  const asked = { user_key: testSecrets.wheelSizeKey, make: 'mazda', model: 'cx-5', year: '2020', region: 'usdm' }
  const counts = []
  for (const query of [asked, { ...asked, make: 'bmw', model: '3-series', year: '2015' }, { ...asked, year: '1990' }]) {
    const answer = await ask(query)
    expect(answer.status).toBe(200)
    const { data, meta } = answered.parse(await answer.json())
    expect(meta.count).toBe(data.length)
    counts.push(data.length)
  }
  expect(counts).toEqual([3, 2, 0])
  const { region: _region, ...without } = asked
  const incomplete = await ask(without)
  expect(incomplete.status).toBe(400)
  expect(refusedParameters.parse(await incomplete.json()).details).toMatchObject([{ field: 'region' }])
  expect((await ask({ ...asked, user_key: 'another' })).status).toBe(401)
  expect((await ask({ ...asked, model: sizeFaults.limited })).status).toBe(429)
})

test('original sizes have their trims, and sizes that are optional are left out', async () => {
  await using sandbox = await startTestSandbox(port)
  const client = clientAt(sandbox.origin)
  const small = { size: '225/65R17', loadIndex: 102, speed: 'H' }
  const large = { size: '225/55R19', loadIndex: 103, speed: 'V' }
  const wheels = {
    frontPsi: 35,
    rearPsi: 35,
    frontOffsetMm: { min: 45, max: 45 },
    rearOffsetMm: { min: 45, max: 45 },
    boltPattern: '5x114.3',
    hubBoreMm: 67.1,
    tpms: null,
    // 108 Nm
    torqueLbFt: 80,
  }
  expect(await client.sizesOf(cx5)).toEqual({
    ok: true,
    value: [
      { trims: ['sport', 'touring'], front: small, rear: small, wheels },
      { trims: ['grand-touring', 'premium'], front: large, rear: large, wheels },
      { trims: ['signature'], front: large, rear: large, wheels },
    ],
  })
  expect(await client.sizesOf({ year: 2015, makeSlug: 'bmw', modelSlug: '3-series' })).toMatchObject({
    value: [{ trims: ['335i-m-sport'], front: { size: '225/45R18' }, rear: { size: '255/40R18' } }, { trims: [] }],
  })
  expect(await client.sizesOf({ ...cx5, modelSlug: 'unseen' })).toEqual({ ok: true, value: [] })
  expect(client.logged).toEqual([])
})

test('unreadable wheel data, and data that differs by axle, is left out', async () => {
  const tire = { tire: '225/65R17', load_index: 102, speed_index: 'H', rim_offset: 'ET45', tire_pressure: { psi: 900 } }
  const bodies = [
    { wheel_tightening_torque: '108-120 Nm', bolt_pattern: '5 x 114', centre_bore: 'large' },
    { bolt_pattern: '5x114.3', rear_axis_bolt_pattern: '6x139.7', centre_bore: '67.1', rear_axis_centre_bore: '70.1' },
    'unreadable',
  ].map((technical) =>
    JSON.stringify({
      data: [{ trim_levels: [], technical, wheels: [{ is_stock: true, showing_fp_only: true, front: tire }] }],
      meta: { count: 1 },
    }),
  )
  const left = [...bodies]
  const server = createServer((_, response) => void response.end(left.shift()))
  server.maxRequestsPerSocket = 1
  await new Promise<void>((resolve) => server.listen(port + 1, '127.0.0.1', resolve))
  const { sizesOf } = clientAt(`http://127.0.0.1:${port + 1}`)
  for (const body of bodies) {
    const found = await sizesOf(cx5)
    const facts = found.ok ? Object.values(found.value[0]?.wheels ?? { missing: body }) : found.reason
    expect({ body, facts }).toEqual({ body, facts: Array.from({ length: 8 }, () => null) })
  }
  await new Promise((resolve) => server.close(resolve))
})

test('each failure has its reason, and is logged without the key', async () => {
  await using sandbox = await startTestSandbox(port, { stallSeconds: 7 })
  const client = clientAt(sandbox.origin)
  const problems = []
  for (const modelSlug of Object.values(sizeFaults)) problems.push(await client.sizesOf({ ...cx5, modelSlug }))
  expect(problems.map((problem) => !problem.ok && problem.reason)).toEqual([
    'unavailable',
    'over-quota',
    'unavailable',
    'unavailable',
    'unavailable',
  ])
  expect(client.logged).toHaveLength(problems.length)
  expect(JSON.stringify(client.logged)).not.toContain(testSecrets.wheelSizeKey)
  expect(await clientAt(sandbox.origin, 'another').sizesOf(cx5)).toMatchObject({ reason: 'refused-key' })
})

test('hostile answers are faults, and a modification with an unreadable size is left out', async () => {
  const tire = { tire: '225/65R17', load_index: 102, speed_index: 'H' }
  const wheels = (front: unknown, rear: unknown = null) => ({ is_stock: true, showing_fp_only: true, front, rear })
  const answer = (...all: unknown[]) =>
    JSON.stringify({ data: [{ trim_levels: ['EX'], wheels: all }], meta: { count: 1 } })
  const known = { trims: ['ex'], front: { size: '225/65R17', loadIndex: 102, speed: 'H' } }
  const plain = { trims: ['ex'], front: { size: '225/65R17', loadIndex: null, speed: null } }
  const unavailable = { reason: 'unavailable' }
  const answers: readonly (readonly [string, object])[] = [
    ['', unavailable],
    ['[]', unavailable],
    ['{"data":[{"wheels":{}}],"meta":{"count":1}}', unavailable],
    [answer(wheels({ tire: 'x'.repeat(1_000) })), unavailable],
    [`{"data":[],"meta":{"count":0},"more":"${'x'.repeat(2 * 1024 * 1024)}"}`, unavailable],
    [answer(wheels(tire)), { value: [known] }],
    [answer(wheels(tire, { tire: '' })), { value: [known] }],
    [answer(wheels({ ...tire, load_index: '121/118', speed_index: 'fast' })), { value: [plain] }],
    [answer(wheels(tire), wheels({ ...tire, tire: 'about 17 inches' })), { value: [] }],
    [answer({ ...wheels(tire), showing_fp_only: false }), { value: [] }],
  ]
  let asked = 0
  const server = createServer((_, response) => void response.end(answers[asked++]?.[0]))
  server.maxRequestsPerSocket = 1
  await new Promise<void>((resolve) => server.listen(port + 2, '127.0.0.1', resolve))
  const { sizesOf } = clientAt(`http://127.0.0.1:${port + 2}`)
  for (const [body, expected] of answers) {
    const found = await sizesOf(cx5)
    expect({ body: body.slice(0, 60), found }).toMatchObject({ found: expected })
  }
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
