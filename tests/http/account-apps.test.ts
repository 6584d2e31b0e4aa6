/** Tests apps that act for an account, including authorization with PKCE, scopes, and revocation by the owner. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorizeApp, connectApp, discover, grantApp } from '#tests/support/app-access.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, registerAt, sessionOf, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let itemId: number
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  itemId = (
    await store.database.db
      .selectFrom('item')
      .select('id')
      .where('active', '=', true)
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
  ).id
})
afterAll(() => store[Symbol.asyncDispose]())

const everything = 'account:read account:write orders:read orders:write company:read company:write'
const connect = (person: Visitor, scope: string) => connectApp(store.origin, person, scope)

async function newcomer(name: string): Promise<Visitor> {
  const visitor = createVisitor()
  await registerAt(store.origin, visitor, name)
  return visitor
}

type Sent = { body?: unknown; headers?: Record<string, string>; base?: '' | '/api' }

async function call(token: string, what: string, { body, headers = {}, base = '/api' }: Sent = {}) {
  const [method = '', path = ''] = what.split(' ')
  const answer = await fetch(`${store.origin}${base}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as never, headers: answer.headers }
}

const read = async (visitor: Visitor) =>
  (await (await visitor.ask(`${store.origin}/account/apps`)).text()).replaceAll('<!-- -->', '')

test('an authorized app acts for the person without a cookie, also at the specification’s addresses', async () => {
  const ada = await newcomer('Ada')
  const { access_token: token, page } = await connect(ada, 'account:read account:write')
  expect(page).toContain('Demo app asks for access')
  expect(page).toContain('See your details, vehicles, addresses and memberships')
  expect(page).not.toContain('Manage your company')
  const uid = ((await call(token, 'GET /user-details')).body as { uid: string }).uid
  expect(uid).toMatch(/^[\da-f-]{36}$/)
  for (const base of ['', '/api'] as const) {
    expect(
      await call(token, 'PUT /users/me/personalization', { base, body: { userLocationZip: '60614' } }),
    ).toMatchObject({ status: 200 })
    const session = await call(token, 'GET /users/session', { base })
    expect(session.body).toMatchObject({ userPersonalization: { userLocationZip: '60614' } })
    expect(session.headers.get('cache-control')).toBe('private, no-store')
  }
  const form = await fetch(`${store.origin}/users/me/history/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ label: 'x', path: '/x' }),
  })
  expect(form.status).toBe(201)
  // Publicly cacheable responses are not so for calls on behalf of someone.
  expect((await call(token, 'GET /places/60614')).headers.get('cache-control')).toBe('private, no-store')
  // Another person's cookies sent along are ignored.
  const lee = await sessionOf(store.origin, 'lee@example.com')
  expect((await call(token, 'GET /user-details', { headers: { cookie: lee } })).body).toEqual({ uid })
})

test('an app is limited to its scopes and can’t use owner-only operations', async () => {
  const bea = await newcomer('Bea')
  const { access_token: token } = await connect(bea, 'orders:read')
  expect((await call(token, 'GET /orders')).status).toBe(200)
  for (const [what, scope] of [
    ['GET /users/session', 'account:read'],
    ['DELETE /users/me/history/search', 'account:write'],
    ['POST /orders/claims', 'orders:write'],
    ['POST /cart', 'orders:write'],
    ['GET /company', 'company:read'],
  ] as const) {
    const refused = await call(token, what, what === 'POST /cart' ? { body: { lines: [] } } : {})
    expect(refused.status, what).toBe(403)
    expect(refused.body, what).toMatchObject({ code: 'Forbidden', data: { scope } })
    expect(refused.headers.get('www-authenticate')).toContain(`error="insufficient_scope", scope="${scope}"`)
  }
  // A request for more scopes requires consent only for the new ones.
  const all = await connect(bea, everything)
  expect(all.scope.split(' ').toSorted()).toEqual(everything.split(' ').toSorted())
  for (const what of [
    'DELETE /users/me?sure=yes',
    'GET /users/me/sessions',
    'DELETE /users/me/sessions',
    'DELETE /users/session',
    'GET /users/me/data',
    'GET /users/me/apps',
  ])
    expect(await call(all.access_token, what), what).toMatchObject({ status: 403, body: { code: 'Forbidden' } })
  expect((await call(all.access_token, 'GET /users/session')).status).toBe(200)
})

test('an app shops for the account with the cart key in a second header and account prices', async () => {
  const felix = createVisitor()
  await felix.follow(`${store.origin}/sign-in`, { form: { back: '/' } }).then(async ({ url, response }) =>
    felix.follow(new URL(await felix.formAction(response, '/login'), url), {
      form: { email: 'felix@example.com', password: 'sidewall-demo' },
    }),
  )
  const { access_token: token } = await connect(felix, 'orders:read orders:write')
  const made = await call(token, 'POST /cart', { body: { lines: [{ itemId, axle: 'all', quantity: 4 }] } })
  const { key } = made.body as { key: string }
  const unitOf = ({ body }: { body: { lines: { unitCents: number }[] } }) => body.lines[0]?.unitCents ?? 0
  const asFelix = await call(token, 'GET /cart', { headers: { 'x-authorization': `Bearer ${key}` } })
  const turned = await call(key, 'GET /cart', { headers: { 'x-authorization': `Bearer ${token}` } })
  const asNobody = await call(key, 'GET /cart')
  expect(asFelix.status).toBe(200)
  expect(turned.status).toBe(200)
  expect(unitOf(turned)).toEqual(unitOf(asFelix))
  expect(unitOf(asFelix)).toBeLessThan(unitOf(asNobody))
  expect((await call(token, 'GET /cart')).status).toBe(401)
})

test('an app with revoked access is rejected with old and new tokens until authorized again', async () => {
  const cleo = await newcomer('Cleo')
  const connected = await connect(cleo, 'account:read')
  expect((await call(connected.access_token, 'GET /user-details')).status).toBe(200)
  const listed = await read(cleo)
  expect(listed).toMatch(/Demo app<\/p>.*May: see your details, vehicles, addresses and memberships\./s)
  const [, appId = ''] = /value="([^"]+)"[^>]*name="revoke"/.exec(listed) ?? []

  // Other accounts cannot revoke it.
  const lee = await newcomer('Levi')
  expect((await lee.ask(`${store.origin}/account/apps`, { form: { revoke: appId } })).status).toBe(404)
  expect(await read(lee)).toContain('No app uses your account.')
  expect((await call(connected.access_token, 'GET /user-details')).status).toBe(200)

  const revoked = await cleo.ask(`${store.origin}/account/apps`, { form: { revoke: appId } })
  expect(appId).toMatch(/^[\da-f-]{36}$/)
  expect(revoked.status).toBe(200)
  expect(/<main.*<\/main>/s.exec(await revoked.text())?.[0]).toContain('Access revoked.')
  const renewed = await grantApp(connected.provider, {
    grant_type: 'refresh_token',
    refresh_token: connected.refresh_token,
  })
  const again = await connect(cleo, 'account:read')
  for (const { access_token: token } of [connected, renewed, again]) {
    const refused = await call(token, 'GET /user-details')
    expect(refused).toMatchObject({
      status: 401,
      body: { code: 'Unauthorized', message: expect.stringContaining('revoked this app’s access') as string },
    })
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect((await call(token, 'GET /places/60614')).status).toBe(401)
  }
  expect(await read(cleo)).toMatch(/<h2 id="revoked">.*Demo app/s)

  expect(await (await cleo.ask(`${store.origin}/account/apps`, { form: { allow: appId } })).text()).toContain(
    'can act for you again',
  )
  expect((await call(renewed.access_token, 'GET /user-details')).status).toBe(200)

  // The same over the API.
  const own = (what: string) => {
    const [method = '', path = ''] = what.split(' ')
    return fetch(`${store.origin}/api${path}`, {
      method,
      headers: { cookie: cleo.cookieFor(store.origin), origin: store.origin },
    })
  }
  expect(await (await own('GET /users/me/apps')).json()).toMatchObject([
    { id: appId, name: 'Demo app', scopes: ['account:read'], revokedAt: null },
  ])
  expect((await own(`DELETE /users/me/apps/${appId}/access`)).status).toBe(204)
  expect((await call(renewed.access_token, 'GET /user-details')).status).toBe(401)
  expect((await own(`PUT /users/me/apps/${appId}/access`)).status).toBe(204)
  expect((await call(renewed.access_token, 'GET /user-details')).status).toBe(200)
  expect((await own(`PUT /users/me/apps/${randomUUID()}/access`)).status).toBe(404)
})

test('rejects all other access tokens', async () => {
  const dora = await newcomer('Dora')
  const { access_token: token, id_token: idToken, provider } = await connect(dora, 'account:read')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const changed = (from: object) =>
    Buffer.from(
      JSON.stringify({ ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object), ...from }),
    ).toString('base64url')
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
  const others: [what: string, token: string][] = [
    ['an ID token', idToken],
    ['one with more scopes', `${head}.${changed({ scope: everything })}.${signature}`],
    ['one of another person', `${head}.${changed({ sub: 'person_1' })}.${signature}`],
    ['one without a signature', `${unsigned}.${claims}.`],
    ['one that says it has none', `${unsigned}.${claims}.${signature}`],
    ['a word', 'nothing'],
    ['three words', 'a.b.c'],
    ['a very long one', `${head}.${'a'.repeat(9_000)}.${signature}`],
  ]
  for (const [what, other] of others)
    expect(await call(other, 'GET /user-details'), what).toMatchObject({ status: 401, body: { code: 'Unauthorized' } })
  expect((await call(token, 'GET /user-details')).status).toBe(200)
  // A token for the API is not valid at the sign-in service, and tokens for another API are not issued.
  expect((await fetch(provider.userinfo_endpoint, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
  expect(
    (
      await authorizeApp(store.origin, await newcomer('Dele'), 'account:read', {
        resource: 'https://elsewhere.example/api',
      })
    ).query.get('error'),
  ).toBe('invalid_target')
})

test('declining grants no access and asks again, and a new visitor has no account to act for', async () => {
  const eva = await newcomer('Eva')
  const declined = await authorizeApp(store.origin, eva, 'account:read', { press: '/abort' })
  expect(declined.query.get('error')).toBe('access_denied')
  expect(declined.query.get('code')).toBeNull()
  expect(declined.query.get('state')).toBe('a-state')
  expect(await read(eva)).toContain('No app uses your account.')

  const noa = await newcomer('Faye')
  const connected = await connect(noa, 'account:read')
  const left = await fetch(`${store.origin}/api/users/me?sure=yes`, {
    method: 'DELETE',
    headers: { cookie: noa.cookieFor(store.origin), origin: store.origin },
  })
  expect(left.status).toBe(200)
  expect(await call(connected.access_token, 'GET /user-details')).toMatchObject({
    status: 401,
    body: { message: expect.stringContaining('no account here') as string },
  })
})

test('the document names the token issuer and the scope each call needs', async () => {
  const { metadata } = await discover(store.origin)
  expect(metadata).toMatchObject({ resource: `${store.origin}/api`, scopes_supported: everything.split(' ') })
  const document = (await (await fetch(`${store.origin}/api/openapi.json`)).json()) as {
    info: { description: string }
    paths: Record<string, Record<string, { security: Record<string, string[]>[] }>>
    components: { securitySchemes: Record<string, { openIdConnectUrl?: string }> }
  }
  expect(document.components.securitySchemes['accessToken']?.openIdConnectUrl).toBe(
    `${metadata.authorization_servers[0]}/.well-known/openid-configuration`,
  )
  expect(document.paths['/users/session']?.['get']?.security).toContainEqual({ accessToken: ['account:read'] })
  expect(document.paths['/cart/lines']?.['post']?.security).toContainEqual({
    cartKey: [],
    accessToken: ['orders:write'],
  })
  expect(document.paths['/users/me']?.['delete']?.security).toEqual([{ session: [] }])
  expect(document.info.description).toContain('To act for an account')
})
