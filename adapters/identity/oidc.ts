import { createRemoteJWKSet, errors as joseErrors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import * as oidc from 'openid-client'
import { z } from 'zod'
import type {
  AppDoor,
  AppToken,
  Completed,
  IdentityAnswer,
  IdentityProvider,
  Person,
  ProfilePage,
  SignInRequest,
  Tokens,
} from '#domain/kernel/sign-in/identity-provider.port.ts'
import type { Log } from '#platform/log.ts'
import { cleanText } from '#platform/plain-text.ts'
import { requestIdHeader } from '#platform/request-scope.ts'
import {
  clockToleranceSeconds,
  completionReason,
  metadataOf,
  onlyUnavailable,
  timeoutSeconds,
  wordsOf,
  type Registration,
} from './open-id.ts'
import { usedSecondFactor } from './second-factor.ts'

export type OidcConfig = Registration & {
  /** The requested scopes; the store needs "openid email profile". */
  scope: string
  /** Where the provider redirects the browser. */
  landingUrl: string
  /** The store's resource identifiers at the provider. Access tokens for apps name one of them as their audience. */
  resources: Readonly<Record<AppDoor, string>>
  editProfileUrl: string | null
  changePasswordUrl: string | null
  securityUrl: string | null
  /** The URL that verifies one-tap credentials and the page that issues them. Null if unsupported. */
  oneTap: { verifyUrl: string; frameUrl: string } | null
  /** The specification's `approval_prompt`; null where the provider must not get one, because some refuse it. */
  approvalPrompt: string | null
  /** Whether an email that the provider sends without `email_verified` counts as verified. */
  assumeEmailVerified: boolean
  /** The provider's `acr` values for sign-ins with a second factor. */
  secondFactorContexts: readonly string[]
  /** Gets a warning when the provider is down or rejects the store itself, which no visitor can fix. */
  log: Pick<Log, 'warn'>
}

/**
 * The adapter for any OpenID Connect provider with the code flow, PKCE, state, and nonce. Reads the provider's metadata
 * on first use.
 */
export function createOidcProvider(settings: OidcConfig): IdentityProvider {
  if (settings.assumeEmailVerified)
    settings.log.warn(
      { issuer: settings.issuer },
      'OIDC_ASSUME_EMAIL_VERIFIED is on. Emails without email_verified count as verified, so anyone who can set an email at this provider can sign in as its owner',
    )
  const { issuer, clientId, resources, oneTap, log } = settings
  const { configuration, keysAt } = publishedBy(settings)

  async function answer<Value, Reason extends string>(
    work: () => Promise<Value>,
    reasonOf: (error: unknown) => Reason,
  ): Promise<IdentityAnswer<Value, Reason>> {
    try {
      return { ok: true, value: await work() }
    } catch (cause) {
      const reason = reasonOf(cause)
      // Logs only the message and code because requests and responses contain secrets.
      if (reason === 'unavailable')
        log.warn({ issuer, problem: wordsOf(cause) }, 'the sign-in provider did not answer as it should')
      return { ok: false, reason, cause }
    }
  }

  return {
    issuer,
    begin: (request) => answer(async () => signInUrl(await configuration(), settings, request), onlyUnavailable),

    complete: (query, request) =>
      answer(async () => redeem(await configuration(), settings, query, request), completionReason),

    readPerson: (accessToken, subject) =>
      answer(
        async () => personOf([await oidc.fetchUserInfo(await configuration(), accessToken, subject)], settings),
        (error) => (statusOf(error) === 401 ? 'unauthorized' : onlyUnavailable(error)),
      ),

    readAccessToken: (token, door) =>
      answer(async () => {
        const { issuer: signer, jwks_uri: address } = (await configuration()).serverMetadata()
        if (address === undefined) throw new joseErrors.JOSENotSupported('The provider publishes no keys')
        const { payload } = await jwtVerify(token, keysAt(address), {
          issuer: signer,
          audience: resources[door],
          algorithms: signatures,
          clockTolerance: clockToleranceSeconds,
          requiredClaims: ['sub', 'exp'],
        })
        return appOf(payload)
      }, tokenReason),

    refresh: (refreshToken) =>
      answer(
        // A provider without refresh token rotation doesn't return one and still accepts the old one.
        async () => {
          const renewed = tokensOf(await oidc.refreshTokenGrant(await configuration(), refreshToken))
          return { ...renewed, refresh: renewed.refresh ?? refreshToken }
        },
        (error) =>
          error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant' ? 'ended' : onlyUnavailable(error),
      ),

    async forget({ access, refresh }) {
      await answer(async () => {
        const config = await configuration()
        if (config.serverMetadata().revocation_endpoint) await oidc.tokenRevocation(config, refresh ?? access)
      }, onlyUnavailable)
    },

    async signOutUrl(idToken, returnUrl) {
      const url = await answer(async () => {
        const config = await configuration()
        if (!config.serverMetadata().end_session_endpoint) return undefined
        return oidc.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: returnUrl }).href
      }, onlyUnavailable)
      return url.ok ? url.value : undefined
    },

    oneTap: oneTap && {
      frameUrl: oneTap.frameUrl,
      exchange: (credential) => exchangeCredential(settings, oneTap.verifyUrl, credential),
    },

    profilePage(kind, returnUrl) {
      const page = pagesAt(settings)[kind]
      return page === null ? null : profileUrl(page, clientId, returnUrl)
    },
  }
}

