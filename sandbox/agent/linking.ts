/** Links the sandbox assistant's account with the code flow and PKCE at the store's token issuer. */
import { createHash, randomBytes } from 'node:crypto'
import type { Store } from '../store.ts'

type Metadata = { authorization_servers?: string[]; scopes_supported?: string[]; resource?: string }
type Provider = {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  revocation_endpoint?: string
}
type Pending = { verifier: string; state: string }
type Tokens = { access: string; refresh: string | null; until: string }

export type Linking = ReturnType<typeof openLinking>

const timeoutMs = 15_000
const ask = (url: string, init: RequestInit = {}) => fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })

export function openLinking({
  store,
  now,
  storeOrigin,
  clientId,
  redirectUri,
}: {
  store: Store
  now: () => Temporal.Instant
  storeOrigin: string
  clientId: string
  redirectUri: string
}) {
  const pending = store.collection<Pending>('agent-link')
  const tokens = store.collection<Tokens>('agent-token')

  async function grant(fields: Record<string, string>): Promise<boolean> {
    const { metadata, provider } = await discover(storeOrigin)
    const body = new URLSearchParams({ client_id: clientId, resource: metadata.resource ?? '', ...fields })
    const answer = await ask(provider.token_endpoint, { method: 'POST', body })
    if (!answer.ok) return false
    const granted = (await answer.json()) as { access_token: string; refresh_token?: string; expires_in?: number }
    const until = now().add({ seconds: granted.expires_in ?? 600 })
    tokens.put('own', {
      access: granted.access_token,
      refresh: granted.refresh_token ?? null,
      until: until.toString(),
    })
    return true
  }

  return {
    isLinked: () => tokens.get('own') !== undefined,
    /** Where the person signs in and agrees. */
    async begin(): Promise<string> {
      const { metadata, provider } = await discover(storeOrigin)
      const verifier = randomBytes(32).toString('base64url')
      const state = randomBytes(16).toString('base64url')
      pending.put('own', { verifier, state })
      return authorizationUrl(provider.authorization_endpoint, {
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: ['openid', ...(metadata.scopes_supported ?? [])].join(' '),
        resource: metadata.resource ?? '',
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      })
    },
    /** Handles the callback. Returns false for an unknown state, another issuer, or a denied request. */
    async complete(query: URLSearchParams): Promise<boolean> {
      const begun = pending.get('own')
      pending.remove('own')
      const { provider } = await discover(storeOrigin)
      const isOurs = begun !== undefined && query.get('state') === begun.state && query.get('iss') === provider.issuer
      const code = query.get('code')
      if (!isOurs || code === null) return false
      return grant({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: begun.verifier,
      })
    },
    /** The token to send, renewed where it is due; null for a guest. */
    async token(): Promise<string | null> {
      const kept = tokens.get('own')
      if (!kept) return null
      const isFresh = Temporal.Instant.compare(Temporal.Instant.from(kept.until), now().add({ seconds: 30 })) > 0
      if (isFresh || kept.refresh === null) return kept.access
      const isRenewed = await grant({ grant_type: 'refresh_token', refresh_token: kept.refresh })
      return isRenewed ? (tokens.get('own')?.access ?? null) : kept.access
    },
    /** Revokes and deletes the tokens. */
    async unlink(): Promise<void> {
      const kept = tokens.get('own')
      tokens.remove('own')
      if (!kept) return
      const { provider } = await discover(storeOrigin)
      if (provider.revocation_endpoint)
        await ask(provider.revocation_endpoint, {
          method: 'POST',
          body: new URLSearchParams({ client_id: clientId, token: kept.refresh ?? kept.access }),
        })
    },
  }
}

/** Follows the protocol. The store names its token issuer, and the issuer names its endpoints. */
async function discover(storeOrigin: string): Promise<{ metadata: Metadata; provider: Provider }> {
  const metadata = (await (await ask(`${storeOrigin}/.well-known/oauth-protected-resource`)).json()) as Metadata
  const issuer = new URL(metadata.authorization_servers?.[0] ?? '')
  const path = issuer.pathname === '/' ? '' : issuer.pathname
  const first = await ask(`${issuer.origin}/.well-known/oauth-authorization-server${path}`)
  const found = first.status === 404 ? await ask(`${issuer.href}/.well-known/openid-configuration`) : first
  return { metadata, provider: (await found.json()) as Provider }
}

function authorizationUrl(endpoint: string, fields: Record<string, string>): string {
  const url = new URL(endpoint)
  url.search = new URLSearchParams({ response_type: 'code', code_challenge_method: 'S256', ...fields }).toString()
  return url.href
}
