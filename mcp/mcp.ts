/**
 * The MCP server at /mcp for shopping agents, with the API's operations as tools. Stateless. Access, rate, and size are
 * checked here before further parsing or queries.
 */
import { originValidation } from '@modelcontextprotocol/hono'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { readCaller, type Caller } from '#api/caller.ts'
import { createLimits } from '#http/call-limits.ts'
import { challengeOf, isTooDeep } from '#api/read-call.ts'
import { createResponses, type Env } from '#api/responses.ts'
import { oversizedPart } from '#http/large-headers.ts'
import { comesFromElsewhere } from '#http/same-site.ts'
import { addressOf } from '#http/client-address.ts'
import { agentLimits } from '#mcp/agent-limits.ts'
import { mcpPath, type Message, messageOf, refusalResponse, type Refusal } from '#mcp/messages.ts'
import { serverPaths } from '#content/server-paths.ts'
import { createToolServer } from '#mcp/server.ts'
import { toolsOf } from '#mcp/tool-list.ts'
import { appScopes } from '#domain/customers/accounts/accounts.ts'
import { isId } from '#platform/ids.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

/** Creates the MCP server of `app`, to be mounted at the store's root; other addresses fall through. */
export function createMcp(app: Application): Hono<Env> {
  const { config, log } = app
  const hono = new Hono<Env>()
  const { always } = createResponses(app)
  const networks = createLimits(app.callCounts, 'mcp', config.api.callsPerMinute)
  const admitCounted = countCalls(app)
  const refuse = (c: Context<Env>, refusal: Refusal) => refusalResponse(refusal, { ...headers, ...c.get('headers') })
  // Other sites' pages can't call it. Only programs and the store's own pages can.
  const { 'access-control-allow-origin': _, 'access-control-expose-headers': __, ...headers } = always

  const identify: MiddlewareHandler<Env> = async (c, next) => {
    c.set('route', mcpPath)
    const oversized = oversizedPart(c.req.raw)
    if (oversized === 'address') return refuse(c, { status: 414, message: 'Shorten the address of the request.' })
    if (oversized === 'headers') return refuse(c, { status: 431, message: 'Send fewer or shorter headers.' })
    const address = addressOf(c, config)
    const caller = readCaller(app, tokensOf(c.req.raw.headers), address, 'mcp')
    c.set('caller', caller)
    const taken = networks.take(caller.visitor.networkKey)
    c.set('headers', taken.headers)
    if (taken.isOver) return refuse(c, tooMany('from this address', taken.resetSeconds))
    return next()
  }
  // The port and other browser headers count, too.
  const refuseElsewhere: MiddlewareHandler<Env> = async (c, next) =>
    comesFromElsewhere((name) => c.req.header(name), config.web.origin)
      ? refuse(c, { status: 403, message: 'Pages of other sites cannot call this server.' })
      : next()

  hono.onError((error, c) => {
    log.error({ err: error }, 'an MCP request failed')
    return refuse(c, { status: 500, code: -32603, message: 'Something went wrong on our side.' })
  })
  serveMetadata(hono, app, always)
  hono.use(mcpPath, identify)
  hono.use(mcpPath, originValidation([new URL(config.web.origin).hostname]))
  hono.use(mcpPath, refuseElsewhere)
  hono.use(
    mcpPath,
    bodyLimit({
      maxSize: agentLimits.bodyBytes,
      onError: (c) =>
        refuse(c as Context<Env>, {
          status: 413,
          message: `A body can have up to ${agentLimits.bodyBytes} bytes.`,
          headers: { connection: 'close' },
        }),
    }),
  )
  hono.all(mcpPath, async (c) => {
    const read = c.req.method === 'POST' ? await readMessage(c) : undefined
    if (read && !read.ok) return refuse(c, read)
    if (read?.message.tool !== undefined && toolNames.has(read.message.tool))
      c.set('route', `${mcpPath}#${read.message.tool}`)
    const refusal =
      read &&
      ((await admitCounted.cart(read.message)) ??
        (await admitToken(app, c.get('caller'), read.message)) ??
        (await admitCounted.app(c.get('caller'))))
    if (refusal) return refuse(c, refusal)
    const call = { app, caller: c.get('caller') }
    const handler = createMcpHandler(() => createToolServer(call), {
      maxSubscriptions: 0,
      maxRequestBodySize: agentLimits.bodyBytes,
      onerror: (error) => log.debug({ err: error }, 'an MCP request was refused'),
    })
    const answer = await handler.fetch(c.req.raw, read && { parsedBody: read.message.body })
    const made = new Headers({ ...headers, ...c.get('headers'), 'cache-control': 'private, no-store' })
    for (const [name, value] of answer.headers) if (name !== 'cache-control') made.set(name, value)
    return new Response(answer.body, { status: answer.status, headers: made })
  })
  return hono
}

