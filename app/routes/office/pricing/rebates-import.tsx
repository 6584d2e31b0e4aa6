import { rebateFileActions } from '#app/office/actions/rebates.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { ImportPage } from '#app/office/import-page.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { draftFileColumns, draftFileLimits, rebateFile } from '#domain/catalog/promotions/promotions.ts'
import type { Route } from './+types/rebates-import.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Import rebates', officePaths.officeRebates())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'promotions.edit', officePaths.officeRebatesImport())
  // The names of the columns come from a module with schemas, which the browser does not need.
  return { limits: draftFileLimits, ...draftFileColumns(rebateFile) }
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: '',
      path: () => officePaths.officeRebatesImport(),
      file: 'file',
      done: {
        import: (_, { drafted, changed }) =>
          officePaths.officeRebates({ done: drafted + changed > 0 ? 'imported' : 'imported-same' }),
      },
    },
    rebateFileActions,
  )

export default function RebatesImportPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  return (
    <ImportPage
      title="Import rebates"
      list={{ label: 'Rebates', path: officePaths.officeRebates() }}
      exported={{ label: 'Export rebates', path: officePaths.officeListFile('rebates') }}
      file={loaderData}
      text="Export rebates, edit the rows, and import the file. A row without an ID becomes a new draft. Rows that you don’t change have no effect, and you can remove them."
      note="Rebates are imported as drafts. Schedule each on its page. If a row has an error, no rows are imported."
      reply={reply}
    />
  )
}
