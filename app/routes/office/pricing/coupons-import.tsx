import { couponFileActions } from '#app/office/actions/coupons.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { couponFileLimits, optionalCouponColumns, requiredCouponColumns } from '#domain/catalog/coupons/coupons.ts'
import type { Route } from './+types/coupons-import.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Import coupons', officePaths.officeCoupons())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'promotions.edit', officePaths.officeCouponsImport())
  // The names of the columns come from a module with schemas, which the browser does not need.
  return {
    limits: `CSV, ${couponFileLimits}`,
    columns: requiredCouponColumns.join(', '),
    optional: optionalCouponColumns.join(', '),
  }
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
  const { limits, columns, optional } = loaderData
  return (
    <OfficePage
      title="Import coupons"
      crumbs={[{ label: 'Coupons', path: officePaths.officeCoupons() }]}
      end={
        <a className="btn" href={officePaths.officeCouponsCsv({ state: 'draft' })}>
          Export drafts
        </a>
      }
      reply={reply}
    >
      <FormPanel
        id="import"
        title="Import a file"
        lead={limits}
        reply={reply}
        text="Export coupons, edit the rows, and import the file. A row without an ID becomes a new draft. Rows that you don’t change have no effect, and you can remove them."
        fields={{
          file: {
            label: 'CSV file',
            kind: 'file',
            accept: '.csv,text/csv',
            hint: `With the columns ${columns}. Optional: ${optional}.`,
          },
        }}
        buttons={[button('import', 'Import', 'primary')]}
        note="Coupons are imported as drafts. Schedule each on its page. If a row has an error, no rows are imported."
      />
    </OfficePage>
  )
}
