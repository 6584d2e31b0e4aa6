/** Signing in at the sandbox’s identity provider, for the contract tests. */
import { expect } from 'vitest'
import type { IdentityProvider, SignInRequest } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'
import { createOidcProvider, type OidcConfig } from './oidc.ts'

export function providerAt(
  sandbox: Pick<TestSandbox, 'origin' | 'storeOrigin'>,
  change: Partial<OidcConfig> = {},
): IdentityProvider {
  const issuer = `${sandbox.origin}/identity`
  return createOidcProvider({
    issuer,
    clientId: 'sidewall',
    clientSecret: testSecrets.identityClientSecret,
    scope: 'openid email profile',
    landingUrl: `${sandbox.storeOrigin}/api/sso-landing`,
    resources: {
      api: `${sandbox.storeOrigin}/api`,
      mcp: `${sandbox.storeOrigin}/mcp`,
      ucp: sandbox.storeOrigin,
      admin: `${sandbox.storeOrigin}/api/admin`,
    },
    editProfileUrl: `${issuer}/edit-profile`,
    changePasswordUrl: `${issuer}/change-password`,
    securityUrl: null,
    oneTap: { verifyUrl: `${issuer}/verify-google-token`, frameUrl: `${issuer}/google/one-tap` },
    approvalPrompt: 'auto',
    assumeEmailVerified: false,
    secondFactorContexts: [],
    log: { warn: () => {} },
    ...change,
  })
}

export const request: SignInRequest = {
  action: 'login',
  state: 'abcdefghijklmnopqrstuvwxyz012345',
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
  sessionId: 's-1',
  anonymousId: 'a-1',
}

/** Opens the provider page that a request leads to. */
export async function openRequest(provider: IdentityProvider, visitor: Visitor, change: Partial<SignInRequest> = {}) {
  const begun = await provider.begin({ ...request, ...change })
  if (!begun.ok) throw new Error(begun.reason, { cause: begun.cause })
  return visitor.follow(begun.value)
}

export const isLanding = (url: URL) => url.pathname === '/api/sso-landing'

/** Signs in, and returns the query sent to the store's landing page. */
export async function signIn(
  provider: IdentityProvider,
  visitor: Visitor,
  email = 'dana@example.com',
  password = 'sidewall-demo',
  factor = 'password',
): Promise<URLSearchParams> {
  const { url, response } = await openRequest(provider, visitor)
  const action = await visitor.formAction(response, '/login')
  const landed = await visitor.follow(new URL(action, url), { form: { email, password, factor }, stops: isLanding })
  return landed.url.searchParams
}

export async function completed(provider: IdentityProvider, visitor: Visitor, email?: string) {
  const answer = await provider.complete(await signIn(provider, visitor, email), request)
  if (!answer.ok) throw new Error(answer.reason, { cause: answer.cause })
  return answer.value
}

/** The credential that the one-tap frame passes to the store's page. */
export async function clickOneTap(sandbox: TestSandbox, email = 'dana@example.com'): Promise<string> {
  const page = await createVisitor().ask(`${sandbox.origin}/identity/google/one-tap`, { form: { email } })
  expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors ${sandbox.storeOrigin}`)
  return /data-type="credential" data-value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
}

export async function codeFor(provider: IdentityProvider, credential: string): Promise<string> {
  const exchanged = await provider.oneTap?.exchange(credential)
  return exchanged?.ok ? exchanged.value : ''
}
