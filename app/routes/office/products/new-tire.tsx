import { tireActions } from '#app/office/actions/catalog.server.ts'
import { decideActions, found } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findLineCells } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { catalogId } from './catalog-id.ts'
import { TireForm } from './tire-form.tsx'
import type { Route } from './+types/new-tire.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'New tire', officePaths.officeCatalog())

export async function loader({ context, params }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { app, session } = await requireStaff(context, 'catalog.edit', officePaths.officeNewTire(id))
  const { brand, brandId, cells } = found(await findLineCells(app, id))
  return {
    name: `${brand} ${cells.line}`,
    brand: { label: brand, path: officePaths.officeBrand(brandId) },
    linePath: officePaths.officeLine(id),
    mayMap: staffCan(session.roles, 'promotions.edit'),
  }
}

export const action = (args: Route.ActionArgs) => {
  const lineId = catalogId(args.params.id)
  return decideActions(
    args,
    {
      id: '',
      fixed: { modelId: String(lineId) },
      path: () => officePaths.officeNewTire(lineId),
      done: { add: (id) => officePaths.officeItem(Number(id), 'added') },
    },
    tireActions,
  )
}

export default function NewTirePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, brand, linePath, mayMap } = loaderData
  return (
    <OfficePage
      title={`New tire: ${name}`}
      crumbs={[
        { label: 'Brands and models', path: officePaths.officeBrands() },
        brand,
        { label: name, path: linePath },
      ]}
      reply={reply}
    >
      <TireForm isNew mayMap={mayMap} reply={reply} />
    </OfficePage>
  )
}
