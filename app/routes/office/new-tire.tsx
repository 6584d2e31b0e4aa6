import { decide, found, step } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { addTire, findLineCells, tireForm } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { catalogId } from './catalog-id.ts'
import { tireFaults } from './tire-faults.ts'
import { TireForm } from './tire-form.tsx'
import type { Route } from './+types/new-tire.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'New tire', officePaths.officeCatalog())

export async function loader({ context, params }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { shop, session } = await requireStaff(context, 'catalog.edit', officePaths.officeNewTire(id))
  const { brand, brandId, cells } = found(await findLineCells(shop, id))
  return {
    name: `${brand} ${cells.line}`,
    brand: { label: brand, path: officePaths.officeBrand(brandId) },
    linePath: officePaths.officeLine(id),
    mayMap: staffCan(session.roles, 'promotions.edit'),
  }
}

export const action = (args: Route.ActionArgs) => {
  const lineId = catalogId(args.params.id)
  return decide(
    args,
    { noun: 'tire', permission: 'catalog.edit', path: () => officePaths.officeNewTire(lineId) },
    ({ shop, by }) => ({
      add: step(
        tireForm,
        (typed) => addTire(shop, by, lineId, typed),
        async ({ id }) => {
          await shop.catalogWatch.read()
          return officePaths.officeItem(id, 'added')
        },
      ),
    }),
    tireFaults,
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
