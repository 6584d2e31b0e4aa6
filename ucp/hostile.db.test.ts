/**
 * Tests hostile input, with thousands of broken bodies, unauthorized calls, floods, and replays. Never returns a 5xx.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { signRequest } from '#platform/http-signatures.ts'
import { newId } from '#platform/ids.ts'
import { operations } from './operations.ts'
import { openUcp, origin, otherPlatform, platform, platformKey, profileSpeaking } from './ucp.testing.ts'

type Api = Awaited<ReturnType<typeof openUcp>>
const bodyOf = ({ body }: { body: unknown }) => body as { id: string; code?: string; ucp?: { status: string } }
const pathOf = (path: string, id: string) => `/ucp${path.replace(':id', encodeURIComponent(id))}`

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '60614',
    '225/65R17',
    "'; drop table cart; --",
    '\u0000',
    '\ud800',
    '',
    '9'.repeat(300),
    '-1',
    '1e400',
  ),
)
const names = [
  'line_items item id quantity axle context postal_code address_country eligibility fitment vehicle year make model size',
  'front rear discounts codes buyer email consent fulfillment methods type destinations selected_destination_id groups',
  'selected_option_id appointment from to release cart_id payment instruments handler_id credential sandbox_acceptance',
  'query filters price min max pagination cursor limit ids selected name label __proto__ constructor toString',
].flatMap((line) => line.split(' '))
const leaf = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null))
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('tree'), { maxKeys: 6 }),
  ),
}))

/** A good body with one part of it replaced, which gets deeper than nonsense does. */
async function goodBody(api: Api) {
  return {
    line_items: [{ item: { id: String(await pickTire(api.database)) }, quantity: 4, axle: 'all' }],
    context: { postal_code: '60614', eligibility: ['com.example.x'] },
    fitment: { vehicle: { year: 2021, make: 'Toyota', model: 'RAV4' }, size: { front: '225/65R17' } },
    discounts: { codes: ['NONE'] },
    buyer: { email: 'dana@example.com', consent: { analytics: true } },
    fulfillment: { methods: [{ type: 'shipping', destinations: [{ postal_code: '60614' }] }] },
    appointment: { from: '2026-11-24T00:00:00Z', release: true },
    query: '225/65R17',
    ids: ['1'],
    id: '1',
    pagination: { cursor: 'x', limit: 5 },
  }
}

function replaced(value: unknown, path: readonly number[], by: unknown): unknown {
  const [at, ...rest] = path
  if (at === undefined || typeof value !== 'object' || value === null) return by
  const keys = Object.keys(value)
  const key = keys[at % Math.max(1, keys.length)]
  if (key === undefined) return by
  const changed = replaced(value[key as never], rest, by)
  return Array.isArray(value)
    ? value.map((each: unknown, index) => (String(index) === key ? changed : each))
    : { ...value, [key]: changed }
}

test('whatever is sent, in thousands, the answer is one of the protocol’s and never a failure of the store', async () => {
  await using api = await openUcp()
  const good = await goodBody(api)
  const opened = bodyOf(await api.call('POST', '/ucp/checkout-sessions', { body: good })).id
  const cart = bodyOf(await api.call('POST', '/ucp/carts', { body: good })).id
  const body = fc.oneof(
    { weight: 5, arbitrary: tree.map((value) => JSON.stringify(value)) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.array(fc.nat(12), { minLength: 1, maxLength: 5 }), tree)
        .map(([path, by]) => JSON.stringify(replaced(good, path, by))),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  )
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(opened, cart) },
    text.map((value) => value.toWellFormed()),
  )
  const header = fc.option(
    fc.constantFrom('one', 'x'.repeat(256), 'Bearer x', 'sig1=:AAAA:', 'profile="x"', '"'.repeat(200)),
    { nil: undefined },
  )
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operations),
      body,
      id,
      header,
      header,
      async (operation, sent, of, key, token) => {
        const headers = { ...(key !== undefined && { 'idempotency-key': key }), ...(token && { authorization: token }) }
        const answer = await api.call(operation.method, pathOf(operation.path, of), {
          headers,
          ...(operation.hasBody && { body: sent }),
        })
        seen.add(answer.status)
        expect(answer.status).toBeLessThan(500)
        const said = JSON.stringify(answer.body)
        expect(said).toMatch(/"ucp":|"code":/)
        expect(said).not.toMatch(/syntax error|\.ts:\d+|wrong on our side/)
      },
    ),
    { numRuns: 2_000, seed: 20_261_122 },
  )
  expect([...seen]).toEqual(expect.arrayContaining([200, 201, 400, 401]))
}, 180_000)

