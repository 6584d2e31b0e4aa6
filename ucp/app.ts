/**
 * The endpoint for shopping agents, with the REST binding of the Universal Commerce Protocol at /ucp, and the store's
 * profile. Uses the same use cases as the pages and the API.
 */
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { BadCall, error, fault, type TransportFault, type UcpAnswer } from '#ucp/answers.ts'
import { versions, type Agent, type UcpContext, type Version } from '#ucp/context.ts'
import { linked, resourceMetadata, resourceMetadataPath } from '#ucp/linking.ts'
import { createNegotiation } from '#ucp/negotiate.ts'
import { answerOnce } from '#ucp/once.ts'
import { operations, type UcpOperation } from '#ucp/operations.ts'
import { endpointPath, extensionNames, extensionSchemaPath, profileOf, profilePath } from '#ucp/profile.ts'
import { sandboxCardSchema } from '#ucp/sandbox-schemas.ts'
import { extensionSchema } from '#ucp/extension-schemas.ts'
import { createLimits } from '#http/call-limits.ts'
import { oversizedPart } from '#http/large-headers.ts'
import { securityHeaders } from '#http/security.ts'
import { addressOf } from '#http/client-address.ts'
import { readVisitor } from '#http/visitor.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import { verifyRequest } from '#platform/http-signatures.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import type { Application } from '#application'

type Env = {
  Bindings: Partial<HttpBindings>
  Variables: { requestId: string; route: string; networkKey: string; limitHeaders: Record<string, string> }
}

const maxBytes = 64 * 1024
const deepest = 20
const addresses = [resourceMetadataPath, profilePath, `${profilePath}/*`, `${endpointPath}/*`]

/** Creates the door of `app`, to be mounted at the store's root; all other addresses fall through. */
export function createUcp(app: Application): Hono<Env> {
  const hono = new Hono<Env>()
  hono.onError((failure, c) => {
    if (failure instanceof BadCall) return refuse(app, c, failure.fault)
    app.log.error({ err: failure }, 'a call of an agent failed')
    return refuse(
      app,
      c,
      isDatabaseUnavailable(failure)
        ? fault(503, 'unavailable', 'The store is busy. Try again in a moment.', { 'retry-after': '5' })
        : fault(500, 'internal_error', technicalMessages.wrong),
    )
  })
  for (const address of addresses) hono.use(address, admit(app))
  serveDocuments(hono, app)
  serveOperations(hono, app)
  for (const address of addresses) hono.all(address, (c) => refuse(app, c, fault(404, 'not_found', 'Not found.')))
  return hono
}

/** Counts calls per network before anything is read. */
function admit(app: Application): MiddlewareHandler<Env> {
  const { config } = app
  const limits = createLimits(app.callCounts, 'ucp', config.api.callsPerMinute)
  return async (c, next) => {
    const { path } = c.req
    const known = [endpointPath, resourceMetadataPath].find((each) => path.startsWith(each))
    c.set('route', known ?? profilePath)
    const oversized = oversizedPart(c.req.raw)
    if (oversized)
      return refuse(
        app,
        c,
        fault(400, 'invalid_request', `Send ${oversized === 'address' ? 'a shorter address' : 'shorter headers'}.`),
      )
    const address = addressOf(c, config)
    const { networkKey } = readVisitor(null, config.session.secret, address, config.web.isSecure)
    c.set('networkKey', networkKey)
    const taken = limits.take(networkKey)
    c.set('limitHeaders', taken.headers)
    if (!taken.isOver) return next()
    return refuse(
      app,
      c,
      fault(429, 'rate_limited', 'Too many calls. Try again after the Retry-After period.', {
        'retry-after': String(taken.resetSeconds),
      }),
    )
  }
}

/** Serves each release's profile, and the schemas of the store's extensions. */
function serveDocuments(hono: Hono<Env>, app: Application): void {
  const serve = (path: string, document: () => object) => {
    hono.get(path, (c) => reply(app, c, 200, JSON.stringify(document()), { 'cache-control': 'public, max-age=300' }))
    hono.all(path, (c) => refuse(app, c, fault(405, 'method_not_allowed', 'GET only.', { allow: 'GET, HEAD' })))
  }
  const [current, ...older] = versions
  serve(profilePath, () => profileOf(app, current))
  for (const version of older) serve(`${profilePath}/${version}`, () => profileOf(app, version))
  const metadata = resourceMetadata(app)
  if (metadata) serve(resourceMetadataPath, () => metadata)
  const { origin } = app.config.web
  const own = ['fitment', 'appointment', 'sandbox_acceptance'] as const
  const isDemo = app.config.agents.sandboxPlatform !== null
  for (const name of own.filter((each) => isDemo || each !== 'sandbox_acceptance'))
    serve(extensionSchemaPath(name), () => extensionSchema(name, extensionNames(origin)[name], origin))
  if (isDemo) serve(extensionSchemaPath('sandbox_card'), () => sandboxCardSchema(origin))
}

