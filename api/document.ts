/**
 * The OpenAPI 3.1 document, generated from the operations. zod emits JSON Schema 2020-12, the schema language of
 * OpenAPI 3.1.
 */
import { z } from 'zod'
import { areas, scopeOf, type Audience, type Operation } from '#api/operation.ts'
import { operations } from '#api/operations.ts'
import { problemCodes, statusOf, titleOf, type ProblemCode } from '#api/problem.ts'
import { webhookBody } from '#api/webhook-events.ts'
import { longestShared, plainText, sharedQuery } from '#api/schemas.ts'
import { mostAttempts } from '#domain/channels/webhooks/webhooks.ts'
import { appScopes } from '#domain/customers/accounts/accounts.ts'
import { countOf } from '#platform/count-text.ts'

export type Json = { [name: string]: unknown }

/**
 * Returns the entire document. `origin` is the store's address; `issuer` is the sign-in provider, null for a store
 * without accounts. Components are collected from every schema with an id.
 */
export function apiDocument(origin: string, storeName: string, issuer: string | null): Json {
  const schemas: Record<string, unknown> = {}
  schemaOf(problemSchema, 'output', schemas)
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {
      parameters: Object.keys(sharedQuery).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      ...(operation.isSpecified && {
        servers: [{ url: `${origin}/api` }, { url: origin, description: 'This operation also has its own address.' }],
      }),
    })
    item[operation.method] = describe(operation, schemas, issuer !== null)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${storeName} API`,
      version: '1.0.0',
      summary: 'Everything a shopper can do, for developers.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}/api` }],
    tags: Object.entries(areas).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: {
      orderEvent: webhookDescription(schemas, {
        id: 'orderEvent',
        summary: 'An event of an order',
        body: webhookBody,
        words: 'Companies get the whole order, partners what their report counts.',
      }),
    },
    components: {
      schemas,
      parameters: Object.fromEntries(
        Object.entries(sharedQuery).map(([name, description]) => [
          name,
          {
            name,
            in: 'query',
            description: `${description}. ${effects[name] ?? 'Accepted by every operation; has no effect here.'}`,
            schema: { type: 'string', maxLength: longestShared, pattern: plainText.source },
          },
        ]),
      ),
      headers,
      securitySchemes: { ...securitySchemes, ...(issuer !== null && { accessToken: accessTokenScheme(issuer) }) },
    },
  }
}

/** The effects of shared parameters. The others have no effect. */
const effects: Readonly<Record<string, string>> = {
  channel: 'With `military-exchange`, the program of a military exchange calls; other values have no effect.',
  widgetId: 'Kept with a cart that is created.',
}

/** What webhooks send, for those who receive them. `words` end the description; `schemas` get the named parts. */
export function webhookDescription(
  schemas: Record<string, unknown>,
  { id, summary, body, words }: { id: string; summary: string; body: z.ZodType; words: string },
): Json {
  return {
    post: {
      operationId: id,
      tags: ['Webhooks'],
      summary,
      description: `${webhookWords} ${words}`,
      security: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(body, 'output', schemas) } },
      },
      responses: {
        '2XX': { description: 'Taken' },
        '410': { description: 'The endpoint no longer wants events, so we pause the webhook' },
        '4XX': { description: 'Tried again later, like no answer within 10 seconds' },
      },
    },
  }
}

const webhookWords = [
  `Signed by [Standard Webhooks](https://www.standardwebhooks.com): the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. Use any of its libraries to verify them with the secret. They reject messages older than 5 minutes.`,
  `Each event is tried up to ${countOf(mostAttempts, 'time')} in a little over four hours, the same body under the same id: ignore an id that was taken. Events of one order come in their order; one that was not taken holds back the next until it is a dead letter.`,
].join('\n\n')

const introduction = [
  'Requests and responses are JSON; some operations also accept a form. Amounts are whole US cents. Instants are RFC 3339; a date is in the time zone of the place it refers to.',
  'Buying without a browser: `POST /cart` returns the key of a new cart. Send it as `Authorization: Bearer` with every request about that cart; anyone with the key controls the cart. The store’s own pages use the browser’s cookies instead, which no other site can use.',
  'To act for an account, an app registered with the sign-in service requests consent from the user with the authorization code flow and PKCE, for the scopes it needs and for this API as the `resource`, and sends the access token it receives as `Authorization: Bearer`. Requests about a cart for the account also carry the cart’s key, as `X-Authorization: Bearer` (the two may be swapped). `GET /.well-known/oauth-protected-resource/api` lists the sign-in service and the scopes. The app appears among the account’s connected apps, where the user can revoke its access immediately.',
  'The program of a military exchange adds `channel=military-exchange`, the secret that we issued as `Authorization` or `X-Authorization: Bearer` and its customer as `X-Military-Exchange-Customer-Id` to each call: all prices are the exchange’s, and its carts are ordered by the exchange with `GET /cart/order-request`.',
  'Errors are RFC 9457 problems with `code`, `message`, `statusCode` and `data`. Rely on `code`.',
  'A POST accepts an `Idempotency-Key` of 1 to 255 characters. If the same caller repeats it within 24 hours with the same body, the original response is returned with `Idempotent-Replayed: true` and no changes are made. With a different body it is rejected (422), as it is while the first request is still running (409).',
  'The cart has an `ETag`. With `If-Match`, a change is made only if the cart has not changed since it was read (412 otherwise).',
  'Lists are paginated. Send the cursor from one response as `cursor` to get the next page. A cursor is valid only for the same query.',
].join('\n\n')

