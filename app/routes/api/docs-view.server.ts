/** The OpenAPI document as people read it: one section an operation, one line a field. */
import { apiDocument, type Json } from '#api/document.ts'
import { areas } from '#api/operation.ts'
import { isOfEveryCall, problemCodes, statusOf, titleOf } from '#api/problem.ts'

export type FieldView = {
  name: string
  type: string
  shape: string | null
  isRequired: boolean
  says: string
  example: string | null
}
export type OperationView = {
  id: string
  method: string
  path: string
  summary: string
  paragraphs: string[]
  who: string
  inputs: { title: string; fields: FieldView[] }[]
  status: string
  gives: { shape: string | null; type: string; fields: FieldView[] }
  refuses: string[]
  example: string
}
export type DocsView = {
  origin: string
  introduction: string[]
  areas: { name: string; says: string; operations: OperationView[] }[]
  shapes: { name: string; type: string; fields: FieldView[] }[]
  problems: { code: string; status: number; title: string; isOfEveryCall: boolean }[]
}

type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  description?: string
  examples?: unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}
type Parameter = {
  name?: string
  in?: string
  required?: boolean
  description?: string
  example?: unknown
  schema?: Schema
}
type Media = { content?: Record<string, { schema: Schema; example?: unknown }>; description?: string }
type Described = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Json[]
  parameters: Parameter[]
  requestBody?: Media
  responses: Record<string, Media>
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

export function docsView(origin: string, storeName: string, issuer: string | null): DocsView {
  const document = apiDocument(origin, storeName, issuer)
  const all = Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, described]) =>
      methods.has(method) ? [{ path, method, described: described as Described }] : [],
    ),
  )
  const { schemas } = document['components'] as { schemas: Record<string, Schema> }
  return {
    origin,
    introduction: (document['info'] as { description: string }).description.split('\n\n'),
    areas: Object.entries(areas).flatMap(([name, says]) => {
      const own = all.filter(({ described }) => described.tags[0] === name)
      return own.length === 0 ? [] : [{ name, says, operations: own.map((each) => operationView(origin, each)) }]
    }),
    shapes: Object.entries(schemas)
      .filter(([name]) => name !== 'Problem')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => ({ name, type: typeText(schema), fields: fieldsOf(schema) })),
    problems: problemCodes.map((code) => ({
      code,
      status: statusOf(code),
      title: titleOf(code),
      isOfEveryCall: isOfEveryCall(code),
    })),
  }
}

function operationView(
  origin: string,
  { path, method, described }: { path: string; method: string; described: Described },
): OperationView {
  const [status = '200', done = {}] = Object.entries(described.responses).find(([code]) => code.startsWith('2')) ?? []
  const media = described.requestBody?.content?.['application/json']
  const body = media?.schema
  const result = done.content?.['application/json']?.schema
  const parametersIn = (place: string) =>
    described.parameters.filter((parameter) => parameter.in === place).map(parameterField)
  const inputs = [
    { title: 'In the path', fields: parametersIn('path') },
    { title: 'In the query', fields: parametersIn('query') },
    { title: 'In headers', fields: parametersIn('header') },
    { title: 'In the body', fields: body ? fieldsOf(body) : [] },
  ]
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    summary: described.summary,
    paragraphs: described.description?.split('\n\n') ?? [],
    who: [whoOf(described.security), scopeWords(described.security)].filter(Boolean).join(', or '),
    inputs: inputs.filter(({ fields }) => fields.length > 0),
    status,
    gives: result
      ? { shape: shapeOf(result), type: typeText(result), fields: shapeOf(result) ? [] : fieldsOf(result) }
      : { shape: null, type: 'nothing', fields: [] },
    refuses: refusalsOf(described),
    example: exampleOf(origin, {
      path,
      method,
      described,
      body: media && (media.example ?? exampleBody(media.schema)),
    }),
  }
}

/** The codes of this call; those of every call are not repeated. */
function refusalsOf({ responses }: Described): string[] {
  const named = Object.values(responses).flatMap(({ description = '' }) =>
    [...description.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
  )
  return [...new Set(named)].filter((code) => !isOfEveryCall(code))
}

function whoOf(security: Json[]): string {
  if (security.length === 0) return 'Anyone'
  if (security.some((scheme) => Object.keys(scheme).length === 0)) return 'Whose order it is'
  return security.some((scheme) => 'cartKey' in scheme) ? 'Who has the key of the cart' : 'Who is signed in'
}

/** The scope with which an app may call by its token alone; undefined where it may not, or needs none. */
function scopeIn(security: Json[]): string | undefined {
  return security.flatMap((scheme) =>
    'cartKey' in scheme ? [] : ((scheme['accessToken'] as string[] | undefined) ?? []),
  )[0]
}

function scopeWords(security: Json[]): string {
  const scope = scopeIn(security)
  return scope === undefined ? '' : `an app that was allowed ${scope}`
}

function parameterField({ name = '', required = false, description, example, schema = {} }: Parameter): FieldView {
  return {
    ...fieldView(name, schema, required),
    says: [description, limitsOf(schema)].filter(Boolean).join(' · '),
    example: example === undefined ? null : written(example),
  }
}

/** The fields of an object, or of the objects of a list; those of inner objects stand behind a dot. */
function fieldsOf(schema: Schema, before = '', depth = 0): FieldView[] {
  if (schema.type === 'array' && schema.items) return schema.items.$ref ? [] : fieldsOf(schema.items, before, depth)
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (name === 'ssoUid') return []
    const inner = innerOf(field)
    const own = fieldView(`${before}${name}`, field, schema.required?.includes(name) ?? false)
    return inner && depth < 3
      ? [own, ...fieldsOf(inner, `${before}${name}${isList(field) ? '[]' : ''}.`, depth + 1)]
      : [own]
  })
}

