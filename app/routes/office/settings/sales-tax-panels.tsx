/** The panels of the office's page of sales tax. */
import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel, OfficeForm } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import type { SalesTaxPageView } from '#app/views/office/sales-tax.server.ts'
import { mostRateBytes, mostRateRows, rateColumns } from '#domain/pricing/sales-tax/sales-tax.ts'
import { countOf } from '#platform/count-text.ts'

const rateTable = {
  columns: {
    place: 'ZIP',
    state: 'State',
    county: 'County',
    city: 'City',
    special: 'Special',
    total: 'Combined',
    days: 'From',
  },
  amounts: ['total'],
}

export function CoveragePanel({ coverage: { zips, states } }: { coverage: SalesTaxPageView['coverage'] }) {
  return (
    <Panel id="coverage" title="Local tax coverage">
      <PanelBody>
        {zips === 0 ? (
          <p>
            <strong>Local rates are missing.</strong> No ZIP rates are imported. Every order is charged only its state’s
            rate, without county, city, and special taxes, and the tax is marked as an estimate. Import a file of local
            rates below.
          </p>
        ) : (
          <p>
            {countOf(zips, 'ZIP has', 'ZIPs have')} local rates, in {states.join(', ')}. Everywhere else, orders are
            charged the state’s rate only, without local tax, and the tax is marked as an estimate.
          </p>
        )}
      </PanelBody>
    </Panel>
  )
}

export function EstimatedPanel({ rows, next }: SalesTaxPageView['estimated']) {
  return (
    <TablePanel
      id="estimated"
      title="Orders with estimated tax"
      note="Charged as agreed. Add the difference to the state’s tax return by hand."
      caption="Orders with estimated tax, newest first"
      columns={{ order: 'Order', placed: 'Placed', why: 'Why' }}
      rows={rows.map(({ id, number, path, cells }) => ({
        id,
        cells: { ...cells, order: <a href={path}>{number}</a> },
      }))}
    >
      <More path={next}>More orders</More>
    </TablePanel>
  )
}

function More({ path, children }: { path: string | null; children: ReactNode }) {
  return path === null ? null : (
    <p className="office-panel-body">
      <a className="btn quiet" href={path} rel="next">
        {children}
      </a>
    </p>
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
    <TablePanel
      id="preview"
      title={`Import ${fileName}`}
      note="Rates change when you import the file."
      caption={`The first ${countOf(sample.length, 'row')} of the file`}
      {...rateTable}
      rows={sample}
      lead={
        <PanelBody>
          <p>
            {countOf(rows, 'row replaces', 'rows replace')} all rates of {states}: {added} new, {changed} changed,{' '}
            {same} the same, and <strong>{removed} removed</strong>.
          </p>
          {mayEdit ? (
            <OfficeForm
              action="?"
              reply={undefined}
              about={{ id }}
              buttons={[button('import', `Import ${countOf(rows, 'row')}`, 'primary'), button('discard', 'Discard')]}
            />
          ) : null}
        </PanelBody>
      }
    />
  )
}

export function UploadPanel({ formKey, reply }: { formKey: string; reply: FormReply | undefined }) {
  return (
    <FormPanel
      id="upload"
      title="Upload rates"
      lead="You see what it changes before anything is imported."
      action="?"
      reply={reply}
      hidden={{ formKey }}
      fields={{
        file: {
          label: 'CSV file',
          kind: 'file',
          accept: '.csv,text/csv',
          hint: `Up to ${mostRateBytes / 1024 / 1024} MB and ${countOf(mostRateRows, 'row')}, with the columns ${rateColumns.join(', ')}. It replaces all rates for the states it contains. Export CSV gives you a file to start from.`,
        },
      }}
      buttons={[button('add', 'Upload', 'primary')]}
    />
  )
}

export function RatesPanel({ rows, next }: SalesTaxPageView['rates']) {
  return (
    <TablePanel id="rates" title="Imported rates" {...rateTable} rows={rows}>
      <More path={next}>More rates</More>
    </TablePanel>
  )
}

export function StatesPanel({ rows }: { rows: SalesTaxPageView['states'] }) {
  return (
    <TablePanel
      id="states"
      title="State rates today"
      note="Charged in ZIP codes without a rate. Change rates, tire fees, and taxability in Taxes and fees."
      columns={{ name: 'State', rate: 'Rate', from: 'From', source: 'Source' }}
      amounts={['rate']}
      rows={rows.map(({ id, name, path, cells }) => ({ id, cells: { ...cells, name: <a href={path}>{name}</a> } }))}
    />
  )
}

export function FilesPanel({ rows }: { rows: SalesTaxPageView['files'] }) {
  return (
    <TablePanel
      id="files"
      title="Files"
      caption="Rate files"
      columns={{ name: 'File', rows: 'Rows', states: 'States', uploaded: 'Uploaded', imported: 'Imported' }}
      amounts={['rows']}
      rows={rows.map(({ id, name, path, cells }) => ({
        id,
        cells: { ...cells, name: path === null ? name : <a href={path}>{name}</a> },
      }))}
    />
  )
}