test('authorization of each operation without its capability, with a foreign ID, and without a profile', async () => {
  await using api = await openUcp()
  const good = await goodBody(api)
  const ids: Record<string, string> = {
    '/carts': bodyOf(await api.call('POST', '/ucp/carts', { body: good })).id,
    '/checkout-sessions': bodyOf(await api.call('POST', '/ucp/checkout-sessions', { body: good })).id,
  }
  const one = 'https://one.example/ucp'
  for (const operation of operations) {
    const { method, path, capability, hasBody } = operation
    const of = ids[`/${path.split('/')[1]}`] ?? ids['/checkout-sessions'] ?? ''
    const call = (from: string) => api.call(method, pathOf(path, of), { from, ...(hasBody && { body: good }) })
    const what = `${method} ${path}`
    expect((await call('')).status, what).toBe(400)
    expect(bodyOf(await call('')).code, what).toBe('invalid_profile_url')
    // Speaks everything but this.
    const capabilities = (JSON.parse(profileSpeaking('2026-08-25')) as { ucp: { capabilities: object } }).ucp
      .capabilities
    const without = Object.fromEntries(Object.entries(capabilities).filter(([name]) => name !== capability))
    const address = `${one}/${capability}`
    api.profiles.set(address, JSON.stringify({ ucp: { version: '2026-08-25', capabilities: without } }))
    const refused = await call(address)
    expect(refused.status, what).toBe(200)
    expect(refused.body).toMatchObject({ messages: [{ code: 'capabilities_incompatible' }] })
    if (!path.includes(':id')) continue
    const stranger = await call(otherPlatform)
    expect(stranger.status, what).toBe(200)
    expect(stranger.body).toMatchObject({ ucp: { status: 'error' }, messages: [{ code: 'not_found' }] })
  }
})

test('one key sent concurrently creates one cart, and a flood gets a retry time', async () => {
  await using api = await openUcp({ callsPerMinute: 12 })
  const line_items = [{ item: { id: String(await pickTire(api.database)) }, quantity: 4 }]
  const body = JSON.stringify({ line_items })
  const headers = { 'idempotency-key': newId() }
  const all = await Promise.all(Array.from({ length: 8 }, () => api.call('POST', '/ucp/carts', { body, headers })))
  expect(all.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
  const made = await api.app.db.selectFrom('agent_session').select('id').execute()
  expect(made).toHaveLength(1)
  const statuses = []
  for (let at = 0; at < 12; at += 1) statuses.push((await api.call('GET', `/ucp/carts/${newId()}`)).status)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  const last = await api.call('GET', `/ucp/carts/${newId()}`)
  expect(last.status).toBe(429)
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a signed request is valid for minutes by either clock, and a replay has no effect', async () => {
  await using api = await openUcp()
  api.profiles.set(platform, profileSpeaking('2026-08-25', { keys: [platformKey.jwk] }))
  const line_items = [{ item: { id: String(await pickTire(api.database)) }, quantity: 4 }]
  const body = JSON.stringify({ line_items })
  const sent = {
    'content-type': 'application/json',
    'ucp-agent': `profile="${platform}"`,
    'idempotency-key': newId(),
  }
  const signedAt = (seconds: number) => {
    const url = new URL('/ucp/carts', origin)
    const request = { method: 'POST', url, headers: sent, body: Buffer.from(body) }
    return { ...sent, ...signRequest(platformKey, request, api.clock.now().add({ seconds })) }
  }
  for (const [seconds, status] of [
    [-301, 401],
    [301, 401],
    [-299, 201],
  ] as const)
    expect((await api.call('POST', '/ucp/carts', { body, headers: signedAt(seconds) })).status, `${seconds}`).toBe(
      status,
    )
  const captured = signedAt(0)
  const replay = () => api.call('POST', '/ucp/carts', { body, headers: captured })
  expect((await replay()).headers.get('idempotent-replayed')).toBe('true')
  // Another key or body makes it a different request, without a valid signature.
  const changed = { ...captured, 'idempotency-key': newId() }
  expect((await api.call('POST', '/ucp/carts', { body, headers: changed })).status).toBe(401)
  expect((await api.call('POST', '/ucp/carts', { body: `${body} `, headers: captured })).status).toBe(400)
  api.clock.set(api.clock.now().add({ minutes: 6 }))
  expect((await replay()).status).toBe(401)
  expect(await api.app.db.selectFrom('agent_session').select('id').execute()).toHaveLength(1)
})