function innerOf(field: Schema): Schema | undefined {
  const one = (field.anyOf ?? field.oneOf)?.filter(({ type }) => type !== 'null') ?? [field]
  const [first] = one
  if (one.length !== 1 || !first) return undefined
  const held = first.type === 'array' ? first.items : first
  return held?.properties ? held : undefined
}

function isList(field: Schema): boolean {
  return field.type === 'array' || (field.anyOf ?? []).some(({ type }) => type === 'array')
}

function fieldView(name: string, field: Schema, isRequired: boolean): FieldView {
  const example = field.examples?.[0]
  return {
    name,
    type: typeText(field),
    shape: shapeOf(field),
    isRequired,
    says: [field.description, limitsOf(field)].filter(Boolean).join(' · '),
    example: example === undefined ? null : written(example),
  }
}

/** The component that a field is, or is a list of. */
function shapeOf({ $ref, items, anyOf = [], oneOf = [] }: Schema): string | null {
  if ($ref) return $ref.split('/').at(-1) ?? null
  return [items, ...anyOf, ...oneOf].flatMap((part) => (part && shapeOf(part)) ?? [])[0] ?? null
}

function typeText(schema: Schema): string {
  const { $ref, type, format, items, anyOf, oneOf, additionalProperties } = schema
  if ($ref) return $ref.split('/').at(-1) ?? ''
  const choices = anyOf ?? oneOf
  if (choices) return choices.map(typeText).join(' or ')
  if (schema.const !== undefined) return written(schema.const)
  if (schema.enum) return schema.enum.map(written).join(' or ')
  if (type === 'array') return `list of ${items ? typeText(items) : 'anything'}`
  if (type === 'object' && typeof additionalProperties === 'object')
    return `object of ${typeText(additionalProperties)}`
  return [type ?? 'anything'].flat().join(' or ') + (format ? ` (${format})` : '')
}

function limitsOf(field: Schema): string {
  const { minimum, maximum, maxLength, minLength, default: usual } = field
  return [
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined
        ? `${minimum} or more`
        : maximum !== undefined
          ? `up to ${maximum}`
          : '',
    maxLength === undefined ? '' : `${minLength ? `${minLength} to ${maxLength}` : `up to ${maxLength}`} characters`,
    usual === undefined ? '' : `${written(usual)} if left out`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** A call to type into a terminal. */
function exampleOf(
  origin: string,
  { path, method, described, body }: { path: string; method: string; described: Described; body: unknown },
): string {
  const valueOf = ({ example, schema }: Parameter) => written(example ?? schema?.default ?? schema?.enum?.[0] ?? '…')
  const inPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    valueOf(described.parameters.find((parameter) => parameter.name === name) ?? {}),
  )
  const query = described.parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
  const pairs = query.flatMap((parameter) =>
    [parameter.example].flat().map((value) => `${parameter.name}=${encodeURIComponent(written(value))}`),
  )
  const asked = pairs.length === 0 ? '' : `?${pairs.join('&')}`
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${origin}/api${inPath}${asked}'`]
  if (described.security.some((scheme) => 'cartKey' in scheme)) lines.push("-H 'Authorization: Bearer '$CART")
  else if (scopeIn(described.security) !== undefined) lines.push("-H 'Authorization: Bearer '$TOKEN")
  else if (described.security.length > 0) lines.push("-b 'sw_session='$SESSION")
  if (described.parameters.some(({ name, required }) => name === 'If-Match' && required))
    lines.push("-H 'If-Match: '$ETAG")
  if (described.parameters.some(({ name }) => name === 'Idempotency-Key'))
    lines.push("-H 'Idempotency-Key: '$(uuidgen)")
  if (body) lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`)
  return lines.join(' \\\n  ')
}

function exampleBody(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.oneOf ?? schema.anyOf ?? []
  if (choice) return exampleBody(choice)
  if (schema.type === 'array') return schema.items ? [exampleBody(schema.items)] : []
  if (schema.type === 'boolean') return true
  if (schema.properties) {
    const shown = Object.entries(schema.properties).filter(
      ([name, field]) => schema.required?.includes(name) || field.examples,
    )
    return Object.fromEntries(shown.map(([name, field]) => [name, exampleBody(field)]))
  }
  return schema.type === 'integer' || schema.type === 'number' ? (schema.minimum ?? 1) : '…'
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
