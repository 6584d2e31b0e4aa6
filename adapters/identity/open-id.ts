/** Shared metadata and error mapping of the store's OpenID Connect providers. */
import * as oidc from 'openid-client'
import { requestIdHeader } from '#platform/request-scope.ts'

/** The store's client registration at a provider. */
export type Registration = {
  /** Where `/.well-known/openid-configuration` is found. */
  issuer: string
  clientId: string
  clientSecret: string
}

// A shopper is waiting.
export const timeoutSeconds = 6
/** Allowed difference between the provider's clock and this computer's. */
export const clockToleranceSeconds = 60

/** Reads a provider's metadata on first use and caches it. Retries after a failure. */
export function metadataOf(registration: Registration): () => Promise<oidc.Configuration> {
  let discovered: Promise<oidc.Configuration> | undefined
  return () =>
    (discovered ??= discover(registration).catch((error: unknown) => {
      discovered = undefined
      throw error
    }))
}

function discover({ issuer, clientId, clientSecret }: Registration): Promise<oidc.Configuration> {
  const url = new URL(issuer)
  return oidc.discovery(
    url,
    clientId,
    { client_secret: clientSecret, [oidc.clockTolerance]: clockToleranceSeconds },
    authenticateAsDiscovered(clientSecret),
    {
      timeout: timeoutSeconds,
      [oidc.customFetch]: (address, { headers, ...init }) =>
        fetch(address, { ...init, headers: { ...headers, ...requestIdHeader() } } as RequestInit),
      // Only for an issuer configured without TLS, such as the sandbox.
      execute: url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    },
  )
}

/**
 * Sends the client secret in the form if the metadata lists `client_secret_post`, otherwise in the `Authorization`
 * header. The header is also the default for metadata without a list (OpenID Connect Discovery 1.0, section 3; RFC
 * 8414, section 2).
 */
function authenticateAsDiscovered(clientSecret: string): oidc.ClientAuth {
  const [inForm, inHeader] = [oidc.ClientSecretPost(clientSecret), oidc.ClientSecretBasic(clientSecret)]
  return (server, client, body, headers) => {
    const methods = body.has('grant_type')
      ? server.token_endpoint_auth_methods_supported
      : (server.revocation_endpoint_auth_methods_supported ?? server.token_endpoint_auth_methods_supported)
    return (methods?.includes('client_secret_post') ? inForm : inHeader)(server, client, body, headers)
  }
}

/** Returns only the message for the log because requests and responses contain secrets. */
export function wordsOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError) return `${error.status} ${error.error}`
  return error instanceof Error ? `${error.message}${'code' in error ? ` (${String(error.code)})` : ''}` : 'unknown'
}

/** The library's own errors are about the provider or the connection; anything else is a bug in the store. */
export function onlyUnavailable(error: unknown): 'unavailable' {
  if (isOfProvider(error) || error instanceof TypeError) return 'unavailable'
  throw error
}

function isOfProvider(error: unknown): boolean {
  return [
    oidc.ClientError,
    oidc.ResponseBodyError,
    oidc.AuthorizationResponseError,
    oidc.WWWAuthenticateChallengeError,
  ].some((kind) => error instanceof kind)
}

/** The library's codes for a signature, time or value in the response that does not match the request. */
const unacceptable = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
])

/** Returns why the visitor's callback doesn't identify a person. */
export function completionReason(error: unknown): 'declined' | 'not-ours' | 'unavailable' {
  // The visitor went back, the provider refuses this person, or it has an internal error.
  if (error instanceof oidc.AuthorizationResponseError)
    return /^(server_error|temporarily_unavailable)$/.test(error.error) ? 'unavailable' : 'declined'
  // A code that was already used, has expired, or belongs to another verifier.
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_grant' ? 'not-ours' : 'unavailable'
  if (error instanceof oidc.ClientError && error.code !== undefined && unacceptable.has(error.code)) return 'not-ours'
  return onlyUnavailable(error)
}
