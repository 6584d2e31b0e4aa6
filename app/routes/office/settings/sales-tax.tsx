import { randomUUID } from 'node:crypto'
import { rateFileActions } from '#app/office/actions/tax-files.server.ts'
import { decideActions, doneNews } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { readSalesTaxPage } from '#app/views/office/sales-tax.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
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
  const { app, session } = await requireStaff(context, 'sales-tax.read', officePaths.officeSalesTax())
  return {
    formKey: randomUUID(),
    mayEdit: staffCan(session.roles, 'sales-tax.edit'),
    news: doneNews(url, news),
    ...(await readSalesTaxPage(app, url.searchParams)),
  }
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: (fields) => fields.get('id') ?? '',
      path: (done) => officePaths.officeSalesTax({ done }),
      file: 'file',
      noun: 'file',
      done: {
        add: (id) => officePaths.officeSalesTax({ file: Number(id) }),
        import: 'imported',
        discard: 'discarded',
      },
    },
    rateFileActions,
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
