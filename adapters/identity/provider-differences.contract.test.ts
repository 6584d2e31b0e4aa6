/** Signing in at providers that differ from the sandbox's, or lie, over HTTP. */
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import type { SignInRequest } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { createOidcProvider, type OidcConfig } from './oidc.ts'

const clientSecret = 'a secret: with/special+characters'
const request: SignInRequest = {
  action: 'login',
  state: 's'.repeat(32),
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
  sessionId: 's-1',
  anonymousId: 'a-1',
}

type Behavior = {
  /** Added to the ID token. */
  claims?: Record<string, unknown>
  /** The userinfo response, or the status of an error; undefined for a provider without userinfo. */
  userInfo?: Record<string, unknown> | number
  /** Added to the provider's metadata. */
  metadata?: Record<string, unknown>
  /** Whether the token endpoint accepts this way of sending the secret. */
  accepts?: 'client_secret_basic' | 'client_secret_post'
}

/** Starts a provider whose only person is `subject`. It accepts every code. */
async function startProvider({ claims = {}, userInfo, metadata = {}, accepts }: Behavior) {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const warnings: string[] = []
  let origin = ''

  async function tokens(asked: IncomingMessage) {
    const form = new URLSearchParams(await text(asked))
    const [, encoded = ''] = /^Basic (.+)$/.exec(asked.headers.authorization ?? '') ?? []
    const inHeader = Buffer.from(encoded, 'base64')
      .toString()
      .split(':')
      .map((part) => new URLSearchParams(`x=${part}`).get('x'))
    const given = { client_secret_basic: inHeader[1], client_secret_post: form.get('client_secret') }
    if (accepts !== undefined && given[accepts] !== clientSecret) return { error: 'invalid_client' }
    const idToken = await new SignJWT({ nonce: request.nonce, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuer(origin)
      .setAudience('store')
      .setSubject('subject')
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(privateKey)
    return { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: idToken }
  }

  async function answerTo(asked: IncomingMessage): Promise<Record<string, unknown> | number> {
    switch (asked.url) {
      case '/.well-known/openid-configuration':
        return {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          jwks_uri: `${origin}/keys`,
          ...(userInfo !== undefined && { userinfo_endpoint: `${origin}/userinfo` }),
          ...metadata,
        }
      case '/keys':
        return { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] }
      case '/token':
        return tokens(asked)
      case '/userinfo':
        return typeof userInfo === 'object' ? { sub: 'subject', ...userInfo } : (userInfo ?? 404)
      default:
        return 404
    }
  }

  const server = createServer((asked, response) => {
    void answerTo(asked).then((answer) => {
      const status = typeof answer === 'number' ? answer : 'error' in answer ? 401 : 200
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof answer === 'number' ? '{}' : JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

  const provider = (change: Partial<OidcConfig> = {}) =>
    createOidcProvider({
      issuer: origin,
      clientId: 'store',
      clientSecret,
      scope: 'openid email profile',
      landingUrl: 'https://store.example/api/sso-landing',
      resources: {
        api: 'https://store.example/api',
        mcp: 'https://store.example/mcp',
        ucp: 'https://store.example',
        admin: 'https://store.example/api/admin',
      },
      editProfileUrl: null,
      changePasswordUrl: null,
      securityUrl: null,
      oneTap: null,
      approvalPrompt: null,
      assumeEmailVerified: false,
      secondFactorContexts: [],
      log: { warn: (...said: unknown[]) => void warnings.push(JSON.stringify(said)) },
      ...change,
    })
  return {
    provider,
    warnings,
    complete: (change?: Partial<OidcConfig>) =>
      provider(change).complete(new URLSearchParams({ code: 'code', state: request.state }), request),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const victim = 'owner@example.com'

test('a flag of the ID token does not verify the email of userinfo', async () => {
  await using liar = await startProvider({ claims: { email_verified: true }, userInfo: { email: victim } })
  expect(await liar.complete()).toMatchObject({ value: { person: { email: victim, isEmailVerified: false } } })
})

test('a flag of userinfo does not verify the email of the ID token', async () => {
  await using liar = await startProvider({ claims: { email: victim }, userInfo: { email_verified: true } })
  expect(await liar.complete()).toMatchObject({ value: { person: { email: victim, isEmailVerified: false } } })
})

test('takes the email and its flag from the ID token, which is signed, where both sources have both', async () => {
  await using liar = await startProvider({
    claims: { email: 'mallory@example.com', email_verified: true },
    userInfo: { email: victim, email_verified: false, name: 'Mallory' },
  })
  expect(await liar.complete()).toMatchObject({
    value: { person: { email: 'mallory@example.com', isEmailVerified: true, name: 'Mallory' } },
  })
})

test('takes both from userinfo where the ID token has no flag', async () => {
  await using plain = await startProvider({
    claims: { email: 'old@example.com' },
    userInfo: { email: 'dana@example.com', email_verified: true },
  })
  expect(await plain.complete()).toMatchObject({
    value: { person: { email: 'dana@example.com', isEmailVerified: true } },
  })
})

test('rejects userinfo about another subject', async () => {
  await using liar = await startProvider({
    claims: { email: 'mallory@example.com', email_verified: true },
    userInfo: { sub: 'another', email: victim, email_verified: true },
  })
  expect(await liar.complete()).toMatchObject({ ok: false })
})

test.for([403, 404, 500])('uses a complete ID token when userinfo answers %i', async (status) => {
  await using strict = await startProvider({
    claims: { email: 'dana@example.com', email_verified: true, name: 'Dana Ruiz' },
    userInfo: status,
  })
  expect(await strict.complete()).toMatchObject({
    ok: true,
    value: { person: { email: 'dana@example.com', isEmailVerified: true, name: 'Dana Ruiz' } },
  })
  expect(strict.warnings.join()).toContain(String(status))
})

test('refuses as unavailable when userinfo fails and the ID token has no email', async () => {
  await using strict = await startProvider({ userInfo: 403 })
  expect(await strict.complete()).toMatchObject({ ok: false, reason: 'unavailable' })
})

test.for<[metadata: Record<string, unknown>, accepts: 'client_secret_basic' | 'client_secret_post']>([
  [{}, 'client_secret_basic'],
  [{ token_endpoint_auth_methods_supported: ['client_secret_basic'] }, 'client_secret_basic'],
  [{ token_endpoint_auth_methods_supported: ['client_secret_post'] }, 'client_secret_post'],
  [{ token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] }, 'client_secret_post'],
  [{ token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic'] }, 'client_secret_basic'],
])('a provider with %j gets the secret as %s', async ([metadata, accepts]) => {
  await using provider = await startProvider({ claims: { email: 'dana@example.com' }, metadata, accepts })
  expect(await provider.complete()).toMatchObject({ ok: true })
})

test('an email without email_verified is unverified unless the setting trusts it', async () => {
  await using silent = await startProvider({ claims: { email: 'dana@example.com' } })
  expect(await silent.complete()).toMatchObject({
    value: { person: { isEmailVerified: false, isVerificationUnstated: true } },
  })
  expect(silent.warnings).toEqual([])
  const trusted = await silent.complete({ assumeEmailVerified: true })
  expect(trusted).toMatchObject({ value: { person: { email: 'dana@example.com', isEmailVerified: true } } })
  expect(silent.warnings.join()).toContain('OIDC_ASSUME_EMAIL_VERIFIED')
})

test('an email that the provider calls unverified stays unverified with the setting', async () => {
  await using honest = await startProvider({ claims: { email: victim, email_verified: false } })
  const answer = await honest.complete({ assumeEmailVerified: true })
  expect(answer).toMatchObject({ value: { person: { isEmailVerified: false } } })
  expect(answer.ok && answer.value.person).not.toHaveProperty('isVerificationUnstated')
})

test('sends approval_prompt only where it is configured, and the other parameters always', async () => {
  await using provider = await startProvider({})
  const parametersOf = async (approvalPrompt: string | null) => {
    const begun = await provider.provider({ approvalPrompt }).begin(request)
    return new URL(begun.ok ? begun.value : '').searchParams
  }
  expect((await parametersOf(null)).has('approval_prompt')).toBe(false)
  expect((await parametersOf('force')).get('approval_prompt')).toBe('force')
  for (const name of ['action', 'sessionId', 'anonymous_id', 'partner_integration', 'isDealer', 'accountTypeCompany'])
    expect((await parametersOf(null)).has(name), name).toBe(true)
})

test('second factors come from the ID token, with the acr values of the setting', async () => {
  await using provider = await startProvider({
    claims: { email: victim, email_verified: true, acr: '2' },
    userInfo: { amr: ['pwd', 'mfa'] },
  })
  expect(await provider.complete()).toMatchObject({ ok: true, value: { usedSecondFactor: null } })
  const withSetting = (secondFactorContexts: string[]) => provider.complete({ secondFactorContexts })
  expect(await withSetting(['2', '3'])).toMatchObject({ value: { usedSecondFactor: true } })
  expect(await withSetting(['3'])).toMatchObject({ value: { usedSecondFactor: false } })
})
