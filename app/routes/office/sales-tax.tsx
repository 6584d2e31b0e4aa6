import { randomUUID } from 'node:crypto'
import { decide, doneNews, fileFaults, step } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { readSalesTaxPage } from '#app/views/office-sales-tax.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { discardRates, importRates, uploadRates } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { mostRateBytes, rateFileForm, ratesForm } from '#domain/pricing/sales-tax/sales-tax.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { refused } from '#platform/outcome.ts'
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

const news = { imported: 'Imported. Prices update immediately.', discarded: 'Discarded.' }

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'sales-tax.read', officePaths.officeSalesTax())
  return {
    formKey: randomUUID(),
    mayEdit: staffCan(session.roles, 'sales-tax.edit'),
    news: doneNews(url, news),
    ...(await readSalesTaxPage(shop, url.searchParams)),
  }
}

export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    {
      noun: 'file',
      permission: 'sales-tax.edit',
      path: (done) => officePaths.officeSalesTax({ done }),
      file: 'file',
    },
    ({ shop, by, file }) => ({
      import: step(rateFileForm, ({ id }) => importRates(shop, by, id), 'imported'),
      discard: step(rateFileForm, ({ id }) => discardRates(shop, by, id), 'discarded'),
      upload: step(
        ratesForm,
        async (rates) => {
          if (!file) return refused('no-file')
          if (file.size > mostRateBytes) return refused('too-large')
          const [fileName, text] = [file.name.slice(0, 200) || 'rates.csv', await file.text()]
          return uploadRates(shop, by, { ...rates, fileName, text })
        },
        (id) => officePaths.officeSalesTax({ file: id }),
      ),
    }),
    {
      gone: 'This file was already imported or discarded.',
      'no-file': { field: 'file', text: 'Choose a CSV file.' },
      'too-large': { field: 'file', text: `The file is larger than ${mostRateBytes / 1024 / 1024} MB.` },
      faults: fileFaults,
    },
  )

export default function SalesTaxPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { formKey, mayEdit, coverage, preview, estimated, states, rates, files } = loaderData
  return (
    <OfficePage
      title="Sales tax"
      news={loaderData.news}
      reply={reply}
      end={
        <a className="btn" href={officePaths.officeSalesTaxCsv()}>
          Export CSV
        </a>
      }
    >
      <CoveragePanel coverage={coverage} />
      {preview ? <PreviewPanel preview={preview} mayEdit={mayEdit} /> : null}
      {estimated.rows.length > 0 ? <EstimatedPanel {...estimated} /> : null}
      {mayEdit ? <UploadPanel formKey={formKey} reply={reply} /> : null}
      {rates.rows.length > 0 ? <RatesPanel {...rates} /> : null}
      <StatesPanel rows={states} />
      {files.length > 0 ? <FilesPanel rows={files} /> : null}
    </OfficePage>
  )
}
