/** The door for agents over a copy of the small demo data, without sockets, with a platform that has a profile. */
import { Hono } from 'hono'
import { createUcp } from '#ucp/app.ts'
import { offeredCapabilities } from '#ucp/profile.ts'
import type { Version } from '#ucp/context.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { readConfig } from '#platform/config.ts'
import { signingKeyFrom, signRequest } from '#platform/http-signatures.ts'
import { createFakeProvider, type FakeProvider } from '#domain/customers/accounts/accounts.testing.ts'
import { ok, refused } from '#platform/outcome.ts'
import { createApplication } from '#application'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { openOutside } from '#tests/faults/outside.ts'

export const platform = 'https://agents.example.com/profile.json'
export const otherPlatform = 'https://assistant.example.org/ucp'
/** The platform of the demo's sandbox. */
export const sandboxPlatform = 'http://localhost:4001/agent/profile.json'
export const webhook = 'https://agents.example.com/orders'
export const origin = 'https://tires.example'
export const platformKey = signingKeyFrom('of the platform', 'tests')

/** A platform's profile that speaks all the store does. */
export function profileSpeaking(version: Version, changed: Record<string, unknown> = {}): string {
  const capabilities = Object.fromEntries(
    [...offeredCapabilities({ origin, hasAccounts: true, hasSandbox: true }, version)].map(([name, it]) => [
      name,
      [{ version: it.version, ...(name.endsWith('.order') && { config: { webhook_url: webhook } }) }],
    ]),
  )
  return JSON.stringify({ ucp: { version, services: {}, payment_handlers: {}, capabilities }, ...changed })
}

/** A token of the fake provider, in the form of signed ones. */
export const tokenOf = (subject: string, scopes: readonly string[], clientId = platform): string =>
  `e30.${Buffer.from(`${subject};${clientId};${scopes.join(' ')}`).toString('base64url')}.c2ln`

/** A provider that reads such tokens. */
function agentProvider(): FakeProvider {
  const provider = createFakeProvider()
  const { readAccessToken } = provider
  provider.readAccessToken = (token, door) =>
    readAccessToken(door === 'ucp' ? Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() : '', door)
  return provider
}

type Sent = {
  body?: unknown
  headers?: Record<string, string>
  from?: string
  isSigned?: boolean
}

/**
 * Hold it with `await using`. `withOutside` adds a payment provider, played by the sandbox; without `isDemo` the store
 * is as `DEMO=0` makes it.
 */
export async function openUcp({
  withOutside = false,
  isDemo = true,
  callsPerMinute = 1_000_000,
}: { withOutside?: boolean; isDemo?: boolean; callsPerMinute?: number } = {}) {
  const database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(smallDataMadeAt)
  const outside = withOutside ? await openOutside(clock) : null
  const config = readConfig({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
    API_CALLS_PER_MINUTE: String(callsPerMinute),
  })
  if (!config.ok) throw new Error(config.faults.map(({ name }) => name).join(', '))
  const profiles = new Map<string, string>([
    [platform, profileSpeaking('2026-08-25')],
    [otherPlatform, profileSpeaking('2026-04-08')],
    [sandboxPlatform, profileSpeaking('2026-08-25', { keys: [platformKey.jwk] })],
  ])
  const identity = agentProvider()
  const reads: string[] = []
  const posted: { url: string; headers: Readonly<Record<string, string>>; body: string }[] = []
  const answers = { isTaken: true }
  const platforms = {
    read(url: URL) {
      reads.push(url.href)
      const text = profiles.get(url.href)
      return Promise.resolve(text === undefined ? refused('unreachable') : ok({ text, maxAgeSeconds: null }))
    },
    send(url: URL, { headers, body }: { headers: Readonly<Record<string, string>>; body: Uint8Array }) {
      posted.push({ url: url.href, headers, body: Buffer.from(body).toString() })
      return Promise.resolve(answers.isTaken ? ok(null) : refused('unreachable'))
    },
  }
  const app = createApplication(
    {
      ...config.value,
      web: { ...config.value.web, origin },
      agents: { sandboxPlatform: isDemo ? sandboxPlatform : null },
    },
    { clock, platforms, identity, ...outside?.connect() },
  )
  const hono = new Hono<{ Variables: { requestId: string } }>()
  hono.use((c, next) => {
    c.set('requestId', 'test-request')
    return next()
  })
  hono.route('/', createUcp(app))
  return {
    app,
    clock,
    database,
    outside,
    profiles,
    identity,
    reads,
    posted,
    answers,
    call: callerOf(hono, clock),
    async [Symbol.asyncDispose]() {
      await app.close()
      await outside?.[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Calls the door as a platform does. */
function callerOf(
  app: Pick<Hono<{ Variables: { requestId: string } }>, 'request'>,
  clock: Pick<ReturnType<typeof fixedClock>, 'now'>,
) {
  return async (method: string, path: string, { body, headers = {}, from = platform, isSigned = false }: Sent = {}) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const sent = {
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(from !== '' && { 'ucp-agent': `profile="${from}"` }),
      ...headers,
    }
    const url = new URL(path, origin)
    const bytes = text === undefined ? null : Buffer.from(text)
    const signed = isSigned ? signRequest(platformKey, { method, url, headers: sent, body: bytes }, clock.now()) : {}
    const answer = await app.request(
      path,
      { method, headers: { ...sent, ...signed }, ...(text !== undefined && { body: text }) },
      {},
    )
    const read = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: (read === '' ? null : JSON.parse(read)) as never,
    }
  }
}
