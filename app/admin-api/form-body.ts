/** Reads the fields of an office form's schema as the fields of a JSON body. */
import { z } from 'zod'
import { schemaOf } from '#api/document.ts'
import type { RecordValue } from '#app/office/define-actions.server.ts'
import type { FieldUnit, FormLines, FormRows } from '#platform/form-fields.ts'
import { typedDollars } from '#platform/money.ts'

/** `entriesOf` returns form fields for a body value. Null and cleared checkboxes have no field. */
export type BodyField = {
  schema: z.ZodType
  isRequired: boolean
  entriesOf: (value: RecordValue | undefined) => [name: string, text: string][]
}

/** In characters, as in the office. A longer field has its length in its schema (`maxLength`). */
const longestText = 4_000
const mostCents = 999_999_999
/** In rows of a list. */
const mostRows = 200

/** Returns the fields of a form in its order. Throws for a schema that isn't of named fields. */
export function formFields(form: z.ZodType | null): ReadonlyMap<string, BodyField> {
  if (form === null) return new Map()
  return new Map(Object.entries<z.ZodType>(objectOf(form).shape).map(([key, field]) => [key, bodyField(key, field)]))
}

/** Returns how many characters a form's longest field may have. */
export function longestField(fields: ReadonlyMap<string, BodyField>): number {
  return Math.max(longestText, ...[...fields.values()].map(({ schema }) => Number(schema.meta()?.['maxLength'] ?? 0)))
}

function bodyField(key: string, field: z.ZodType): BodyField {
  const rows = metaOf(field, 'formRows') as FormRows | undefined
  if (rows) return rowsField(rows)
  const ticks = metaOf(field, 'formTicks') as FormTicks | undefined
  if (ticks) return ticksField(ticks)
  const lines = metaOf(field, 'formLines') as FormLines | undefined
  if (lines) return linesField(key, lines)
  const numbers = metaOf(field, 'formNumbers') as { prefix: string; most: number } | undefined
  if (numbers) return numbersField(numbers)
  const unit = unitOf(field)
  const description = metaOf(field, 'description') as string | undefined
  const schema = unit === 'text' ? textSchema(field) : bodySchemas[unit]()
  return {
    schema: description === undefined ? schema : schema.meta({ ...schema.meta(), description }),
    isRequired: !field.safeParse(undefined).success,
    entriesOf: (value) => entryOf(key, unit, value),
  }
}

function entryOf(name: string, unit: FieldUnit, value: RecordValue | undefined): [string, string][] {
  if (value === null || value === undefined || value === false || typeof value === 'object') return []
  if (value === true) return [[name, '1']]
  return [[name, unit === 'cents' && typeof value === 'number' ? typedDollars(value) : String(value)]]
}

/** A list of objects for fields that the form has once per row, such as `quantity-7` and `cost-7`. */
function rowsField({ key, fields, names = {} }: FormRows): BodyField {
  const units = Object.entries(fields)
  const parts = units.map(([name, unit]) => [
    name,
    (unit === 'text' ? z.string().max(longestText) : bodySchemas[unit]()).nullable().optional(),
  ])
  const row = z.strictObject({ [key]: z.string().regex(/^[\w-]{1,60}$/), ...Object.fromEntries(parts) })
  return {
    schema: z
      .array(row)
      .max(mostRows)
      .refine((rows) => new Set(rows.map((each: Record<string, unknown>) => each[key])).size === rows.length, {
        message: `Send each ${key} once.`,
      }),
    isRequired: false,
    entriesOf: (value) =>
      (Array.isArray(value) ? value : []).flatMap((each: Readonly<Record<string, string | number | boolean | null>>) =>
        units.flatMap(([name, unit]) => entryOf(`${names[name] ?? name}-${each[key] ?? ''}`, unit, each[name])),
      ),
  }
}

