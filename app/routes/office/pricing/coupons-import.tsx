import { couponFileActions } from '#app/office/actions/coupons.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { ImportPage } from '#app/office/import-page.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { couponFile } from '#domain/catalog/coupons/coupons.ts'
import { draftFileColumns, draftFileLimits } from '#domain/catalog/promotions/promotions.ts'
import type { Route } from './+types/coupons-import.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Import coupons', officePaths.officeCoupons())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'promotions.edit', officePaths.officeCouponsImport())
  // The names of the columns come from a module with schemas, which the browser does not need.
  return { limits: draftFileLimits, ...draftFileColumns(couponFile) }
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: '',
      path: () => officePaths.officeCouponsImport(),
      file: 'file',
      done: {
        import: (_, { drafted, changed }) =>
          officePaths.officeCoupons({ state: 'draft', done: drafted + changed > 0 ? 'imported' : 'imported-same' }),
      },
    },
    couponFileActions,
  )

export default function CouponsImportPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  return (
    <ImportPage
      title="Import coupons"
      list={{ label: 'Coupons', path: officePaths.officeCoupons() }}
      exported={{ label: 'Export drafts', path: officePaths.officeCouponsCsv({ state: 'draft' }) }}
      file={loaderData}
      text="Export coupons, edit the rows, and import the file. A row without an ID becomes a new draft. Rows that you don’t change have no effect, and you can remove them."
      note="Coupons are imported as drafts. Schedule each on its page. If a row has an error, no rows are imported."
      reply={reply}
    />
  )
}
