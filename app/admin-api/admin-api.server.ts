/** The admin API at /api/admin, with the back office's lists and actions. Programs authenticate with access tokens. */
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { cursorAt, placeOf } from '#api/paging.ts'
import { problem, type Problem } from '#api/problem.ts'
import { challengeOf, checkText, cleaned, isTooDeep } from '#api/read-call.ts'
import { createResponses, type Env, type Responses } from '#api/responses.ts'
import type { ListReader } from '#app/office/define-list.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { admitApiClient } from '#domain/kernel/staff/staff.server.ts'
import {
  permissions,
  staffCan,
  staffRoleName,
  type AdmittedClient,
  type Permission,
} from '#domain/kernel/staff/staff.ts'
import { createLimits } from '#http/call-limits.ts'
import { addressOf } from '#http/client-address.ts'
import { mimeTypeOf } from '#http/fields.ts'
import { compressAnswer } from '#http/compression.ts'
import { oversizedPart } from '#http/large-headers.ts'
import { readVisitor } from '#http/visitor.ts'
import { countOf } from '#platform/count-text.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import { plainText } from '#api/schemas.ts'
import type { Application } from '#application'
import { adminDocument, pageSize } from './document.server.ts'
import type { AdminOperation } from './operation.ts'
import { adminOperations } from './operations.server.ts'
import { adminResources, adminRows, readQuestion, type AdminQuestion, type AdminResource } from './resources.server.ts'

const root = '/api/admin'
/** Where the API states who issues its tokens (RFC 9728). */
const metadataPath = '/.well-known/oauth-protected-resource/api/admin'
/** Scopes are permissions. A program needs both its role's permission and its token's scope. */
const scopes = Object.keys(permissions) as Permission[]

type Call = { app: Application; responses: Responses }