/** The provider's pages for people, by kind. */
function pagesAt({ editProfileUrl, changePasswordUrl, securityUrl }: OidcConfig): Record<ProfilePage, string | null> {
  return { 'edit-profile': editProfileUrl, 'change-password': changePasswordUrl, security: securityUrl }
}

/** The provider's metadata, read when first needed and cached. */
function publishedBy(settings: OidcConfig) {
  let signers: { of: string; keys: JWTVerifyGetKey } | undefined
  /**
   * The provider's published keys, read when first needed and cached; an unknown key triggers a reload, at most every
   * 30 seconds.
   */
  function keysAt(address: string): JWTVerifyGetKey {
    signers =
      signers?.of === address
        ? signers
        : { of: address, keys: createRemoteJWKSet(new URL(address), { timeoutDuration: timeoutSeconds * 1_000 }) }
    return signers.keys
  }

  return { configuration: metadataOf(settings), keysAt }
}

/** The URL for signing in or registering; with a one-tap code, the URL that redeems it. */
async function signInUrl(
  config: oidc.Configuration,
  { landingUrl, scope, oneTap, approvalPrompt }: OidcConfig,
  request: SignInRequest,
): Promise<string> {
  const { action, state, nonce, codeVerifier, sessionId, anonymousId, oneTapCode, maxAgeSeconds } = request
  const url = oidc.buildAuthorizationUrl(config, {
    response_type: 'code',
    redirect_uri: landingUrl,
    scope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    // The standard's prompt for registering, only for providers that support it; others would refuse the request.
    ...(action === 'register' && knowsCreate(config) && { prompt: 'create' }),
    ...(request.mustReauthenticate && { prompt: 'login' }),
    ...(maxAgeSeconds !== undefined && { max_age: String(maxAgeSeconds) }),
    action,
    sessionId,
    anonymous_id: anonymousId,
    ...(approvalPrompt !== null && { approval_prompt: approvalPrompt }),
    partner_integration: 'false',
    // Portal users work for a shop.
    isDealer: String(request.isDealer === true),
    accountTypeCompany: 'none',
    ...(oneTapCode !== undefined && { jwt_token: oneTapCode }),
  })
  return oneTapCode !== undefined && oneTap ? `${oneTap.verifyUrl}${url.search}` : url.href
}

/** Exchanges the code in the landing page's `query`, and reads who signed in. */
async function redeem(
  config: oidc.Configuration,
  settings: OidcConfig,
  query: URLSearchParams,
  { state, nonce, codeVerifier, maxAgeSeconds }: Parameters<IdentityProvider['complete']>[1],
): Promise<Completed> {
  const url = new URL(settings.landingUrl)
  url.search = query.toString()
  const grant = await oidc.authorizationCodeGrant(config, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
    // Refuses a response without an authentication time, or with one that is too old.
    ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
  })
  const claims = grant.claims()
  if (!claims) throw new oidc.ClientError('The provider sent no ID token')
  // Some providers put all claims in the ID token, others only in the userinfo response.
  const info = await readUserInfo(config, settings, grant.access_token, claims)
  return {
    person: personOf(info ? [claims, info] : [claims], settings),
    tokens: tokensOf(grant),
    authenticatedAt:
      claims.auth_time === undefined ? null : Temporal.Instant.fromEpochMilliseconds(claims.auth_time * 1_000),
    usedSecondFactor: usedSecondFactor(claims, settings.secondFactorContexts),
  }
}

/**
 * Reads the userinfo response. Returns undefined if the provider has no userinfo endpoint, or if it fails and the ID
 * token has all sign-in data. Throws for a response about another subject.
 */
async function readUserInfo(
  config: oidc.Configuration,
  settings: OidcConfig,
  accessToken: string,
  claims: oidc.IDToken,
): Promise<Record<string, unknown> | undefined> {
  if (!config.serverMetadata().userinfo_endpoint) return undefined
  try {
    return await oidc.fetchUserInfo(config, accessToken, claims.sub)
  } catch (error) {
    const isComplete = hasEmail(claims) && (claims['email_verified'] !== undefined || settings.assumeEmailVerified)
    const status = statusOf(error)
    if (!isComplete || status === undefined) throw error
    settings.log.warn({ issuer: settings.issuer, status }, 'userinfo answered with an error; using the ID token')
    return undefined
  }
}

