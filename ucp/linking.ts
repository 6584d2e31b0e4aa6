/**
 * Links identities, so that a platform can act for a buyer's account with a token of the store's sign-in provider. The
 * account's sessions use its prices and require its token.
 */
import { BadCall, type TransportFault } from '#ucp/answers.ts'
import { has, type Agent, type LinkedAccount, type UcpContext } from '#ucp/context.ts'
import { capabilityNames } from '#ucp/profile.ts'
import { findSession, linkSession } from '#domain/channels/agents/agents.server.ts'
import type { AgentSession, SessionKind } from '#domain/channels/agents/agents.ts'
import { findApp } from '#domain/customers/accounts/accounts.server.ts'
import { agentScopes } from '#domain/customers/accounts/accounts.ts'
import { applicationFor } from '#http/application-for.ts'
import type { Application } from '#application'

/** Where the protocol looks for who issues the store's tokens (RFC 9728). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

export type AgentScope = keyof typeof agentScopes

/** Returns the token issuer for agents and its scopes. Returns undefined in a store without accounts. */
export function resourceMetadata({ config, identity }: Pick<Application, 'config' | 'identity'>): object | undefined {
  return identity
    ? {
        resource: config.web.origin,
        resource_name: config.store.name,
        authorization_servers: [identity.issuer],
        scopes_supported: Object.keys(agentScopes),
        bearer_methods_supported: ['header'],
      }
    : undefined
}

/** Only signed tokens have this form, as at our other doors. */
const tokenForm = /^Bearer +([\w-]{1,4000}\.[\w-]{1,8000}\.[\w-]{1,2000})$/i

/**
 * Returns the token's caller, with the application as seen by that account. Throws `BadCall` for a token that is invalid,
 * belongs to another platform, or lacks `scope`. A platform without linking always acts as a guest.
 */
export async function linked(
  context: Omit<UcpContext, 'account'>,
  authorization: string | undefined,
  scope: AgentScope | null,
): Promise<UcpContext> {
  const { app, agent } = context
  const guest = { ...context, account: null }
  if (authorization === undefined || !has(guest, capabilityNames.linking)) return guest
  const token = tokenForm.exec(authorization.slice(0, 15_000))?.[1]
  if (token === undefined) throw new BadCall(identityRequired(app, 'This is no access token.', true))
  const admitted = await findApp(app, token, 'ucp')
  if (!admitted.ok) {
    if (admitted.reason === 'unavailable')
      throw new BadCall({
        status: 503,
        code: 'unavailable',
        content: 'The sign-in service is not responding. Try again in a moment.',
        headers: { 'retry-after': '5' },
      })
    throw new BadCall(identityRequired(app, words[admitted.reason], true))
  }
  const { signedIn, scopes, clientId } = admitted.value
  if (!isOf(clientId, agent)) throw new BadCall(identityRequired(app, words['not-accepted'], true))
  if (scope !== null && !scopes.includes(scope)) throw new BadCall(insufficientScope(app, scope))
  const account: LinkedAccount = { accountId: signedIn.accountId, scopes }
  return {
    ...context,
    account,
    app: await applicationFor(app, { session: token, dealerCode: undefined }, async () => signedIn),
  }
}

const words = {
  'not-accepted': 'The access token is expired, or not from our sign-in service, or not for this store and platform.',
  'no-account': 'This person has no account here yet. They must sign in to the store once.',
  revoked: 'The account’s owner has revoked this platform’s access.',
} as const

/** A platform is registered at the provider under the address of its profile: another's token is of no use to it. */
function isOf(clientId: string, { platform }: Agent): boolean {
  return URL.parse(clientId)?.href === platform
}

/** A session of this platform, and of this buyer if it is an account's; undefined for any other. */
export async function ownSession(
  { app, agent, account }: UcpContext,
  key: { id: string; kind: SessionKind },
): Promise<AgentSession | undefined> {
  const session = await findSession(app, { ...key, platform: agent.platform })
  if (!session || session.accountId === null || session.accountId === account?.accountId) return session
  if (account) return undefined
  throw new BadCall(identityRequired(app, 'The buyer linked their account. Send their access token.', false))
}

/** Returns the session and assigns it to the account if the buyer linked one since then. */
export async function adopted({ app, account }: UcpContext, session: AgentSession): Promise<AgentSession> {
  return account ? linkSession(app, session, account.accountId) : session
}

function identityRequired(app: Application, content: string, isTokenSent: boolean): TransportFault {
  const challenge = challengeOf(app, isTokenSent ? ['error="invalid_token"'] : [])
  return { status: 401, code: 'identity_required', content, severity: 'requires_buyer_review', headers: challenge }
}

function insufficientScope(app: Application, scope: string): TransportFault {
  const challenge = challengeOf(app, ['error="insufficient_scope"', `scope="${scope}"`])
  const content = `The account’s owner has not granted ${scope}.`
  return { status: 403, code: 'insufficient_scope', content, severity: 'requires_buyer_review', headers: challenge }
}

/** The challenge of RFC 6750, with whom to ask for a token. */
function challengeOf({ config, identity }: Application, more: readonly string[]): Record<string, string> {
  const parts = [
    `realm="${identity?.issuer ?? ''}"`,
    ...more,
    `resource_metadata="${config.web.origin}${resourceMetadataPath}"`,
  ]
  return { 'www-authenticate': `Bearer ${parts.join(', ')}` }
}
