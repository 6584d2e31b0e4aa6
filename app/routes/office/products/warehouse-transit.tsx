import { warehouseId, warehouseTransitActions } from '#app/office/actions/warehouses.server.ts'
import { decideActions, found } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { ImportPage } from '#app/office/import-page.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findWarehouse, listTransit } from '#domain/supply/delivery/delivery.server.ts'
import { transitColumns, transitFileLimits } from '#domain/supply/delivery/delivery.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/warehouse-transit.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Import transit by ZIP', officePaths.officeWarehouses())

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'warehouses.manage', officePaths.officeWarehouseTransit(id))
  const warehouse = found(await findWarehouse(app, warehouseId(id)))
  const rows = await listTransit(app.db, warehouse.id)
  return {
    name: warehouse.name,
    path: officePaths.officeWarehouse(id),
    filePath: officePaths.officeWarehouseTransitFile(id),
    file: { limits: transitFileLimits, required: Object.values(transitColumns), optional: [] },
    count: rows.length,
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: () => officePaths.officeWarehouseTransit(id),
      file: 'file',
      done: {
        import: () => officePaths.officeWarehouse(id, 'transit'),
        remove: () => officePaths.officeWarehouse(id, 'transit-removed'),
      },
    },
    warehouseTransitActions,
  )
}

export default function WarehouseTransit({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, path, filePath, file, count } = loaderData
  return (
    <ImportPage
      title="Import transit by ZIP"
      list={{ label: name, path }}
      exported={{ label: 'Export transit days', path: filePath }}
      file={file}
      text="Each row has the first three digits of ZIP codes, and the business days in transit after a package leaves. They come before the days of the zones. The file replaces all rows that were imported before."
      note="New orders use the days immediately. If a row has an error, no rows are imported."
      reply={reply}
    >
      {count > 0 ? (
        <FormPanel
          id="remove"
          title="Remove"
          text={`${countOf(count, 'ZIP prefix has', 'ZIP prefixes have')} imported transit days. Without them, the days of the zones apply.`}
          reply={reply}
          buttons={[button('remove', 'Remove transit by ZIP', 'stop')]}
        />
      ) : null}
    </ImportPage>
  )
}
