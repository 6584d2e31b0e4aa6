/** From a request to a call: who makes it, and everything it brings, checked against what the operation describes. */
import type { HonoRequest } from 'hono'
import { z } from 'zod'
import { check } from '#api/check.ts'
import type { Caller } from '#api/caller.ts'
import { scopeOf, type Call, type Operation } from '#api/operation.ts'
import { problem, type CommonCode, type Problem } from '#api/problem.ts'
import { longestShared, plainText, sharedQuery } from '#api/schemas.ts'
import { formLimits, isPlainForm, readFields } from '#http/fields.ts'
import { shopFor } from '#http/shop-for.ts'
import { withoutDirections } from '#platform/plain-text.ts'
import type { Shop } from '#shop'

/** Where the API says who gives out tokens for it (RFC 9728). */
export const metadataPath = '/.well-known/oauth-protected-resource/api'

type Read<Value> = { ok: true; value: Value } | Problem<CommonCode | 'PreconditionRequired'>

export async function readCall(
  operation: Operation,
  request: HonoRequest<string>,
  shop: Shop,
  caller: Caller,
): Promise<Read<Call<unknown, unknown, unknown>>> {
  const params = checkText(operation.params, request.param(), 'address')
  if (!params.ok) return params
  const sent = new URL(request.url).searchParams
  const shared = checkText(sharedFields, Object.fromEntries(sent), 'query')
  if (!shared.ok) return shared
  const query = checkText(operation.query, queryOf(operation.query, sent), 'query')
  if (!query.ok) return query
  const refusal = (await admitApp(operation, shop, caller)) ?? (await admit(operation, shop, caller))
  if (refusal) return refusal
  if (operation.ifMatch === 'required' && request.header('if-match') === undefined)
    return problem(
      'PreconditionRequired',
      'Send If-Match with the ETag of the cart as you read it, or * to change it whatever it is.',
    )
  const body = operation.body
    ? await readBody(operation, operation.body, request, caller)
    : { ok: true as const, value: null }
  if (!body.ok) return body
  return {
    ok: true,
    value: {
      shop: await shopFor(shop, { session: caller.accessToken ?? caller.visitor.session }, caller.signedIn),
      caller,
      params: params.value,
      query: query.value,
      body: body.value,
      ifMatch: request.header('if-match'),
    },
  }
}

/** What any call may carry, whatever else it asks. */
const sharedFields = z.object(
  Object.fromEntries(Object.keys(sharedQuery).map((name) => [name, z.string().max(longestShared).optional()])),
)

/**
 * `check`, of what holds no control characters: they are in no text that people write, and hide in what is read by
 * others later.
 */
function checkText<Schema extends z.ZodType>(schema: Schema, value: unknown, whole = 'body') {
  const path = findControls(value)
  if (path === undefined) return check(schema, value, whole)
  const field = path.join('.') || whole
  const message = `Send \`${field}\` without control characters.`
  return problem('BadRequest', message, { data: { [field]: message } })
}

/** The way to the first text with control characters in `value`, or to the object that has one in a name. */
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

/** Whether the owner of the account lets the app do this; nothing is asked of who brings no access token. */
async function admitApp(operation: Operation, shop: Shop, caller: Caller): Promise<Problem<CommonCode> | undefined> {
  const found = await caller.app()
  if (!found) return undefined
  if (!found.ok)
    return found.reason === 'unavailable'
      ? problem('Unavailable', appWords.unavailable)
      : unauthorized(shop, appWords[found.reason], 'error="invalid_token"')
  if (operation.isInPerson) return problem('Forbidden', 'An app cannot do this for the owner of the account.')
  const scope = scopeOf(operation)
  if (scope === null || found.value.scopes.includes(scope)) return undefined
  const headers = { 'www-authenticate': challengeOf(shop, `error="insufficient_scope", scope="${scope}"`) }
  return problem('Forbidden', `The owner of the account has not allowed this app ${scope}.`, {
    data: { scope },
    headers,
  })
}

const appWords = {
  'not-accepted': 'The access token is not of our sign-in service, not for this API, or too old.',
  'no-account': 'This person has no account here yet. They have to sign in at the store once.',
  revoked: 'The owner of the account has taken this app’s access away.',
  unavailable: 'The sign-in service does not answer. Try again in a moment.',
}

function unauthorized(shop: Shop, message: string, error?: string): Problem<'Unauthorized'> {
  return problem('Unauthorized', message, { headers: { 'www-authenticate': challengeOf(shop, error) } })
}

/** RFC 6750, and where RFC 9728 says that a program learns whom to ask for a token. */
export function challengeOf({ config, identity }: Shop, error?: string): string {
  const metadata = identity && `resource_metadata="${config.web.origin}${metadataPath}"`
  return ['Bearer', [metadata, error].filter(Boolean).join(', ')].filter(Boolean).join(' ')
}

async function admit({ audience }: Operation, shop: Shop, caller: Caller): Promise<Problem<CommonCode> | undefined> {
  if (audience === 'cart' && caller.cartId === undefined)
    return unauthorized(shop, 'Make a cart first, and send its key with every call about it.')
  if (audience === 'account' && !(await caller.signedIn())) return unauthorized(shop, 'Sign in first.')
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
    // A form of another site brings this browser's cookies: where there are any, the call must say that a page of ours
    // makes it.
    if (caller.visitor.isKnown && !caller.isBrowser)
      return problem('Forbidden', 'This form does not say that it comes from this site.')
    const fields = readFields(await request.text())
    return fields
      ? checkText(schema, Object.fromEntries(fields))
      : problem('BodyTooLarge', `A form has up to ${formLimits.fields} fields.`)
  }
  // A form of another site can send text, but not JSON under its own name.
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
  if (isDeeperThan(body, deepestBody))
    return problem('BadRequest', 'The body has lists or objects too deep in one another.')
  return checkText(schema, cleaned(body))
}

/** No operation takes anything near it; what walks through a body after this must not run out of stack. */
const deepestBody = 20

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1))
}

/**
 * Text as it may be stored: one kind of line ends, no half characters, nothing that turns the direction of reading.
 * Control characters are refused below.
 */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return withoutDirections(value).replaceAll('\r\n', '\n').toWellFormed()
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleaned(each)]))
  return value
}

/**
 * What the operation asks for, as text or as lists of it; names it does not know are kept, to be refused, but for those
 * that any call may carry.
 */
function queryOf(schema: Operation['query'], sent: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  for (const [name, values] of Map.groupBy(sent, ([key]) => key)) {
    const field = schema.shape[name]
    if (field === undefined && name in sharedQuery) continue
    const texts = values.map(([, text]) => text)
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
