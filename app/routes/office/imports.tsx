import { ListPage } from '#app/office/list-page.tsx'
import { imports } from '#app/office/lists/imports.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import type { UploadFault } from '#app/server/import-upload.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { kindWords, modeWords } from '#app/views/office-import-words.ts'
import { officePaths } from '#content/office-paths.ts'
import { feedKinds, importUploadForm, maxUploadBytes } from '#domain/catalog-import/catalog-import.ts'
import { startImport } from '#domain/catalog-import/catalog-import.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { isId, newId } from '#platform/ids.ts'
import type { Route } from './+types/imports.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Imports', officePaths.officeImports())

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, imports)
  const { session } = await requireStaff(args.context, 'catalog.read', officePaths.officeImports())
  return { data, key: newId(), mayImport: staffCan(session.roles, 'catalog.import') }
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

export default function Imports({ loaderData: { data, key, mayImport }, actionData: reply }: Route.ComponentProps) {
  return <ListPage data={data} before={mayImport ? <UploadForm formKey={key} reply={reply} /> : null} />
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
