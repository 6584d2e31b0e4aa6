/** The profile, who may call, and what calls are refused before any operation sees them. */
import { expect, test } from 'vitest'
import { signingKeyFrom } from '#platform/http-signatures.ts'
import { openUcp, origin, otherPlatform, platform, platformKey, profileSpeaking } from './ucp.testing.ts'

const search = { body: { query: '225/65R17' } }
const searching = (api: Awaited<ReturnType<typeof openUcp>>, sent: object = {}) =>
  api.call('POST', '/ucp/catalog/search', { ...search, ...sent })

test('the profile names its releases, capabilities and keys, and each release has its own', async () => {
  await using api = await openUcp()
  const current = await api.call('GET', '/.well-known/ucp', { from: '' })
  expect(current).toMatchObject({
    status: 200,
    body: {
      ucp: {
        version: '2026-08-25',
        supported_versions: { '2026-04-08': `${origin}/.well-known/ucp/2026-04-08` },
        services: { 'dev.ucp.shopping': [{ transport: 'rest', endpoint: `${origin}/ucp` }] },
        payment_handlers: { 'example.tires.payments.sandbox_card': [{ id: 'sandbox-card' }] },
      },
      keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256' }],
    },
  })
  expect(current.headers.get('cache-control')).toBe('public, max-age=300')
  expect(JSON.stringify(current.body)).not.toContain('"d":')
  const { capabilities } = (current.body as { ucp: { capabilities: Record<string, { schema: string }[]> } }).ucp
  const own = capabilities['example.tires.shopping.fitment']?.[0]
  expect(own?.schema).toMatch(/^https:\/\/tires\.example\/ucp\/schemas\//)
  const schema = await api.call('GET', new URL(own?.schema ?? '').pathname, { from: '' })
  expect(schema).toMatchObject({ status: 200, body: { $id: own?.schema, name: 'example.tires.shopping.fitment' } })
  const older = await api.call('GET', '/.well-known/ucp/2026-04-08', { from: '' })
  expect(older).toMatchObject({ status: 200, body: { ucp: { version: '2026-04-08' }, signing_keys: [{ kty: 'EC' }] } })
  expect(Object.keys((older.body as { ucp: object }).ucp)).not.toContain('supported_versions')
  expect(await api.call('GET', '/.well-known/ucp/2025-01-01', { from: '' })).toMatchObject({ status: 404 })
})

test('a platform is identified by its profile, and unsupported capabilities are rejected', async () => {
  await using api = await openUcp()
  expect(await searching(api)).toMatchObject({
    status: 200,
    body: { ucp: { version: '2026-08-25', status: 'success' } },
  })
  expect(await searching(api, { from: otherPlatform })).toMatchObject({ body: { ucp: { version: '2026-04-08' } } })
  await searching(api)
  expect(api.reads).toEqual([platform, otherPlatform])

  expect(await searching(api, { from: '' })).toMatchObject({ status: 400, body: { code: 'invalid_profile_url' } })
  expect(await searching(api, { from: 'ftp://x.example' })).toMatchObject({ status: 400 })
  expect(await searching(api, { from: 'https://gone.example/ucp' })).toMatchObject({
    status: 424,
    body: { code: 'profile_unreachable', continue_url: `${origin}/` },
  })
  const profile = (name: string, text: string) => {
    const address = `https://${name}.example/ucp`
    api.profiles.set(address, text)
    return searching(api, { from: address })
  }
  expect(await profile('text', 'no json')).toMatchObject({ status: 422, body: { code: 'profile_malformed' } })
  expect(await profile('old', '{"ucp":{"version":"2026-01-11"}}')).toMatchObject({
    status: 422,
    body: { code: 'version_unsupported' },
  })
  expect(await profile('bare', '{"ucp":{"version":"2026-08-25"}}')).toMatchObject({
    status: 200,
    body: { ucp: { status: 'error' }, messages: [{ code: 'capabilities_incompatible', severity: 'unrecoverable' }] },
  })
  const child = { 'dev.ucp.shopping.discount': [{ version: '2026-08-25' }] }
  expect(await profile('child', JSON.stringify({ ucp: { version: '2026-08-25', capabilities: child } }))).toMatchObject(
    {
      body: { messages: [{ code: 'capabilities_incompatible' }] },
    },
  )
})

test('profiles are read for one network thirty times a minute', async () => {
  await using api = await openUcp()
  const statuses = []
  for (let at = 0; at < 32; at += 1)
    statuses.push((await searching(api, { from: `https://a${at}.example/ucp` })).status)
  expect(statuses.filter((status) => status === 424)).toHaveLength(30)
  expect(statuses.at(-1)).toBe(429)
  expect(api.reads).toHaveLength(30)
})

test('a signature that is sent must hold', async () => {
  await using api = await openUcp()
  api.profiles.set(platform, profileSpeaking('2026-08-25', { keys: [platformKey.jwk] }))
  expect(await searching(api, { isSigned: true })).toMatchObject({ status: 200 })
  expect(
    await searching(api, { headers: { signature: 'sig1=:AAAA:', 'signature-input': 'sig1=("@method");keyid="x"' } }),
  ).toMatchObject({ status: 401, body: { code: 'signature_invalid' } })
  const stranger = signingKeyFrom('of a stranger', 'tests')
  const address = 'https://stranger.example/ucp'
  api.profiles.set(address, profileSpeaking('2026-08-25', { keys: [stranger.jwk] }))
  expect(await searching(api, { isSigned: true, from: address })).toMatchObject({
    status: 401,
    body: { code: 'key_not_found' },
  })
  // If the platform publishes keys, order data requires a signature.
  expect(await api.call('GET', '/ucp/orders/x')).toMatchObject({ status: 401, body: { code: 'signature_missing' } })
  expect(await api.call('GET', '/ucp/orders/x', { isSigned: true })).toMatchObject({
    status: 200,
    body: { messages: [{ code: 'not_found' }] },
  })
})

test('hostile bodies are bounded', async () => {
  await using api = await openUcp()
  const sent = async (body: string, headers: Record<string, string> = {}) =>
    (await api.call('POST', '/ucp/carts', { body, headers })).status
  expect(await sent('{')).toBe(400)
  expect(await sent('[]')).toBe(400)
  expect(await sent('"text"')).toBe(400)
  expect(await sent('{}')).toBe(400)
  expect(await sent(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)).toBe(400)
  expect(await sent(`{"line_items":${JSON.stringify('x'.repeat(70_000))}}`)).toBe(413)
  expect(await sent('{}', { 'content-type': 'text/plain' })).toBe(415)
  const items = (count: number) =>
    JSON.stringify({ line_items: Array.from({ length: count }, () => ({ item: { id: '1' }, quantity: 1 })) })
  expect(await sent(items(21))).toBe(400)
  expect(await sent(JSON.stringify({ line_items: [{ item: { id: '1\u0000' }, quantity: 1 }] }))).toBe(400)
  expect(await sent(JSON.stringify({ line_items: [{ item: { id: '1' }, quantity: 1e9 }] }))).toBe(400)
  const opened = async (more: object) =>
    (
      await api.call('POST', '/ucp/checkout-sessions', {
        body: { line_items: [{ item: { id: '1' }, quantity: 1 }], ...more },
      })
    ).status
  expect(await opened({ appointment: { from: '2026-11-24T10:00:00.00000000001Z' } })).toBe(400)
  expect(await opened({ buyer: { consent: { 'a\u0000': true } } })).toBe(400)
  expect(
    await opened({ buyer: { consent: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`p${at}`, true])) } }),
  ).toBe(400)
  expect(await api.call('POST', '/ucp/nothing', { body: {} })).toMatchObject({ status: 404 })
  expect(await api.call('DELETE', '/ucp/carts')).toMatchObject({ status: 404 })
})
