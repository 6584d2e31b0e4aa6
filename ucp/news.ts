/**
 * Sends order updates to agents' platforms, with the whole order, signed (RFC 9421), and with retries until it is
 * accepted.
 */
import { createHash } from 'node:crypto'
import { orderOf, orderSnapshot } from '#ucp/orders.ts'
import { capabilityNames, profilePath, signingKeys } from '#ucp/profile.ts'
import { isAppRevoked } from '#domain/customers/accounts/accounts.server.ts'
import { findAnySession, queueNews } from '#domain/channels/agents/agents.server.ts'
import type { AgentSession } from '#domain/channels/agents/agents.ts'
import { signRequest } from '#platform/http-signatures.ts'
import type { Application } from '#application'

/** Orders looked at in a minute. */
const lookedAt = 200

/** Queues a message for each order that changed since the last message to its platform. */
export function watchAgentOrders(app: Application): Promise<number> {
  return queueNews(app, {
    limit: lookedAt,
    digestOf: async (session) => {
      const body = await newsOf(app, session)
      return body && digestOf(body)
    },
  })
}

/** Posts the order as it is now. Throws if the platform does not take it, so that the job runs again. */
export async function tellPlatform(app: Application, sessionId: string): Promise<void> {
  const session = await findAnySession(app, sessionId)
  const body = session && (await newsOf(app, session))
  if (!session?.webhookUrl || body === undefined) return
  const url = new URL(session.webhookUrl)
  const now = app.clock.now()
  const bytes = Buffer.from(body)
  const headers = {
    'content-type': 'application/json',
    'ucp-agent': `profile="${app.config.web.origin}${profilePath}"`,
    // The same for each try to tell the same.
    'webhook-id': `${session.id}-${digestOf(body).slice(0, 16)}`,
    'webhook-timestamp': String(Math.trunc(now.epochMilliseconds / 1_000)),
  }
  const signed = signRequest(signingKeys(app)[0], { method: 'POST', url, headers, body: bytes }, now)
  const sent = await app.platforms.send(url, { headers: { ...headers, ...signed }, body: bytes })
  if (sent.ok) return
  // An address that may never be called is not tried again.
  if (sent.reason === 'refused') app.log.warn({ host: url.hostname }, 'a platform named an address that is not public')
  else throw new Error(`${url.hostname} did not take the news of an order.`)
}

async function newsOf(app: Application, session: AgentSession): Promise<string | undefined> {
  // Platforms with revoked access receive no updates.
  const { accountId, platform: clientId } = session
  if (accountId !== null && (await isAppRevoked(app, { accountId, clientId }))) return undefined
  const order = await orderOf(app, session)
  if (!order) return undefined
  const ucp = {
    version: session.version,
    status: 'success',
    capabilities: { [capabilityNames.order]: [{ version: session.version }] },
  }
  return JSON.stringify({ ucp, ...orderSnapshot(app, session, order, true) })
}

function digestOf(body: string): string {
  return createHash('sha256').update(body).digest('base64url')
}
