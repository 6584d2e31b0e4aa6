import { shopFileActions } from '#app/office/actions/shops.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { ImportPage } from '#app/office/import-page.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { optionalShopColumns, requiredShopColumns, shopFileLimits } from '#domain/installer-portal/shops/shops.ts'
import type { Route } from './+types/shops-import.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Import shops', officePaths.officeShops())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'shops.edit', officePaths.officeShopsImport())
  // The names of the columns come from a module with schemas, which the browser does not need.
  return { limits: shopFileLimits, required: requiredShopColumns, optional: optionalShopColumns }
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: '',
      path: () => officePaths.officeShopsImport(),
      file: 'file',
      done: {
        import: (_, { added, changed }) =>
          officePaths.officeShops({ done: added + changed > 0 ? 'imported' : 'imported-same' }),
      },
    },
    shopFileActions,
  )

export default function ShopsImportPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  return (
    <ImportPage
      title="Import shops"
      list={{ label: 'All shops', path: officePaths.officeShops() }}
      exported={{ label: 'Export shops', path: officePaths.officeListFile('shops') }}
      file={loaderData}
      text="Export shops, edit the rows, and import the file. A row without a code becomes a new shop or van, and we email its owner an invitation. Rows that you don’t change have no effect, and you can remove them."
      note="Customers see a new shop once its owner, or you on their behalf, sets hours, bays, and prices. If a row has an error, no rows are imported."
      reply={reply}
    />
  )
}
