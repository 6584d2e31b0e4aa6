/**
 * Generates the types in api/client/operations.ts from the API's OpenAPI document: the input and response of each
 * operation.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from '@swc/core'
import { project } from './package-program.ts'

export const clientTypesFile = join(project, 'api/client/operations.ts')

type Schema = { readonly [keyword: string]: unknown }
type Described = {
  summary: string
  parameters: { name: string; in: string; required: boolean; schema: Schema; description?: string }[]
  requestBody?: {
    content: { 'application/json': { schema: Schema }; 'application/x-www-form-urlencoded'?: { schema: Schema } }
  }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Returns the text of the file. */
export async function generateClientTypes(): Promise<string> {
  readJsx()
  const { apiDocument } = await import('#api/document.ts')
  const { paths, components } = apiDocument('', 'store', null) as {
    paths: Record<string, Partial<Record<(typeof methods)[number], Described>>>
    components: { schemas: Record<string, Schema> }
  }
  const named = Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const described = item[method]
      return described
        ? [
            `  /** ${described.summary} */\n  '${method.toUpperCase()} ${path}': { input: ${inputOf(described)}; data: ${dataOf(described)} }\n`,
          ]
        : []
    }),
  )
  return [
    '/** What the operations of the API take and answer. Made from its document by `npm run generate-types`, never by hand. */\n',
    ...named,
    `/** By method and path. */\nexport type Operations = {\n${operations.join('')}}\n`,
  ].join('\n')
}

/** The API imports texts that the pages share from JSX files. Node strips types but can't load JSX. */
function readJsx(): void {
  registerHooks({
    load(url, context, next) {
      if (!url.endsWith('.tsx')) return next(url, context)
      const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
          target: 'es2024',
        },
      })
      return { format: 'module', source: code, shortCircuit: true }
    },
  })
}

/** Every call may have headers; the client sets a POST's Idempotency-Key. */
function inputOf({ parameters, requestBody }: Described): string {
  const of = (where: string) => parameters.filter((parameter) => parameter.in === where)
  const form = requestBody?.content['application/x-www-form-urlencoded']
  const tags = of('header').filter(({ name, required }) => required && name !== 'Idempotency-Key')
  const parts = [
    partOf('params', of('path')),
    partOf('query', of('query')),
    ...(requestBody && !form ? [`body: ${typeOf(requestBody.content['application/json'].schema)}`] : []),
    tags.length > 0
      ? `headers: { ${tags.map(({ name }) => `'${name.toLowerCase()}': string`).join('; ')}; [name: string]: string }`
      : 'headers?: Record<string, string>',
  ]
  const input = `{ ${parts.filter((part) => part !== '').join('; ')} }`
  return form ? `${input} & ({ body: ${typeOf(form.schema)} } | { form: ${typeOf(form.schema)} })` : input
}

function partOf(name: string, fields: Described['parameters']): string {
  if (fields.length === 0) return ''
  const isNeeded = fields.some(({ required }) => required)
  const members = fields.map(
    (field) =>
      `${keyOf(field.name)}${field.required ? '' : '?'}: ${typeOf(field.schema)}${field.required ? '' : ' | undefined'}`,
  )
  return `${name}${isNeeded ? '' : '?'}: { ${members.join('; ')} }`
}

function dataOf({ responses }: Described): string {
  const done = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.['application/json']
  return done ? typeOf(done.schema) : 'undefined'
}

function typeOf(schema: Schema): string {
  const { $ref, const: only, enum: choices, anyOf, oneOf, allOf, type } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'unknown'
  if ('const' in schema) return JSON.stringify(only)
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  if (Array.isArray(allOf)) return allOf.map((part) => typeOf(part as Schema)).join(' & ')
  const ways = anyOf ?? oneOf
  if (Array.isArray(ways)) return [...new Set(ways.map((way) => typeOf(way as Schema)))].join(' | ')
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one as unknown })).join(' | ')
  return singleTypeOf(schema)
}

/** Returns the TypeScript type of a schema with at most one `type`. */
function singleTypeOf({ type, items, prefixItems, properties, required, additionalProperties }: Schema): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      if (Array.isArray(prefixItems)) return `[${prefixItems.map((part) => typeOf(part as Schema)).join(', ')}]`
      return items === undefined ? 'unknown[]' : `(${typeOf(items as Schema)})[]`
    case 'object':
      return objectOf((properties ?? {}) as Record<string, Schema>, (required ?? []) as string[], additionalProperties)
    default:
      return 'unknown'
  }
}

function objectOf(properties: Record<string, Schema>, required: readonly string[], more: unknown): string {
  const members = Object.entries(properties).map(
    ([name, part]) =>
      `${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(part)}${required.includes(name) ? '' : ' | undefined'}`,
  )
  if (members.length === 0)
    return typeof more === 'object' && more !== null
      ? `Record<string, ${typeOf(more as Schema)}>`
      : 'Record<string, never>'
  return `{ ${members.join('; ')} }`
}

function keyOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
}
