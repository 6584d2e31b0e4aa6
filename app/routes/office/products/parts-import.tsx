import { partFileActions } from '#app/office/actions/parts.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { ImportPage } from '#app/office/import-page.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { partFileColumns, partFileLimits } from '#domain/supply/parts/parts.ts'
import type { Route } from './+types/parts-import.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Import parts', officePaths.officeParts())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'catalog.edit', officePaths.officePartsImport())
  // The names of the columns come from a module with schemas, which the browser does not need.
  return { limits: partFileLimits, ...partFileColumns }
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: '',
      path: () => officePaths.officePartsImport(),
      file: 'file',
      done: {
        import: (_, { added, changed }) =>
          officePaths.officeParts({ done: added + changed > 0 ? 'imported' : 'imported-same' }),
      },
    },
    partFileActions,
  )

export default function PartsImportPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  return (
    <ImportPage
      title="Import parts"
      list={{ label: 'Parts', path: officePaths.officeParts() }}
      exported={{ label: 'Export parts', path: officePaths.officeListFile('parts') }}
      file={loaderData}
      text="Export parts, edit the rows, and import the file. A row with a new SKU becomes a new part. Rows that you don’t change have no effect, and you can remove them."
      note="If a row has an error, no rows are imported. Set the stock of a part on its page."
      reply={reply}
    />
  )
}
