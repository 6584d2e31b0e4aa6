import { generateKeyPairSync, randomBytes } from 'node:crypto'
import Provider, {
  errors,
  interactionPolicy,
  type Configuration,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import { makingSecret, type Secrets } from '#platform/secrets.ts'
import { isSameSecret } from '../signature.ts'
import type { Store } from '../store.ts'
import { agentScopes, apiScopes } from './api-scopes.ts'
import type { Memory } from './memory.ts'
import { failurePage, signedOutPage, signOutPage } from './pages.ts'
import type { People, Person } from './people.ts'

export type IdentitySettings = {
  /** `<origin of the sandbox>/identity` */
  issuer: string
  /** The store's client. */
  clientId: string
  clientSecret: Secrets
  storeOrigin: string
  hasDemoPeople: boolean
}

/**
 * The sandbox's own shopping agent, registered under the address of its profile: that is who it is to the store.
 */
export const agentClient = (sandboxOrigin: string) => ({
  clientId: `${sandboxOrigin}/agent/profile.json`,
  redirectUri: `${sandboxOrigin}/agent/linked`,
})

/** Additional parameters that the store can send. The provider reads only `action` and `jwt_token`. */
const specifiedValues = [
  'approval_prompt',
  'action',
  'sessionId',
  'anonymous_id',
  'partner_integration',
  'isDealer',
  'accountTypeCompany',
  'jwt_token',
] as const

/**
 * An app on a user's computer that can't store a secret. It can redirect to any local port (RFC 8252), and the consent
 * page shows its name.
 */
export const demoApp = { clientId: 'sidewall-demo-app', name: 'Demo app', redirectUri: 'http://127.0.0.1/callback' }

/** A program of the store that reads the admin API with the client credentials grant. */
export const demoProgram = { clientId: 'sidewall-demo-program', secret: 'sidewall-demo-program-secret' }

const day = 86_400
/** Short, so that a store that fails to renew its tokens is noticed. */
const accessSeconds = 600

/**
 * Returns an OpenID Connect provider for the sandbox's users, with the code flow with PKCE, refresh token rotation,
 * revocation, and sign-out.
 */
export function createProvider(settings: IdentitySettings, store: Store, memory: Memory, people: People): Provider {
  const { issuer, clientId, storeOrigin } = settings
  const keys = ownKeys(store)
  const configuration: Configuration = {
    adapter: (kind) => memory.adapterFor(kind),
    clients: clientsOf(settings),
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    jwks: { keys: [keys.signing] },
    cookies: {
      names: { session: 'idp_session', interaction: 'idp_interaction', resume: 'idp_resume' },
      keys: [keys.cookie],
      // On one machine the store has the same host and must not get these cookies.
      long: { httpOnly: true, sameSite: 'lax', path: new URL(issuer).pathname },
    },
    claims: { openid: ['sub', 'amr', 'acr'], email: ['email', 'email_verified'], profile: ['name', 'updated_at'] },
    clientBasedCORS: () => false,
    discovery: {
      prompt_values_supported: ['none', 'login', 'consent', 'create'],
      scopes_supported: ['openid', 'email', 'profile', ...Object.keys(apiScopes), ...Object.keys(agentScopes)],
    },
    extraParams: [...specifiedValues],
    features: featuresOf(storeOrigin),
    async findAccount(_ctx, id) {
      const person = people.get(id)
      return person && { accountId: id, claims: async () => claimsOf(person) }
    },
    interactions: {
      policy: policyWithRegistration(),
      url: (_ctx, interaction) => `${issuer}/interaction/${interaction.uid}`,
    },
    // The store is a first-party client and needs no consent. All other apps do.
    async loadExistingGrant(ctx) {
      const { client, provider, session, result } = ctx.oidc
      const known = client && (result?.consent?.grantId ?? session?.grantIdFor(client.clientId))
      const kept = known && (await provider.Grant.find(known))
      if (kept || !client || !session || client.clientId !== clientId) return kept || undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    extraTokenClaims: (ctx) => ({ client_name: ctx.oidc.client?.clientName }),
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    renderError: async (ctx, out) => show(ctx, await failurePage(out.error_description ?? out.error, storeOrigin)),
    // Paths named by the specification.
    routes: { authorization: '/authorize-client', end_session: '/logout' },
    scopes: ['openid', 'email', 'profile'],
    ttl: {
      AccessToken: accessSeconds,
      AuthorizationCode: 60,
      Grant: 30 * day,
      IdToken: 3_600,
      Interaction: 1_800,
      RefreshToken: 30 * day,
      Session: 14 * day,
    },
  }
  const provider = new Provider(issuer, configuration)
  // The library stores one secret per client and allows overriding the comparison.
  provider.Client.prototype.compareClientSecret = function (given) {
    return isSameSecret(given, this.clientId === demoProgram.clientId ? demoProgram.secret : settings.clientSecret)
  }
  // `createIdentity` sets both forwarded headers itself.
  provider.proxy = true
  return provider
}

function clientsOf(settings: IdentitySettings): NonNullable<Configuration['clients']> {
  const { issuer, clientId, clientSecret, storeOrigin } = settings
  const agent = agentClient(new URL(issuer).origin)
  return [
    {
      client_id: clientId,
      client_secret: makingSecret(clientSecret),
      client_name: 'Sidewall',
      redirect_uris: [`${storeOrigin}/api/sso-landing`],
      post_logout_redirect_uris: [`${storeOrigin}/`, `${storeOrigin}/dt-employees`],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
    {
      client_id: demoApp.clientId,
      client_name: demoApp.name,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: [demoApp.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
    {
      client_id: demoProgram.clientId,
      client_secret: demoProgram.secret,
      client_name: 'Demo program',
      redirect_uris: [],
      grant_types: ['client_credentials'],
      response_types: [],
      id_token_signed_response_alg: 'ES256',
    },
    {
      client_id: agent.clientId,
      client_name: 'Sandbox assistant',
      token_endpoint_auth_method: 'none',
      redirect_uris: [agent.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
  ]
}

function featuresOf(storeOrigin: string): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    // Tokens for the store's doors are JWTs (RFC 9068), for apps that request one as resource (RFC 8707).
    resourceIndicators: {
      enabled: true,
      useGrantedResource: async () => true,
      async getResourceServerInfo(ctx, resource) {
        const scopes = {
          [`${storeOrigin}/api`]: Object.keys(apiScopes),
          [`${storeOrigin}/mcp`]: Object.keys(apiScopes),
          [storeOrigin]: Object.keys(agentScopes),
          // Grants the requested permissions. The program's role at the store restricts them.
          [`${storeOrigin}/api/admin`]: requestedPermissions(ctx.oidc.params?.['scope']),
        }
        const offered = scopes[resource]
        if (!offered) throw new errors.InvalidTarget()
        const scope = offered.join(' ')
        return {
          scope,
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: accessSeconds,
          jwt: { sign: { alg: 'ES256' } },
        }
      },
    },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: async (ctx, form) => show(ctx, await signOutPage(form)),
      postLogoutSuccessSource: async (ctx) => show(ctx, await signedOutPage(storeOrigin)),
    },
  }
}

/** The most permissions in one request for a token. */
const mostPermissions = 200

/** The scopes of a request that have the form of a permission, such as `orders.read`. */
function requestedPermissions(scope: unknown): string[] {
  return typeof scope === 'string'
    ? scope
        .slice(0, 8_000)
        .split(' ')
        .filter((one) => /^[a-z-]{1,40}\.[a-z-]{1,40}$/.test(one))
        .slice(0, mostPermissions)
    : []
}

function claimsOf(person: Person) {
  return {
    sub: person.id,
    email: person.email,
    email_verified: person.isEmailVerified,
    name: person.name,
    updated_at: Math.floor(Temporal.Instant.from(person.changedAt).epochMilliseconds / 1000),
  }
}

/**
 * `prompt=create` shows the registration page even to someone signed in: "Initiating User Registration via OpenID
 * Connect 1.0".
 */
function policyWithRegistration(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'create', requestable: true }), 0)
  return policy
}

function show(ctx: KoaContextWithOIDC, page: string): void {
  ctx.type = 'html'
  ctx.body = page
}

type Keys = { signing: JWK; cookie: string }

/** Generated once and stored, so that tokens and cookies survive a restart. */
function ownKeys(store: Store): Keys {
  const kept = store.collection<Keys>('identity-keys')
  const known = kept.get('own')
  if (known) return known
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys: Keys = {
    signing: { ...(privateKey.export({ format: 'jwk' }) as JWK), kid: 'sandbox', use: 'sig', alg: 'ES256' },
    cookie: randomBytes(32).toString('base64url'),
  }
  kept.put('own', keys)
  return keys
}
