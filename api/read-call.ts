/** Turns a request into a call. Identifies the caller and validates all input against the operation's description. */
import type { HonoRequest } from 'hono'
import { z } from 'zod'
import { check } from '#api/check.ts'
import type { Caller } from '#api/caller.ts'
import { exchangeOf } from '#api/exchange.ts'
import { scopeOf, type Call, type Operation } from '#api/operation.ts'
import { problem, type CommonCode, type Problem } from '#api/problem.ts'
import { longestShared, plainText, sharedQuery } from '#api/schemas.ts'
import { widgetIdOf } from '#domain/customers/programs/programs.ts'
import { formLimits, isPlainForm, readFields } from '#http/fields.ts'
import { applicationFor, applicationForCompany } from '#http/application-for.ts'
import { normalizeTyping, withoutDirections } from '#platform/plain-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

/** Where the API states who issues tokens for it (RFC 9728). */
export const metadataPath = '/.well-known/oauth-protected-resource/api'

type Read<Value> = { ok: true; value: Value } | Problem<CommonCode | 'PreconditionRequired'>

export async function readCall(
  operation: Operation,
  request: HonoRequest<string>,
  app: Application,
  caller: Caller,
): Promise<Read<Call<unknown, unknown, unknown>>> {
  const params = checkText(operation.params, request.param(), 'address')
  if (!params.ok) return params
  const sent = new URL(request.url).searchParams
  const shared = checkText(sharedFields, Object.fromEntries(sent), 'query')
  if (!shared.ok) return shared
  const query = checkText(operation.query, queryOf(operation.query, sent), 'query')
  if (!query.ok) return query
  const refusal = await admitCaller(operation, app, caller)
  if (refusal) return refusal
  const exchange = await exchangeOf(operation, app, caller, sent.get('channel'))
  if (!exchange.ok) return exchange
  if (operation.ifMatch === 'required' && request.header('if-match') === undefined)
    return problem(
      'PreconditionRequired',
      'Send If-Match with the ETag of the cart as you read it, or * to change it regardless.',
    )
  const body = operation.body
    ? await readBody(operation, operation.body, request, caller)
    : { ok: true as const, value: null }
  if (!body.ok) return body
  return {
    ok: true,
    value: {
      app: exchange.value ? await applicationForCompany(app, exchange.value.system) : await applicationOf(app, caller),
      caller,
      params: params.value,
      query: query.value,
      body: body.value,
      ifMatch: request.header('if-match'),
      widgetId: widgetIdOf(sent.get('widgetId') ?? ''),
      exchange: exchange.value,
    },
  }
}

/** Returns why the caller may not call this operation. */
export async function admitCaller(
  operation: Operation,
  app: Application,
  caller: Caller,
): Promise<Problem<CommonCode> | undefined> {
  return (await admitApp(operation, app, caller)) ?? admit(operation, app, caller)
}

/** Returns the application as the caller's account sees it. */
export function applicationOf(app: Application, caller: Caller): Promise<Application> {
  const { session, dealerCode, referral, officeSession } = caller.visitor
  const visitor = { session: caller.accessToken ?? session, dealerCode, cartId: caller.cartId, referral, officeSession }
  return applicationFor(app, visitor, caller.signedIn)
}

/** Parameters any request may have. */
const sharedFields = z.object(
  Object.fromEntries(Object.keys(sharedQuery).map((name) => [name, z.string().max(longestShared).optional()])),
)

/** Like `check`, but also rejects control characters, which can hide in text that others read later. */
export function checkText<Schema extends z.ZodType>(schema: Schema, value: unknown, whole = 'body') {
  const path = findControls(value)
  if (path === undefined) return check(schema, value, whole)
  const field = path.join('.') || whole
  const message = `Send \`${field}\` without control characters.`
  return problem('BadRequest', message, { data: { [field]: message } })
}

/** The path to the first text with control characters in `value`, or to the object with one in a key. */
function findControls(value: unknown): string[] | undefined {
  if (typeof value === 'string') return plainText.test(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, each] of Object.entries(value)) {
    if (!plainText.test(name)) return []
    const path = findControls(each)
    if (path) return [name, ...path]
  }
  return undefined
}

