/** What the sandbox's assistant signs, and which messages it takes. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { signingKeyFrom, signRequest, verifyRequest } from '#platform/http-signatures.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { startTestSandbox } from '../test-sandbox.ts'

const [port = 0] = await freePorts(3)

test('it signs its calls by the key of its profile, and takes news that the store signed, of now', async () => {
  await using sandbox = await startTestSandbox(port)
  const key = signingKeyFrom('of the store', 'tests')
  const order = { 'dev.ucp.shopping.order': [{ version: '2026-08-25' }] }
  const profile = JSON.stringify({ ucp: { version: '2026-08-25', capabilities: order }, keys: [key.jwk] })
  const heard: { headers: Record<string, string>; body: Buffer }[] = []
  const store = createServer((request, response) => {
    if (request.url === '/.well-known/ucp') return void response.end(profile)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      heard.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(parts) })
      response.end('{"products":[]}')
    })
  })
  store.listen(port + 2, '127.0.0.1')
  await once(store, 'listening')
  try {
    const own = (await (await fetch(`${sandbox.origin}/agent/profile.json`)).json()) as {
      ucp: { capabilities: Record<string, { config: { webhook_url: string } }[]> }
      keys: unknown[]
    }
    const webhook = own.ucp.capabilities['dev.ucp.shopping.order']?.[0]?.config.webhook_url ?? ''
    expect(webhook).toBe(`${sandbox.origin}/agent/orders`)
    const form = new URLSearchParams({ query: '225/65R17', zip: '60614' })
    await fetch(`${sandbox.origin}/agent/search`, { method: 'POST', body: form, redirect: 'manual' })
    const [call] = heard
    const url = new URL(`${sandbox.storeOrigin}/ucp/catalog/search`)
    const request = { method: 'POST', url, headers: call?.headers ?? {}, body: call?.body ?? null }
    expect(verifyRequest(own.keys, request, sandbox.clock.now())).toMatchObject({ ok: true })

    const body = JSON.stringify({ label: 'S-1', line_items: [{ status: 'processing' }] })
    const post = async (secret: string, sent: string, at = sandbox.clock.now()) => {
      const headers = { 'content-type': 'application/json', 'webhook-id': 'one', 'webhook-timestamp': '1' }
      const signer = signingKeyFrom(secret, 'tests')
      const signed = signRequest(
        signer,
        { method: 'POST', url: new URL(webhook), headers, body: Buffer.from(body) },
        at,
      )
      return (await fetch(webhook, { method: 'POST', headers: { ...headers, ...signed }, body: sent })).status
    }
    expect(await post('of the store', body)).toBe(204)
    expect(await post('of a stranger', body)).toBe(401)
    expect(await post('of the store', '{"label":"S-2"}')).toBe(401)
    expect(await post('of the store', body, sandbox.clock.now().subtract({ minutes: 6 }))).toBe(401)
    expect(await (await fetch(`${sandbox.origin}/agent`)).text()).toContain('signature_invalid')
  } finally {
    store.close()
    store.closeAllConnections()
  }
})
