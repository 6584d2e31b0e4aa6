/** Signing in over OpenID Connect. */
import { join } from 'node:path'
import { calculatePKCECodeChallenge } from 'openid-client'
import { expect, test } from 'vitest'
import type { IdentityProvider, Tokens } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { startTestSandbox, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'
import { providerAt, request, openRequest, isLanding, signIn, completed, clickOneTap, codeFor } from './oidc.testing.ts'

const [port = 0] = await freePorts(3)

test('the request carries the values of the specification, and PKCE', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const begun = await provider.begin(request)
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
  const dealer = await provider.begin({ ...request, isDealer: true })
  expect(new URL(dealer.ok ? dealer.value : '').searchParams.get('isDealer')).toBe('true')
  expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  expect(url.href).not.toContain(request.codeVerifier)
})

test('signing in returns a code that can be exchanged once for the person and their tokens', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const query = await signIn(provider, createVisitor())
  expect(query.get('state')).toBe(request.state)
  const answer = await provider.complete(query, request)
  expect(answer).toMatchObject({
    ok: true,
    value: { person: { email: 'dana@example.com', isEmailVerified: true, name: 'Dana Ruiz' } },
  })
  expect(answer.ok && answer.value.tokens).toMatchObject({
    access: expect.any(String),
    refresh: expect.any(String),
    id: expect.any(String),
  })
  expect(await provider.complete(query, request)).toMatchObject({ ok: false, reason: 'not-ours' })
})

test.for([
  ['another state', { state: 'x'.repeat(32) }],
  ['another nonce', { nonce: 'x'.repeat(43) }],
  ['another verifier', { codeVerifier: 'x'.repeat(43) }],
] as const)('a response with %s is rejected', async ([, change]) => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const query = await signIn(provider, createVisitor())
  expect(await provider.complete(query, { ...request, ...change })).toMatchObject({ ok: false, reason: 'not-ours' })
})

test('going back means declining', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const visitor = createVisitor()
  const { url, response } = await openRequest(provider, visitor)
  const landed = await visitor.follow(new URL(await visitor.formAction(response, '/abort'), url), {
    form: {},
    stops: isLanding,
  })
  expect(await provider.complete(landed.url.searchParams, request)).toMatchObject({ ok: false, reason: 'declined' })
})

test('an unverified email is reported as unverified', async () => {
  await using sandbox = await startTestSandbox(port)
  const { person } = await completed(providerAt(sandbox), createVisitor(), 'lee@example.com')
  expect(person).toMatchObject({ email: 'lee@example.com', isEmailVerified: false })
})

test('tokens are renewed, and the old refresh token then stops working', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const { person, tokens } = await completed(provider, createVisitor())
  const renewed = await provider.refresh(tokens.refresh ?? '')
  expect(renewed).toMatchObject({ ok: true })
  if (!renewed.ok) return
  expect(renewed.value.access).not.toBe(tokens.access)
  expect(await provider.readPerson(renewed.value.access, person.subject)).toMatchObject({
    ok: true,
    value: { name: 'Dana Ruiz' },
  })
  expect(await provider.refresh(tokens.refresh ?? '')).toMatchObject({ ok: false, reason: 'ended' })
})

test('an unknown token is unauthorized, and so are revoked ones', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  expect(await provider.readPerson('nonsense', 'nobody')).toMatchObject({ ok: false, reason: 'unauthorized' })
  const { person, tokens } = await completed(provider, createVisitor())
  await provider.forget(tokens)
  expect(await provider.readPerson(tokens.access, person.subject)).toMatchObject({ ok: false, reason: 'unauthorized' })
  expect(await provider.refresh(tokens.refresh ?? '')).toMatchObject({ ok: false, reason: 'ended' })
})

