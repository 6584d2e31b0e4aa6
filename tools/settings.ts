/** Writes docs/settings.md, the reference of every variable of the environment, from platform/config-variables.ts. */
import { join } from 'node:path'
import { z } from 'zod'
import { DEMO_SECRETS, variableGroups } from '#platform/config-variables.ts'
import { project } from './package-program.ts'

export const settingsFile = join(project, 'docs/settings.md')

const introduction = `# Settings

Every environment variable of the store, generated from \`platform/config-variables.ts\` by \`npm run generate-types\`. An
empty variable counts as unset; where "may be" is empty, any text is valid. A process that can't start names the missing or
wrong variables without their values. Variables that production requires are in the
[README](../README.md#running-it-in-production); values set in the office (name, phone, hours, policies) take precedence.
`

/** The document, one table for each group, with what each variable may be and what it is by default. */
export function generateSettings(): string {
  const parts = Object.entries(variableGroups).map(([title, group]) => {
    const rows = Object.entries<z.ZodType>(group.shape).map(([name, schema]) => rowOf(name, schema))
    return `\n## ${title}\n\n| variable | may be | default | description |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return introduction + parts.join('')
}

function rowOf(name: string, schema: z.ZodType): string {
  const { description } = schema.meta() ?? {}
  if (description === undefined) throw new Error(`${name} has no description.`)
  return `| \`${name}\` | ${rangeOf(schema)} | ${defaultOf(name, schema)} | ${description} |`
}

/** Numbers are coerced from text, so their range comes from the output schema, and names come from the input schema. */
function rangeOf(schema: z.ZodType): string {
  const out = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  if (out.type === 'integer') return `${out.minimum} to ${out.maximum}`
  const into = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const names = into.enum ?? (typeof out.items === 'object' && !Array.isArray(out.items) ? out.items.enum : undefined)
  if (names) return names.map((value) => `\`${String(value)}\``).join(', ')
  return into.format === 'uri' ? 'URL' : into.format === 'email' ? 'email' : ''
}

function defaultOf(name: string, schema: z.ZodType): string {
  if (name in DEMO_SECRETS) return 'demo'
  const unset = schema.safeParse(undefined)
  if (!unset.success) return 'required'
  const value: unknown = unset.data
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.length === 0 ? '' : `\`${value.join(',')}\``
  if (typeof value === 'string') return `\`${value}\``
  return `\`${JSON.stringify(typeof value === 'boolean' ? Number(value) : value)}\``
}