/** From server to server, so that the credential appears in no URL and no log. */
async function exchangeCredential(
  { issuer, clientId, clientSecret, log }: OidcConfig,
  verifyUrl: string,
  credential: string,
): Promise<IdentityAnswer<string, 'declined' | 'unavailable'>> {
  try {
    const response = await fetch(verifyUrl, {
      method: 'POST',
      redirect: 'error',
      headers: {
        ...requestIdHeader(),
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      },
      body: new URLSearchParams({ credential }),
      signal: AbortSignal.timeout(timeoutSeconds * 1_000),
    })
    if (response.ok) return { ok: true, value: codeSchema.parse(await response.json()).jwt_token }
    if (response.status === 400) return { ok: false, reason: 'declined' }
    log.warn({ issuer, problem: `one tap: ${response.status}` }, 'the sign-in provider did not answer as it should')
    return { ok: false, reason: 'unavailable' }
  } catch (cause) {
    log.warn({ issuer, problem: wordsOf(cause) }, 'the sign-in provider did not answer as it should')
    return { ok: false, reason: 'unavailable', cause }
  }
}

/** The URL of one of the provider's own pages, which returns to `returnUrl`. */
function profileUrl(page: string, clientId: string, returnUrl: string): string {
  const url = new URL(page)
  // Keycloak: with `kc_action`, the URL is a sign-in page that only redirects back. Without it, the URL is the account
  // console.
  const isAction = url.searchParams.has('kc_action')
  const asked = isAction ? { response_type: 'none', scope: 'openid' } : { referrer: clientId, referrer_uri: returnUrl }
  for (const [name, value] of Object.entries({ client_id: clientId, redirect_uri: returnUrl, ...asked }))
    url.searchParams.set(name, value)
  return url.href
}

/** Only asymmetric algorithms, so that only the provider can sign. */
const signatures = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** What `jose` throws when the keys could not be read, which does not mean that the token is invalid. */
const keyFaults = [joseErrors.JWKSTimeout.code, joseErrors.JWKSInvalid.code, joseErrors.JOSEError.code]

function tokenReason(error: unknown): 'not-accepted' | 'unavailable' {
  if (error instanceof z.ZodError) return 'not-accepted'
  if (error instanceof joseErrors.JOSEError) return keyFaults.includes(error.code) ? 'unavailable' : 'not-accepted'
  return onlyUnavailable(error)
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof oidc.WWWAuthenticateChallengeError || error instanceof oidc.ResponseBodyError)
    return error.status
  return error instanceof oidc.ClientError && error.cause instanceof Response ? error.cause.status : undefined
}

function knowsCreate(config: oidc.Configuration): boolean {
  const { prompt_values_supported: prompts } = config.serverMetadata()
  return Array.isArray(prompts) && prompts.includes('create')
}

const codeSchema = z.object({ jwt_token: z.string().min(16).max(200) })

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254).nullish().catch(null),
  // Some providers send a string.
  email_verified: z.union([z.boolean(), z.stringbool()]).nullish().catch(false),
  name: z.string().trim().nullish().catch(null),
})

/**
 * Merges the person from several sources about the same subject, most trusted first. The email and its verification
 * flag come from the first source with both, otherwise from the first with an email.
 */
function personOf(sources: readonly Record<string, unknown>[], { assumeEmailVerified }: OidcConfig): Person {
  const { sub, name } = claimsSchema.parse(Object.assign({}, ...sources))
  const withEmail = sources.filter(hasEmail)
  const source = withEmail.find((claims) => claims['email_verified'] !== undefined) ?? withEmail[0]
  const { email, email_verified: flag } = claimsSchema.parse({ ...source, sub })
  const isStated = source?.['email_verified'] !== undefined
  return {
    subject: sub,
    email: email ?? null,
    isEmailVerified: typeof email === 'string' && (isStated ? flag === true : assumeEmailVerified),
    ...(typeof email === 'string' && !isStated && !assumeEmailVerified && { isVerificationUnstated: true }),
    name: (name && cleanText(name).replaceAll('\n', ' ').slice(0, 100).trim()) || null,
  }
}

function hasEmail(claims: Record<string, unknown>): boolean {
  return typeof claims['email'] === 'string' && claims['email'] !== ''
}

const words = z.string().transform((text) => text.split(' '))

/** RFC 9068, plus the claim names of providers that predate it. */
const accessSchema = z.object({
  sub: z.string().min(1).max(255),
  client_id: z.string().min(1).max(255).optional(),
  azp: z.string().min(1).max(255).optional(),
  client_name: z.string().trim().nullish().catch(null),
  scope: z.union([words, z.array(z.string())]).default([]),
})

function appOf(payload: Record<string, unknown>): AppToken {
  const { sub, client_id: id, azp, client_name: name, scope } = accessSchema.parse(payload)
  const clientId = id ?? azp
  if (clientId === undefined) throw new joseErrors.JWTInvalid('The token names no client')
  return { subject: sub, clientId, clientName: name?.slice(0, 100) || null, scopes: scope }
}

function tokensOf(granted: { access_token: string; refresh_token?: string; id_token?: string }): Tokens {
  return { access: granted.access_token, refresh: granted.refresh_token ?? null, id: granted.id_token ?? null }
}