test('registration collects name, email, and password, sends the verification email, and signs in', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const visitor = createVisitor()
  const { url, response } = await openRequest(provider, visitor, { action: 'register' })
  expect(url.pathname).toMatch(/\/register$/)
  const action = new URL(await visitor.formAction(response, '/register'), url)
  const empty = await visitor.ask(action, { form: { name: '', email: 'x', password: 'short' } })
  expect(empty.status).toBe(422)
  expect(await empty.text()).toContain('Please enter a valid email')
  const landed = await visitor.follow(action, {
    form: { name: 'Ann Smith', email: 'Ann@Example.com', password: 'ten letters' },
    stops: isLanding,
  })
  const answer = await provider.complete(landed.url.searchParams, request)
  expect(answer).toMatchObject({
    ok: true,
    value: { person: { email: 'ann@example.com', isEmailVerified: false, name: 'Ann Smith' } },
  })
  if (!answer.ok) return
  const mail = (await (await fetch(`${sandbox.origin}/mailbox.json?to=ann@example.com`)).json()) as {
    messages: { text: string }[]
  }
  const link = /http\S+verify-email\S+/.exec(mail.messages[0]?.text ?? '')?.[0] ?? ''
  expect((await visitor.ask(link)).status).toBe(200)
  expect(await provider.readPerson(answer.value.tokens.access, answer.value.person.subject)).toMatchObject({
    value: { isEmailVerified: true },
  })
})

test('a wrong password and an unknown email get the same response, and too many attempts are refused', async () => {
  await using sandbox = await startTestSandbox(port)
  const visitor = createVisitor()
  const { url, response } = await openRequest(providerAt(sandbox), visitor)
  const action = new URL(await visitor.formAction(response, '/login'), url)
  const say = async (email: string, password = 'wrong password') => {
    const answer = await visitor.ask(action, { form: { email, password } })
    return [answer.status, (await answer.text()).replaceAll(email, '')] as const
  }
  // Doesn't use Dana, whose email the page suggests.
  expect(await say('lee@example.com')).toEqual(await say('nobody@example.com'))
  for (let count = 0; count < 7; count += 1) await say('lee@example.com')
  expect((await say('lee@example.com', 'sidewall-demo'))[0]).toBe(429)
})

test('signing out at the provider returns to the store, and the next sign-in requires the password', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const visitor = createVisitor()
  const { tokens } = await completed(provider, visitor)
  // Still signed in at the provider, so the form isn't shown.
  expect(isLanding((await visitor.follow(await began(provider), { stops: isLanding })).url)).toBe(true)
  const out = await provider.signOutUrl(tokens.id ?? '', `${sandbox.storeOrigin}/`)
  const { url, response } = await visitor.follow(out ?? '')
  const html = await response.text()
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const action = new URL(/action="([^"]+)"/.exec(html)?.[1] ?? '', url)
  const back = await visitor.follow(action, {
    form: { xsrf, logout: 'yes' },
    stops: ({ origin }) => origin === sandbox.storeOrigin,
  })
  expect(back.url.href).toBe(`${sandbox.storeOrigin}/`)
  expect((await visitor.follow(await began(provider))).url.pathname).toMatch(/\/login$/)
})

async function began(provider: IdentityProvider): Promise<string> {
  const begun = await provider.begin(request)
  return begun.ok ? begun.value : ''
}

test('profile and password are changed at the provider, which redirects back to the store and nowhere else', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const visitor = createVisitor()
  const profile = provider.profilePage('edit-profile', `${sandbox.storeOrigin}/account?changed`) ?? ''
  expect((await visitor.ask(profile)).status).toBe(401)
  const { person, tokens } = await completed(provider, visitor)
  const saved = await visitor.ask(profile, { form: { name: 'Dana R.' } })
  expect(saved.headers.get('location')).toBe(`${sandbox.storeOrigin}/account?changed`)
  expect(await provider.readPerson(tokens.access, person.subject)).toMatchObject({ value: { name: 'Dana R.' } })
  const elsewhere = await visitor.ask(
    profile.replace(encodeURIComponent(sandbox.storeOrigin), encodeURIComponent('https://evil.test')),
    {
      form: { name: 'D' },
    },
  )
  expect(elsewhere.headers.get('location')).toBe(`${sandbox.storeOrigin}/account`)

  const password = provider.profilePage('change-password', `${sandbox.storeOrigin}/account`) ?? ''
  expect((await visitor.ask(password, { form: { current: 'wrong', password: 'another one 1' } })).status).toBe(422)
  expect((await visitor.ask(password, { form: { current: 'sidewall-demo', password: 'another one 1' } })).status).toBe(
    303,
  )
  expect((await signIn(provider, createVisitor(), 'dana@example.com', 'another one 1')).get('code')).not.toBeNull()
})