/** Limits calls by their subject, regardless of the network. */
function countCalls(app: Application) {
  const carts = createLimits(app.callCounts, 'agent-cart', agentLimits.cartCallsPerMinute)
  const apps = createLimits(app.callCounts, 'agent-app', agentLimits.appCallsPerMinute)
  return {
    async cart({ cartKey }: Message): Promise<Refusal | undefined> {
      if (cartKey === undefined || !isId(cartKey)) return undefined
      const taken = carts.take(cartKey)
      return taken.isOver ? tooMany('about this cart', taken.resetSeconds) : undefined
    },
    /** Limits an app that calls for an account with an accepted token. */
    async app(caller: Caller): Promise<Refusal | undefined> {
      const found = await caller.app()
      if (!found?.ok) return undefined
      const taken = apps.take(found.value.signedIn.sessionId)
      return taken.isOver ? tooMany('of this app for this account', taken.resetSeconds) : undefined
    },
  }
}

/** Label values for logs and metrics. They are only known tool names and never a caller's text. */
const toolNames = new Set(toolsOf({ hasAccounts: true }).map(({ name }) => name))

/** The MCP server's token issuer metadata (RFC 9728). */
const metadataPath = `/.well-known/oauth-protected-resource${mcpPath}`

function serveMetadata(
  hono: Hono<Env>,
  { config, identity }: Application,
  always: Readonly<Record<string, string>>,
): void {
  if (!identity) return
  const metadata = JSON.stringify({
    resource: config.web.origin + mcpPath,
    resource_name: `${config.store.name} MCP server`,
    authorization_servers: [identity.issuer],
    scopes_supported: Object.keys(appScopes),
    bearer_methods_supported: ['header'],
    resource_documentation: config.web.origin + serverPaths.agents(),
  })
  hono.get(metadataPath, (c) =>
    c.body(metadata, 200, { ...always, 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' }),
  )
}

/** A token that is sent must be good, and have the scope of the tool; some tools need one. */
async function admitToken(app: Application, caller: Caller, { tool: name }: Message): Promise<Refusal | undefined> {
  const challenge = (error?: string) => ({ 'www-authenticate': challengeOf(app, error, metadataPath) })
  const refuse = (status: 401 | 403, message: string, error?: string): Refusal => ({
    status,
    message,
    headers: challenge(error),
  })
  if (caller.isTokenBroken) return refuse(401, 'This is no access token.', 'error="invalid_token"')
  const called = toolsOf({ hasAccounts: app.identity !== null }).find((each) => each.name === name)
  const found = await caller.app()
  if (!found)
    return called?.audience === 'account'
      ? refuse(401, 'This tool needs a token of the account’s owner.', `scope="${called.scope}"`)
      : undefined
  if (!found.ok)
    return found.reason === 'unavailable'
      ? { status: 503, message: 'The sign-in service is not responding. Try again in a moment.' }
      : refuse(401, 'The access token is not accepted.', 'error="invalid_token"')
  const scope = called?.scope
  return scope === undefined || found.value.scopes.includes(scope)
    ? undefined
    : refuse(403, `The account’s owner has not granted ${scope}.`, `error="insufficient_scope", scope="${scope}"`)
}

/** Agents use tokens, not cookies. Cookies sent along belong to another tab. */
function tokensOf(headers: Headers): Headers {
  const tokens = new Headers()
  for (const name of ['authorization', 'x-authorization']) {
    const value = headers.get(name)
    if (value !== null) tokens.set(name, value)
  }
  return tokens
}

async function readMessage(c: Context<Env>): Promise<{ ok: true; message: Message } | ({ ok: false } & Refusal)> {
  let body: unknown
  try {
    body = JSON.parse(await c.req.text())
  } catch {
    return { ok: false, status: 400, code: -32700, message: 'The body is not JSON.' }
  }
  if (Array.isArray(body))
    return { ok: false, status: 400, code: -32600, message: 'Send one message at a time. Batches aren’t accepted.' }
  if (isTooDeep(body))
    return { ok: false, status: 400, code: -32600, message: 'The body nests lists or objects too deeply.' }
  return { ok: true, message: messageOf(body) }
}

function tooMany(where: string, seconds: number): Refusal {
  return {
    status: 429,
    message: `Too many requests ${where}. Wait ${countOf(seconds, 'second')}.`,
    headers: { 'retry-after': String(seconds) },
  }
}