/** Creates the admin API of `shop`, to be mounted at the store's root before the API of shoppers. */
export function createAdminApi(app: Application): Hono<Env> {
  const hono = new Hono<Env>()
  const responses = createResponses(app)
  const { always, fail, refuseMethod } = responses
  const call = { app, responses }

  hono.onError((error, c) => {
    app.log.error({ err: error }, 'a call of the admin API failed')
    return fail(
      c,
      isDatabaseUnavailable(error)
        ? problem('Unavailable', 'The store is busy. Try again in a moment.', { headers: { 'retry-after': '5' } })
        : problem('ServerError', technicalMessages.wrong),
    )
  })
  hono.use(`${root}/*`, admitCalls(call))

  serveDocument(hono, call)
  if (app.identity) {
    const metadata = metadataOf(app, app.identity.issuer)
    hono.get(metadataPath, (c) =>
      c.body(metadata, 200, { ...always, 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' }),
    )
  }
  const methods = new Map<string, string[]>()
  for (const resource of adminResources) {
    const path = `${root}/${resource.name}`
    hono.get(path, (c) => answerList(c, resource, call))
    methods.set(path, ['GET'])
  }
  for (const operation of adminOperations) {
    const path = `${root}${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    const method = operation.method.toUpperCase()
    hono.on(method, path, (c) => answerOperation(c, operation, call))
    methods.set(path, [...(methods.get(path) ?? []), method])
  }
  for (const [path, known] of methods) hono.all(path, (c) => refuseMethod(c, known))
  hono.all(`${root}/*`, (c) => fail(c, problem('NotFound')))
  return hono
}

/** Counts calls per network, and refuses those that are too large to read. */
function admitCalls({ app, responses: { fail } }: Call): MiddlewareHandler<Env> {
  const { config } = app
  const limits = createLimits(app.callCounts, 'admin', config.api.callsPerMinute)
  return async (c, next) => {
    c.set('headers', {})
    const oversized = oversizedPart(c.req.raw)
    if (oversized === 'address') return fail(c, problem('AddressTooLong', 'Shorten the address of the request.'))
    if (oversized === 'headers') return fail(c, problem('HeadersTooLarge', 'Send fewer or shorter headers.'))
    const { networkKey } = readVisitor(null, config.session.secret, addressOf(c, config))
    const { headers, isOver, resetSeconds } = limits.take(networkKey)
    c.set('headers', headers)
    if (!isOver) return next()
    return fail(
      c,
      problem('TooManyCalls', 'Wait for the Retry-After period, then continue.', {
        headers: { 'retry-after': String(resetSeconds) },
      }),
    )
  }
}

function serveDocument(hono: Hono<Env>, { app, responses: { always, refuseMethod } }: Call): void {
  const path = `${root}/openapi.json`
  let document: string | undefined
  hono.get(path, (c) => {
    const { config, identity } = app
    document ??= JSON.stringify(adminDocument(config.web.origin, config.store.name, identity?.issuer ?? null))
    const headers = new Headers({
      ...always,
      ...c.get('headers'),
      'content-type': 'application/json',
      'cache-control': 'public, max-age=60',
    })
    return compressAnswer(document, 200, headers, c.req.header('accept-encoding') ?? null)
  })
  hono.all(path, (c) => refuseMethod(c, ['GET']))
}

function metadataOf({ config }: Application, issuer: string): string {
  return JSON.stringify({
    resource: `${config.web.origin}${root}`,
    resource_name: `${config.store.name} admin API`,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  })
}

async function answerList(c: Context<Env, string>, resource: AdminResource, call: Call): Promise<Response> {
  const { app, responses } = call
  c.set('route', `${root}/${resource.name}`)
  const admitted = await admit(c, resource.permission, app)
  if (!admitted.ok) return responses.fail(c, admitted)
  const asked = readAsked(new URL(c.req.url).searchParams, resource)
  if (!asked.ok) return responses.fail(c, asked)
  const { filters, sort, limit, after } = asked.value
  const reader = readerFor(app, admitted.value)
  const page = await resource.definition.read(reader, {
    filters,
    sort,
    after,
    before: null,
    limit,
    ids: null,
    view: '',
  })
  const { can } = reader
  const body = {
    rows: adminRows(resource, page, { can, origin: app.config.web.origin }),
    next: page.next === null ? null : cursorAt(page.next, questionOf(resource, asked.value)),
  }
  return c.body(JSON.stringify(body), 200, {
    ...responses.always,
    ...c.get('headers'),
    'content-type': 'application/json',
    'cache-control': 'private, no-store',
  })
}

async function answerOperation(
  c: Context<Env, string>,
  { path, permission, params, query, body, file, status = 200, handle }: AdminOperation,
  { app, responses }: Call,
): Promise<Response> {
  c.set('route', `${root}${path}`)
  const admitted = await admit(c, permission, app)
  if (!admitted.ok) return responses.fail(c, admitted)
  const named = checkText(params, c.req.param(), 'address')
  if (!named.ok) return responses.fail(c, named)
  const sent = readParameters(new URL(c.req.url).searchParams)
  if (!sent.ok) return responses.fail(c, sent)
  const asked = checkText(query, Object.fromEntries(sent.value), 'query')
  if (!asked.ok) return responses.fail(c, asked)
  if (file && !file.includes(mimeTypeOf(c.req.header('content-type') ?? null)?.essence ?? ''))
    return responses.fail(c, problem('UnsupportedMediaType', `Send a file as the body: ${file.join(', ')}.`))
  const read = body ? await readBody(c, body) : { ok: true as const, value: null }
  if (!read.ok) return responses.fail(c, read)
  const { id, name, scopes: granted } = admitted.value
  const by = { via: 'api', name, clientId: id, scopes: granted } as const
  const { body: stream, signal } = c.req.raw
  const answered = await handle({
    app,
    by,
    reader: readerFor(app, admitted.value),
    params: named.value,
    query: asked.value,
    body: read.value,
    stream: () => bytesOf(stream),
    signal,
  })
  if (!answered.ok) return responses.fail(c, answered)
  const headers = { ...responses.always, ...c.get('headers'), 'cache-control': 'private, no-store' }
  return responseOf(answered.value, status, headers)
}

/** Returns a value as JSON, and a file as it is. */
function responseOf(value: unknown, status: number, headers: Readonly<Record<string, string>>): Response {
  if (value === null) return new Response(null, { status, headers })
  if (value instanceof Response)
    return new Response(value.body, {
      status: value.status,
      headers: { ...Object.fromEntries(value.headers), ...headers },
    })
  return new Response(JSON.stringify(value), { status, headers: { ...headers, 'content-type': 'application/json' } })
}

/** In bytes, far more than any operation takes. */
const largestBody = 64 * 1024

async function readBody(c: Context<Env, string>, schema: z.ZodType): Promise<{ ok: true; value: unknown } | Problem> {
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
    return problem('UnsupportedMediaType', 'The body must be JSON, and Content-Type must say so.')
  const text = await readLimited(c.req.raw)
  if (text === undefined) return problem('BodyTooLarge', `Send at most ${largestBody / 1024} KB.`)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return problem('BadRequest', 'The body is not JSON.')
  }
  if (isTooDeep(body)) return problem('BadRequest', 'The body nests lists or objects too deeply.')
  // Fields are normalized with their form, because documents preserve their typography.
  return checkText(
    schema,
    cleaned(body, (sent) => sent.normalize('NFC')),
  )
}

async function* bytesOf(body: Request['body']): AsyncGenerator<Uint8Array> {
  for await (const chunk of body ?? []) yield chunk
}

/** The body as text; undefined as soon as it is larger than it may be. */
async function readLimited({ body }: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > largestBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const bearerForm = /^Bearer +(?<token>[\w.-]{1,14000})$/i

/** Whether the caller's token and role include the permission. */
async function admit(
  c: Context<Env, string>,
  permission: Permission,
  app: Application,
): Promise<{ ok: true; value: AdmittedClient } | Problem> {
  const token = bearerForm.exec(c.req.header('authorization') ?? '')?.groups?.['token']
  const challenge = (error?: string) => ({ 'www-authenticate': challengeOf(app, error, metadataPath) })
  if (token === undefined)
    return problem('Unauthorized', 'Send an access token in the Authorization header.', { headers: challenge() })
  const admitted = await admitApiClient(app, token)
  if (!admitted.ok)
    return admitted.reason === 'unavailable'
      ? problem('Unavailable', 'The sign-in service is not responding. Try again in a moment.')
      : problem('Unauthorized', refusals[admitted.reason], { headers: challenge('error="invalid_token"') })
  const { scopes: granted, role, name } = admitted.value
  if (!granted.includes(permission))
    return problem('Forbidden', `The token does not have the scope ${permission}.`, {
      data: { scope: permission },
      headers: challenge(`error="insufficient_scope", scope="${permission}"`),
    })
  if (!staffCan([role], permission))
    return problem('Forbidden', `The role of ${name}, ${staffRoleName(role)}, does not permit this.`)
  return admitted
}

const refusals = {
  'not-accepted': 'The access token is expired, or not from our sign-in service, or not for this API.',
  unknown: 'This program is not among the API clients of this store, or was revoked.',
}

/** Returns a program as a list reader, with the permissions in both its role and its token. */
function readerFor(app: Application, { id, clientId, name, role, scopes: granted }: AdmittedClient): ListReader {
  const permitted = scopes.filter((permission) => granted.includes(permission) && staffCan([role], permission))
  const roles = [{ name: staffRoleName(role), permissions: permitted }]
  const now = app.clock.now()
  return {
    app,
    session: {
      sessionId: id,
      issuer: '',
      subject: clientId,
      email: name,
      name,
      roles,
      hasShortcuts: false,
      authenticatedAt: now,
    },
    customers: customerFieldsFor(roles),
    now,
    can: (permission) => staffCan(roles, permission),
  }
}

/** The most parameters of a call. */
const mostParameters = 30

type Asked = AdminQuestion & { limit: number; after: string | null }

/** The parameters of a call by name. Refuses too many, one that is sent twice, and control characters. */
function readParameters(sent: URLSearchParams): { ok: true; value: Map<string, string> } | Problem<'BadRequest'> {
  const given = new Map<string, string>()
  for (const [name, value] of sent) {
    if (given.has(name)) return badParameter(name, 'Send it once.')
    if (given.size === mostParameters)
      return problem('BadRequest', `Send at most ${countOf(mostParameters, 'parameter')}.`)
    if (!plainText.test(name) || !plainText.test(value)) return badParameter(name, 'Send no control characters.')
    given.set(name, value)
  }
  return { ok: true, value: given }
}

function readAsked(sent: URLSearchParams, resource: AdminResource): { ok: true; value: Asked } | Problem<'BadRequest'> {
  const given = readParameters(sent)
  if (!given.ok) return given
  const { cursor = '', limit: size = '', ...filters } = Object.fromEntries(given.value)
  const limit = size === '' ? pageSize.usual : /^\d{1,3}$/.test(size) ? Number(size) : 0
  if (limit < 1 || limit > pageSize.most)
    return badParameter('limit', `Send a number of rows from 1 to ${pageSize.most}.`)
  const question = readQuestion(resource, new Map(Object.entries(filters)))
  if (!question.ok) {
    const { name, isKnown } = question.detail
    return badParameter(name, isKnown ? 'Send one of its values.' : 'Unknown parameter for this list.')
  }
  const place = readPlace(cursor, questionOf(resource, question.value))
  return place.ok ? { ok: true, value: { ...question.value, limit, after: place.value } } : place
}

/** In characters, longer than any list's cursor. */
const longestCursor = 600

function readPlace(cursor: string, question: unknown): { ok: true; value: string | null } | Problem<'BadRequest'> {
  if (cursor === '') return { ok: true, value: null }
  if (cursor.length > longestCursor) return badParameter('cursor', 'Use a cursor from a previous response.')
  return placeOf(cursor, question)
}

function badParameter(name: string, message: string): Problem<'BadRequest'> {
  const shown = name.toWellFormed().slice(0, 60)
  return problem('BadRequest', `${shown}: ${message}`, { data: { [shown]: message } })
}

/** What a cursor belongs to. */
const questionOf = ({ name }: AdminResource, { filters, sort }: AdminQuestion) => [name, filters, sort]
