import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createClient, readSession, type ApiFailure, type CallInput, type ClientOptions } from './client.ts'

type Operations = {
  'GET /things': { input: CallInput; data: { name: string } }
  'GET /shops/{shopCode}/times/{day}': {
    input: { params: { shopCode: string; day: string } } & CallInput
    data: { address: string }
  }
  'POST /things': { input: CallInput; data: Seen }
  'PUT /things': { input: CallInput; data: Seen }
  'DELETE /things': { input: CallInput; data: undefined }
  'GET /users/session': { input: CallInput; data: unknown }
}
type Seen = { method: string; address: string; headers: Record<string, string>; body: string }

/** Starts a test server with the given responses. */
async function serverThat(answers: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => answers(request, response, Buffer.concat(parts).toString()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const mirror = (request: IncomingMessage, response: ServerResponse, body: string) =>
  sendJson(response, 200, { method: request.method, address: request.url, headers: request.headers, body })

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function throwing(failure: Error): typeof fetch {
  return () => {
    throw failure
  }
}

const clientOf = (server: { baseUrl: string }, options: Partial<ClientOptions> = {}) =>
  createClient<Operations>({ baseUrl: server.baseUrl, ...options })

test('fills in and escapes path parameters and sends only given query parameters', async () => {
  await using server = await serverThat(mirror)
  const client = clientOf(server)
  const result = await client.call('GET /shops/{shopCode}/times/{day}', {
    params: { shopCode: 'a/b c', day: '2026-11-23' },
    query: { service: ['tires', 'balance'], none: undefined, limit: 3 },
  })
  expect(result).toMatchObject({
    ok: true,
    data: { address: '/api/shops/a%2Fb%20c/times/2026-11-23?service=tires&service=balance&limit=3' },
  })
})

test('a missing path parameter is a programming error and throws', async () => {
  const client = createClient<Record<string, { input: CallInput; data: unknown }>>({
    baseUrl: 'http://127.0.0.1:9/api',
  })
  await expect(client.call('GET /shops/{shopCode}', { params: {} })).rejects.toThrow('needs shopCode')
})

test('sends only the call’s context, under the specification’s names', async () => {
  await using server = await serverThat(mirror)
  const all = {
    authorization: 'Bearer one',
    xAuthorization: 'Bearer two',
    userSessionId: 'session',
    userTime: '2026-11-20T09:30:00-06:00',
    vwoUser: 'variant',
    militaryExchangeCustomerId: 'customer',
    ssoUid: 'uid',
    userRegion: 'region',
    userZip: '60614',
    accountTypeCompany: 'company',
    channel: 'widget',
    widgetId: 'w1',
  }
  const result = await clientOf(server, { context: () => all }).call('PUT /things', { body: { size: '225/65R17' } })
  if (!result.ok) throw new Error(result.message)
  expect(result.data.headers).toMatchObject({
    authorization: 'Bearer one',
    'x-authorization': 'Bearer two',
    'x-user-session-id': 'session',
    'x-user-time': '2026-11-20T09:30:00-06:00',
    'x-vwo-user': 'variant',
    'x-military-exchange-customer-id': 'customer',
    'content-type': 'application/json',
  })
  expect(Object.fromEntries(new URL(result.data.address, 'http://x').searchParams)).toEqual({
    ssoUid: 'uid',
    userRegion: 'region',
    userZip: '60614',
    accountTypeCompany: 'company',
    vwo_user: 'variant',
    channel: 'widget',
    widgetId: 'w1',
  })
  expect(JSON.parse(result.data.body)).toEqual({ ssoUid: 'uid', size: '225/65R17' })

  const bare = await clientOf(server).call('PUT /things', { body: { size: '225/65R17' } })
  if (!bare.ok) throw new Error(bare.message)
  expect(bare.data.address).toBe('/api/things')
  expect(Object.keys(bare.data.headers).filter((name) => name.startsWith('x-') || name === 'authorization')).toEqual([])
  expect(JSON.parse(bare.data.body)).toEqual({ size: '225/65R17' })
})

test('a form is sent as a form, and a call’s own query overrides the context', async () => {
  await using server = await serverThat(mirror)
  const result = await clientOf(server, { context: () => ({ ssoUid: 'uid', userZip: '60614' }) }).call('POST /things', {
    form: { name: 'a & b', quantity: 4, none: undefined },
    query: { userZip: '10001' },
  })
  if (!result.ok) throw new Error(result.message)
  expect(result.data.body).toBe('name=a+%26+b&quantity=4')
  expect(result.data.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(result.data.address).toBe('/api/things?ssoUid=uid&userZip=10001')
})

test('a POST gets its own idempotency key unless the caller passes one', async () => {
  await using server = await serverThat(mirror)
  const client = clientOf(server)
  const keyOf = async (input: CallInput) => {
    const result = await client.call('POST /things', input)
    return result.ok ? result.data.headers['idempotency-key'] : undefined
  }
  const [first, second, given] = [
    await keyOf({ body: {} }),
    await keyOf({ body: {} }),
    await keyOf({ body: {}, headers: { 'idempotency-key': 'mine' } }),
  ]
  expect(first).toMatch(/^([a-z\d]{1,7}-){3}[a-z\d]{1,7}$/)
  expect(second).not.toBe(first)
  expect(given).toBe('mine')
})

test('a page without TLS can post as well', async () => {
  await using server = await serverThat(mirror)
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  const result = await clientOf(server).call('POST /things', { body: {} })
  vi.unstubAllGlobals()
  expect(result).toMatchObject({ ok: true, data: { headers: { 'idempotency-key': expect.any(String) } } })
})

test.each([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [409, 'ServerError'],
  [422, 'ServerError'],
  [429, 'ServerError'],
  [500, 'ServerError'],
  [503, 'ServerError'],
])('status %i is %s', async (status, code) => {
  await using server = await serverThat((_, response) =>
    sendJson(response, status, { errorMessage: 'Said flat', data: { field: 'why' } }),
  )
  expect(await clientOf(server).call('GET /things')).toEqual({
    ok: false,
    code,
    message: 'Said flat',
    statusCode: status,
    detail: null,
    data: { field: 'why' },
    retryAfterSeconds: null,
  })
})

test.each([
  ['7', 7],
  ['Fri, 20 Nov 2026 18:00:00 GMT', null],
])('a server that says Retry-After: %s is to be left alone for %s seconds', async (retryAfter, retryAfterSeconds) => {
  await using server = await serverThat((_, response) =>
    response.writeHead(429, { 'retry-after': retryAfter }).end('{}'),
  )
  expect(await clientOf(server).call('GET /things')).toMatchObject({ ok: false, statusCode: 429, retryAfterSeconds })
})

test.each([
  [{ errorMessage: 'flat', error: { message: 'nested' }, detail: 'problem' }, 'flat', 'problem'],
  [{ error: { message: 'nested' }, detail: 'problem' }, 'nested', 'problem'],
  [{ detail: 'problem', message: 'own' }, 'problem', 'problem'],
  [{ code: 'BadRequest', message: 'own' }, 'own', null],
  [{ errorMessage: 7, error: 'text', detail: '' }, 'The server answered 400.', null],
  [null, 'The server answered 400.', null],
])('of %j the message is %j', async (body, message, detail) => {
  await using server = await serverThat((_, response) => sendJson(response, 400, body))
  expect(await clientOf(server).call('GET /things')).toMatchObject({ ok: false, message, detail })
})

test.each([
  [200, '{"name":', 'InvalidJson'],
  [200, '', 'InvalidJson'],
  [502, '<html>Bad gateway</html>', 'InvalidJson'],
  [404, '<html>Nothing</html>', 'NotFound'],
  [404, '', 'NotFound'],
])('status %i with the body %j is %s', async (status, body, code) => {
  await using server = await serverThat((_, response) => response.writeHead(status).end(body))
  expect(await clientOf(server).call('GET /things')).toMatchObject({ ok: false, code, statusCode: status })
})

test('204 is a success without data', async () => {
  await using server = await serverThat((_, response) => response.writeHead(204).end())
  expect(await clientOf(server).call('DELETE /things')).toEqual({ ok: true, data: undefined, statusCode: 204 })
})

test('sends no request without a base URL', async () => {
  const client = createClient<Operations>({ baseUrl: undefined, fetch: () => Promise.reject(new Error('asked')) })
  expect(await client.call('GET /things')).toMatchObject({
    ok: false,
    code: 'UrlBaseNotConfigured',
    message: 'fetch API not configured',
    statusCode: null,
  })
})

test('an aborted call and a timeout are AbortError', async () => {
  await using server = await serverThat(() => {})
  const controller = new AbortController()
  const left = clientOf(server).call('GET /things', {}, { signal: controller.signal })
  controller.abort()
  expect(await left).toMatchObject({ ok: false, code: 'AbortError', statusCode: null })
  expect(await clientOf(server, { timeoutMs: 50 }).call('GET /things')).toMatchObject({ ok: false, code: 'AbortError' })
})

test('a truncated response is NetworkError, and one that never ends is AbortError', async () => {
  await using cut = await serverThat((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"name":"a')
    setTimeout(() => response.destroy(), 20)
  })
  expect(await clientOf(cut).call('GET /things')).toMatchObject({ ok: false, code: 'NetworkError' })
  await using slow = await serverThat((_, response) => void response.writeHead(200).write('{"name":'))
  expect(await clientOf(slow, { timeoutMs: 100 }).call('GET /things')).toMatchObject({ ok: false, code: 'AbortError' })
})

test('an unreachable server is NetworkError, as is any error of that name; anything else is OtherError', async () => {
  const server = await serverThat(() => {})
  const { baseUrl } = server
  await server[Symbol.asyncDispose]()
  expect(await createClient<Operations>({ baseUrl }).call('GET /things')).toMatchObject({
    ok: false,
    code: 'NetworkError',
  })
  const failing = (error: Error) => createClient<Operations>({ baseUrl, fetch: throwing(error) }).call('GET /things')
  expect(await failing(Object.assign(new Error('gone'), { name: 'NetworkError' }))).toMatchObject({
    code: 'NetworkError',
    message: 'gone',
  })
  expect(await failing(new RangeError('odd'))).toMatchObject({ code: 'OtherError', message: 'odd' })
})

/** A server that accepts only the newest token and counts its requests. */
async function guarded() {
  const asked: { token: string | undefined; key: string | undefined }[] = []
  const state = { token: 'old', valid: 'new', refreshes: 0 }
  const server = await serverThat((request, response) => {
    const token = request.headers.authorization
    asked.push({ token, key: request.headers['idempotency-key']?.toString() })
    if (token === state.valid) sendJson(response, 200, { name: 'in' })
    else sendJson(response, 401, { message: 'Sign in first.' })
  })
  return { asked, state, server }
}

test('after a 401 the authorization is refreshed and the call repeated once, with the same key', async () => {
  const { asked, state, server } = await guarded()
  await using _ = server
  const client = clientOf(server, {
    context: () => ({ authorization: state.token }),
    refresh: () => {
      state.refreshes += 1
      state.token = 'new'
      return Promise.resolve(true)
    },
  })
  expect(await client.call('POST /things', { body: {} })).toMatchObject({ ok: true })
  expect(asked.map(({ token }) => token)).toEqual(['old', 'new'])
  expect(asked[0]?.key).toBe(asked[1]?.key)
  expect(state.refreshes).toBe(1)
})

test('calls that fail together refresh once', async () => {
  const { state, server } = await guarded()
  await using _ = server
  let release: (() => void) | undefined
  const client = clientOf(server, {
    context: () => ({ authorization: state.token }),
    async refresh() {
      state.refreshes += 1
      await new Promise<void>((resolve) => (release = resolve))
      state.token = 'new'
      return true
    },
  })
  const together = [client.call('GET /things'), client.call('GET /things'), client.call('GET /things')]
  await expect.poll(() => release).toBeDefined()
  release?.()
  expect((await Promise.all(together)).every(({ ok }) => ok)).toBe(true)
  expect(state.refreshes).toBe(1)
})

test('a call refused for an old token does not refresh if there is a new one already', async () => {
  const held: (() => void)[] = []
  await using server = await serverThat((request, response) => {
    const isNew = request.headers.authorization === 'new'
    const answer = () => sendJson(response, isNew ? 200 : 401, { name: 'in' })
    if (request.url?.includes('slow') && !isNew) held.push(answer)
    else answer()
  })
  let token = 'old'
  let refreshes = 0
  const client = clientOf(server, {
    context: () => ({ authorization: token }),
    refresh: () => {
      refreshes += 1
      token = 'new'
      return Promise.resolve(true)
    },
  })
  const slow = client.call('GET /things', { query: { slow: true } })
  await expect.poll(() => held.length).toBe(1)
  expect(await client.call('GET /things')).toMatchObject({ ok: true })
  held[0]?.()
  expect(await slow).toMatchObject({ ok: true })
  expect(refreshes).toBe(1)
})

test('a 401 that persists after a refresh is returned, without a third attempt', async () => {
  const { asked, state, server } = await guarded()
  await using _ = server
  state.valid = 'another'
  const refused = clientOf(server, {
    context: () => ({ authorization: state.token }),
    refresh: () => Promise.resolve(true),
  })
  expect(await refused.call('GET /things')).toMatchObject({
    ok: false,
    code: 'Unauthorized',
    statusCode: 401,
    message: 'Sign in first.',
  })
  expect(asked).toHaveLength(2)
  const without = clientOf(server, { refresh: () => Promise.reject(new Error('the provider is away')) })
  expect(await without.call('GET /things')).toMatchObject({ ok: false, code: 'Unauthorized' })
  expect(asked).toHaveLength(3)
})

test('every failure but 404 is reported once', async () => {
  const told: [ApiFailure['code'], string][] = []
  const statuses = [404, 500, 200]
  await using server = await serverThat((_, response) => sendJson(response, statuses.shift() ?? 200, {}))
  const client = clientOf(server, { onFailure: ({ code }, operation) => told.push([code, operation]) })
  for (let count = 0; count < 3; count += 1) await client.call('GET /things')
  expect(told).toEqual([['ServerError', 'GET /things']])
})

test('the session call fails with code, message and status, 404 if there was no response', async () => {
  await using server = await serverThat((request, response) =>
    request.url?.includes('regionId=west')
      ? sendJson(response, 200, { userSessionId: 'one' })
      : sendJson(response, 403, { message: 'No.' }),
  )
  expect(await readSession(clientOf(server), 'west')).toEqual({ ok: true, session: { userSessionId: 'one' } })
  expect(await readSession(clientOf(server))).toEqual({ ok: false, code: 'Forbidden', message: 'No.', status: 403 })
  expect(await readSession(createClient<Operations>({ baseUrl: undefined }))).toEqual({
    ok: false,
    code: 'UrlBaseNotConfigured',
    message: 'fetch API not configured',
    status: 404,
  })
})
