import { expect, test } from 'vitest'
import type { IdentityProvider, SignInRequest } from '#domain/accounts/identity-provider.port.ts'
import { startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'
import { createOidcProvider } from './oidc.ts'

const port = 7190

function providerAt(sandbox: Pick<TestSandbox, 'origin' | 'storeOrigin'>): IdentityProvider {
  const issuer = `${sandbox.origin}/identity`
  return createOidcProvider({
    issuer,
    clientId: 'sidewall',
    clientSecret: testSecrets.identityClientSecret,
    scope: 'openid email profile',
    landingUrl: `${sandbox.storeOrigin}/api/sso-landing`,
    editProfileUrl: `${issuer}/edit-profile`,
    changePasswordUrl: `${issuer}/change-password`,
  })
}

const request: SignInRequest = {
  action: 'login',
  state: 'abcdefghijklmnopqrstuvwxyz012345',
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
  sessionId: 's-1',
  anonymousId: 'a-1',
}

/** The page at the provider that a request leads to. */
async function openRequest(provider: IdentityProvider, visitor: Visitor, change: Partial<SignInRequest> = {}) {
  const begun = await provider.begin({ ...request, ...change })
  if (!begun.ok) throw new Error(begun.reason, { cause: begun.cause })
  return visitor.follow(begun.value)
}

const isLanding = (url: URL) => url.pathname === '/api/sso-landing'

/** Signs in, and answers with what the store's landing is asked with. */
async function signIn(provider: IdentityProvider, visitor: Visitor, email = 'dana@example.com', password = 'sidewall-demo'): Promise<URLSearchParams> {
  const { url, response } = await openRequest(provider, visitor)
  const action = await visitor.formAction(response, '/login')
  const landed = await visitor.follow(new URL(action, url), { form: { email, password }, stops: isLanding })
  return landed.url.searchParams
}

async function completed(provider: IdentityProvider, visitor: Visitor, email?: string) {
  const answer = await provider.complete(await signIn(provider, visitor, email), request)
  if (!answer.ok) throw new Error(answer.reason, { cause: answer.cause })
  return answer.value
}

test('the request carries the values of the specification, and PKCE', async () => {
  await using sandbox = await startTestSandbox(port)
  const begun = await providerAt(sandbox).begin(request)
  const url = new URL(begun.ok ? begun.value : '')
  expect(url.pathname).toBe('/identity/authorize-client')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'sidewall',
    redirect_uri: `${sandbox.storeOrigin}/api/sso-landing`,
    state: request.state,
    approval_prompt: 'auto',
    action: 'login',
    sessionId: 's-1',
    anonymous_id: 'a-1',
    partner_integration: 'false',
    isDealer: 'false',
    accountTypeCompany: 'none',
    code_challenge_method: 'S256',
  })
  expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  expect(url.href).not.toContain(request.codeVerifier)
})

test('who signs in comes back with a code that is worth the person and their tokens, once', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const query = await signIn(provider, createVisitor())
  expect(query.get('state')).toBe(request.state)
  const answer = await provider.complete(query, request)
  expect(answer).toMatchObject({ ok: true, value: { person: { email: 'dana@example.com', isEmailVerified: true, name: 'Dana Ruiz' } } })
  expect(answer.ok && answer.value.tokens).toMatchObject({ access: expect.any(String), refresh: expect.any(String), id: expect.any(String) })
  expect(await provider.complete(query, request)).toMatchObject({ ok: false, reason: 'not-ours' })
})

test.for([
  ['another state', { state: 'x'.repeat(32) }],
  ['another nonce', { nonce: 'x'.repeat(43) }],
  ['another verifier', { codeVerifier: 'x'.repeat(43) }],
] as const)('an answer with %s is not ours', async ([, change]) => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const query = await signIn(provider, createVisitor())
  expect(await provider.complete(query, { ...request, ...change })).toMatchObject({ ok: false, reason: 'not-ours' })
})

test('who goes back has declined', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const visitor = createVisitor()
  const { url, response } = await openRequest(provider, visitor)
  const landed = await visitor.follow(new URL(await visitor.formAction(response, '/abort'), url), { form: {}, stops: isLanding })
  expect(await provider.complete(landed.url.searchParams, request)).toMatchObject({ ok: false, reason: 'declined' })
})

test('an unverified email is told as such', async () => {
  await using sandbox = await startTestSandbox(port)
  const { person } = await completed(providerAt(sandbox), createVisitor(), 'lee@example.com')
  expect(person).toMatchObject({ email: 'lee@example.com', isEmailVerified: false })
})

test('tokens are renewed, and the old refresh token is then worth nothing', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const { person, tokens } = await completed(provider, createVisitor())
  const renewed = await provider.refresh(tokens.refresh ?? '')
  expect(renewed).toMatchObject({ ok: true })
  if (!renewed.ok) return
  expect(renewed.value.access).not.toBe(tokens.access)
  expect(await provider.readPerson(renewed.value.access, person.subject)).toMatchObject({ ok: true, value: { name: 'Dana Ruiz' } })
  expect(await provider.refresh(tokens.refresh ?? '')).toMatchObject({ ok: false, reason: 'ended' })
})

