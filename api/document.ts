/**
 * The OpenAPI 3.1 document, made from the operations. zod writes JSON Schema 2020-12, which is the schema language of
 * OpenAPI 3.1.
 */
import { z } from 'zod'
import { areas, scopeOf, type Audience, type Operation } from '#api/operation.ts'
import { operations } from '#api/operations.ts'
import { problemCodes, statusOf, titleOf, type ProblemCode } from '#api/problem.ts'
import { longestShared, plainText, sharedQuery } from '#api/schemas.ts'
import { appScopes } from '#domain/accounts/accounts.ts'

export type Json = { [name: string]: unknown }

/**
 * The whole document. `origin` is where the store is reached, `issuer` who signs people in, null for a store without
 * accounts; components are collected from whatever carries an id.
 */
export function apiDocument(origin: string, storeName: string, issuer: string | null): Json {
  const schemas: Record<string, unknown> = {}
  schemaOf(problemSchema, 'output', schemas)
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {
      parameters: Object.keys(sharedQuery).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      ...(operation.isSpecified && {
        servers: [{ url: `${origin}/api` }, { url: origin, description: 'This call has an address of its own, too.' }],
      }),
    })
    item[operation.method] = describe(operation, schemas, issuer !== null)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${storeName} API`,
      version: '1.0.0',
      summary: 'Everything a shopper can do, for programs.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}/api` }],
    tags: Object.entries(areas).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      parameters: Object.fromEntries(
        Object.entries(sharedQuery).map(([name, description]) => [
          name,
          {
            name,
            in: 'query',
            description: `${description}. Any call may carry it; it changes nothing here.`,
            schema: { type: 'string', maxLength: longestShared, pattern: plainText.source },
          },
        ]),
      ),
      headers,
      securitySchemes: { ...securitySchemes, ...(issuer !== null && { accessToken: accessTokenScheme(issuer) }) },
    },
  }
}

const introduction = [
  'JSON in, JSON out; where a call says so, a form in. Amounts are whole US cents. Instants are RFC 3339; a day is a day on the calendar of the place it speaks of.',
  'Buying without a browser: `POST /cart` answers the key of a new cart. Send it as `Authorization: Bearer` with every call about that cart; who has it, has the cart. The page’s own script is known by the cookies of its browser instead, which no other site can use.',
  'Acting for an account: a program that its operator has registered at the sign-in service asks the person there, by the authorization code flow with PKCE, for the scopes it needs and for this API as the `resource`, and sends the access token it gets as `Authorization: Bearer`. Calls about a cart for the account also carry the key of the cart, as `X-Authorization: Bearer` (the two may change places). `GET /.well-known/oauth-protected-resource/api` names the sign-in service and the scopes. The person sees the program among the connected apps of their account and can take its access away there at once.',
  'A failed call is a problem of RFC 9457 with `code`, `message`, `statusCode` and `data`. Go by `code`.',
  'A POST takes an `Idempotency-Key` of 1 to 255 characters: sent again within 24 hours by the same caller with the same body, it answers what it answered the first time, with `Idempotent-Replayed: true`, and does nothing. With another body it is refused (422), and while the first is still running, too (409).',
  'The cart has an `ETag`. With `If-Match` a change is made only if the cart is still the one that was read (412 if not).',
  'Lists come in pages: send the `cursor` of one answer to get the next. A cursor is good for the same question only.',
].join('\n\n')

const securitySchemes = {
  cartKey: { type: 'http', scheme: 'bearer', description: 'The key of a cart, as `POST /cart` answers it.' },
  cartCookie: { type: 'apiKey', in: 'cookie', name: 'sw_cart', description: 'The same in the browser of the store.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sw_session',
    description: 'Who is signed in, in the browser of the store; with TLS it is called __Host-sw_session.',
  },
  orders: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sw_orders',
    description: 'The orders placed from the browser of the store.',
  },
}

