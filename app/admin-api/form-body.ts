/** Reads the fields of an office form's schema as the fields of a JSON body. */
import { z } from 'zod'
import { schemaOf } from '#api/document.ts'

/** `unit` is how the field is sent: amounts in cents, checkboxes as true or false, whole numbers, or else text. */
export type BodyField = { schema: z.ZodType; unit: FieldUnit; isRequired: boolean }
type FieldUnit = 'cents' | 'checkbox' | 'number' | 'text'

/** In characters, as in the office. */
const longestText = 4_000
const mostCents = 999_999_999

/** Returns the fields of a form in its order. Throws for a schema that isn't of named fields. */
export function formFields(form: z.ZodType | null): ReadonlyMap<string, BodyField> {
  if (form === null) return new Map()
  const { required = [] } = schemaOf(form, 'input', {}) as { required?: string[] }
  return new Map(
    Object.entries<z.ZodType>(objectOf(form).shape).map(([key, schema]) => {
      const unit = unitOf(schema)
      return [key, { schema: bodySchemas[unit](schema), unit, isRequired: required.includes(key) }]
    }),
  )
}

const bodySchemas: Readonly<Record<FieldUnit, (field: z.ZodType) => z.ZodType>> = {
  cents: () => z.int().min(-mostCents).max(mostCents).meta({ description: 'In cents' }),
  checkbox: () => z.boolean(),
  number: () => z.int(),
  text: textSchema,
}

/** The parts of a text field's JSON schema that its document repeats; the form's schema checks them. */
function textSchema(field: z.ZodType): z.ZodType {
  const {
    enum: values,
    pattern,
    maxLength,
    format,
  } = schemaOf(field, 'input', {}) as {
    enum?: string[]
    pattern?: string
    maxLength?: number
    format?: string
  }
  if (values) return z.enum(values)
  return z
    .string()
    .max(longestText)
    .meta({
      ...(pattern !== undefined && { pattern }),
      ...(format !== undefined && { format }),
      maxLength: maxLength ?? longestText,
    })
}

type Definition = {
  type: string
  in?: z.ZodType
  out?: z.ZodType
  innerType?: z.ZodType
  coerce?: boolean
}

const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition

/** The object with the form's fields, before it is refined or transformed. */
function objectOf(form: z.ZodType): z.ZodObject {
  if (form instanceof z.ZodObject) return form
  const { in: before, innerType } = definitionOf(form)
  const inner = before ?? innerType
  if (!inner) throw new Error('The form is not an object of fields.')
  return objectOf(inner)
}

/** The unit that a field or a schema inside it was declared with (`platform/form-fields.ts`). */
function unitOf(field: z.ZodType): FieldUnit {
  const unit = field.meta()?.['formUnit']
  if (unit === 'cents' || unit === 'checkbox') return unit
  const { type, in: before, out, innerType, coerce } = definitionOf(field)
  if (type === 'number' && coerce) return 'number'
  for (const inner of [before, out, innerType]) {
    const found = inner ? unitOf(inner) : 'text'
    if (found !== 'text') return found
  }
  return 'text'
}