test('a token that the provider does not know is unauthorized, and so are those it was told to forget', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  expect(await provider.readPerson('nonsense', 'nobody')).toMatchObject({ ok: false, reason: 'unauthorized' })
  const { person, tokens } = await completed(provider, createVisitor())
  await provider.forget(tokens)
  expect(await provider.readPerson(tokens.access, person.subject)).toMatchObject({ ok: false, reason: 'unauthorized' })
  expect(await provider.refresh(tokens.refresh ?? '')).toMatchObject({ ok: false, reason: 'ended' })
})

test('registering asks for a name, an email and a password, sends the mail that verifies the address, and comes back signed in', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const visitor = createVisitor()
  const { url, response } = await openRequest(provider, visitor, { action: 'register' })
  expect(url.pathname).toMatch(/\/register$/)
  const action = new URL(await visitor.formAction(response, '/register'), url)
  const empty = await visitor.ask(action, { form: { name: '', email: 'x', password: 'short' } })
  expect(empty.status).toBe(422)
  expect(await empty.text()).toContain('Please enter a valid email')
  const landed = await visitor.follow(action, { form: { name: 'Ann Smith', email: 'Ann@Example.com', password: 'ten letters' }, stops: isLanding })
  const answer = await provider.complete(landed.url.searchParams, request)
  expect(answer).toMatchObject({ ok: true, value: { person: { email: 'ann@example.com', isEmailVerified: false, name: 'Ann Smith' } } })
  if (!answer.ok) return
  const mail = (await (await fetch(`${sandbox.origin}/mailbox.json?to=ann@example.com`)).json()) as { messages: { text: string }[] }
  const link = /http\S+verify-email\S+/.exec(mail.messages[0]?.text ?? '')?.[0] ?? ''
  expect((await visitor.ask(link)).status).toBe(200)
  expect(await provider.readPerson(answer.value.tokens.access, answer.value.person.subject)).toMatchObject({ value: { isEmailVerified: true } })
})

test('a wrong password and an unknown email get the same answer, and too many tries are refused', async () => {
  await using sandbox = await startTestSandbox(port)
  const visitor = createVisitor()
  const { url, response } = await openRequest(providerAt(sandbox), visitor)
  const action = new URL(await visitor.formAction(response, '/login'), url)
  const say = async (email: string, password = 'wrong password') => {
    const answer = await visitor.ask(action, { form: { email, password } })
    return [answer.status, (await answer.text()).replaceAll(email, '')] as const
  }
  expect(await say('dana@example.com')).toEqual(await say('nobody@example.com'))
  for (let count = 0; count < 7; count += 1) await say('dana@example.com')
  expect((await say('dana@example.com', 'sidewall-demo'))[0]).toBe(429)
})

test('signing out at the provider leads back to the store, and the next request asks for the password again', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const visitor = createVisitor()
  const { tokens } = await completed(provider, visitor)
  // Still signed in there: no form in between.
  expect(isLanding((await visitor.follow(await began(provider), { stops: isLanding })).url)).toBe(true)
  const out = await provider.signOutUrl(tokens.id ?? '', `${sandbox.storeOrigin}/`)
  const { url, response } = await visitor.follow(out ?? '')
  const html = await response.text()
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const action = new URL(/action="([^"]+)"/.exec(html)?.[1] ?? '', url)
  const back = await visitor.follow(action, { form: { xsrf, logout: 'yes' }, stops: ({ origin }) => origin === sandbox.storeOrigin })
  expect(back.url.href).toBe(`${sandbox.storeOrigin}/`)
  expect((await visitor.follow(await began(provider))).url.pathname).toMatch(/\/login$/)
})

async function began(provider: IdentityProvider): Promise<string> {
  const begun = await provider.begin(request)
  return begun.ok ? begun.value : ''
}

test('the profile and the password are changed at the provider, which leads back to the store and to nowhere else', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const visitor = createVisitor()
  const profile = provider.profilePage('edit-profile', `${sandbox.storeOrigin}/account?changed`) ?? ''
  expect((await visitor.ask(profile)).status).toBe(401)
  const { person, tokens } = await completed(provider, visitor)
  const saved = await visitor.ask(profile, { form: { name: 'Dana R.' } })
  expect(saved.headers.get('location')).toBe(`${sandbox.storeOrigin}/account?changed`)
  expect(await provider.readPerson(tokens.access, person.subject)).toMatchObject({ value: { name: 'Dana R.' } })
  const elsewhere = await visitor.ask(profile.replace(encodeURIComponent(sandbox.storeOrigin), encodeURIComponent('https://evil.test')), {
    form: { name: 'D' },
  })
  expect(elsewhere.headers.get('location')).toBe(`${sandbox.storeOrigin}/account`)

  const password = provider.profilePage('change-password', `${sandbox.storeOrigin}/account`) ?? ''
  expect((await visitor.ask(password, { form: { current: 'wrong', password: 'another one 1' } })).status).toBe(422)
  expect((await visitor.ask(password, { form: { current: 'sidewall-demo', password: 'another one 1' } })).status).toBe(303)
  expect((await signIn(provider, createVisitor(), 'dana@example.com', 'another one 1')).get('code')).not.toBeNull()
})

test('a provider that is away is unavailable, and asked again the next time', async () => {
  const origin = `http://127.0.0.1:${port}`
  const provider = providerAt({ origin, storeOrigin: `http://127.0.0.1:${port + 2}` })
  expect(await provider.begin(request)).toMatchObject({ ok: false, reason: 'unavailable' })
  await using sandbox = await startTestSandbox(port)
  expect(await provider.begin(request)).toMatchObject({ ok: true })
  expect(sandbox.origin).toBe(origin)
})
