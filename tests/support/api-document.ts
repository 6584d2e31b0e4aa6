/** Reads the API's operations from its document, builds calls from its examples, and validates responses. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export type Schema = { [keyword: string]: unknown }
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
  example?: unknown
}
export type Operation = {
  id: string
  method: string
  path: string
  parameters: Parameter[]
  /** Null if the operation takes no body. */
  body: Schema | null
  bodyExample?: unknown
  takesForm: boolean
  /** The names of the security schemes; empty for public operations. */
  security: string[]
  /** By status. */
  responses: Record<string, { headers: string[]; types: string[] }>
}
export type ApiDocument = {
  operations: Operation[]
  /** Follows a reference into the components. */
  resolve(schema: Schema): Schema
  /** Deviations of a response from the document; empty if it matches. */
  complaints(operation: Operation, answer: ApiAnswer): string[]
}
export type ApiAnswer = { status: number; headers: Headers; text: string }

const methods = ['get', 'post', 'put', 'patch', 'delete']

type Raw = { paths: Record<string, Record<string, RawOperation>>; components: { schemas: Record<string, Schema> } }
type RawOperation = {
  operationId: string
  parameters: Parameter[]
  security: Record<string, unknown>[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, { schema: Schema }> }>
}

/** Reads and compiles `document`, as returned by GET /api/openapi.json. */
export function readDocument(document: unknown): ApiDocument {
  const raw = document as Raw
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  const compiled = new Map<string, ValidateFunction>()
  const operations = Object.entries(raw.paths).flatMap(([path, item]) =>
    methods.flatMap((method): Operation[] => {
      const described = item[method]
      if (!described) return []
      const { operationId: id, parameters, security, requestBody, responses } = described
      return [
        {
          id,
          method: method.toUpperCase(),
          path,
          parameters,
          body: requestBody?.content['application/json']?.schema ?? null,
          takesForm: requestBody?.content['application/x-www-form-urlencoded'] !== undefined,
          bodyExample: requestBody?.content['application/json']?.example,
          security: security.flatMap((way) => Object.keys(way)),
          responses: Object.fromEntries(
            Object.entries(responses).map(([status, { headers = {}, content = {} }]) => [
              status,
              { headers: Object.keys(headers), types: Object.keys(content) },
            ]),
          ),
        },
      ]
    }),
  )

  function validator({ path, method }: Operation, status: string, type: string) {
    const key = `${method} ${path} ${status} ${type}`
    const known = compiled.get(key)
    if (known) return known
    const schema = raw.paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.[type]?.schema
    // As a standalone schema, including everything it refers to.
    const whole = JSON.stringify({ ...schema, $defs: raw.components.schemas }).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    )
    const validate = ajv.compile(JSON.parse(whole) as Schema)
    compiled.set(key, validate)
    return validate
  }

  return {
    operations,
    resolve(schema) {
      const { $ref } = schema
      if (typeof $ref !== 'string') return schema
      const found = $ref
        .slice(2)
        .split('/')
        .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], raw)
      return found as Schema
    },
    complaints(operation, { status, headers, text }) {
      const described = operation.responses[String(status)]
      if (!described) return [`status ${status} is not described`]
      const type = headers.get('content-type')?.split(';')[0] ?? ''
      if (described.types.length === 0) return text === '' ? [] : ['there is a body where none is described']
      if (!described.types.includes(type)) return [`${type || 'no type'} is not described for ${status}`]
      const body = parsed(text)
      if (!body) return ['the body is no JSON']
      const isDescribed = validator(operation, String(status), type)
      const isSaid = ['X-Request-Id', 'RateLimit']
        .filter((name) => !headers.has(name))
        .map((name) => `${name} is missing`)
      const faults = isDescribed(body.value)
        ? []
        : [`the body is not as described: ${ajv.errorsText(isDescribed.errors)} in ${text.slice(0, 300)}`]
      return [...isSaid, ...faults, ...problemFaults(status, type, body.value)]
    },
  }
}

