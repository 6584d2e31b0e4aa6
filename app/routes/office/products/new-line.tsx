import { modelActions } from '#app/office/actions/models.server.ts'
import { decideActions, found } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listCategories } from '#domain/catalog/catalog/catalog.server.ts'
import { findBrandCells } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { lineFields } from './brand-fields.tsx'
import { catalogId } from './catalog-id.ts'
import type { Route } from './+types/new-line.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'New model', officePaths.officeBrands())

export async function loader({ context, params }: Route.LoaderArgs) {
  const id = catalogId(params.id)
  const { app } = await requireStaff(context, 'catalog.edit', officePaths.officeNewLine(id))
  const { cells } = found(await findBrandCells(app, id))
  return { brand: cells.brand, brandPath: officePaths.officeBrand(id), categories: await listCategories(app) }
}

export const action = (args: Route.ActionArgs) => {
  const brandId = catalogId(args.params.id)
  return decideActions(
    args,
    {
      id: '',
      fixed: { brandId: String(brandId) },
      path: () => officePaths.officeNewLine(brandId),
      done: { add: (id) => officePaths.officeLine(Number(id), 'added') },
    },
    modelActions,
  )
}

export default function NewLinePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { brand, brandPath, categories } = loaderData
  return (
    <OfficePage
      title={`New model of ${brand}`}
      crumbs={[
        { label: 'Brands and models', path: officePaths.officeBrands() },
        { label: brand, path: brandPath },
      ]}
      reply={reply}
    >
      <FormPanel
        id="model"
        title="Model"
        isPair
        reply={reply}
        fields={lineFields(categories)}
        buttons={[button('add', 'Add model', 'primary')]}
        note="Add its tires next. The description and photos are on the model’s page."
      />
    </OfficePage>
  )
}
