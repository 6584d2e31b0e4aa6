import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import type { UploadFault } from '#app/server/import-upload.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { CatalogTabs } from '#app/ui/office/catalog-tabs.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { importState, kindWords, modeWords } from '#app/views/office-import-words.ts'
import { officePaths } from '#content/office-paths.ts'
import { feedKinds, importUploadForm, maxUploadBytes, type ImportRun } from '#domain/catalog-import/catalog-import.ts'
import { listImports, startImport } from '#domain/catalog-import/catalog-import.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { isId, newId } from '#platform/ids.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/imports.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Imports', officePaths.officeImports())

const runsPerPage = 25

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'catalog.read', officePaths.officeImports())
  const place = url.searchParams.get('before') ?? ''
  const before = /^\d{1,9}$/.test(place) ? Number(place) : null
  const found = await listImports(shop, { limit: runsPerPage + 1, before })
  const runs = found.slice(0, runsPerPage)
  const last = found.length > runsPerPage ? runs.at(-1) : undefined
  return {
    key: newId(),
    mayImport: staffCan(session.roles, 'catalog.import'),
    isFirst: before === null,
    runs: runs.map(rowOf),
    older: last ? officePaths.officeImports({ before: last.id }) : null,
  }
}

function rowOf(run: ImportRun) {
  const { words, tone } = importState(run)
  return {
    id: String(run.id),
    path: officePaths.officeImport(run.id),
    state: words,
    tone,
    kind: kindWords[run.kind],
    file: run.fileName.split('/').at(-1) ?? '',
    by: run.startedBy ?? '',
    started: timeText(run.startedAt, storeZone),
    rows: run.rowCount.toLocaleString('en-US'),
    refused: run.refusedCount === 0 ? '' : run.refusedCount.toLocaleString('en-US'),
  }
}

/** Starts the import of a file that `receiveImportFile` has stored; the same form starts it once. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'catalog.import', officePaths.officeImports())
  const fields = await readForm(request)
  const uploadId = fields.get('upload') ?? ''
  const checked = checkForm(importUploadForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  if (!isId(uploadId)) return refuseFile(fields, fileFaults[faultOf(fields)])
  const started = await startImport(shop, actor, { uploadId, ...checked.value })
  if (started.ok) return seeOther(officePaths.officeImport(started.value.runId, 'uploaded'))
  switch (started.reason) {
    case 'not-allowed':
      return refuseForm(formRefusal(fields, 'Your role was revoked meanwhile. Nothing was imported.'), 403)
    case 'still-arriving':
      return refuseFile(fields, 'This file is still arriving from an earlier click. It will be in the list below.')
    case 'no-file':
      return refuseFile(fields, fileFaults.broken)
  }
}

function refuseFile(fields: URLSearchParams, error: string) {
  return refuseForm(formRefusal(fields, 'Fix 1 field:', { file: error }))
}

const fileFaults: Record<UploadFault, string> = {
  none: 'Choose a file.',
  empty: 'The file is empty.',
  'too-large': `The file is larger than ${maxUploadBytes / 1024 / 1024} MB. Pack it with gzip, or split it.`,
  broken: 'The file did not arrive whole. Choose it again.',
  'too-many': 'Too many files in an hour. Try again later.',
}

function faultOf(fields: URLSearchParams): UploadFault {
  const fault = fields.get('fault') ?? ''
  return Object.hasOwn(fileFaults, fault) ? (fault as UploadFault) : 'none'
}

export default function Imports({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { key, mayImport, isFirst, runs, older } = loaderData
  return (
    <OfficePage title="Imports">
      <CatalogTabs at="imports" />
      {mayImport ? <UploadForm formKey={key} reply={reply} /> : null}
      <Panel id="runs" title="Newest first">
        {runs.length === 0 ? (
          <PanelBody>
            <p>No file was imported yet.</p>
          </PanelBody>
        ) : (
          <DataTable
            caption="Imports"
            columns={[
              { key: 'run', label: 'Import', isRowHeader: true },
              { key: 'state', label: 'State' },
              { key: 'kind', label: 'Holds' },
              { key: 'file', label: 'File' },
              { key: 'rows', label: 'Rows', isAmount: true },
              { key: 'refused', label: 'Refused', isAmount: true },
              { key: 'started', label: 'Started' },
              { key: 'by', label: 'By' },
            ]}
            rows={runs.map(({ id, path, state, tone, ...cells }) => ({
              id,
              cells: { ...cells, run: <a href={path}>Import {id}</a>, state: <Tag tone={tone}>{state}</Tag> },
            }))}
          />
        )}
      </Panel>
      <ListFoot
        label="Pages of imports"
        newer={isFirst ? null : officePaths.officeImports()}
        older={older}
        file={officePaths.officeImportsFile()}
      />
    </OfficePage>
  )
}

function UploadForm({ formKey, reply }: { formKey: string; reply: FormReply | undefined }) {
  return (
    <Panel id="upload" title="Import a file" note="Nothing changes until you publish it." isOpen>
      <form method="post" encType="multipart/form-data" noValidate>
        {/* Read before the file, which comes last. */}
        <input type="hidden" name="key" value={reply?.values['key'] ?? formKey} />
        {reply ? (
          <PanelBody>
            <ErrorSummary reply={reply} labels={{ kind: 'Holds', mode: 'Bad rows', file: 'File' }} />
          </PanelBody>
        ) : null}
        <PanelBody isPair>
          <SelectField name="kind" label="Holds" reply={reply}>
            {feedKinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindWords[kind]}
              </option>
            ))}
          </SelectField>
          <SelectField name="mode" label="Bad rows" reply={reply}>
            {(['all-or-nothing', 'per-row'] as const).map((mode) => (
              <option key={mode} value={mode}>
                {modeWords[mode]}
              </option>
            ))}
          </SelectField>
          <Field
            name="file"
            label="File"
            reply={reply && { ...reply, values: {} }}
            type="file"
            accept=".csv,.gz,text/csv,application/gzip"
            required
            hint={`CSV in UTF-8, or packed with gzip, up to ${maxUploadBytes / 1024 / 1024} MB.`}
          />
        </PanelBody>
        <PanelBody>
          <button className="btn primary">Upload and preview</button>
        </PanelBody>
      </form>
    </Panel>
  )
}
