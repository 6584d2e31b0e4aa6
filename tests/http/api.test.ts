/** The frame of the API: its document, who may call, and how a call fails. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '100', PROXY_HOPS: '1' } })
})
afterAll(() => store[Symbol.asyncDispose]())

const call = (path: string, init: RequestInit = {}) => fetch(`${store.origin}/api${path}`, init)

test('the document is valid OpenAPI 3.1', async () => {
  const answer = await call('/openapi.json')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  const document = (await answer.json()) as { openapi: string }
  expect(document.openapi).toBe('3.1.0')
  expect(await new Validator().validate(document)).toMatchObject({ valid: true })
})

test('people read the same on a page', async () => {
  const page = await (await fetch(`${store.origin}/api/docs`)).text()
  const { paths } = (await (await call('/openapi.json')).json()) as { paths: Record<string, Record<string, { operationId?: string }>> }
  const ids = Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []))
  expect(ids.filter((id) => !page.includes(`id="${id}"`))).toEqual([])
  expect(page).not.toContain('<script')
})

const failures: [what: string, path: string, init: RequestInit, status: number, code: string][] = [
  ['an address that is none', '/nowhere', {}, 404, 'NotFound'],
  ['a method it does not take', '/places/60614', { method: 'DELETE' }, 405, 'MethodNotAllowed'],
  ['a ZIP that is none', '/places/6061', {}, 400, 'BadRequest'],
  ['a ZIP that lies nowhere', '/places/00000', {}, 404, 'UnknownZip'],
  ['a question it does not know', '/places/60614?color=red', {}, 400, 'BadRequest'],
  ['a caller who takes no JSON', '/places/60614', { headers: { accept: 'image/png' } }, 406, 'NotAcceptable'],
  ['a null byte', '/places/6061%00', {}, 400, 'BadRequest'],
  ['an escape that is no character', '/places/%ff', {}, 400, 'BadRequest'],
  ['a token that is no key', '/places/60614', { headers: { authorization: 'Bearer nothing' } }, 401, 'Unauthorized'],
  ['nobody signed in', '/user-details', {}, 401, 'Unauthorized'],
  ['cookies from another site', '/places/60614', { headers: { origin: 'https://elsewhere.example', cookie: 'sw_zip=60614' } }, 403, 'Forbidden'],
]

test.for(failures)('%s', async ([, path, init, status, code]) => {
  const answer = await call(path, init)
  const body = (await answer.json()) as Record<string, string>
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect([answer.status, body]).toEqual([
    status,
    {
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
    },
  ])
})

test('what any call may carry changes nothing', async () => {
  const plain = await (await call('/places/60614')).text()
  const carried = await call('/places/60614?ssoUid=1&userRegion=x&userZip=60614&accountTypeCompany=y&vwo_user=2&channel=c&widgetId=w')
  expect([carried.status, await carried.text()]).toEqual([200, plain])
})

test('a program on another site may call without cookies, and read what it needs', async () => {
  const asked = await call('/places/60614', { method: 'OPTIONS', headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' } })
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
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
  expect([answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.get('access-control-allow-credentials')]).toEqual([200, '*', null])
  expect([answer.headers.get('cache-control'), answer.headers.get('vary')]).toEqual(['public, max-age=3600', expect.stringContaining('Cookie')])
  const known = await call('/places/60614', { headers: { cookie: 'sw_zip=60614' } })
  expect(known.headers.get('cache-control')).toBe('private, no-store')
})

test('who calls too often waits as long as it is told', async () => {
  // Somebody new, whose minute begins here.
  const ask = () => call('/places/60614', { headers: { 'x-forwarded-for': '203.0.113.9' } })
  const first = await ask()
  expect([first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual(['"calls";q=100;w=60', '"calls";r=99;t=60'])
  const answers = await Promise.all(Array.from({ length: 102 }, ask))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(3)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused[0]?.json()).toMatchObject({ code: 'TooManyCalls', statusCode: 429 })
})
