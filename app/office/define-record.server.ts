/**
 * Declares what programs read about one record of an office list, at `GET /<list>/{id}` of the admin API. One file per
 * subject in `records/`; the list in `lists/` has it as its `record`, with the permission of the list.
 */
import type { z } from 'zod'
import type { ListReader } from './define-list.server.ts'

/** Marks a field that programs read only with the permission for customer data. */
export const customerData = {
  description: 'Null without the permission `customers.read`',
  'x-permission': 'customers.read',
} as const

export type OfficeRecord = {
  /** The noun in messages, such as "claim". */
  noun: string
  description?: string
  /** The fields that programs get. All other fields of what `read` returns are left out. */
  schema: z.ZodObject
  /** Returns the record; undefined for an unknown ID. Customer data needs `reader.customers.isShown`. */
  read(reader: ListReader, id: string): Promise<object | undefined>
}

type Time = Temporal.Instant | Temporal.PlainDate

/** A value that becomes `Value` in JSON. Times become text. */
type Given<Value> = Value extends string
  ? Value | Time
  : Value extends readonly (infer Item)[]
    ? readonly Given<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Given<Value[Key]> }
      : Value

/** Declares a record. The type of `read`'s result follows from the schema. */
export function defineRecord<Schema extends z.ZodObject>(
  declared: Omit<OfficeRecord, 'schema' | 'read'> & {
    schema: Schema
    read(reader: ListReader, id: string): Promise<Given<z.input<Schema>> | undefined>
  },
): OfficeRecord {
  return declared
}

/** Returns a value with all its times as text, as JSON has them. */
export function jsonValue(value: unknown): unknown {
  if (value instanceof Temporal.Instant || value instanceof Temporal.PlainDate) return value.toString()
  if (Array.isArray(value)) return value.map(jsonValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, jsonValue(part)]))
}
