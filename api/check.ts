/** Checks input against its schema. Builds an error message from the JSON Schema if the schema lacks one. */
import { z } from 'zod'
import { problem, type Problem } from '#api/problem.ts'
import { countOf } from '#platform/count-text.ts'

type Checked<Value> = { ok: true; value: Value } | Problem<'BadRequest'>

/** `data` of a refusal lists every field with its error; `whole` is the name of the entire input. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole = 'body',
): Checked<z.output<Schema>> {
  const checked = schema.safeParse(value, { error: (issue) => wordsFor(issue, whole) })
  if (checked.success) return { ok: true, value: checked.data }
  const faults: Record<string, string> = {}
  for (const { path, message } of checked.error.issues) faults[path.join('.') || whole] ??= message
  return problem('BadRequest', Object.values(faults)[0], { data: faults })
}

function wordsFor(issue: z.core.$ZodRawIssue, whole: string): string {
  const path = (issue.path ?? []).map(String)
  const field = path.length === 0 ? `the ${whole}` : `\`${path.join('.')}\``
  switch (issue.code) {
    case 'unrecognized_keys':
      return `Leave out ${issue.keys.map((key) => `\`${[...path, key].join('.')}\``).join(' and ')}: there is no such field.`
    case 'invalid_key':
      return `Give ${field} another name.`
    case 'invalid_type':
      return issue.expected === 'never' ? `Leave out ${field}.` : `Send ${field} as ${wantedOf(issue.schema)}.`
    case 'invalid_union':
      // A discriminated union is reported at its discriminator field.
      return `Send ${field} as ${Array.isArray(issue['options']) ? choiceWords(issue['options']) : wantedOf(issue.schema)}.`
    case 'custom':
    case 'invalid_element':
      return `Send ${field} as ${asDescribed}.`
    default:
      return `Send ${field} as ${wantedOf(issue.schema)}.`
  }
}

const asDescribed = 'documented'
/** Cached: a body can have thousands of errors, all from the same few schemas. */
const wanted = new WeakMap<z.core.$ZodType, string>()

function wantedOf(schema: z.core.$ZodType | undefined): string {
  if (!schema) return asDescribed
  const words = wanted.get(schema) ?? schemaWords(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  wanted.set(schema, words)
  return words
}

function schemaWords(schema: z.core.JSONSchema.BaseSchema): string {
  const ways = Array.isArray(schema.type) ? schema.type.map((type) => ({ type })) : (schema.anyOf ?? schema.oneOf)
  if (ways) return ways.map((way) => (typeof way === 'boolean' ? asDescribed : schemaWords(way))).join(' or ')
  if (schema.enum ?? schema.const !== undefined) return choiceWords(schema.enum ?? [schema.const])
  switch (schema.type) {
    case 'string':
      return `text${sizeWords(schema.minLength, schema.maxLength, 'character', 'characters')}${formWords(schema)}`
    case 'array':
      return `a list${sizeWords(schema.minItems, schema.maxItems, 'entry', 'entries')}`
    case 'integer':
    case 'number':
      return `a ${schema.type === 'integer' ? 'whole number' : 'number'}${rangeWords(schema)}`
    case 'object':
      return 'an object'
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    default:
      return asDescribed
  }
}

function choiceWords(values: readonly unknown[]): string {
  const words = values.map((value) => `\`${String(value)}\``)
  return words.length === 1 ? words.join('') : `one of ${words.join(', ')}`
}

function sizeWords(least: number | undefined, most: number | undefined, one: string, many: string): string {
  const counted = (count: number) => countOf(count, one, many)
  if (least === undefined) return most === undefined ? '' : ` of at most ${counted(most)}`
  if (most === undefined) return ` of at least ${counted(least)}`
  return least === most ? ` of exactly ${counted(least)}` : ` of ${least} to ${counted(most)}`
}

function formWords({ pattern, examples: [example] = [] }: z.core.JSONSchema.BaseSchema): string {
  if (typeof example === 'string') return ` such as \`${example}\``
  return pattern === undefined ? '' : ` that matches \`${pattern}\``
}

function rangeWords({
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
}: z.core.JSONSchema.BaseSchema): string {
  const step = multipleOf === undefined ? '' : `, a multiple of ${multipleOf}`
  const [least, most] = [spoken(minimum), spoken(maximum)]
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}${step}`
  const bounds = [
    ...(least === undefined ? [] : [` of at least ${least}`]),
    ...(exclusiveMinimum === undefined ? [] : [` above ${exclusiveMinimum}`]),
    ...(most === undefined ? [] : [` of at most ${most}`]),
    ...(exclusiveMaximum === undefined ? [] : [` below ${exclusiveMaximum}`]),
  ]
  return bounds.join(' and') + step
}

/** JavaScript's largest integer is not a limit worth mentioning. */
function spoken(bound: number | undefined): number | undefined {
  return bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound
}