/** Checks that the account's owner granted the app this scope; passes without an access token. */
async function admitApp(
  operation: Operation,
  app: Application,
  caller: Caller,
): Promise<Problem<CommonCode> | undefined> {
  const found = await caller.app()
  if (!found) return undefined
  if (!found.ok)
    return found.reason === 'unavailable'
      ? problem('Unavailable', appWords.unavailable)
      : unauthorized(app, appWords[found.reason], 'error="invalid_token"')
  if (operation.isInPerson) return problem('Forbidden', 'An app cannot do this on behalf of the account’s owner.')
  const scope = scopeOf(operation)
  if (scope === null || found.value.scopes.includes(scope)) return undefined
  const headers = { 'www-authenticate': challengeOf(app, `error="insufficient_scope", scope="${scope}"`) }
  return problem('Forbidden', `The account’s owner has not granted this app ${scope}.`, {
    data: { scope },
    headers,
  })
}

const appWords = {
  'not-accepted': 'The access token is expired, or not from our sign-in service, or not for this API.',
  'no-account': 'This person has no account here yet. They must sign in to the store once.',
  revoked: 'The account’s owner has revoked this app’s access.',
  unavailable: 'The sign-in service is not responding. Try again in a moment.',
}

function unauthorized(app: Application, message: string, error?: string): Problem<'Unauthorized'> {
  return problem('Unauthorized', message, { headers: { 'www-authenticate': challengeOf(app, error) } })
}

/** Returns the RFC 6750 challenge with the URL (`path`) of the RFC 9728 metadata. */
export function challengeOf({ config, identity }: Application, error?: string, path = metadataPath): string {
  const metadata = identity && `resource_metadata="${config.web.origin}${path}"`
  return ['Bearer', [metadata, error].filter(Boolean).join(', ')].filter(Boolean).join(' ')
}

async function admit(
  { audience }: Operation,
  app: Application,
  caller: Caller,
): Promise<Problem<CommonCode> | undefined> {
  if (audience === 'cart' && caller.cartId === undefined)
    return unauthorized(app, 'Create a cart first, and send its key with every request about it.')
  if (audience === 'account' && !(await caller.signedIn())) return unauthorized(app, 'Sign in first.')
  return undefined
}

async function readBody(
  { isSpecified }: Operation,
  schema: z.ZodType,
  request: HonoRequest<string>,
  caller: Caller,
): Promise<Read<unknown>> {
  const type = request.header('content-type')
  if (isSpecified && isPlainForm(type)) {
    // A form on another site sends this browser's cookies. With cookies, the request must prove that it comes from our
    // own page.
    if (caller.visitor.isKnown && !caller.isBrowser)
      return problem('Forbidden', 'This form does not show that it comes from this site.')
    const fields = readFields(await request.text())
    return fields
      ? checkText(schema, Object.fromEntries(fields))
      : problem('BodyTooLarge', `A form can have up to ${countOf(formLimits.fields, 'field')}.`)
  }
  // A form on another site can send text, but not with a JSON content type.
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type ?? ''))
    return problem(
      'UnsupportedMediaType',
      `The body must be JSON${isSpecified ? ' or a form' : ''}, and Content-Type must say so.`,
    )
  let body: unknown
  try {
    body = JSON.parse(await request.text())
  } catch {
    return problem('BadRequest', 'The body is not JSON.')
  }
  if (isTooDeep(body)) return problem('BadRequest', 'The body nests lists or objects too deeply.')
  return checkText(schema, cleaned(body))
}

/** Far more than any operation needs; recursive code that reads a body must not overflow the stack. */
const deepestBody = 20

export function isTooDeep(body: unknown): boolean {
  return isDeeperThan(body, deepestBody)
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1))
}

/**
 * Normalizes line endings, apostrophes, hyphens, and Unicode composition for storage. Removes unpaired surrogates and
 * bidirectional controls. Other control characters are refused below. `normalize` replaces the normalization of letters,
 * for operations with documents that preserve their typography.
 */
export function cleaned(value: unknown, normalize: (text: string) => string = normalizeTyping): unknown {
  if (typeof value === 'string') return normalize(withoutDirections(value).replaceAll('\r\n', '\n').toWellFormed())
  if (Array.isArray(value)) return value.map((each) => cleaned(each, normalize))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleaned(each, normalize)]))
  return value
}

/**
 * Reads the operation's query parameters as strings or lists of strings; unknown names are kept, to be refused, except
 * those any request may have.
 */
function queryOf(schema: Operation['query'], sent: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  for (const [name, values] of Map.groupBy(sent, ([key]) => key)) {
    const field = schema.shape[name]
    if (field === undefined && name in sharedQuery) continue
    const texts = values.map(([, text]) => normalizeTyping(text))
    query[name] = field && isList(field) ? texts : texts.length === 1 ? (texts[0] ?? '') : texts
  }
  return query
}

function isList(field: z.core.$ZodType): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodPrefault)
    return isList(field.def.innerType)
  if (field instanceof z.ZodPipe) return isList(field.def.in)
  return field instanceof z.ZodArray
}
