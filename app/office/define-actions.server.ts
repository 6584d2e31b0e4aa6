/**
 * Actions on one kind of record, such as adding, changing or closing a warehouse. They are declared once and run from
 * the record's pages (`decideActions`) and from the admin API (`app/admin-api/action-operations.server.ts`), with the
 * same form schema, use case and refusal messages.
 */
import type { z } from 'zod'
import { checkForm, type FormReply } from '#app/forms/form.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { isId } from '#platform/ids.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Application } from '#application'
import type { RefusalTexts } from './decision.server.ts'
import type { ListReader } from './define-list.server.ts'

type AnyRefusal = Refused<string, unknown>

/** A file from a form, or the body of a program's request. */
export type SentFile = { name: string; stream(): AsyncIterable<Uint8Array> }

/**
 * `id` is the record's ID in the address, or '' for one that doesn't exist yet. Only staff can have signed in recently
 * (`isFresh`).
 */
export type ActionCall = {
  app: Application
  by: Actor
  id: string
  file?: SentFile | null
  signal?: AbortSignal
  isFresh?: boolean
}

/** `id` of the result is the new record's, for an action that adds one. */
export type ActionResult<Value, Refusal extends AnyRefusal> =
  | { reply: FormReply }
  | { refusal: Refusal }
  | { value: Value; id: string | null }

export type RecordAction<Value = unknown, Refusal extends AnyRefusal = AnyRefusal> = {
  /** The heading in the API document, such as "Add a warehouse". */
  summary: string
  description?: string
  /** What a program needs instead of the records' permission. The use case checks it for staff, too. */
  permission?: Permission
  /** The part of the use case's value that a program gets. By default, only a new record's ID. */
  result?: z.ZodObject
  /** The form's fields; null for an action without fields. */
  form: z.ZodType | null
  /** The types of the file that it takes. Programs send it as the body, and the form's fields as parameters. */
  file?: readonly string[]
  /** Whether it returns a new record's ID. */
  givesId: boolean
  /** Checks `fields` and runs the use case. */
  run(call: ActionCall, fields: URLSearchParams): Promise<ActionResult<Value, Refusal>>
}

export type Described = Pick<RecordAction, 'summary' | 'description' | 'permission' | 'result' | 'file'>

/**
 * Declares an action with a form, which may depend on the store's day. The types of `act`'s input and result follow from
 * the declaration. `idOf` returns a new record's ID in its address.
 */
export function formAction<Form extends z.ZodType, Value, Refusal extends AnyRefusal>(
  { form, ...described }: Described & { form: Form | ((today: Temporal.PlainDate) => Form) },
  act: (call: ActionCall, input: z.output<Form>) => Promise<Outcome<Value, Refusal>>,
  idOf?: (value: Value) => string,
): RecordAction<Value, Refusal> {
  const formOn = typeof form === 'function' ? form : () => form
  return {
    ...described,
    givesId: idOf !== undefined,
    // The fields are the same on every day.
    form: formOn(Temporal.PlainDate.from('2000-01-01')),
    async run(call, fields) {
      const checked = checkForm(formOn(storeDay(call.app.clock.now())), fields)
      return checked.ok ? resultOf(await act(call, checked.value), idOf) : checked
    },
  }
}

/** Declares an action without fields. */
export function plainAction<Value, Refusal extends AnyRefusal>(
  described: Described,
  act: (call: ActionCall) => Promise<Outcome<Value, Refusal>>,
): RecordAction<Value, Refusal> {
  return { ...described, givesId: false, form: null, run: async (call) => resultOf(await act(call)) }
}

function resultOf<Value, Refusal extends AnyRefusal>(
  outcome: Outcome<Value, Refusal>,
  idOf?: (value: Value) => string,
): ActionResult<Value, Refusal> {
  if (!outcome.ok) return { refusal: outcome }
  return { value: outcome.value, id: idOf?.(outcome.value) ?? null }
}

type Actions = Readonly<Record<string, RecordAction>>
type RefusalOf<Action> = Action extends RecordAction<unknown, infer Refusal> ? Refusal : never

type PlainValue = string | number | boolean | null

/**
 * The value of a form field. It is text, an integer (cents for an amount), a checkbox, null if empty, or a list of names
 * or rows.
 */
export type RecordValue = PlainValue | readonly string[] | readonly Readonly<Record<string, PlainValue>>[]

/** A paginated list within a record, such as a webhook's deliveries. Customer data needs `reader.customers.isShown`. */
export type RecordPart = {
  summary: string
  description?: string
  row: z.ZodObject
  /** Returns those that follow the number `before`; undefined for an unknown record. `next` is null on the last page. */
  read(
    app: Application,
    id: string,
    before: number | null,
    reader: ListReader,
  ): Promise<{ rows: readonly Readonly<Record<string, unknown>>[]; next: number | null } | undefined>
}

export type RecordActions<Of extends Actions = Actions> = {
  /** The name in API addresses, such as "warehouses". */
  resource: string
  /** The part of a record in API addresses, such as "description". */
  part?: string
  /** Whether the actions concern no single record, so that API addresses have no ID. */
  hasNoId?: boolean
  /** The noun in messages, such as "warehouse". */
  noun: string
  permission: Permission
  /** What reading requires instead, for records that more people may see than change. */
  readPermission?: Permission
  /** `add` creates a record and `change` replaces its fields. Other names are specific to the record. */
  actions: Of
  refusals: RefusalTexts<RefusalOf<Of[keyof Of]>>
  /** Returns the fields of `change` as they are now, with the version, for programs; undefined for an unknown ID. */
  read?: (app: Application, id: string) => Promise<Readonly<Record<string, RecordValue>> | undefined>
  /** Fields that `read` returns in addition to those. */
  facts?: z.ZodObject
  /** Lists within a record, for programs, by their names in API addresses. */
  parts?: Readonly<Record<string, RecordPart>>
  /** Returns all records, for programs, where the office has no list of them. */
  list?: (app: Application) => Promise<readonly { id: string; label: string }[]>
}

/** Declares the actions of a kind of record. */
export function defineActions<Of extends Actions>(declared: RecordActions<Of>): RecordActions<Of> {
  return declared
}

/** Returns the number in an address; 0, which no record has, for other text and numbers over `most`. */
export function numberedId(text: string, most = 2_147_483_647): number {
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
  return number <= most ? number : 0
}

/** Returns the UUID in an address; one that no record has for other text. */
export function uuidOf(text: string): string {
  return isId(text) ? text : '00000000-0000-7000-8000-000000000000'
}