function serveOperations(hono: Hono<Env>, app: Application): void {
  const negotiation = createNegotiation(app)
  const perPlatform = createLimits(app.callCounts, 'agent-platform', app.config.api.callsPerMinute * 5)
  const limitBody = bodyLimit({
    maxSize: maxBytes,
    onError: (c) =>
      refuse(app, c as Context<Env>, fault(413, 'request_too_large', `A body has at most ${maxBytes} bytes.`)),
  })
  for (const operation of operations)
    hono.on(operation.method, endpointPath + operation.path, limitBody, async (c) => {
      c.set('route', `/ucp${operation.path}`)
      const bytes = new Uint8Array(await c.req.arrayBuffer())
      const networkKey = c.get('networkKey')
      const negotiated = await negotiation.agentOf(c.req.header('ucp-agent'), networkKey)
      if (!negotiated.ok) return negotiated.fault ? refuse(app, c, negotiated.fault) : incompatible(app, c, versions[0])
      const { agent } = negotiated
      const taken = perPlatform.take(agent.platform)
      if (taken.isOver)
        return refuse(
          app,
          c,
          fault(429, 'rate_limited', 'Too many calls of this platform.', { 'retry-after': String(taken.resetSeconds) }),
        )
      const isSigned = readSignature(app, c, agent, bytes, operation)
      if (!agent.capabilities.has(operation.capability)) return incompatible(app, c, agent.version)
      const context = await linked({ app, agent, networkKey, isSigned }, c.req.header('authorization'), operation.scope)
      const input = readBody(c, operation, bytes)
      const answered = await answerOnce(
        app,
        {
          key: operation.isChange ? c.req.header('idempotency-key') : undefined,
          // What one buyer was answered is not for another.
          scope: [agent.platform, agent.version, context.account?.accountId ?? '', operation.method, c.req.path],
          bytes,
        },
        () => run(operation, context, c.req.param('id') ?? '', input),
      )
      return reply(app, c, answered.status, answered.body, {
        'cache-control': 'private, no-store',
        ...(answered.isReplayed && { 'idempotent-replayed': 'true' }),
      })
    })
}

async function run(operation: UcpOperation, context: UcpContext, id: string, input: unknown) {
  const { status, body }: UcpAnswer = await operation.handle(context, id, input)
  return { status, body: JSON.stringify(body) }
}

/**
 * Returns whether the request is signed. An included signature must be valid. Order data requires a signature if the
 * platform publishes keys.
 */
function readSignature(
  app: Application,
  c: Context<Env>,
  agent: Agent,
  bytes: Uint8Array,
  { isSigned }: UcpOperation,
): boolean {
  const isSent = c.req.header('signature') !== undefined || c.req.header('signature-input') !== undefined
  if (!isSent && !(isSigned && agent.keys.length > 0)) return false
  // What the platform signed is our public address, whatever a proxy in between calls us.
  const sent = new URL(c.req.url)
  const url = new URL(sent.pathname + sent.search, app.config.web.origin)
  const body = bytes.length > 0 ? bytes : null
  const request = { method: c.req.method, url, headers: c.req.header(), body }
  const verified = verifyRequest(agent.keys, request, app.clock.now())
  if (verified.ok) return true
  const isBadForm = verified.reason === 'digest_mismatch' || verified.reason === 'algorithm_unsupported'
  throw new BadCall(fault(isBadForm ? 400 : 401, verified.reason, 'The signature of this request does not hold.'))
}

function readBody(c: Context<Env>, { hasBody }: UcpOperation, bytes: Uint8Array): unknown {
  if (!hasBody || (bytes.length === 0 && !hasBody)) return {}
  if (bytes.length === 0) return {}
  if (!/^application\/([\w.+-]{1,80}\+)?json\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new BadCall(fault(415, 'unsupported_media_type', 'The body must be JSON, and Content-Type must say so.'))
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new BadCall(fault(400, 'invalid_request', 'The body is not JSON.'))
  }
  if (isDeeperThan(body, deepest)) throw new BadCall(fault(400, 'invalid_request', 'The body nests too deeply.'))
  return body
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1))
}

/** Returns the response if the platform and the store share no capability for this operation. It isn't an error. */
function incompatible(app: Application, c: Context<Env>, version: Version): Response {
  const body = {
    ucp: { version, status: 'error', capabilities: {} },
    messages: [
      error(
        'capabilities_incompatible',
        'Your profile and ours have no capability for this in common.',
        'unrecoverable',
      ),
    ],
    continue_url: `${app.config.web.origin}/`,
  }
  return reply(app, c, 200, JSON.stringify(body), { 'cache-control': 'private, no-store' })
}

function refuse(app: Application, c: Context<Env>, refused: TransportFault): Response {
  const { status, code, content, headers, severity } = refused
  const body = {
    code,
    content,
    ...(severity && { messages: [error(code, content, severity)] }),
    continue_url: `${app.config.web.origin}/`,
  }
  return reply(app, c, status, JSON.stringify(body), { 'cache-control': 'private, no-store', ...headers })
}

function reply(
  { config }: Application,
  c: Context<Env>,
  status: number,
  body: string,
  headers: Record<string, string>,
): Response {
  const requestId = c.req.header('request-id')
  return new Response(c.req.method === 'HEAD' ? null : body, {
    status,
    headers: {
      ...securityHeaders(config, null),
      'access-control-allow-origin': '*',
      'x-robots-tag': 'noindex',
      'content-type': 'application/json',
      ...c.get('limitHeaders'),
      ...(requestId !== undefined && /^[\w.:-]{1,100}$/.test(requestId) && { 'request-id': requestId }),
      ...headers,
    },
  })
}
