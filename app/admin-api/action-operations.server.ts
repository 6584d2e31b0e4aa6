/**
 * The admin API's operations for declared office actions. For example, `POST /warehouses` adds a warehouse, `GET` and
 * `PUT /warehouses/{id}` read and change it, and `POST /warehouses/{id}/close` runs another action. Bodies have the same
 * fields as office forms.
 */
import { z } from 'zod'
import { answer, type Answer } from '#api/operation.ts'
import { cursor, cursorAt, numberOf } from '#api/paging.ts'
import { problem, type Problem } from '#api/problem.ts'
import type { AnyRecordActions } from '#app/office/actions.server.ts'
import { textOf, type RefusalText } from '#app/office/decision.server.ts'
import type { ActionCall, RecordAction, RecordPart, RecordValue } from '#app/office/define-actions.server.ts'
import { cleanFields } from '#http/fields.ts'
import type { Refused } from '#platform/outcome.ts'
import { formFields, longestField, type BodyField } from './form-body.ts'
import { operation, type AdminOperation } from './operation.ts'

/** An ID is a number, a code, a domain, or the old address of a redirect. */
export const recordId = z.string().min(1).max(300)

/** Returns the operations of a kind of record. */
export function operationsOf(declared: AnyRecordActions): AdminOperation[] {
  const { actions, read, list, parts = {} } = declared
  return [
    ...(read ? [readOperation(declared, read)] : []),
    ...(list ? [listOperation(declared, list)] : []),
    ...Object.entries(actions).map(([name, action]) => actionOperation(declared, name, action)),
    ...Object.entries(parts).map(([name, part]) => partOperation(declared, name, part)),
  ]
}

const fileName = z.string().min(1).max(200).meta({ description: 'The name of the file' })

function recordPath({ resource, part, hasNoId }: AnyRecordActions): string {
  return [`/${resource}`, ...(hasNoId ? [] : ['{id}']), ...(part === undefined ? [] : [part])].join('/')
}

const oneRecord = z.strictObject({ id: recordId })

function readOperation(declared: AnyRecordActions, read: NonNullable<AnyRecordActions['read']>): AdminOperation {
  const { noun, permission, readPermission = permission, facts, hasNoId = false } = declared
  const { change, add, ...others } = declared.actions
  // Without an ID, only a change has fields that can be read; other actions are about a part of it.
  const fields = formFields((hasNoId ? change : (change ?? add ?? Object.values(others)[0]))?.form ?? null)
  return operation({
    id: `read${typeName(noun)}`,
    method: 'get',
    path: recordPath(declared),
    permission: readPermission,
    summary: hasNoId ? `Read the ${noun}` : `Read a ${noun}`,
    description: change?.form
      ? 'The fields of a change, with the version that a change has to send.'
      : hasNoId
        ? 'Its current state.'
        : add
          ? 'The fields that it was added with.'
          : 'The fields of its action, as they are now.',
    params: hasNoId ? z.strictObject({}) : oneRecord,
    result: z.object({
      ...Object.fromEntries([...fields].map(([key, { schema }]) => [key, schema.nullable().optional()])),
      ...facts?.shape,
    }),
    async handle({ app, params }) {
      const { id = '' } = params as { id?: string }
      const found = await read(app, id)
      return found ? answer(found) : missing(noun)
    },
  })
}

function partOperation(declared: AnyRecordActions, name: string, { row, read, ...described }: RecordPart) {
  const { noun, permission, readPermission = permission } = declared
  return operation({
    ...described,
    id: `list${typeName(noun)}${typeName(name)}`,
    method: 'get',
    path: `${recordPath(declared)}/${name}`,
    permission: readPermission,
    params: oneRecord,
    query: z.strictObject({ cursor: cursor.optional() }),
    result: z.strictObject({ rows: z.array(row), next: z.string().nullable() }),
    async handle({ app, reader, params: { id }, query }) {
      const question = [declared.resource, name, id]
      const before = numberOf(query.cursor, question)
      if (!before.ok) return before
      const page = await read(app, id, before.value ?? null, reader)
      if (!page) return missing(noun)
      return answer({
        rows: page.rows.map((each) => row.parse(each)),
        next: page.next === null ? null : cursorAt(String(page.next), question),
      })
    },
  })
}

function listOperation(
  { resource, noun, permission, readPermission = permission }: AnyRecordActions,
  list: NonNullable<AnyRecordActions['list']>,
) {
  return operation({
    id: `list${typeName(noun)}s`,
    method: 'get',
    path: `/${resource}`,
    permission: readPermission,
    summary: `List every ${noun}`,
    result: z.strictObject({ rows: z.array(z.strictObject({ id: z.string(), label: z.string() })) }),
    handle: async ({ app }) => answer({ rows: [...(await list(app))] }),
  })
}

