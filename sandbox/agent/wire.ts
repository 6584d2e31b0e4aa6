/** The sandbox's assistant as a platform of the Universal Commerce Protocol: its profile, and its signed calls. */
import { newId } from '../ids.ts'
import type { Store } from '../store.ts'
import { signingKeyFrom, signRequest, verifyRequest } from '#platform/http-signatures.ts'

/** One request with its answer, as a person reads it. */
export type Exchange = { no: number; at: string; call: string; sent: string; status: number; got: string }
export type Answer = { status: number; body: Record<string, unknown> }

type Offered = { version: string }
export type AgentWire = ReturnType<typeof openWire>

const timeoutMs = 20_000
const mostKept = 40

export type WireOptions = {
  store: Store
  now: () => Temporal.Instant
  /** Where the store is, and where this platform is to it. */
  storeOrigin: string
  publicOrigin: string
}

export function openWire({ store, now, storeOrigin, publicOrigin }: WireOptions) {
  const exchanges = store.collection<Exchange>('agent-exchange')
  const secrets = store.collection<{ secret: string }>('agent-key')
  const key = () => {
    const known = secrets.get('own') ?? { secret: newId('', 43) }
    secrets.put('own', known)
    return signingKeyFrom(known.secret, 'sandbox assistant')
  }
  const profileUrl = `${publicOrigin}/agent/profile.json`

  function note(exchange: Omit<Exchange, 'no' | 'at'>): void {
    const [last] = exchanges.list({ limit: 1 })
    const no = (last?.no ?? 0) + 1
    exchanges.put(String(no), { ...exchange, no, at: now().toString() })
    exchanges.remove(String(no - mostKept))
  }

  return {
    exchanges,
    profileUrl,
    /** Returns this platform's profile, which supports everything the store supports. */
    async profile(): Promise<object> {
      const { ucp } = await profileOfStore(storeOrigin)
      return {
        ucp: {
          version: ucp?.version ?? '2026-08-25',
          services: {},
          payment_handlers: {},
          capabilities: sameAs(ucp?.capabilities ?? {}, `${publicOrigin}/agent/orders`),
        },
        keys: [key().jwk],
      }
    },
    /** Calls an operation of the store, signed; null where it does not answer. */
    async call(
      method: 'GET' | 'POST' | 'PUT',
      path: string,
      body: object | null,
      token: string | null,
    ): Promise<Answer | null> {
      const url = new URL(`${storeOrigin}/ucp${path}`)
      const text = body === null ? null : JSON.stringify(body)
      const headers = {
        'ucp-agent': `profile="${profileUrl}"`,
        'request-id': newId('req_'),
        ...(method !== 'GET' && { 'idempotency-key': newId('key_') }),
        ...(text !== null && { 'content-type': 'application/json' }),
      }
      const bytes = text === null ? null : Buffer.from(text)
      const signed = signRequest(key(), { method, url, headers, body: bytes }, now())
      const sent = text === null ? '' : JSON.stringify(body, null, 2)
      try {
        const answer = await fetch(url, {
          method,
          headers: { ...headers, ...signed, ...(token !== null && { authorization: `Bearer ${token}` }) },
          ...(text !== null && { body: text }),
          signal: AbortSignal.timeout(timeoutMs),
        })
        const got = (await answer.json()) as Record<string, unknown>
        note({ call: `${method} /ucp${path}`, sent, status: answer.status, got: JSON.stringify(got, null, 2) })
        return { status: answer.status, body: got }
      } catch {
        note({ call: `${method} /ucp${path}`, sent, status: 0, got: 'The store did not answer.' })
        return null
      }
    },
    /** Verifies the store's message with its published keys and checks its timestamp. Returns the problem, if any. */
    async judge(request: { url: URL; headers: Record<string, string>; body: string }): Promise<string> {
      const { keys = [] } = await profileOfStore(storeOrigin)
      const { url, headers } = request
      const verified = verifyRequest(keys, { method: 'POST', url, headers, body: Buffer.from(request.body) }, now())
      return verified.ok ? 'verified' : verified.reason
    },
  }
}

type StoreProfile = { ucp?: { version: string; capabilities: Record<string, Offered[]> }; keys?: unknown[] }

async function profileOfStore(storeOrigin: string): Promise<StoreProfile> {
  const answer = await fetch(`${storeOrigin}/.well-known/ucp`, { signal: AbortSignal.timeout(timeoutMs) })
  return (await answer.json()) as StoreProfile
}

/** Returns all of the store's capabilities, with this platform's order webhook. */
function sameAs(capabilities: Record<string, Offered[]>, webhookUrl: string): object {
  return Object.fromEntries(
    Object.entries(capabilities).map(([name, offers]) => [
      name,
      offers.map(({ version }) => ({
        version,
        ...(name === 'dev.ucp.shopping.order' && { config: { webhook_url: webhookUrl } }),
      })),
    ]),
  )
}