test('requests Keycloak pages with Keycloak’s parameters', async () => {
  await using sandbox = await startTestSandbox(port)
  const keycloak = 'https://id.example/realms/store'
  const provider = providerAt(sandbox, {
    editProfileUrl: `${keycloak}/account/#/personal-info`,
    changePasswordUrl: `${keycloak}/protocol/openid-connect/auth?kc_action=UPDATE_PASSWORD`,
    securityUrl: `${keycloak}/account/#/account-security/signing-in`,
  })
  const back = `${sandbox.storeOrigin}/account?changed=1`
  const asked = (kind: 'edit-profile' | 'change-password' | 'security') => {
    const { origin, pathname, hash, searchParams } = new URL(provider.profilePage(kind, back) ?? '')
    return { page: `${origin}${pathname}${hash}`, ...Object.fromEntries(searchParams) }
  }
  expect(asked('change-password')).toEqual({
    page: `${keycloak}/protocol/openid-connect/auth`,
    kc_action: 'UPDATE_PASSWORD',
    response_type: 'none',
    scope: 'openid',
    client_id: 'sidewall',
    redirect_uri: back,
  })
  expect(asked('security')).toMatchObject({
    page: `${keycloak}/account/#/account-security/signing-in`,
    referrer_uri: back,
  })
  expect(asked('edit-profile')).toEqual({
    page: `${keycloak}/account/#/personal-info`,
    referrer: 'sidewall',
    referrer_uri: back,
    client_id: 'sidewall',
    redirect_uri: back,
  })
})

test('a provider that rejects the client is unavailable, which is logged without secrets', async () => {
  await using sandbox = await startTestSandbox(port)
  const query = await signIn(providerAt(sandbox), createVisitor())
  const told: string[] = []
  const stranger = providerAt(sandbox, {
    clientSecret: 'not the secret',
    log: { warn: (...said: unknown[]) => void told.push(JSON.stringify(said)) },
  })
  expect(await stranger.complete(query, request)).toMatchObject({ ok: false, reason: 'unavailable' })
  expect(told.join()).toContain('invalid_client')
  for (const secret of ['not the secret', query.get('code') ?? '', request.codeVerifier])
    expect(told.join()).not.toContain(secret)
})

test('while one secret replaces another the provider takes both, to sign in, to renew and for one tap', async () => {
  const [old, next] = ['the old secret', 'the next secret'] as const
  await using sandbox = await startTestSandbox(port, { identityClientSecret: [old, next] })
  for (const clientSecret of [old, next]) {
    const provider = providerAt(sandbox, { clientSecret })
    const { tokens } = await completed(provider, createVisitor())
    expect(await provider.refresh(tokens.refresh ?? '')).toMatchObject({ ok: true })
    expect(await codeFor(provider, await clickOneTap(sandbox))).not.toBe('')
  }
  const stranger = providerAt(sandbox, { clientSecret: `${old},${next}`, log: { warn: () => {} } })
  expect(await stranger.complete(await signIn(stranger, createVisitor()), request)).toMatchObject({ ok: false })
  expect(await codeFor(stranger, await clickOneTap(sandbox))).toBe('')
})

test('people, sign-ins and tokens survive a restart of the sandbox', async () => {
  await using folder = await createTemporaryFolder()
  const dataFile = join(folder.path, 'sandbox.sqlite')
  const visitor = createVisitor()
  let tokens: Tokens
  {
    await using sandbox = await startTestSandbox(port, { dataFile })
    tokens = (await completed(providerAt(sandbox), visitor)).tokens
  }
  await using sandbox = await startTestSandbox(port, { dataFile })
  const provider = providerAt(sandbox)
  expect(await provider.refresh(tokens.refresh ?? '')).toMatchObject({ ok: true })
  expect(isLanding((await visitor.follow(await began(provider), { stops: isLanding })).url)).toBe(true)
})