/** A list of objects for a text field with a key and an amount on each line. */
function linesField(name: string, { key, amount, max }: FormLines): BodyField {
  const line = z.strictObject({
    [key]: z.string().regex(/^[\w.-]{1,60}$/),
    [amount]: bodySchemas.cents().nullable(),
  })
  const textOf = ({ [key]: id, [amount]: cents }: Readonly<Record<string, unknown>>) =>
    `${String(id)} ${typeof cents === 'number' ? typedDollars(cents) : 'none'}`
  return {
    schema: z.array(line).min(1).max(max),
    isRequired: true,
    entriesOf: (value) => (Array.isArray(value) ? [[name, value.map(textOf).join('\n')]] : []),
  }
}

/** A list of names for checkboxes that the form has one by one, such as `service-alignment`. */
type FormTicks = { prefix: string | null; names: string[] }

function ticksField({ prefix, names }: FormTicks): BodyField {
  return {
    schema: z.array(z.enum(names)).max(names.length),
    isRequired: false,
    entriesOf: (value) =>
      (Array.isArray(value) ? value : []).map((name): [string, string] => [
        prefix === null ? String(name) : `${prefix}-${String(name)}`,
        '1',
      ]),
  }
}

/** A list of numbers for checkboxes that the form has one by one, such as `tire-3`. */
function numbersField({ prefix, most }: { prefix: string; most: number }): BodyField {
  return {
    schema: z.array(z.int().min(1).max(most)).max(most),
    isRequired: false,
    entriesOf: (value) =>
      (Array.isArray(value) ? value : []).map((number): [string, string] => [`${prefix}-${String(number)}`, '1']),
  }
}

const bodySchemas: Readonly<Record<Exclude<FieldUnit, 'text'>, () => z.ZodType>> = {
  cents: () => z.int().min(-mostCents).max(mostCents).meta({ description: 'In cents' }),
  checkbox: () => z.boolean(),
  number: () => z.int(),
}

type TextSchema = { enum?: string[]; pattern?: string; maxLength?: number; format?: string }

/** The parts of a text field's JSON schema that its document repeats; the form's schema checks them. */
function textSchema(field: z.ZodType): z.ZodType {
  const own = schemaOf(field, 'input', {}) as TextSchema & { anyOf?: TextSchema[] }
  const { enum: values, pattern, maxLength, format } = own.anyOf?.find((each) => each.enum) ?? own
  if (values) return z.enum(values)
  return z
    .string()
    .max(Math.max(longestText, maxLength ?? 0))
    .meta({
      ...(pattern !== undefined && { pattern }),
      ...(format !== undefined && { format }),
      maxLength: maxLength ?? longestText,
    })
}

/** Returns the schemas inside a schema (its input, output, and wrapped type). */
function partsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodPipe) return [schema.in, schema.out]
  return isWrapper(schema) ? [schema.unwrap()] : []
}

function isWrapper(schema: z.core.$ZodType) {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodReadonly
  )
}

/**
 * The object with the form's fields, of both forms if they were combined, before it is refined or transformed, or after
 * it is preprocessed.
 */
function objectOf(form: z.core.$ZodType): z.ZodObject {
  if (form instanceof z.ZodObject) return form
  if (form instanceof z.ZodIntersection) return objectOf(form.def.left).extend(objectOf(form.def.right).shape)
  const [inner] = partsOf(form).filter((part) => !(part instanceof z.ZodTransform))
  if (!inner) throw new Error('The form is not an object of fields.')
  return objectOf(inner)
}

/** What a field, or else a schema inside it, was declared with (`platform/form-fields.ts`). */
function metaOf(field: z.core.$ZodType, name: string): unknown {
  const own = z.globalRegistry.get(field)?.[name]
  if (own !== undefined) return own
  for (const part of partsOf(field)) {
    const found = metaOf(part, name)
    if (found !== undefined) return found
  }
  return undefined
}

function unitOf(field: z.core.$ZodType): FieldUnit {
  const isNumber = (schema: z.core.$ZodType): boolean => schema instanceof z.ZodNumber || partsOf(schema).some(isNumber)
  return (metaOf(field, 'formUnit') as FieldUnit | undefined) ?? (isNumber(field) ? 'number' : 'text')
}