function actionOperation(declared: AnyRecordActions, name: string, action: RecordAction): AdminOperation {
  const { part, noun, permission, refusals, hasNoId = false } = declared
  const { summary, description, form, file, result: shown } = action
  const fields = formFields(form)
  const isNew = name === 'add'
  const isNewRecord = isNew && !part
  const givesId = isNew && action.givesId
  const result = shown ?? (givesId ? z.strictObject({ id: z.string() }) : null)
  const handle = async (asked: Asked): Promise<Answer<object | null> | Problem> => {
    const done = await action.run(
      callOf(asked, file !== undefined),
      formOf(sentFields(asked, file !== undefined), fields),
    )
    if ('reply' in done) return invalid(done.reply.errors, done.reply.formError)
    if ('refusal' in done) return refusalProblem(done.refusal, textOf(done.refusal, refusals, noun), noun)
    if (shown) return answer(shown.parse(done.value))
    return answer(givesId ? { id: done.id } : null)
  }
  return {
    id: `${camelCase(name)}${typeName(noun)}`,
    method: name === 'change' ? 'put' : 'post',
    path: actionPath(declared, name),
    permission: action.permission ?? permission,
    summary,
    ...(description !== undefined && { description }),
    status: isNew ? 201 : shown ? 200 : 204,
    params: isNewRecord || hasNoId ? z.strictObject({}) : oneRecord,
    ...inputsOf(fields, { file, hasBody: form !== null }),
    result,
    handle,
  }
}

function actionPath(declared: AnyRecordActions, name: string): string {
  if (name === 'add' && declared.part === undefined) return `/${declared.resource}`
  return name === 'add' || name === 'change' ? recordPath(declared) : `${recordPath(declared)}/${name}`
}

/** Programs send fields as JSON, or, of an action with a file, as parameters with the file's name. */
function inputsOf(
  fields: ReadonlyMap<string, BodyField>,
  { file, hasBody }: { file: readonly string[] | undefined; hasBody: boolean },
): Pick<AdminOperation, 'query' | 'body' | 'file'> {
  if (file) return { file, query: bodySchema(fields).extend({ fileName: fileName.optional() }), body: null }
  return { query: z.strictObject({}), body: hasBody ? bodySchema(fields) : null }
}

function sentFields({ query, body }: Asked, isFile: boolean): Body {
  return ((isFile ? query : body) ?? {}) as Body
}

function callOf({ app, by, params, query, stream, signal }: Asked, isFile: boolean): ActionCall {
  const { id = '' } = params as { id?: string }
  const { fileName: name = 'file' } = query as { fileName?: string }
  return { app, by, id, signal, file: isFile ? { name, stream } : null }
}

type Asked = Parameters<AdminOperation['handle']>[0]
type Body = Readonly<Record<string, RecordValue | undefined>>

function bodySchema(fields: ReadonlyMap<string, BodyField>): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      [...fields].map(([key, { schema, isRequired }]) => [key, isRequired ? schema : schema.nullable().optional()]),
    ),
  )
}

/** Returns a body as form fields, with the same cleaning as a posted form. */
function formOf(body: Body, fields: ReadonlyMap<string, BodyField>): URLSearchParams {
  const entries = [...fields].flatMap(([key, { entriesOf }]) => entriesOf(body[key]))
  return cleanFields(new URLSearchParams(entries), longestField(fields))
}

function invalid(errors: Readonly<Record<string, string>>, formError?: string): Problem {
  const [first] = Object.entries(errors)
  return problem('BadRequest', first ? `\`${first[0]}\`: ${first[1]}` : (formError ?? 'The body is not valid.'), {
    data: errors,
  })
}

function refusalProblem(refusal: Refused<string, unknown>, text: RefusalText, noun: string): Problem {
  if (text === null || refusal.reason === 'not-found') return missing(noun)
  if (refusal.reason === 'not-allowed') return problem('Forbidden', `This program may no longer change a ${noun}.`)
  if (refusal.reason === 'not-fresh')
    return problem('Forbidden', 'Staff do this in the back office, after they sign in again.')
  if (refusal.reason === 'changed-meanwhile')
    return problem('PreconditionFailed', `This ${noun} was changed after this version. Read it again.`)
  if (typeof text === 'string') return problem(refusal.reason === 'gone' ? 'NotFound' : 'ActionRefused', text)
  if ('fields' in text) return invalid(text.fields)
  const data = { ...(text.field !== undefined && { [text.field]: text.text }), ...text.data }
  return problem(text.status === 404 || refusal.reason === 'gone' ? 'NotFound' : 'ActionRefused', text.text, { data })
}

/** Returns the problem of an unknown record. */
export const missing = (noun: string) =>
  problem('NotFound', `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found.`)

/** "first-picture" as "firstPicture" */
const camelCase = (text: string) => text.replaceAll(/[\s-](\w)/g, (_, letter: string) => letter.toUpperCase())
/** "tire type" as "TireType" */
export const typeName = (noun: string) => camelCase(` ${noun}`)
