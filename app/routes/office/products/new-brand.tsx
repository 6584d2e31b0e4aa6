import { brandActions } from '#app/office/actions/brands.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { longestDescription } from '#domain/catalog/catalog/catalog.ts'
import { brandFields } from './brand-fields.tsx'
import type { Route } from './+types/new-brand.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'New brand', officePaths.officeBrands())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'catalog.edit', officePaths.officeNewBrand())
  return null
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: '',
      path: () => officePaths.officeNewBrand(),
      done: { add: (id) => officePaths.officeBrand(Number(id), { done: 'added' }) },
    },
    brandActions,
  )

export default function NewBrandPage({ actionData: reply }: Route.ComponentProps) {
  return (
    <OfficePage
      title="New brand"
      crumbs={[{ label: 'Brands and models', path: officePaths.officeBrands() }]}
      reply={reply}
    >
      <FormPanel
        id="brand-details"
        title="Brand"
        reply={reply}
        fields={{
          ...brandFields(),
          about: {
            label: 'Description, shown to customers',
            kind: 'area',
            max: longestDescription,
            isOptional: true,
          },
        }}
        buttons={[button('add', 'Add brand', 'primary')]}
        note="Shoppers see a brand once it has a tire for sale."
      />
    </OfficePage>
  )
}