const securitySchemes = {
  cartKey: { type: 'http', scheme: 'bearer', description: 'The key of a cart, as returned by `POST /cart`.' },
  cartCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sw_cart',
    description: 'The same key in the store’s own browser session; with TLS the cookie is named __Host-sw_cart.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sw_session',
    description: 'The signed-in session in the store’s own pages; with TLS the cookie is named __Host-sw_session.',
  },
  orders: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sw_orders',
    description: 'The orders placed from this browser; with TLS the cookie is named __Host-sw_orders.',
  },
}

function accessTokenScheme(issuer: string): Json {
  const scopes = Object.entries(appScopes).map(([scope, words]) => `\`${scope}\`: ${words.toLowerCase()}.`)
  const description = `An access token from the sign-in service, for the account of a person who granted it. ${scopes.join(' ')}`
  return {
    type: 'openIdConnect',
    openIdConnectUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    description,
  }
}

const security: Record<Audience, Json[]> = {
  anyone: [],
  cart: [{ cartKey: [] }, { cartCookie: [] }],
  account: [{ session: [] }],
  customer: [{ cartKey: [] }, { cartCookie: [] }, { session: [] }, { orders: [] }, {}],
}

const text = { schema: { type: 'string' } }
const headers = {
  'X-Request-Id': {
    description: 'Identifies the request in our log. Send one of 8 to 64 letters, digits and dashes to choose it.',
    ...text,
  },
  'RateLimit-Policy': { description: 'How many requests one address may make, and within how many seconds', ...text },
  RateLimit: { description: 'How many requests remain, and when the limit resets', ...text },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 0 } },
  ETag: { description: 'Identifies this state of the cart', ...text },
  'Idempotent-Replayed': { description: '`true` if this repeats an earlier response and nothing was done', ...text },
}
const everyHeader = Object.fromEntries(
  ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'].map((name) => [name, headerOf(name)]),
)

function headerOf(name: string): Json {
  return { $ref: `#/components/headers/${name}` }
}

const problemSchema = z
  .strictObject({
    type: z.string().meta({ format: 'uri', description: 'Where this kind of error is explained' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What happened in this case, and what to do' }),
    instance: z.string().meta({ description: 'The address of the request with its request id' }),
    code: z.enum(problemCodes),
    message: z.string().meta({ description: 'The same as `detail`' }),
    statusCode: z.int(),
    data: z.unknown().meta({ description: 'Machine-readable details. For BadRequest, the errors by field' }),
    errorMessage: z
      .string()
      .meta({ description: 'The same as `detail`, where the shared request behavior expects it' }),
  })
  .meta({ id: 'Problem' })

function describe(operation: Operation, schemas: Record<string, unknown>, hasAccounts: boolean): Json {
  const { id, area, summary, description, audience, body } = operation
  return {
    operationId: id,
    tags: [area],
    summary,
    ...(description && { description }),
    security: [...security[audience], ...(hasAccounts ? byAccessToken(operation) : [])],
    parameters: [
      ...parametersOf(operation.params, 'path', schemas),
      ...parametersOf(operation.query, 'query', schemas),
      ...headerParameters(operation),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: contentOf(operation, { schema: schemaOf(body, 'input', schemas), ...exampleOf(body) }),
      },
    }),
    responses: responsesOf(operation, schemas),
  }
}

/** An access token identifies the account; a cart key sent with it identifies the cart. */
function byAccessToken(operation: Operation): Json[] {
  const scope = scopeOf(operation)
  if (scope === null || operation.isInPerson || operation.audience === 'anyone') return []
  return [{ ...(operation.audience === 'cart' && { cartKey: [] }), accessToken: [scope] }]
}

function contentOf({ isSpecified }: Operation, body: Json): Json {
  return { 'application/json': body, ...(isSpecified && { 'application/x-www-form-urlencoded': body }) }
}

/** zod omits the examples of a transformed schema's input. */
function exampleOf(body: z.ZodType): Json {
  const [example] = (z.globalRegistry.get(body) as { examples?: unknown[] } | undefined)?.examples ?? []
  return example === undefined ? {} : { example }
}

