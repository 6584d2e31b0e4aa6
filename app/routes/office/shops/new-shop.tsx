import { shopActions } from '#app/office/actions/shops.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/new-shop.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'New shop', officePaths.officeNewShop())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'shops.edit', officePaths.officeNewShop())
  return null
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: '',
      path: () => officePaths.officeNewShop(),
      done: { add: (code) => officePaths.officeShop(code, { done: 'added' }) },
    },
    shopActions,
  )

export default function NewShop({ actionData: reply }: Route.ComponentProps) {
  return (
    <OfficePage title="New shop" crumbs={[{ label: 'All shops', path: officePaths.officeShops() }]} reply={reply}>
      <FormPanel
        id="shop"
        title="Shop"
        isPair
        reply={reply}
        fields={{
          name: { label: 'Name', max: 80 },
          kind: {
            label: 'Kind',
            kind: 'choice',
            options: Object.entries({ shop: 'Tire shop', van: 'Van' }),
            hint: 'At first, a van serves customers within 20 miles of its ZIP code. You can’t change the kind later.',
          },
          street: { label: 'Street', max: 100 },
          city: { label: 'City', max: 60 },
          zip: { label: 'ZIP code', max: 5, hint: 'State and time zone follow from it.' },
          phone: { label: 'Phone', kind: 'phone', max: 40 },
          website: { label: 'Website', max: 200, isOptional: true },
          ownerName: { label: 'Owner’s name', max: 60 },
          ownerEmail: { label: 'Owner’s email', kind: 'email', hint: 'We email an invitation to the portal.' },
        }}
        buttons={[button('add', 'Add the shop', 'primary')]}
        note="Customers see the shop once its owner, or you on their behalf, sets hours, bays, and prices."
      />
    </OfficePage>
  )
}
