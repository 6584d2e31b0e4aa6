import { importFileFaults, importFileRefusals } from '#app/office/actions/imports.server.ts'
import { ListPage } from '#app/office/list-page.tsx'
import { imports } from '#app/office/lists/imports.server.ts'
import { openList } from '#app/office/read-list.server.ts'
import type { FormReply } from '#app/forms/form.ts'
import { step, submit } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import type { UploadFault } from '#app/server/import-upload.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { kindWords, modeWords } from '#app/views/office/import-words.ts'
import { officePaths } from '#content/office-paths.ts'
import { feedKinds, importUploadForm, maxUploadBytes } from '#domain/catalog/catalog-import/catalog-import.ts'
import { startImport } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { refused } from '#platform/outcome.ts'
import { isId, newId } from '#platform/ids.ts'
import type { Route } from './+types/imports.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Imports', officePaths.officeImports())

export async function loader(args: Route.LoaderArgs) {
  const { data, reader } = await openList(args, imports)
  return { data, key: newId(), mayImport: reader.can('catalog.import') }
}

/** Starts the import of a file that `receiveImportFile` has stored; the same form starts it once. */
export const action = (args: Route.ActionArgs) =>
  submit(
    args,
    { noun: 'import', permission: 'catalog.import', path: () => officePaths.officeImports() },
    ({ app, by, fields }) =>
      step(
        importUploadForm,
        async (upload) => {
          const uploadId = fields.get('upload') ?? ''
          return isId(uploadId) ? startImport(app, by, { uploadId, ...upload }) : refused('not-stored', faultOf(fields))
        },
        ({ runId }, { kind, mode }) =>
          runId === null
            ? officePaths.officeImportColumns(fields.get('upload') ?? '', { kind, mode })
            : officePaths.officeImport(runId, 'uploaded'),
      ),
    { ...importFileRefusals, 'not-stored': (fault) => ({ field: 'file', text: importFileFaults[fault] }) },
  )

function faultOf(fields: URLSearchParams): UploadFault {
  const fault = fields.get('fault') ?? ''
  return Object.hasOwn(importFileFaults, fault) ? (fault as UploadFault) : 'none'
}

export default function Imports({ loaderData: { data, key, mayImport }, actionData: reply }: Route.ComponentProps) {
  return <ListPage data={data} reply={reply} before={mayImport ? <UploadForm formKey={key} reply={reply} /> : null} />
}

function UploadForm({ formKey, reply }: { formKey: string; reply: FormReply | undefined }) {
  return (
    <FormPanel
      id="upload"
      title="Import a file"
      lead="Changes apply when you publish it."
      isOpen
      isPair
      reply={reply}
      hidden={{ key: formKey }}
      fields={{
        kind: {
          label: 'Contents',
          kind: 'choice',
          options: feedKinds.map((kind) => [kind, kindWords[kind]]),
        },
        mode: { label: 'Bad rows', kind: 'choice', options: Object.entries(modeWords) },
        // The upload reads the fields before the file, which must come last.
        file: {
          label: 'File',
          kind: 'file',
          accept: '.csv,.xml,.gz,text/csv,text/xml,application/xml,application/gzip',
          hint: `CSV, or ACES or PIES XML, in UTF-8, optionally packed with gzip, up to ${maxUploadBytes / 1024 / 1024} MB. Exports from Shopify, WooCommerce, and other apps work. You match their columns next.`,
        },
      }}
      buttons={[button('', 'Upload and preview', 'primary')]}
    />
  )
}