function parametersOf(fields: Operation['query'], where: 'path' | 'query', schemas: Record<string, unknown>): Json[] {
  const { properties = {}, required = [] } = schemaOf(fields, 'input', schemas) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(Array.isArray(examples) && { example: examples[0] as unknown }),
    schema,
  }))
}

function headerParameters({ once, ifMatch }: Operation): Json[] {
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Identifies this request, so that it takes effect only once',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  }
  const tag = {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the cart as read',
    schema: { type: 'string', pattern: '^("[!#-~]{1,100}"|\\*)$' },
  }
  return [
    ...(once ? [{ ...key, required: once.isRequired }] : []),
    ...(ifMatch ? [{ ...tag, required: ifMatch === 'required' }] : []),
  ]
}

function responsesOf(operation: Operation, schemas: Record<string, unknown>): Json {
  const { status = 200, result, answerHeaders = {}, once } = operation
  const own = Object.fromEntries(
    Object.entries(answerHeaders).map(([name, says]) => [
      name,
      name in headers ? headerOf(name) : { description: says, ...text },
    ]),
  )
  const replayed = once && { 'Idempotent-Replayed': headerOf('Idempotent-Replayed') }
  const done = {
    description: result ? 'Done' : 'Done; no content',
    headers: { ...everyHeader, ...own, ...replayed },
    ...(result && { content: { 'application/json': { schema: schemaOf(result, 'output', schemas) } } }),
  }
  const byStatus = Map.groupBy(codesOf(operation), statusOf)
  const failures = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([failed, codes]) => [
      String(failed),
      {
        description: codes.map((code) => `\`${code}\`: ${titleOf(code)}.`).join(' '),
        headers:
          failed === 429 || failed === 503 || failed === 409
            ? { ...everyHeader, 'Retry-After': headerOf('Retry-After') }
            : everyHeader,
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ])
  return { [String(status)]: done, ...(Object.fromEntries(failures) as Json) }
}

/** Every error an operation may return. */
export function codesOf({ body, once, ifMatch, refuses }: Operation): ProblemCode[] {
  return [
    ...new Set<ProblemCode>([
      'BadRequest',
      'Unauthorized',
      'Forbidden',
      'NotAcceptable',
      ...(body ? (['BodyTooLarge', 'UnsupportedMediaType'] as const) : []),
      ...(once ? (['IdempotencyKeyReused', 'IdempotencyInProgress'] as const) : []),
      ...(once?.isRequired ? (['IdempotencyKeyMissing'] as const) : []),
      ...(ifMatch ? (['PreconditionFailed'] as const) : []),
      ...(ifMatch === 'required' ? (['PreconditionRequired'] as const) : []),
      ...refuses,
      'AddressTooLong',
      'HeadersTooLarge',
      'TooManyCalls',
      'ServerError',
      'Unavailable',
    ]),
  ]
}

/** Returns the JSON Schema of `schema`. Moves parts with an ID to `schemas` and references them. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, unknown>): Json {
  const {
    $schema: _,
    $defs = {},
    ...made
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: refuseFlags }) as Json & {
    $defs?: Record<string, Json>
  }
  const finished = io === 'input' ? (part: unknown) => placed(withoutControls(part)) : placed
  for (const [id, definition] of Object.entries($defs)) schemas[id] ??= finished(definition)
  return finished(made) as Json
}

/** JSON Schema patterns have no flags, so patterns that need one are rejected. */
function refuseFlags({ zodSchema }: { zodSchema: z.core.$ZodTypes }): void {
  const patterns = zodSchema._zod.bag['patterns']
  for (const pattern of patterns instanceof Set ? patterns : [])
    if (pattern instanceof RegExp && /[ims]/.test(pattern.flags))
      throw new Error(`The pattern ${String(pattern)} needs its flags, which a JSON Schema does not have.`)
}

/** Adds the pattern for all text input to strings without a stricter one. */
function withoutControls(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutControls)
  if (typeof part !== 'object' || part === null) return part
  const made = Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, unspoken.has(name) ? value : withoutControls(value)]),
  )
  const isFree = made['type'] === 'string' && !('pattern' in made) && !('enum' in made) && !('const' in made)
  return isFree ? { ...made, pattern: plainText.source } : made
}

/** Keywords with values that aren't schemas. */
const unspoken = new Set(['examples', 'default', 'enum', 'const', 'required'])

function placed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(placed)
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).flatMap(([name, value]): [string, unknown][] => {
    if (name === '$ref' && typeof value === 'string')
      return [[name, value.replace('#/$defs/', '#/components/schemas/')]]
    // Leaves out JavaScript's integer limits, which are noise in the document.
    if ((name === 'maximum' || name === 'minimum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return []
    return [[name, placed(value)]]
  })
  return Object.fromEntries(entries)
}
