/** Tests the credentials and one-time codes of one-tap sign-in at the identity provider, and what they prove. */
import { expect, test } from 'vitest'
import { startTestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createVisitor } from '#tests/support/visitor.ts'
import { providerAt, request, openRequest, isLanding, signIn, completed, clickOneTap, codeFor } from './oidc.testing.ts'

const [port = 0] = await freePorts(3)
test('one tap: a credential is exchanged for a code, and the code for one sign-in without a form', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const code = await codeFor(provider, await clickOneTap(sandbox))
  const begun = await provider.begin({ ...request, oneTapCode: code })
  const url = new URL(begun.ok ? begun.value : '')
  expect(url.pathname).toBe('/identity/verify-google-token')
  expect(url.searchParams.get('jwt_token')).toBe(code)
  const landed = await createVisitor().follow(url, { stops: isLanding })
  expect(await provider.complete(landed.url.searchParams, request)).toMatchObject({
    ok: true,
    value: { person: { email: 'dana@example.com' } },
  })
  expect((await createVisitor().follow(url, { stops: isLanding })).url.pathname).toMatch(/\/login$/)
})

test('One Tap signs in its own account, not the account already signed in at the provider', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const visitor = createVisitor()
  await completed(provider, visitor, 'lee@example.com')
  const begun = await provider.begin({ ...request, oneTapCode: await codeFor(provider, await clickOneTap(sandbox)) })
  // The provider first signs the other person out, with a self-submitting form.
  const { url, response } = await visitor.follow(begun.ok ? begun.value : '', { stops: isLanding })
  const html = await response.text()
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const landed = await visitor.follow(new URL(/action="([^"]+)"/.exec(html)?.[1] ?? '', url), {
    form: { xsrf, logout: 'yes' },
    stops: isLanding,
  })
  expect(await provider.complete(landed.url.searchParams, request)).toMatchObject({
    ok: true,
    value: { person: { email: 'dana@example.com' } },
  })
})

test('a one-time code is valid for a minute', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const begun = await provider.begin({ ...request, oneTapCode: await codeFor(provider, await clickOneTap(sandbox)) })
  await sandbox.pass({ seconds: 60 })
  expect((await createVisitor().follow(begun.ok ? begun.value : '', { stops: isLanding })).url.pathname).toMatch(
    /\/login$/,
  )
})

test('a modified, expired or malformed credential is declined', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const credential = await clickOneTap(sandbox)
  const [head = '', body = '', signature = ''] = credential.split('.')
  const lee = Buffer.from(Buffer.from(body, 'base64url').toString().replace('dana@', 'lee@')).toString('base64url')
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  for (const wrong of [
    '',
    'x.y.z',
    `${head}.${lee}.${signature}`,
    `${unsigned}.${body}.`,
    (await clickOneTap(sandbox, 'lee@example.com')).replace(/\.[^.]+$/, `.${signature}`),
  ])
    expect(await provider.oneTap?.exchange(wrong)).toMatchObject({ ok: false, reason: 'declined' })
  await sandbox.pass({ seconds: 301 })
  expect(await provider.oneTap?.exchange(credential)).toMatchObject({ ok: false, reason: 'declined' })
  const stranger = providerAt(sandbox, { clientSecret: 'wrong' })
  expect(await stranger.oneTap?.exchange(await clickOneTap(sandbox))).toMatchObject({
    ok: false,
    reason: 'unavailable',
  })
})

test('one tap verifies the email, and invalidates a password set for it earlier by someone else', async () => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  await signIn(provider, createVisitor(), 'lee@example.com')
  await codeFor(provider, await clickOneTap(sandbox, 'lee@example.com'))
  const visitor = createVisitor()
  const { url, response } = await openRequest(provider, visitor)
  const refused = await visitor.ask(new URL(await visitor.formAction(response, '/login'), url), {
    form: { email: 'lee@example.com', password: 'sidewall-demo' },
  })
  expect(refused.status).toBe(422)
})
