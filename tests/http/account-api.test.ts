/** The API calls about the signed-in account, as page scripts make them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { sessionOf } from '#tests/support/visitor.ts'

let store: RunningStore
/** Dana's and Lee's cookies. */
let dana: string
let lee: string
beforeAll(async () => {
  store = await startStore()
  dana = await sessionOf(store.origin)
  lee = await sessionOf(store.origin, 'lee@example.com')
})
afterAll(() => store[Symbol.asyncDispose]())

type Call = { cookie?: string; body?: unknown; headers?: Record<string, string>; base?: '' | '/api' }

async function call(method: string, path: string, { cookie = dana, body, headers = {}, base = '/api' }: Call = {}) {
  const answer = await fetch(`${store.origin}${base}${path}`, {
    method,
    headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown), headers: answer.headers }
}

const formType = 'application/x-www-form-urlencoded'
const failure = (code: string, statusCode: number) => ({ code, statusCode, message: expect.any(String) as string })

/** The calls that the specification lists, in its section 7. */
const specified = [
  ['PUT', '/users/me/personalization'],
  ['GET', '/users/me/history/search'],
  ['POST', '/users/me/history/search'],
  ['DELETE', '/users/me/history/search'],
  ['GET', '/users/session'],
  ['GET', '/user-details'],
] as const

test.for(specified)('%s %s requires signing in', async ([method, path]) => {
  for (const base of ['/api', ''] as const) {
    for (const cookie of ['', 'sw_session=x', `${dana.slice(0, -1)}${dana.endsWith('A') ? 'B' : 'A'}`]) {
      const answer = await call(method, path, {
        base,
        cookie,
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
      })
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ ...failure('Unauthorized', 401), data: null })
    }
  }
})

test('the specification’s paths work as well as those under /api', async () => {
  const noa = await sessionOf(store.origin, 'noa@example.com')
  const bodies: Record<string, unknown> = { PUT: { userLocationZip: '60614' }, POST: { label: 'x', path: '/x' } }
  for (const [method, path] of specified) {
    const [here, there] = [
      await call(method, path, { base: '', cookie: noa, body: bodies[method] }),
      await call(method, path, { cookie: noa, body: bodies[method] }),
    ]
    const seen = ({ status, headers }: typeof here) => [
      status,
      headers.get('content-type'),
      headers.get('cache-control'),
      headers.get('access-control-allow-origin'),
    ]
    expect(seen(here), `${method} ${path}`).toEqual(seen(there))
    if (method !== 'POST' && path !== '/users/me/history/search') expect(here.body).toEqual(there.body)
    const wrong = await call('PATCH', path, { base: '', cookie: noa })
    expect(wrong.status).toBe(405)
    expect(wrong.headers.get('allow')?.split(', ')).toContain(method)
    expect((await call('OPTIONS', path, { base: '', cookie: noa })).status).toBe(204)
  }
  const evil = await call('PUT', '/users/me/personalization', {
    base: '',
    cookie: noa,
    body: {},
    headers: { origin: 'https://evil.test' },
  })
  expect(evil).toMatchObject({ status: 403, body: failure('Forbidden', 403) })
  // No other API call has an address outside /api.
  for (const path of ['/users/me/sessions', '/users/me', '/users', '/user-details/more', '/places/60614'])
    expect(
      (await fetch(`${store.origin}${path}`, { headers: { cookie: noa } })).headers.get('content-type'),
      path,
    ).toBe('text/html; charset=utf-8')
})

test('the specification’s calls accept form bodies', async () => {
  const noa = await sessionOf(store.origin, 'noa@example.com')
  const form = (body: string) => ({
    cookie: noa,
    body,
    headers: { 'content-type': `${formType};charset=UTF-8`, origin: store.origin },
  })
  const zip = await call(
    'PUT',
    '/users/me/personalization',
    form('userLocationZip=60614&gaClientId=5.5&ssoUid=someone'),
  )
  expect(zip).toMatchObject({ status: 200, body: { userLocationZip: '60614', gaClientId: '5.5' } })
  const kept = await call('POST', '/users/me/history/search', {
    ...form('label=225%2F65+R17&path=%2Ftire-sizes%2F225-65r17'),
    base: '',
  })
  expect(kept).toMatchObject({ status: 201, body: { label: '225/65 R17', path: '/tire-sizes/225-65r17' } })
  expect((await call('DELETE', '/users/me/history/search', { cookie: noa })).status).toBe(204)
  for (const [body, message] of [
    ['userLocationZip=6061', 'Oops. Please enter a valid ZIP code.'],
    ['userLocationZip=', 'Oops. Please enter a valid ZIP code.'],
    ['color=red', /color/],
  ] as const)
    expect(await call('PUT', '/users/me/personalization', form(body))).toMatchObject({
      status: 400,
      body: {
        code: 'BadRequest',
        message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
      },
    })
  expect(await call('PUT', '/users/me/personalization', form(`${'a&'.repeat(3_000)}color=red`))).toMatchObject({
    status: 413,
    body: failure('BodyTooLarge', 413),
  })
})