function accessTokenScheme(issuer: string): Json {
  const scopes = Object.entries(appScopes).map(([scope, words]) => `\`${scope}\`: ${words.toLowerCase()}.`)
  const description = `An access token of the sign-in service for the account of a person who allowed it. ${scopes.join(' ')}`
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
    description: 'Under this id our log has the call. Send one of 8 to 64 letters, digits and dashes to choose it.',
    ...text,
  },
  'RateLimit-Policy': { description: 'How many calls one address may make, and within how many seconds', ...text },
  RateLimit: { description: 'How many are left, and when they are all back', ...text },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 0 } },
  ETag: { description: 'Names this state of the cart', ...text },
  'Idempotent-Replayed': { description: '`true` when the call had been answered before and did nothing now', ...text },
}
const everyHeader = Object.fromEntries(
  ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'].map((name) => [name, headerOf(name)]),
)

function headerOf(name: string): Json {
  return { $ref: `#/components/headers/${name}` }
}

const problemSchema = z
  .strictObject({
    type: z.string().meta({ format: 'uri', description: 'Where this kind of failure is explained' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What happened this time, and what to do' }),
    instance: z.string().meta({ description: 'The address of the call and its request id' }),
    code: z.enum(problemCodes),
    message: z.string().meta({ description: 'The same as `detail`' }),
    statusCode: z.int(),
    data: z.unknown().meta({ description: 'What a program can use: for BadRequest the faults by field' }),
    errorMessage: z
      .string()
      .meta({ description: 'The same as `detail`, where the shared request behavior looks for it' }),
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

/** An access token stands for the account; the key of a cart beside it stands for the cart. */
function byAccessToken(operation: Operation): Json[] {
  const scope = scopeOf(operation)
  if (scope === null || operation.isInPerson || operation.audience === 'anyone') return []
  return [{ ...(operation.audience === 'cart' && { cartKey: [] }), accessToken: [scope] }]
}

function contentOf({ isSpecified }: Operation, body: Json): Json {
  return { 'application/json': body, ...(isSpecified && { 'application/x-www-form-urlencoded': body }) }
}

/** zod leaves the examples of what is transformed out of its input. */
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
    description: 'Names this call, so that it happens once',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  }
  const tag = {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the cart as it was read',
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
    description: result ? 'Done' : 'Done; there is nothing to say',
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

/** Every way in which an operation may fail. */
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
      'HeadersTooLarge',
      'TooManyCalls',
      'ServerError',
      'Unavailable',
    ]),
  ]
}

/**
 * The JSON Schema of `schema`; whatever in it carries an id goes into `schemas`, and a reference stands in its place.
 */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, unknown>): Json {
  const {
    $schema: _,
    $defs = {},
    ...made
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Record<string, Json> }
  const finished = io === 'input' ? (part: unknown) => placed(withoutControls(part)) : placed
  for (const [id, definition] of Object.entries($defs)) schemas[id] ??= finished(definition)
  return finished(made) as Json
}

/** What every text that is sent is held against, said where a text has no narrower form of its own. */
function withoutControls(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutControls)
  if (typeof part !== 'object' || part === null) return part
  const made = Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, unspoken.has(name) ? value : withoutControls(value)]),
  )
  const isFree = made['type'] === 'string' && !('pattern' in made) && !('enum' in made) && !('const' in made)
  return isFree ? { ...made, pattern: plainText.source } : made
}

/** Keywords whose values are no schemas. */
const unspoken = new Set(['examples', 'default', 'enum', 'const', 'required'])

function placed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(placed)
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).flatMap(([name, value]): [string, unknown][] => {
    if (name === '$ref' && typeof value === 'string')
      return [[name, value.replace('#/$defs/', '#/components/schemas/')]]
    // The limit of whole numbers in JavaScript says nothing to a reader.
    if ((name === 'maximum' || name === 'minimum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return []
    return [[name, placed(value)]]
  })
  return Object.fromEntries(entries)
}
