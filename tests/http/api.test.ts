/** Tests the API's document, access, and error responses. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '100', PROXY_HOPS: '1' } })
})
afterAll(() => store[Symbol.asyncDispose]())

const call = (path: string, init: RequestInit = {}) => fetch(`${store.origin}/api${path}`, init)

test('the document is valid OpenAPI 3.1, and the linter has no complaints', async () => {
  const answer = await call('/openapi.json')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  const document = (await answer.json()) as { openapi: string }
  expect(document.openapi).toBe('3.1.0')
  const complaints = await lintFromString({
    source: JSON.stringify(document).replaceAll(store.origin, 'https://sidewall.test'),
    config: await createConfig({ extends: ['recommended'] }),
  })
  expect(complaints.map(({ ruleId, message, location: [at] }) => ({ ruleId, message, at: at?.pointer }))).toEqual([])
})

test('a page without script documents every call and every problem', async () => {
  const page = (await (await fetch(`${store.origin}/api/docs`)).text()).replaceAll('<!-- -->', '')
  const { paths, components } = (await (await call('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { operationId?: string }>>
    components: { schemas: { Problem: { properties: { code: { enum: string[] } } } } }
  }
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId }]) =>
      operationId === undefined ? [] : { id: operationId, address: `${method.toUpperCase()} /api${path}` },
    ),
  )
  expect(calls.length).toBeGreaterThan(100)
  expect(calls.filter(({ id, address }) => !page.includes(`id="${id}"`) || !page.includes(`>${address}<`))).toEqual([])
  const codes = components.schemas.Problem.properties.code.enum
  expect(codes.filter((code) => !page.includes(`id="${code}"`))).toEqual([])
  expect(page).toContain('href="/api/openapi.json"')
})

test('with script, the reference is served from here and reads our document', async () => {
  const answer = await fetch(`${store.origin}/api/docs`)
  const page = await answer.text()
  expect(page).toContain('data-openapi="/api/openapi.json"')
  const reference = /data-script="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
  const scripts = [...page.matchAll(/<script[^>]* src="([^"]*)"/g)].map(([, source = '']) => source)
  expect(scripts).toHaveLength(1)
  for (const path of [reference, ...scripts]) {
    const script = await fetch(`${store.origin}${path}`, { headers: { 'accept-encoding': 'br' } })
    expect(script.status, path).toBe(200)
    expect(script.headers.get('content-encoding'), path).toBe('br')
    expect(script.headers.get('content-type')).toMatch(/^text\/javascript/)
    expect(script.headers.get('cache-control')).toContain('immutable')
  }
  const other = await fetch(`${store.origin}/contact`)
  const policyOf = ({ headers }: Response) => headers.get('content-security-policy')
  expect(policyOf(answer)).toBe(policyOf(other))
})

const jsonOf = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const failures: [what: string, path: string, init: RequestInit, status: number, code: string][] = [
  ['an address that is none', '/nowhere', {}, 404, 'NotFound'],
  ['a method it does not take', '/places/60614', { method: 'DELETE' }, 405, 'MethodNotAllowed'],
  ['a ZIP that is none', '/places/6061', {}, 400, 'BadRequest'],
  ['a ZIP that lies nowhere', '/places/00000', {}, 404, 'UnknownZip'],
  ['a question it does not know', '/places/60614?color=red', {}, 400, 'BadRequest'],
  ['a caller who takes no JSON', '/places/60614', { headers: { accept: 'image/png' } }, 406, 'NotAcceptable'],
  ['the document under another method', '/openapi.json', { method: 'POST' }, 405, 'MethodNotAllowed'],
  ['a null byte', '/places/6061%00', {}, 400, 'BadRequest'],
  ['a control character in the question', '/lines/kestrel/alltide-as2/reviews?vehicle=a%1Bb', {}, 400, 'BadRequest'],
  [
    'a control character in a body',
    '/leads',
    jsonOf({ name: 'Dana\u0007', email: 'dana@example.com', quantity: 4, size: '225/65R17' }),
    400,
    'BadRequest',
  ],
  ['a control character in the name of a field', '/leads', jsonOf({ 'na\u0000me': 'Dana' }), 400, 'BadRequest'],
  [
    'a shared parameter longer than the document says',
    `/places/60614?widgetId=${'w'.repeat(201)}`,
    {},
    400,
    'BadRequest',
  ],
  [
    'headers larger than the store takes',
    '/places/60614',
    { headers: { 'x-user-time': '1'.repeat(20_000) } },
    431,
    'HeadersTooLarge',
  ],
  ['an address longer than the store takes', `/places/60614?${'a'.repeat(9_000)}`, {}, 414, 'AddressTooLong'],
  ['an escape that is no character', '/places/%ff', {}, 400, 'BadRequest'],
  ['a token that is no key', '/places/60614', { headers: { authorization: 'Bearer nothing' } }, 401, 'Unauthorized'],
  ['nobody signed in', '/user-details', {}, 401, 'Unauthorized'],
  [
    'cookies from another site',
    '/places/60614',
    { headers: { origin: 'https://elsewhere.example', cookie: 'sw_zip=60614' } },
    403,
    'Forbidden',
  ],
]

test.for(failures)('%s', async ([, path, init, status, code]) => {
  const answer = await call(path, init)
  const body = (await answer.json()) as Record<string, string>
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.status).toBe(status)
  expect(body).toEqual({
    type: `${store.origin}/api/docs#${code}`,
    title: expect.any(String) as string,
    status,
    detail: body['message'],
    instance: expect.stringContaining(answer.headers.get('x-request-id') ?? 'none') as string,
    code,
    message: expect.stringMatching(/\w/) as string,
    statusCode: status,
    data: body['data'],
    errorMessage: body['message'],
  })
})

test('unparsable headers also get a problem response', async () => {
  const answer = await call('/places/60614', { headers: { 'x-user-time': '1'.repeat(70_000) } })
  expect(answer.status).toBe(431)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(await answer.json()).toMatchObject({ code: 'HeadersTooLarge', statusCode: 431 })
})

test('an address lists its allowed methods under any other method', async () => {
  const { paths } = (await (await call('/openapi.json')).json()) as { paths: Record<string, Record<string, unknown>> }
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const wrong: unknown[] = []
  let callers = 0
  for (const [path, item] of Object.entries(paths)) {
    const taken = methods.filter((method) => method.toLowerCase() in item)
    for (const method of methods.filter((each) => !taken.includes(each))) {
      // Each from a different address, to stay below the rate limit.
      const headers = { 'x-forwarded-for': `10.${callers >> 8}.${callers++ & 255}.1` }
      const answer = await call(path.replaceAll(/\{\w+\}/g, '1'), { method, headers })
      const allowed = [...taken, ...(taken.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
      if (
        answer.status !== 405 ||
        answer.headers.get('allow')?.split(', ').sort().join(', ') !== allowed.split(', ').sort().join(', ')
      )
        wrong.push([method, path, answer.status, answer.headers.get('allow')])
    }
  }
  expect(wrong).toEqual([])
})

test('a review accepts the same input as the form', async () => {
  const { paths } = (await (await call('/openapi.json')).json()) as {
    paths: Record<
      string,
      {
        post: {
          requestBody: { content: Record<string, { schema: { properties: Record<string, { maxLength: number }> } }> }
        }
      }
    >
  }
  const { properties = {} } =
    paths['/lines/{brand}/{line}/reviews']?.post.requestBody.content['application/json']?.schema ?? {}
  expect(['summary', 'comments', 'name', 'vehicle'].map((name) => properties[name]?.maxLength)).toEqual([
    80, 3_000, 25, 80,
  ])
})

test('parameters allowed on any call have no effect', async () => {
  const plain = await (await call('/places/60614')).text()
  const carried = await call(
    '/places/60614?ssoUid=1&userRegion=x&userZip=60614&accountTypeCompany=y&vwo_user=2&channel=c&widgetId=w',
  )
  expect(carried.status).toBe(200)
  expect(await carried.text()).toBe(plain)
})

test('a script on another site may call without cookies, and read what it needs', async () => {
  const asked = await call('/places/60614', {
    method: 'OPTIONS',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
  })
  expect(asked.status).toBe(204)
  expect(asked.headers.get('access-control-allow-origin')).toBe('*')
  const sendable = asked.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
  expect(sendable).toEqual(
    expect.arrayContaining([
      'idempotency-key',
      'authorization',
      'x-authorization',
      'x-user-session-id',
      'x-user-time',
      'x-vwo-user',
      'x-military-exchange-customer-id',
    ]),
  )
  const answer = await call('/places/60614', { headers: { origin: 'https://elsewhere.example' } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  expect(answer.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(answer.headers.get('vary')).toContain('Cookie')
  const known = await call('/places/60614', { headers: { cookie: 'sw_zip=60614' } })
  expect(known.headers.get('cache-control')).toBe('private, no-store')
})

test('a rate-limited caller can continue after the stated wait', async () => {
  // A new caller with a new rate limit window.
  const ask = () => call('/places/60614', { headers: { 'x-forwarded-for': '203.0.113.9' } })
  const first = await ask()
  expect(first.headers.get('ratelimit-policy')).toBe('"calls";q=100;w=60')
  expect(first.headers.get('ratelimit')).toBe('"calls";r=99;t=60')
  const answers = await Promise.all(Array.from({ length: 102 }, ask))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(3)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused[0]?.json()).toMatchObject({ code: 'TooManyCalls', statusCode: 429 })
})
