import * as oidc from 'openid-client'
import { z } from 'zod'
import type { Eligibility, EligibilityAnswer, EligibilityRequest, Eligible } from '#domain/military/eligibility.port.ts'
import type { Log } from '#platform/log.ts'
import { requestIdHeader } from '#platform/request-scope.ts'

export type IdMeConfig = {
  /** "https://api.id.me/oidc" */
  issuer: string
  clientId: string
  clientSecret: string
  /** Where the provider redirects the browser. */
  callbackUrl: string
  /** Gets a warning when the provider is down or rejects the store itself, which no shopper can fix. */
  log: Pick<Log, 'warn'>
}

const timeoutSeconds = 6
const clockToleranceSeconds = 60
/** The group that shoppers of the military discount belong to, as ID.me names it: also the scope that is asked for. */
const group = 'military'

/**
 * ID.me: OpenID Connect with the code flow, PKCE, state and nonce; then the person's status from `attributes.json`, of
 * which only `verified` proves anything.
 */
export function createIdMe(config: IdMeConfig): Eligibility {
  const { issuer, callbackUrl, log } = config
  let discovered: Promise<oidc.Configuration> | undefined
  const configuration = () =>
    (discovered ??= discover(config).catch((error: unknown) => {
      discovered = undefined
      throw error
    }))

  async function answer<Value, Reason extends string>(
    work: () => Promise<EligibilityAnswer<Value, Reason>>,
    reasonOf: (error: unknown) => Reason,
  ): Promise<EligibilityAnswer<Value, Reason>> {
    try {
      return await work()
    } catch (cause) {
      const reason = reasonOf(cause)
      // Only the message: the request and response contain secrets.
      if (reason === 'unavailable')
        log.warn({ issuer, problem: wordsOf(cause) }, 'the provider of verifications did not answer as it should')
      return { ok: false, reason, cause }
    }
  }

  return {
    issuer,
    begin: (request) =>
      answer<string, 'unavailable'>(
        async () => ({ ok: true, value: await pageOf(await configuration(), callbackUrl, request) }),
        onlyUnavailable,
      ),
    finish: (query, request, now) =>
      answer<Eligible, FinishReason>(
        async () => redeem(await configuration(), { query, request, config, now }),
        finishReason,
      ),
  }
}

type FinishReason = 'declined' | 'not-verified' | 'not-ours' | 'unavailable'

function discover({ issuer, clientId, clientSecret }: IdMeConfig): Promise<oidc.Configuration> {
  const url = new URL(issuer)
  return oidc.discovery(
    url,
    clientId,
    { client_secret: clientSecret, [oidc.clockTolerance]: clockToleranceSeconds },
    undefined,
    {
      timeout: timeoutSeconds,
      [oidc.customFetch]: (address, { headers, ...init }) =>
        fetch(address, { ...init, headers: { ...headers, ...requestIdHeader() } } as RequestInit),
      // Only for an issuer configured without TLS, such as the sandbox.
      execute: url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    },
  )
}

async function pageOf(
  config: oidc.Configuration,
  callbackUrl: string,
  { state, nonce, codeVerifier }: EligibilityRequest,
): Promise<string> {
  return oidc.buildAuthorizationUrl(config, {
    response_type: 'code',
    redirect_uri: callbackUrl,
    scope: `openid ${group}`,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  }).href
}

async function redeem(
  configuration: oidc.Configuration,
  {
    query,
    request: { state, nonce, codeVerifier },
    config,
    now,
  }: { query: URLSearchParams; request: EligibilityRequest; config: IdMeConfig; now: Temporal.Instant },
): Promise<EligibilityAnswer<Eligible, FinishReason>> {
  const url = new URL(config.callbackUrl)
  url.search = query.toString()
  const grant = await oidc.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  })
  const subject = grant.claims()?.sub
  if (subject === undefined) throw new oidc.ClientError('The provider sent no ID token')
  const response = await oidc.fetchProtectedResource(
    configuration,
    grant.access_token,
    attributesOf(config.issuer),
    'GET',
  )
  if (!response.ok) throw new TypeError(`attributes.json: ${response.status}`)
  const { status } = attributesSchema.parse(await response.json())
  const proven = status.find((each) => each.group === group && each.verified)
  return proven
    ? { ok: true, value: { group: proven.subgroups[0] ?? proven.group, verifiedAt: now, subject } }
    : { ok: false, reason: 'not-verified' }
}

/** Beside the issuer: "https://api.id.me/api/public/v3/attributes.json". */
function attributesOf(issuer: string): URL {
  return new URL('../api/public/v3/attributes.json', `${issuer}/`)
}

const attributesSchema = z.object({
  status: z
    .array(
      z.object({
        group: z.string().max(60),
        subgroups: z.array(z.string().trim().min(1).max(60)).max(20).default([]),
        verified: z.boolean(),
      }),
    )
    .max(50),
})

function wordsOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError) return `${error.status} ${error.error}`
  return error instanceof Error ? error.message : 'unknown'
}

/** The library's own errors are about the provider or the connection; anything else is a bug in the store. */
function onlyUnavailable(error: unknown): 'unavailable' {
  const isOfProvider = [oidc.ClientError, oidc.ResponseBodyError, oidc.WWWAuthenticateChallengeError].some(
    (kind) => error instanceof kind,
  )
  if (isOfProvider || error instanceof TypeError || error instanceof SyntaxError || error instanceof z.ZodError)
    return 'unavailable'
  throw error
}

/** The library's codes for a signature, time or value in the answer that does not match the request. */
const unacceptable = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
])

function finishReason(error: unknown): FinishReason {
  // The person went back, or the provider refuses them.
  if (error instanceof oidc.AuthorizationResponseError)
    return /^(server_error|temporarily_unavailable)$/.test(error.error) ? 'unavailable' : 'declined'
  // A code that was used, has expired, or belongs to another verifier.
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return 'not-ours'
  if (error instanceof oidc.ClientError && error.code !== undefined && unacceptable.has(error.code)) return 'not-ours'
  return onlyUnavailable(error)
}
