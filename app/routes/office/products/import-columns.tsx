import { z } from 'zod'
import { found, step, submit } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { kindWords } from '#app/views/office/import-words.ts'
import { officePaths } from '#content/office-paths.ts'
import { importUploadForm, longestColumn } from '#domain/catalog/catalog-import/catalog-import.ts'
import {
  findUploadColumns,
  startImport,
  type ColumnSource,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { isId } from '#platform/ids.ts'
import type { Route } from './+types/import-columns.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Match columns', officePaths.officeImports())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const asked = askedOf(url)
  const path = officePaths.officeImportColumns(params.upload, asked)
  const { app, actor } = await requireStaff(context, 'catalog.import', path)
  const uploadId = isId(params.upload) ? params.upload : ''
  const upload = found(uploadId ? await findUploadColumns(app, actor, { uploadId, kind: asked.kind }) : undefined)
  return { ...upload, kind: asked.kind }
}

/** The choices of the upload form. */
function askedOf(url: URL) {
  const asked = importUploadForm.safeParse(Object.fromEntries(url.searchParams))
  if (!asked.success) throw new Response(null, { status: 404 })
  return asked.data
}

export const action = (args: Route.ActionArgs) => {
  const { upload } = args.params
  const asked = askedOf(args.url)
  return submit(
    args,
    { noun: 'file', permission: 'catalog.import', path: () => officePaths.officeImportColumns(upload, asked) },
    ({ app, by, fields }) =>
      step(
        // The columns vary by kind of file, and startImport checks them.
        z.object({}),
        () => startImport(app, by, { uploadId: isId(upload) ? upload : '', ...asked, sources: sourcesIn(fields) }),
        ({ runId }) => (runId === null ? officePaths.officeImports() : officePaths.officeImport(runId, 'uploaded')),
      ),
    {
      'no-file': null,
      'still-arriving': 'This file is still uploading. Try again in a moment.',
      'bad-columns': (faults) => ({
        fields: Object.fromEntries(Object.entries(faults).map(([column, text]) => [fromField(column), text])),
      }),
    },
  )
}

const fromField = (column: string) => `from.${column}`
const textField = (column: string) => `text.${column}`

/** A value for all rows counts before a column. */
function sourcesIn(fields: URLSearchParams): Record<string, ColumnSource> {
  const sources: Record<string, ColumnSource> = {}
  for (const [name, value] of fields) {
    const [, part, column = ''] = /^(from|text)\.([a-z0-9_]{1,60})$/.exec(name) ?? []
    const text = value.trim().slice(0, longestColumn)
    if (column === '' || text === '') continue
    if (part === 'text') sources[column] = { text }
    else sources[column] ??= { column: text }
  }
  return sources
}

export default function ImportColumns({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { fileName, kind, columns, wanted, guessed } = loaderData
  const rows = wanted.map((column) => rowOf(column, { columns, from: guessed[column.name], reply }))
  return (
    <OfficePage title="Match columns" crumbs={[{ label: 'Imports', path: officePaths.officeImports() }]} reply={reply}>
      <FormPanel
        id="columns"
        title={`${kindWords[kind]} in ${fileName}`}
        lead="Changes take effect when you publish."
        isOpen
        reply={reply}
        text={`Choose the column with each value, or enter one value for all rows.${kind === 'products' ? ' We also find a size, load index or speed rating inside a product’s name.' : ''}`}
        fields={{
          table: (
            <DataTable
              caption="Where each value comes from"
              columns={[
                { key: 'wanted', label: 'Value', isRowHeader: true },
                { key: 'from', label: 'Column in the file' },
                { key: 'text', label: 'Or one value for all rows' },
              ]}
              rows={rows}
            />
          ),
        }}
        buttons={[button('', 'Read and preview', 'primary')]}
      />
    </OfficePage>
  )
}

function valueOf(reply: FormReply | undefined, name: string): string | undefined {
  return reply?.values[name]
}

type Offered = Route.ComponentProps['loaderData']

/** A feed column's row, with the file's column or a value for all rows. */
function rowOf(
  { name, isRequired }: Offered['wanted'][number],
  { columns, from, reply }: Pick<Offered, 'columns'> & { from: ColumnSource | undefined; reply: FormReply | undefined },
) {
  const error = reply?.errors[fromField(name)]
  return {
    id: name,
    cells: {
      wanted: (
        <>
          <code>{name}</code>
          {isRequired ? ' (required)' : ''}
        </>
      ),
      from: (
        <>
          <select
            className="input"
            id={fromField(name)}
            name={fromField(name)}
            aria-label={`Column for ${name}`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${fromField(name)}-error` : undefined}
            defaultValue={valueOf(reply, fromField(name)) ?? (from && 'column' in from ? from.column : '')}
          >
            <option value="">Not in the file</option>
            {columns.map(({ name: column, example }) => (
              <option key={column} value={column}>
                {example === '' ? column : `${column}: ${example.slice(0, 40)}`}
              </option>
            ))}
          </select>
          {error ? (
            <p className="field-error" id={`${fromField(name)}-error`}>
              {error}
            </p>
          ) : null}
        </>
      ),
      text: (
        <input
          className="input"
          name={textField(name)}
          maxLength={longestColumn}
          aria-label={`Value of ${name} for all rows`}
          defaultValue={valueOf(reply, textField(name)) ?? (from && 'text' in from ? from.text : '')}
        />
      ),
    },
  }
}