test('a signed-in user has an id, a session and serving details', async () => {
  const details = await call('GET', '/user-details')
  expect(details.body).toEqual({ uid: expect.stringMatching(/^[\da-f-]{36}$/) as string })
  expect(details.headers.get('cache-control')).toBe('private, no-store')
  expect(details.headers.get('x-content-type-options')).toBe('nosniff')
  const session = await call('GET', '/users/session?regionId=midwest', { cookie: lee })
  expect(session.body).toEqual({
    userSessionId: lee.slice('sw_session='.length).split('.')[0],
    userPersonalization: { userLocation: null, userLocationZip: null, gaClientId: null },
    regionId: 'midwest',
  })
  expect(JSON.stringify(session.body)).not.toContain(lee.split('.')[1])
  expect((await call('GET', '/users/session?regionId=%3Cscript%3E')).status).toBe(400)
})

test('personalization is stored, and an invalid ZIP is refused in the specification’s words', async () => {
  const zip = await call('PUT', '/users/me/personalization', { body: { userLocationZip: '60614' } })
  expect(zip).toMatchObject({
    status: 200,
    body: { userLocation: { zip: '60614' }, userLocationZip: '60614', gaClientId: null },
  })
  const id = await call('PUT', '/users/me/personalization', { body: { gaClientId: '123.456' } })
  expect(id.body).toMatchObject({ userLocationZip: '60614', gaClientId: '123.456' })
  for (const userLocationZip of ['6061', '00000', 60614]) {
    const refused = await call('PUT', '/users/me/personalization', { body: { userLocationZip } })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'BadRequest', message: 'Oops. Please enter a valid ZIP code.', statusCode: 400 },
    })
  }
  expect((await call('GET', '/users/session')).body).toMatchObject({
    userPersonalization: { userLocationZip: '60614' },
  })
})

test('searches are recorded, listed newest first, deleted, and hidden from other accounts', async () => {
  for (const label of ['one', 'two', 'one'])
    expect((await call('POST', '/users/me/history/search', { body: { label, path: `/${label}` } })).status).toBe(201)
  expect((await call('GET', '/users/me/history/search')).body).toMatchObject([
    { label: 'one', path: '/one' },
    { label: 'two', path: '/two' },
  ])
  expect((await call('GET', '/users/me/history/search', { cookie: lee })).body).toEqual([])
  expect((await call('DELETE', '/users/me/history/search', { cookie: lee })).status).toBe(204)
  expect((await call('GET', '/users/me/history/search')).body).toHaveLength(2)
  expect((await call('DELETE', '/users/me/history/search')).status).toBe(204)
  expect((await call('GET', '/users/me/history/search')).body).toEqual([])
})

