/** Tests the checks before a tool runs (access, rate limits, and malicious bodies). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listApps, setAppAccess } from '#domain/customers/accounts/accounts.server.ts'
import { accountDeps, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { agentLimits } from '#mcp/agent-limits.ts'
import { openMcp } from '#mcp/mcp.testing.ts'
import { newId } from '#platform/ids.ts'
import { toolsOf } from '#mcp/tool-list.ts'

const call = (name: string, args: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const names = toolsOf({ hasAccounts: true }).map(({ name }) => name)

test('rejects cross-site pages, other methods, and invalid messages', async () => {
  await using mcp = await openMcp()
  const asked: [what: string, sent: Parameters<typeof mcp.post>[0], status: number][] = [
    ['a page of another site', { body: listing, headers: { origin: 'https://elsewhere.example' } }, 403],
    ['a sandboxed page', { body: listing, headers: { origin: 'null' } }, 403],
    ['a page of another port here', { body: listing, headers: { origin: 'http://localhost:1' } }, 403],
    ['a page whose browser says it is another', { body: listing, headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['a page of ours', { body: listing, headers: { origin: mcp.app.config.web.origin } }, 200],
    ['no JSON', { body: '{' }, 400],
    ['nothing', { body: '' }, 400],
    ['a batch', { body: [listing, listing] }, 400],
    ['a deep one', { body: `${'['.repeat(5_000)}${']'.repeat(5_000)}` }, 400],
    ['one deep inside', { body: { ...listing, params: JSON.parse(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`) } }, 400],
    ['a large one', { body: { ...listing, more: 'x'.repeat(agentLimits.bodyBytes) } }, 413],
    ['a form', { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 400],
    ['text', { body: listing, headers: { 'content-type': 'text/plain' } }, 415],
    ['a session', { method: 'GET' }, 405],
    ['the end of one', { method: 'DELETE' }, 405],
    ['a broken token', { body: listing, headers: { authorization: 'Bearer x' } }, 401],
    ['a token of others', { body: listing, headers: { authorization: 'Bearer a.b.c' } }, 401],
    ['an account without a token', { body: call('list_orders', {}) }, 401],
  ]
  for (const [what, sent, status] of asked) {
    const answer = await mcp.post(sent)
    expect(answer.status, what).toBe(status)
    expect(answer.headers.get('access-control-allow-origin'), what).toBeNull()
    expect(await answer.text(), what).toMatch(status === 200 ? /"tools"/ : /"error":\{"code":-3\d+,"message":"/)
  }
  const refused = await mcp.post({ body: call('list_orders', {}) })
  expect(refused.headers.get('www-authenticate')).toBe(
    `Bearer resource_metadata="${mcp.app.config.web.origin}/.well-known/oauth-protected-resource/mcp", scope="orders:read"`,
  )
})

test('any input gets a valid response without server errors', async () => {
  await using mcp = await openMcp()
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('60614', '225/65R17', "'; drop table cart; --", '\u0000', '\ud800'),
  )
  const fields = ['query', 'size', 'vehicle', 'zip', 'itemId', 'cartKey', 'lines', 'keys', 'shopId', 'start', 'cursor']
  const args = fc.oneof(
    fc.dictionary(
      fc.constantFrom(...fields, 'year', 'make', 'model', 'orderNumber', '__proto__'),
      fc.oneof(text, fc.jsonValue()),
    ),
    fc.jsonValue(),
  )
  const sent = fc.oneof(
    fc.tuple(fc.constantFrom(...names), args).map(([name, given]) => JSON.stringify(call(name, given))),
    fc.tuple(text, fc.jsonValue()).map(([method, params]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(sent, async (body) => {
      const answer = await mcp.post({ body })
      expect(answer.status).toBeLessThan(500)
      const said = await answer.text()
      expect(said).not.toMatch(/wrong on our side|syntax error|at .+\.ts:\d+/)
    }),
    { numRuns: 600, seed: 77 },
  )
})

test('calls are limited by network and cart, with a retry time', async () => {
  await using mcp = await openMcp({ callsPerMinute: agentLimits.cartCallsPerMinute + 5 })
  const cartKey = newId()
  const about = (key: string) => mcp.post({ body: call('get_cart', { cartKey: key }) })
  for (let count = 0; count < agentLimits.cartCallsPerMinute; count += 1)
    expect((await about(cartKey)).status).toBe(200)
  const refused = await about(cartKey)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toMatch(/Too many requests about this cart. Wait \d+ seconds./)
  expect((await about(newId())).status).toBe(200)
  for (let count = 0; count < 3; count += 1) await mcp.post({ body: listing })
  const flooded = await mcp.post({ body: '{' })
  expect(flooded.status).toBe(429)
  expect(flooded.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(flooded.headers.get('ratelimit')).toMatch(/^"calls";r=0;t=\d+$/)
})

/** Tokens of two apps of one account, as the sign-in service reads them. */
async function withApps(mcp: Awaited<ReturnType<typeof openMcp>>) {
  const { accountId } = await signInAs({ ...accountDeps(mcp.database.db), identity: mcp.identity })
  mcp.identity.readAccessToken = async (token) => ({
    ok: true,
    value: { subject: 'dana', clientId: token.split('.')[0] ?? '', clientName: null, scopes: ['orders:read'] },
  })
  const list = (app: string) =>
    mcp.post({ body: call('list_orders', {}), headers: { authorization: `Bearer ${app}.token.signed` } })
  return { accountId, list }
}

test('access that the owner takes back ends with the next call, for every token of the app', async () => {
  await using mcp = await openMcp()
  const { accountId, list } = await withApps(mcp)
  expect((await list('one')).status).toBe(200)
  expect((await list('two')).status).toBe(200)
  const app = (await listApps(mcp.app, accountId)).find(({ name }) => name === 'one')
  const allow = (isAllowed: boolean) => setAppAccess(mcp.app, accountId, app?.id ?? '', { isAllowed })
  expect(await allow(false)).toBe(true)
  const refused = await list('one')
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"')
  expect((await list('two')).status).toBe(200)
  await allow(true)
  expect((await list('one')).status).toBe(200)
})

test('an app counts toward its account from any network', async () => {
  await using mcp = await openMcp()
  const { list } = await withApps(mcp)
  for (let count = 0; count < agentLimits.appCallsPerMinute; count += 1) expect((await list('one')).status).toBe(200)
  const flooded = await list('one')
  expect(flooded.status).toBe(429)
  expect(Number(flooded.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await flooded.text()).toMatch(/Too many requests of this app for this account/)
  expect((await list('two')).status).toBe(200)
})
