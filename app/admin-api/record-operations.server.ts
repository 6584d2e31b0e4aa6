/**
 * The admin API's reads of single records, such as `GET /claims/{id}`, from the declarations of the office's lists. A list
 * without records has reads of single rows, with the fields and permissions of the list.
 */
import { z } from 'zod'
import { answer } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { jsonValue, type OfficeRecord } from '#app/office/define-record.server.ts'
import type { ListDefinition, ListPage, ListReader } from '#app/office/define-list.server.ts'
import type { ListRow } from '#app/office/list.ts'
import type { OfficeFile } from '#app/office/record-files.server.ts'
import { missing, recordId, typeName } from './action-operations.server.ts'
import { operation, type AdminOperation } from './operation.ts'
import { adminRows, rowSchema, type AdminResource } from './resources.server.ts'

/** Returns the operation that reads a list's records or rows. Returns an empty list if a declared action reads them. */
export function recordOperationsOf(resource: AdminResource): AdminOperation[] {
  const { record, rowAt, readRow } = resource.definition
  if (record) return [recordOperation(resource, record)]
  return rowAt || readRow ? [rowOperation(resource)] : []
}

function recordOperation({ name, definition }: AdminResource, record: OfficeRecord): AdminOperation {
  const { noun, description, schema, read } = record
  return operation({
    id: `read${typeName(noun)}`,
    method: 'get',
    path: `/${name}/{id}`,
    permission: definition.permission,
    summary: `Read a ${noun}`,
    ...(description !== undefined && { description }),
    params: z.strictObject({ id: recordId }),
    result: schema,
    async handle({ reader, params: { id } }) {
      const found = await read(reader, id)
      return found ? answer(schema.parse(jsonValue(found))) : missing(noun)
    },
  })
}

function rowOperation(resource: AdminResource): AdminOperation {
  const { name, permission, definition } = resource
  const [noun] = definition.nouns
  return operation({
    id: `read-${name}`,
    method: 'get',
    path: `/${name}/{id}`,
    permission,
    summary: definition.readRow ? `Read one ${noun}, listed or not` : `Read one ${noun} of the list`,
    params: z.strictObject({ id: recordId }),
    result: rowSchema(resource),
    async handle({ app, reader, params: { id } }) {
      const rows = await readRows(reader, definition, id)
      const [row] = adminRows(resource, { rows, next: null }, { can: reader.can, origin: app.config.web.origin })
      return row ? answer(row) : missing(noun)
    },
  })
}

/** Returns the read of a record's file. */
export function fileOperation({ path, noun, summary, permission, types, query, read }: OfficeFile): AdminOperation {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, recordId] as const)
  return operation({
    id: `read${typeName(noun)}`,
    method: 'get',
    path,
    permission,
    summary,
    params: z.strictObject(Object.fromEntries(names)),
    ...(query && { query }),
    returns: types,
    async handle({ reader, params, query: asked }) {
      try {
        const response = await read(reader, { ...params, ...asked })
        return response.status === 404 ? missing(noun) : answer(response)
      } catch (thrown) {
        if (!(thrown instanceof Response) || thrown.status !== 403) throw thrown
        return problem('Forbidden', `The permissions of this program don’t include this ${noun}.`)
      }
    },
  })
}

async function readRows(reader: ListReader, definition: ListDefinition, id: string): Promise<ListRow[]> {
  if (!definition.readRow) {
    const page = await readRowPage(reader, definition, id)
    return page?.rows.filter((row) => row.id === id) ?? []
  }
  const row = await definition.readRow(reader, id)
  return row ? [row] : []
}

/** Reads the page of a list that starts with this row; undefined for an ID that no row has. */
async function readRowPage(
  reader: ListReader,
  { read, rowAt }: ListDefinition,
  id: string,
): Promise<ListPage | undefined> {
  const place = await rowAt?.(reader, id)
  if (!place) return undefined
  const { filters = {}, after } = place
  return read(reader, { filters, sort: '', after, before: null, limit: 1, ids: null, view: '' })
}
