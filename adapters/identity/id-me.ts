import * as oidc from 'openid-client'
import { z } from 'zod'
import type {
  Eligibility,
  EligibilityAnswer,
  EligibilityRequest,
  Eligible,
} from '#domain/pricing/military/eligibility.port.ts'
import type { Log } from '#platform/log.ts'
import { completionReason, metadataOf, onlyUnavailable, wordsOf, type Registration } from './open-id.ts'

/** The issuer is "https://api.id.me/oidc". */
export type IdMeConfig = Registration & {
  /** Where the provider redirects the browser. */
  callbackUrl: string
  /** Gets a warning when the provider is down or rejects the store itself, which no shopper can fix. */
  log: Pick<Log, 'warn'>
}

/** The ID.me group for the military discount. It doubles as the requested scope. */
const group = 'military'

/**
 * The ID.me adapter: OpenID Connect with the code flow, PKCE, state, and nonce. Then reads the status from
 * `attributes.json`, where only `verified` counts as proof.
 */
export function createIdMe(config: IdMeConfig): Eligibility {
  const { issuer, callbackUrl, log } = config
  const configuration = metadataOf(config)

  async function answer<Value, Reason extends string>(
    work: () => Promise<EligibilityAnswer<Value, Reason>>,
    reasonOf: (error: unknown) => Reason,
  ): Promise<EligibilityAnswer<Value, Reason>> {
    try {
      return await work()
    } catch (cause) {
      const reason = reasonOf(cause)
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

/** Relative to the issuer: "https://api.id.me/api/public/v3/attributes.json". */
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

/** Same as for any provider. The second response can also be in an undocumented format. */
function finishReason(error: unknown): FinishReason {
  return error instanceof SyntaxError || error instanceof z.ZodError ? 'unavailable' : completionReason(error)
}