test('a provider that is down is unavailable, and is tried again next time', async () => {
  const origin = `http://127.0.0.1:${port}`
  const provider = providerAt({ origin, storeOrigin: `http://127.0.0.1:${port + 2}` })
  expect(await provider.begin(request)).toMatchObject({ ok: false, reason: 'unavailable' })
  await using sandbox = await startTestSandbox(port)
  expect(await provider.begin(request)).toMatchObject({ ok: true })
  expect(sandbox.origin).toBe(origin)
})

/** Signs in as Dana and grants the demo app access to orders. Returns the app's tokens. */
async function connectApp(sandbox: TestSandbox, visitor: Visitor) {
  const issuer = `${sandbox.origin}/identity`
  const url = new URL(`${issuer}/authorize-client`)
  const verifier = 'v'.repeat(43)
  const redirect = { client_id: 'sidewall-demo-app', redirect_uri: 'http://127.0.0.1:5/callback' }
  const asks = {
    ...redirect,
    response_type: 'code',
    scope: 'openid orders:read',
    resource: `${sandbox.storeOrigin}/api`,
  }
  url.search = new URLSearchParams({
    ...asks,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  const signInPage = await visitor.follow(url)
  const signInAction = await visitor.formAction(signInPage.response, '/login')
  const consent = await visitor.follow(new URL(signInAction, signInPage.url), {
    form: { email: 'dana@example.com', password: 'sidewall-demo' },
  })
  const consentAction = await visitor.formAction(consent.response, '/consent')
  const landed = await visitor.follow(new URL(consentAction, consent.url), {
    form: {},
    stops: ({ port: at }) => at === '5',
  })
  const code = landed.url.searchParams.get('code') ?? ''
  const body = new URLSearchParams({ ...redirect, grant_type: 'authorization_code', code, code_verifier: verifier })
  const granted = await fetch(`${issuer}/token`, { method: 'POST', body })
  return (await granted.json()) as { access_token: string; id_token: string }
}

test('an app’s API token identifies account, app and scopes; no other token is accepted', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const tokens = await connectApp(sandbox, createVisitor())
  const { person, tokens: own } = await completed(provider, createVisitor())
  expect(await provider.readAccessToken(tokens.access_token, 'api')).toEqual({
    ok: true,
    value: { subject: person.subject, clientId: 'sidewall-demo-app', clientName: 'Demo app', scopes: ['orders:read'] },
  })
  const refused = { ok: false, reason: 'not-accepted' }
  for (const other of [tokens.id_token, own.access, own.id ?? '', 'a.b.c', `${tokens.access_token}x`])
    expect(await provider.readAccessToken(other, 'api')).toMatchObject(refused)
  expect(await provider.readAccessToken(tokens.access_token, 'mcp'), 'one for the other door').toMatchObject(refused)
  const away = providerAt(sandbox, { issuer: `http://127.0.0.1:${port + 2}/identity` })
  expect(await away.readAccessToken(tokens.access_token, 'api')).toMatchObject({ ok: false, reason: 'unavailable' })
})

test('a maximum sign-in age returns the sign-in time and requires the password if it is too old', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const visitor = createVisitor()
  await signIn(provider, visitor)
  const asked = { ...request, maxAgeSeconds: 600 }
  // The provider recognizes the session and redirects back immediately.
  const begun = await provider.begin(asked)
  const back = await visitor.follow(begun.ok ? begun.value : '', { stops: isLanding })
  const answer = await provider.complete(back.url.searchParams, asked)
  const at = answer.ok ? answer.value.authenticatedAt : null
  expect(Math.abs((at?.epochMilliseconds ?? 0) - Date.now())).toBeLessThan(60_000)
  // Unless it is to ask in any case.
  const again = await openRequest(provider, visitor, { ...asked, mustReauthenticate: true })
  expect(again.url.pathname).toMatch(/\/login$/)
})

test('rejects a response without a sign-in time if one was requested', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const query = await signIn(provider, createVisitor())
  expect(await provider.complete(query, { ...request, maxAgeSeconds: 600 })).toMatchObject({ reason: 'not-ours' })
})
