/** The demo's app at the sandbox's sign-in service, a native program with the authorization code flow and PKCE. */
import { createHash, randomBytes } from 'node:crypto'
import type { Visitor } from '#tests/support/visitor.ts'

const clientId = 'sidewall-demo-app'
const redirectUri = 'http://127.0.0.1:49152/callback'

type Provider = { authorization_endpoint: string; token_endpoint: string; userinfo_endpoint: string }
type Metadata = { resource: string; authorization_servers: string[]; scopes_supported: string[] }

/** Reads the token issuer and the resource from a refused call. */
export async function discover(
  origin: string,
  askRefused = () => fetch(`${origin}/api/users/session`),
): Promise<{ metadata: Metadata; provider: Provider }> {
  const refused = await askRefused()
  const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  const metadata = (await (await fetch(address)).json()) as Metadata
  const provider = (await (
    await fetch(`${metadata.authorization_servers[0]}/.well-known/openid-configuration`)
  ).json()) as Provider
  return { metadata, provider }
}

/** Sends the person to the sign-in service; returns the final query sent to the app's redirect URI. */
export async function authorizeApp(
  origin: string,
  person: Visitor,
  scope: string,
  { press = '/consent', resource }: { press?: '/consent' | '/abort'; resource?: string } = {},
) {
  const { metadata, provider } = await discover(origin)
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL(provider.authorization_endpoint)
  url.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: `openid ${scope}`,
    resource: resource ?? metadata.resource,
    state: 'a-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const stops = (next: URL) => next.origin === 'http://127.0.0.1:49152'
  const asked = await person.follow(url, { stops })
  if (stops(asked.url)) return { page: '', query: asked.url.searchParams, verifier, provider }
  const page = await asked.response.clone().text()
  const landed = await person.follow(new URL(await person.formAction(asked.response, press), asked.url), {
    form: {},
    stops,
  })
  return { page, query: landed.url.searchParams, verifier, provider }
}

type Granted = { access_token: string; refresh_token: string; id_token: string; scope: string }

export async function grantApp(provider: Provider, fields: Record<string, string>): Promise<Granted> {
  const answer = await fetch(provider.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, ...fields }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Granted
}

/** An app with a person's token. */
export async function connectApp(origin: string, person: Visitor, scope: string, resource?: string) {
  const { query, verifier, provider, page } = await authorizeApp(
    origin,
    person,
    scope,
    resource === undefined ? {} : { resource },
  )
  const granted = await grantApp(provider, {
    grant_type: 'authorization_code',
    code: query.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
  return { ...granted, provider, page }
}
