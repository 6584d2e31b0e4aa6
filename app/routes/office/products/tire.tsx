import { tireActions } from '#app/office/actions/catalog.server.ts'
import { decideActions, found } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findTireCells } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { catalogId } from './catalog-id.ts'
import { TireForm } from './tire-form.tsx'
import type { Route } from './+types/tire.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, `Edit ${loaderData?.cells['sku'] ?? 'tire'}`, officePaths.officeCatalog())

export async function loader({ context, params }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { app, session } = await requireStaff(context, 'catalog.edit', officePaths.officeItemForm(id))
  const { cells, mark } = found(await findTireCells(app, id))
  return { path: officePaths.officeItem(id), cells, mark, mayMap: staffCan(session.roles, 'promotions.edit') }
}

export const action = (args: Route.ActionArgs) => {
  const itemId = catalogId(args.params.id)
  return decideActions(
    args,
    {
      id: String(itemId),
      path: () => officePaths.officeItemForm(itemId),
      done: { change: officePaths.officeItem(itemId, 'saved') },
    },
    tireActions,
  )
}

export default function TirePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { path, cells, mark, mayMap } = loaderData
  const sku = cells['sku'] ?? ''
  return (
    <OfficePage
      title={`Edit ${sku}`}
      crumbs={[
        { label: 'Catalog', path: officePaths.officeCatalog() },
        { label: sku, path },
      ]}
      reply={reply}
    >
      <TireForm cells={cells} mark={mark} mayMap={mayMap} reply={reply} />
    </OfficePage>
  )
}
