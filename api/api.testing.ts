/**
 * The API over a copy of the small demo data, without sockets. Every response is checked against its operation's
 * description.
 */
import { Hono } from 'hono'
import { expect } from 'vitest'
import { createApi } from '#api/app.ts'
import { operations } from '#api/operations.ts'
import type { IdentityProvider } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { readConfig } from '#platform/config.ts'
import { createApplication } from '#application'
import { openOutside } from '#tests/faults/outside.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'

type Sent = { body?: unknown; headers?: Record<string, string>; cart?: string }

/**
 * Hold it with `await using`. `withOutside` adds a payment provider, played by the sandbox; `identity` a sign-in
 * provider.
 */
export async function openApi({
  withOutside = false,
  identity,
  callsPerMinute = 1_000_000,
}: { withOutside?: boolean; identity?: IdentityProvider; callsPerMinute?: number } = {}) {
  const database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(smallDataMadeAt)
  const outside = withOutside ? await openOutside(clock) : null
  const config = readConfig({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
    API_CALLS_PER_MINUTE: String(callsPerMinute),
  })
  if (!config.ok) throw new Error(config.faults.map(({ name }) => name).join(', '))
  const app = createApplication(config.value, { clock, ...outside?.connect(), ...(identity && { identity }) })
  const api = new Hono<{ Variables: { requestId: string } }>()
  api.use((c, next) => {
    c.set('requestId', 'test-request')
    return next()
  })
  api.route('/', createApi(app))
  return {
    app,
    clock,
    database,
    outside,
    /** Calls an operation and checks the response against its description. */
    async call(method: string, path: string, { body, headers = {}, cart }: Sent = {}) {
      const answer = await api.request(
        `/api${path}`,
        {
          method,
          headers: {
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(cart !== undefined && { authorization: `Bearer ${cart}` }),
            ...headers,
          },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        },
        {},
      )
      const text = await answer.text()
      const json: unknown = text === '' ? null : JSON.parse(text)
      if (answer.status < 300) expectAsAnnounced(method, path, json)
      return { status: answer.status, body: json as never, headers: answer.headers }
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await outside?.[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

function expectAsAnnounced(method: string, path: string, json: unknown): void {
  const operation = operations.find(
    (each) =>
      each.method === method.toLowerCase() &&
      new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? ''),
  )
  const checked = operation?.result?.safeParse(json)
  expect(checked && !checked.success ? checked.error.issues.slice(0, 5) : [], `${method} ${path}`).toEqual([])
}