/** A problem's status must equal the response's, and its message must be readable. */
function problemFaults(status: number, type: string, body: unknown): string[] {
  if (type !== 'application/problem+json') return []
  const { status: said, statusCode, detail, message, data } = body as Record<string, unknown>
  const isOne = said === status && statusCode === status && detail === message
  const spoken = [message, ...Object.values(data ?? {})].filter((words) => typeof words === 'string')
  const foreign = spoken.filter((words) => /\binvalid\b|\bexpected\b|unrecognized/i.test(words))
  return [
    ...(isOne ? [] : ['the problem contradicts its answer']),
    ...foreign.map((words) => `these are not our words: ${words}`),
  ]
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

export type ApiCall = { method: string; path: string; headers: Record<string, string>; body: string | null }

/** Values by name that no document can contain, such as a cart key; `body` replaces the body's example. */
export type Known = { values?: Record<string, unknown>; headers?: Record<string, string>; body?: unknown }

/** Builds a call from an operation's examples. Throws if something required has no example. */
export function exampleCall(
  document: ApiDocument,
  operation: Operation,
  { values = {}, headers = {}, body }: Known = {},
): ApiCall {
  const query: [string, unknown][] = []
  const sent: Record<string, string> = { accept: 'application/json', ...headers }
  let { path } = operation
  for (const parameter of operation.parameters) {
    const { name, in: where, required } = parameter
    if ((!required && !(name in values)) || name.toLowerCase() in sent) continue
    const value =
      name in values
        ? values[name]
        : (parameter.example ?? exampleOf(document, parameter.schema, `${operation.id} ${name}`))
    if (where === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)))
    else if (where === 'query')
      query.push(...(Array.isArray(value) ? value : [value]).map((each): [string, unknown] => [name, each]))
    else sent[name.toLowerCase()] = String(value)
  }
  if (operation.body) sent['content-type'] = 'application/json'
  return {
    method: operation.method,
    path: withQuery(path, query),
    headers: sent,
    body: operation.body
      ? JSON.stringify(body ?? operation.bodyExample ?? exampleOf(document, operation.body, `${operation.id} body`))
      : null,
  }
}

export function withQuery(path: string, fields: [string, unknown][]): string {
  const query = fields
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value).toWellFormed())}`)
    .join('&')
  return query === '' ? path : `${path}?${query}`
}

/** Returns a schema's example: its own, or one composed from its parts. Constants and booleans don't need one. */
function exampleOf(document: ApiDocument, unresolved: Schema, what: string): unknown {
  const schema = document.resolve(unresolved)
  const {
    examples,
    default: usual,
    const: only,
    enum: choices,
    anyOf,
    type,
    properties,
    required,
    items,
    minItems,
  } = schema
  if (Array.isArray(examples)) return examples[0] as unknown
  if ('default' in schema) return usual
  if ('const' in schema) return only
  if (Array.isArray(choices)) return choices[0] as unknown
  if (Array.isArray(anyOf)) return exampleOf(document, anyOf[0] as Schema, what)
  if (type === 'boolean') return true
  if (type === 'array')
    return Array.from({ length: Number(minItems ?? 0) }, (_, index) =>
      exampleOf(document, items as Schema, `${what}[${index}]`),
    )
  if (type === 'object') {
    const wanted = Object.entries((properties ?? {}) as Record<string, Schema>).filter(([name]) =>
      ((required ?? []) as string[]).includes(name),
    )
    return Object.fromEntries(wanted.map(([name, part]) => [name, exampleOf(document, part, `${what}.${name}`)]))
  }
  throw new Error(`The document has no example for ${what}.`)
}

/** Sends the call to `origin` unchanged. */
export async function makeCall(origin: string, { method, path, headers, body }: ApiCall): Promise<ApiAnswer> {
  const answer = await fetch(`${origin}/api${path}`, { method, headers, body, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
