/** The panels of the office's page of sales tax. */
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { SalesTaxPageView } from '#app/views/office-sales-tax.server.ts'
import { mostRateBytes, mostRateRows, rateColumns } from '#domain/sales-tax/sales-tax.ts'
import { countOf } from '#platform/count-text.ts'

const rateTable = [
  { key: 'place', label: 'ZIP', isRowHeader: true },
  { key: 'state', label: 'State' },
  { key: 'county', label: 'County' },
  { key: 'city', label: 'City' },
  { key: 'special', label: 'Special' },
  { key: 'total', label: 'Together', isAmount: true },
  { key: 'days', label: 'From' },
]

export function CoveragePanel({ coverage: { zips, states } }: { coverage: SalesTaxPageView['coverage'] }) {
  return (
    <Panel id="coverage" title="Where local tax is known">
      <PanelBody>
        {zips === 0 ? (
          <p>
            <strong>Local rates are missing.</strong> No ZIP has rates of its own: every order is charged its state’s
            rate alone, without county, city and special taxes, and says that it is an estimate. Import a file of local
            rates below.
          </p>
        ) : (
          <p>
            {countOf(zips, 'ZIP has', 'ZIPs have')} local rates, in {states.join(', ')}. Everywhere else orders are
            charged the state’s rate alone, without local tax, and say that it is an estimate.
          </p>
        )}
      </PanelBody>
    </Panel>
  )
}

export function EstimatedPanel({ rows, next }: SalesTaxPageView['estimated']) {
  return (
    <Panel
      id="estimated"
      title="Orders with estimated tax"
      note="They are charged as agreed. Add the difference to the return of their state by hand."
    >
      <DataTable
        caption="Orders with estimated tax, newest first"
        columns={[
          { key: 'order', label: 'Order', isRowHeader: true },
          { key: 'placed', label: 'Placed' },
          { key: 'why', label: 'Why' },
        ]}
        rows={rows.map(({ id, number, path, cells }) => ({
          id,
          cells: { ...cells, order: <a href={path}>{number}</a> },
        }))}
      />
      {next ? (
        <p className="office-panel-body">
          <a className="btn quiet" href={next} rel="next">
            More orders
          </a>
        </p>
      ) : null}
    </Panel>
  )
}

export function PreviewPanel({
  preview: { id, fileName, rows, states, changes, sample },
  mayEdit,
}: {
  preview: NonNullable<SalesTaxPageView['preview']>
  mayEdit: boolean
}) {
  const { added, changed, removed, same } = changes
  return (
    <Panel id="preview" title={`Import ${fileName}`} note="Nothing is changed until you import it.">
      <PanelBody>
        <p>
          {countOf(rows, 'row replaces', 'rows replace')} all rates of {states}: {added} new, {changed} changed, {same}{' '}
          the same, and <strong>{removed} removed</strong>.
        </p>
        {mayEdit ? (
          <form method="post" action="?" encType="multipart/form-data" className="office-form-acts">
            <input type="hidden" name="id" value={id} />
            <button className="btn primary" name="intent" value="import">
              Import {countOf(rows, 'row')}
            </button>
            <button className="btn" name="intent" value="discard">
              Discard
            </button>
          </form>
        ) : null}
      </PanelBody>
      <DataTable caption={`The first ${countOf(sample.length, 'row')} of the file`} columns={rateTable} rows={sample} />
    </Panel>
  )
}

export function UploadPanel({ formKey, reply }: { formKey: string; reply: FormReply | undefined }) {
  const label = 'CSV file'
  return (
    <Panel id="upload" title="Upload rates" note="You see what it changes before anything is imported.">
      <form method="post" action="?" encType="multipart/form-data" noValidate>
        <input type="hidden" name="intent" value="upload" />
        <input type="hidden" name="formKey" value={reply?.values['formKey'] ?? formKey} />
        <PanelBody>
          <ErrorSummary reply={reply} labels={{ file: label }} />
          <Field
            name="file"
            label={label}
            reply={reply}
            value=""
            type="file"
            accept=".csv,text/csv"
            required
            hint={`Up to ${mostRateBytes / 1024 / 1024} MB and ${countOf(mostRateRows, 'row')}, with the columns ${rateColumns.join(', ')}. It replaces all rates of the states in it. Export CSV gives you a file to start from.`}
          />
          <button className="btn primary">Upload</button>
        </PanelBody>
      </form>
    </Panel>
  )
}

export function RatesPanel({ rows, next }: SalesTaxPageView['rates']) {
  return (
    <Panel id="rates" title="Imported rates">
      <DataTable caption="Imported rates" columns={rateTable} rows={rows} />
      {next ? (
        <p className="office-panel-body">
          <a className="btn quiet" href={next} rel="next">
            More rates
          </a>
        </p>
      ) : null}
    </Panel>
  )
}

export function StatesPanel({ rows }: { rows: SalesTaxPageView['states'] }) {
  return (
    <Panel id="states" title="Rates of states today" note="What a ZIP without a row of its own is charged.">
      <DataTable
        caption="Rates of states today"
        columns={[
          { key: 'name', label: 'State', isRowHeader: true },
          { key: 'rate', label: 'Rate', isAmount: true },
          { key: 'from', label: 'From' },
          { key: 'source', label: 'Source' },
        ]}
        rows={rows}
      />
    </Panel>
  )
}

export function FilesPanel({ rows }: { rows: SalesTaxPageView['files'] }) {
  return (
    <Panel id="files" title="Files">
      <DataTable
        caption="Files of rates"
        columns={[
          { key: 'name', label: 'File', isRowHeader: true },
          { key: 'rows', label: 'Rows', isAmount: true },
          { key: 'states', label: 'States' },
          { key: 'uploaded', label: 'Uploaded' },
          { key: 'imported', label: 'Imported' },
        ]}
        rows={rows.map(({ id, name, path, cells }) => ({
          id,
          cells: { ...cells, name: path === null ? name : <a href={path}>{name}</a> },
        }))}
      />
    </Panel>
  )
}
