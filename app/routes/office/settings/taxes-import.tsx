import { stateTaxFileActions } from '#app/office/actions/tax-files.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import {
  maxStateTaxBytes,
  optionalStateTaxColumns,
  stateTaxColumns,
  stateTaxRowLimit,
} from '#domain/pricing/sales-tax/sales-tax.ts'
import type { Route } from './+types/taxes-import.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Import taxes and fees', officePaths.officeTaxes())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'sales-tax.edit', officePaths.officeTaxesImport())
  // The names of the columns come from a module with schemas, which the browser does not need.
  return {
    limits: `CSV, up to ${stateTaxRowLimit} and ${maxStateTaxBytes / 1024} kB`,
    columns: stateTaxColumns.join(', '),
    optional: optionalStateTaxColumns.join(', '),
  }
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: '',
      path: () => officePaths.officeTaxesImport(),
      file: 'file',
      done: {
        import: (_, { changed }) => officePaths.officeTaxes({ done: changed > 0 ? 'imported' : 'imported-same' }),
      },
    },
    stateTaxFileActions,
  )

export default function TaxesImportPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { limits, columns, optional } = loaderData
  return (
    <OfficePage
      title="Import taxes and fees"
      crumbs={[{ label: 'Taxes and fees', path: officePaths.officeTaxes() }]}
      end={
        <a className="btn" href={officePaths.officeListFile('taxes')}>
          Export CSV
        </a>
      }
      reply={reply}
    >
      <FormPanel
        id="import"
        title="Import a file"
        lead={limits}
        reply={reply}
        text="Export the list, edit its rows, and import the file. Rows that you don’t change have no effect, and you can remove them."
        fields={{
          file: {
            label: 'CSV file',
            kind: 'file',
            accept: '.csv,text/csv',
            hint: `With the columns ${columns}. Optional: ${optional}.`,
          },
        }}
        buttons={[button('import', 'Import', 'primary')]}
        note="Starts is a day such as 2027-01-01; without it, a row applies to new orders immediately. If a row has an error, no rows are imported. Orders keep the taxes and fees they were placed under."
      />
    </OfficePage>
  )
}
