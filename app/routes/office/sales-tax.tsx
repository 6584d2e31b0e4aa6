import { randomUUID } from 'node:crypto'
import { checkForm, formRefusal, readFormWithFile, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { readSalesTaxPage } from '#app/views/office-sales-tax.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { discardRates, importRates, uploadRates } from '#domain/sales-tax/sales-tax.server.ts'
import { mostRateBytes, rateFileForm, ratesForm } from '#domain/sales-tax/sales-tax.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countOf } from '#platform/count-text.ts'
import {
  CoveragePanel,
  EstimatedPanel,
  FilesPanel,
  PreviewPanel,
  RatesPanel,
  StatesPanel,
  UploadPanel,
} from './sales-tax-panels.tsx'
import type { Route } from './+types/sales-tax.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Sales tax', officePaths.officeSalesTax())

const doneWords = { imported: 'Imported. Prices follow at once.', discarded: 'Discarded. Nothing was changed.' }

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'sales-tax.read', officePaths.officeSalesTax())
  const done = url.searchParams.get('done')
  return {
    formKey: randomUUID(),
    mayEdit: staffCan(session.roles, 'sales-tax.edit'),
    done: done === 'imported' || done === 'discarded' ? doneWords[done] : null,
    ...(await readSalesTaxPage(shop, url.searchParams)),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'sales-tax.edit', officePaths.officeSalesTax())
  const { fields, file } = await readFormWithFile(request, 'file')
  const intent = fields.get('intent')
  if (intent === 'import' || intent === 'discard') {
    const checked = checkForm(rateFileForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const act = intent === 'import' ? importRates : discardRates
    const acted = await act(shop, actor, checked.value.id)
    if (acted.ok) return seeOther(officePaths.officeSalesTax({ done: intent === 'import' ? 'imported' : 'discarded' }))
    return refusal(fields, acted.reason)
  }
  if (intent !== 'upload') return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const checked = checkForm(ratesForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const refuseFile = (words: string) => refuseForm(formRefusal(fields, 'Fix 1 field:', { file: words }))
  if (!file) return refuseFile('Choose a CSV file.')
  if (file.size > mostRateBytes) return refuseFile(`The file is larger than ${mostRateBytes / 1024 / 1024} MB.`)
  const uploaded = await uploadRates(shop, actor, {
    ...checked.value,
    fileName: file.name.slice(0, 200) || 'rates.csv',
    text: await file.text(),
  })
  if (uploaded.ok) return seeOther(officePaths.officeSalesTax({ file: uploaded.value }))
  if (uploaded.reason !== 'faults') return refusal(fields, uploaded.reason)
  const shown = uploaded.detail.slice(0, 10).join(' ')
  const more = uploaded.detail.length - 10
  return refuseFile(more > 0 ? `${shown} And ${countOf(more, 'more fault')}.` : shown)
}

function refusal(fields: URLSearchParams, reason: 'not-allowed' | 'gone') {
  return reason === 'gone'
    ? refuseForm(formRefusal(fields, 'This file was imported or discarded already. Nothing was changed.'), 409)
    : refuseForm(formRefusal(fields, 'Your role does not allow that. Nothing was changed.'), 403)
}

export default function SalesTaxPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { formKey, mayEdit, done, coverage, preview, estimated, states, rates, files } = loaderData
  return (
    <OfficePage
      title="Sales tax"
      end={
        <a className="btn" href={officePaths.officeSalesTaxCsv()}>
          Export CSV
        </a>
      }
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      {reply && reply.values['intent'] !== 'upload' ? (
        <Notice tone="stop" title={reply.formError ?? technicalMessages.tryAgain} isNews />
      ) : null}
      <CoveragePanel coverage={coverage} />
      {preview ? <PreviewPanel preview={preview} mayEdit={mayEdit} /> : null}
      {estimated.rows.length > 0 ? <EstimatedPanel {...estimated} /> : null}
      {mayEdit ? (
        <UploadPanel formKey={formKey} reply={reply?.values['intent'] === 'upload' ? reply : undefined} />
      ) : null}
      {rates.rows.length > 0 ? <RatesPanel {...rates} /> : null}
      <StatesPanel rows={states} />
      {files.length > 0 ? <FilesPanel rows={files} /> : null}
    </OfficePage>
  )
}