test.for<[what: string, body: unknown, headers?: Record<string, string>, status?: number, code?: string]>([
  ['a path of another site', { label: 'x', path: '//evil.test' }],
  ['no label', { path: '/x' }],
  ['a label of blanks', { label: '  ', path: '/x' }],
  ['a list', []],
  ['no JSON', '{"label":'],
  ['lists in lists', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['a form that does not say where it comes from', 'label=x&path=/x', { 'content-type': formType }, 403, 'Forbidden'],
  [
    'a form of a sibling site',
    'label=x&path=/x',
    { 'content-type': formType, 'sec-fetch-site': 'same-site' },
    403,
    'Forbidden',
  ],
  ['text that pretends', '{"label":"x","path":"/x"}', { 'content-type': 'text/plain' }, 415, 'UnsupportedMediaType'],
  ['far too much', { label: 'x', path: '/x', rest: 'y'.repeat(10_000) }],
])(
  'an invalid search body is refused in a uniform format: %s',
  async ([, body, headers = {}, status = 400, code = 'BadRequest']) => {
    expect(await call('POST', '/users/me/history/search', { body, headers })).toMatchObject({
      status,
      body: failure(code, status),
    })
  },
)

test.for(['PUT /users/me/personalization', 'POST /users/me/history/search', 'DELETE /users/me/history/search'])(
  'from another site %s has no effect',
  async (what) => {
    const [method = '', path = ''] = what.split(' ')
    const answer = await call(method, path, {
      headers: { origin: 'https://evil.test' },
      ...(method === 'DELETE' ? {} : { body: { label: 'x', path: '/x' } }),
    })
    expect(answer).toMatchObject({ status: 403, body: failure('Forbidden', 403) })
    // Without this header browsers do not give another site responses to calls with cookies.
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  },
)

test('garage and addresses can be managed over the API, each account its own', async () => {
  const found = await call('GET', '/vehicles/2021/toyota/rav4')
  const { key } = found.body as { key: string }
  const kept = await call('POST', '/garage', { body: { vehicle: key } })
  expect(kept).toMatchObject({
    status: 201,
    body: expect.arrayContaining([expect.objectContaining({ name: '2021 Toyota RAV4' })]) as unknown,
  })
  const [vehicle] = kept.body as { id: string; name: string }[]
  const readings = { mileage: 42_500, rotatedOn: '2026-07-01', rotatedMileage: 40_000, wantsReminder: true }
  expect(await call('PUT', `/garage/${vehicle?.id}/readings`, { body: readings })).toMatchObject({
    status: 200,
    body: { ...readings, nextRotation: { on: expect.any(String) as string } },
  })
  expect(
    await call('PUT', `/garage/${vehicle?.id}/readings`, { body: { ...readings, rotatedOn: null } }),
  ).toMatchObject({
    status: 400,
    body: { data: { rotatedOn: 'Enter the day of that mileage, too.' } },
  })
  expect(await call('PUT', `/garage/${vehicle?.id}/readings`, { cookie: lee, body: readings })).toMatchObject({
    status: 404,
    body: { code: 'NotYours' },
  })
  expect(await call('DELETE', `/garage/${vehicle?.id}`, { cookie: lee })).toMatchObject({ status: 404 })
  expect((await call('DELETE', `/garage/${vehicle?.id}`)).status).toBe(204)

  const address = {
    firstName: 'Dana',
    lastName: 'Ruiz',
    address1: '1 Sample Street',
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    phone: '(312) 555-0142',
    phoneType: 'mobile',
  }
  const saved = await call('POST', '/addresses', { body: address })
  expect(saved.status).toBe(201)
  expect(await call('POST', '/addresses', { body: address })).toMatchObject({
    status: 409,
    body: { code: 'AlreadyThere' },
  })
  const { id } = saved.body as { id: string }
  expect((await call('GET', '/addresses')).body).toMatchObject([{ id, phone: { digits: '3125550142' } }])
  expect(await call('DELETE', `/addresses/${id}`, { cookie: lee })).toMatchObject({
    status: 404,
    body: { code: 'NotYours' },
  })
  expect((await call('DELETE', `/addresses/${id}`)).status).toBe(204)
  expect(await call('GET', '/orders')).toMatchObject({ status: 200, body: { next: null } })
})

test('terms, referrals and membership are visible to their own account', async () => {
  expect(await call('GET', '/users/me/terms')).toMatchObject({
    status: 200,
    body: { accountType: 'Retail', priceLabel: null, isRestricted: false },
  })
  expect(await call('GET', '/users/me/membership')).toMatchObject({ status: 200, body: null })
  expect(
    await call('POST', '/referrals/invitations', { body: { emails: ['friend@example.com', 'FRIEND@example.com'] } }),
  ).toMatchObject({
    status: 201,
    body: { sent: 1 },
  })
  expect(await call('POST', '/referrals/invitations', { body: { emails: ['nobody'] } })).toMatchObject({
    status: 400,
    body: { code: 'BadRequest' },
  })
  const board = await call('GET', '/referrals')
  expect(board).toMatchObject({
    status: 200,
    body: { link: expect.stringContaining('/invite/') as string, referrals: [{ state: 'invited' }], creditCents: 0 },
  })
  expect((await call('GET', '/referrals', { cookie: lee })).body).toMatchObject({ referrals: [] })
})
